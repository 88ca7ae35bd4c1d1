//! What a tool may be called. Specification: *Tools, Tool Names*.

/// The longest name. The specification allows 128; clients that prefix the server's name hit a
/// bound of 64 at their model.
pub(super) const LONGEST: usize = 64;

/// Whether a name has 1 to [`LONGEST`] of the allowed characters.
pub(super) fn is_valid(name: &str) -> bool {
    (1..=LONGEST).contains(&name.len())
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ascii_words() {
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
