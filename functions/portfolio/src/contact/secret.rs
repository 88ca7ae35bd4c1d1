//! [`Secret`]: a text that shows nowhere.

use std::fmt;

/// A credential. It is read where it is sent, and printed by nothing.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    /// Takes a credential that can stand in an HTTP header.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(text.to_owned()))
        } else {
            Err("must be visible ASCII characters without spaces")
        }
    }

    /// The credential itself.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_one_visible_word_and_is_not_shown() {
        let secret = Secret::parse("re_123").unwrap();
        assert_eq!(secret.expose(), "re_123");
        assert_eq!(format!("{secret:?}"), "[redacted]");
        for text in ["", "re 1", "re_1\n", "re_é"] {
            assert!(Secret::parse(text).is_err(), "{text:?}");
        }
    }
}
