//! Estimates how many tokens of a model's context a text takes.

/// What clients give one answer of a tool, in tokens. Some cut or refuse a longer one.
pub(crate) const BUDGET: usize = 25_000;

/// The size of one page of a longer answer, in tokens: below [`BUDGET`] also if the estimate is a
/// fifth too low.
pub(crate) const PAGE: usize = 20_000;

/// ASCII characters for each two tokens: JSON takes more tokens than prose, where it is about eight.
const ASCII_FOR_TWO: usize = 7;

/// Returns an estimate: two tokens for seven ASCII characters, and one for any other character.
///
/// Models count differently. For English JSON the estimate is within about a fifth; for text in
/// other scripts it is high.
pub(crate) fn estimate(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let others = text.chars().filter(|c| !c.is_ascii()).count();
    (ascii * 2).div_ceil(ASCII_FOR_TWO) + others
}

/// Returns the start of a text that takes about `max` tokens. `None` if the whole text does.
pub(crate) fn start(text: &str, max: usize) -> Option<&str> {
    let mut sevenths = 0;
    let limit = max * ASCII_FOR_TWO;
    let end = text.char_indices().find_map(|(at, c)| {
        sevenths += if c.is_ascii() { 2 } else { ASCII_FOR_TWO };
        (sevenths > limit).then_some(at)
    })?;
    text.get(..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_grow_with_the_text() {
        let rows = [("", 0), ("a", 1), ("seven..", 2), ("漢字", 2), ("é", 1)];
        for (text, expected) in rows {
            assert_eq!(estimate(text), expected, "{text}");
        }
        assert_eq!(estimate(&"x".repeat(35_000)), 10_000);
    }

    #[test]
    fn the_start_of_a_text_has_the_tokens_that_are_asked_for() {
        assert_eq!(start("漢字", 2), None);
        assert_eq!(start("漢字漢", 2), Some("漢字"));
        let text = "x".repeat(36);
        assert_eq!(start(&text, 10).map(estimate), Some(10));
        assert_eq!(start("", 1), None);
    }
}
