//! Valid names of tools and prompts. Specification: *Tools, Tool Names*.

/// Maximum length of a name. The specification allows 128, but model APIs limit names to 64.
pub(super) const MAX_LENGTH: usize = 64;

/// Whether a name consists of 1 to [`MAX_LENGTH`] of the allowed characters.
pub(super) fn is_valid(name: &str) -> bool {
    (1..=MAX_LENGTH).contains(&name.len())
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ascii_words_of_limited_length() {
        for name in [
            "getUser",
            "DATA_EXPORT_v2",
            "admin.tools.list",
            "a-b",
            &"a".repeat(64),
        ] {
            assert!(is_valid(name), "{name}");
        }
        for name in ["", "a b", "a,b", "é", "a/b", &"a".repeat(65)] {
            assert!(!is_valid(name), "{name}");
        }
    }
}
