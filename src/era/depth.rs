//! The limit on the nesting depth of a body.
//!
//! Later stages can recurse over JSON without a risk to the stack.

/// Maximum nesting depth of arrays and objects.
pub(super) const MAX_DEPTH: usize = 64;

/// Returns whether brackets outside strings nest deeper than [`MAX_DEPTH`]. The text can be invalid
/// JSON.
pub(super) fn is_too_deep(json: &[u8]) -> bool {
    let mut depth = 0_usize;
    let mut bytes = json.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'[' | b'{' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return true;
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'"' => skip_string(&mut bytes),
            _ => {}
        }
    }
    false
}

/// Skips the rest of a string, up to its closing quote.
fn skip_string(bytes: &mut std::slice::Iter<'_, u8>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => {
                bytes.next();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(depth: usize) -> Vec<u8> {
        [vec![b'['; depth], vec![b']'; depth]].concat()
    }

    #[test]
    fn the_limit_is_exact() {
        assert!(!is_too_deep(&nested(MAX_DEPTH)));
        assert!(is_too_deep(&nested(MAX_DEPTH + 1)));
        assert!(is_too_deep(&nested(100_000)));
    }

    #[test]
    fn siblings_and_brackets_in_strings_do_not_count() {
        let siblings = format!("[{}]", "[],{},".repeat(1000));
        assert!(!is_too_deep(siblings.as_bytes()));
        let string = format!(r#"["\"{}\\"]"#, "[{".repeat(1000));
        assert!(!is_too_deep(string.as_bytes()));
        assert!(!is_too_deep(br#""unfinished \"#));
    }
}
