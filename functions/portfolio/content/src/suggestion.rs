//! Suggests the name that was probably meant: "unknown key `emial`; did you mean `email`?"

/// Returns the candidate closest to `word`, if it is close enough to be a spelling mistake.
///
/// One edit inserts, removes or replaces a character, or swaps two neighbours. A third of the
/// characters may be edited, and always one. Case and punctuation are ignored.
pub(crate) fn closest<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let word = folded(word);
    let distance = |candidate: &str| {
        let candidate = folded(candidate);
        let longest = word.chars().count().max(candidate.chars().count());
        let distance = strsim::osa_distance(&word, &candidate);
        (distance <= (longest / 3).max(1)).then_some(distance)
    };
    candidates
        .into_iter()
        .filter_map(|candidate| Some((distance(candidate)?, candidate)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the end of a message that suggests the closest candidate: "; did you mean `email`?".
/// Empty if none is close.
pub(crate) fn did_you_mean<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> String {
    closest(word, candidates)
        .map(|name| format!("; did you mean `{name}`?"))
        .unwrap_or_default()
}

fn folded(text: &str) -> String {
    text.chars()
        .flat_map(char::to_lowercase)
        .filter(|c| c.is_alphanumeric())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spelling_mistake_is_recognized_and_another_word_is_not() {
        let names = ["Tidewatch", "Lantern", "Paper Weather", "email"];
        let rows = [
            ("Tidewach", Some("Tidewatch")),
            ("tide-watch", Some("Tidewatch")),
            ("paper weather", Some("Paper Weather")),
            ("Lanterne", Some("Lantern")),
            ("emial", Some("email")),
            ("Zeppelin", None),
            ("", None),
        ];
        for (word, expected) in rows {
            assert_eq!(closest(word, names), expected, "{word}");
        }
        assert_eq!(did_you_mean("emial", names), "; did you mean `email`?");
        assert_eq!(did_you_mean("Zeppelin", names), "");
    }
}
