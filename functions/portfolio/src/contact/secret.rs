//! [`Secret`]: a credential that is never printed.

use std::fmt;
use std::str::FromStr;

/// A credential. `Debug` prints `[redacted]`.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl FromStr for Secret {
    type Err = &'static str;

    /// Accepts text that is valid in an HTTP header: visible ASCII characters without spaces.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(text.to_owned()))
        } else {
            Err("must be visible ASCII characters without spaces")
        }
    }
}

impl Secret {
    /// Returns the credential itself.
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
    fn a_secret_is_one_visible_word_and_is_never_printed() {
        let secret = "re_123".parse::<Secret>().unwrap();
        assert_eq!(secret.expose(), "re_123");
        assert_eq!(format!("{secret:?}"), "[redacted]");
        for text in ["", "re 1", "re_1\n", "re_é"] {
            assert!(text.parse::<Secret>().is_err(), "{text:?}");
        }
    }
}
