//! Scopes: what a credential allows and what a tool demands. RFC 6749, section 3.3.

use std::fmt;

use thiserror::Error;

/// A list of scopes, such as `contact:send`; what it demands or allows does not hang on the order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scopes(Vec<String>);

/// Text that is no list of scopes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a scope; scopes are printable ASCII without quotes, backslashes or spaces")]
pub struct InvalidScopes(String);

impl Scopes {
    /// No scope: as a demand, any credential that is known will do.
    #[must_use]
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// Reads scopes separated by spaces.
    ///
    /// # Errors
    ///
    /// A scope with a character that RFC 6749 does not allow.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::auth::Scopes;
    ///
    /// let held = Scopes::parse("contact:send profile")?;
    /// assert!(held.covers(&Scopes::parse("contact:send")?));
    /// assert!(!held.covers(&Scopes::parse("contact")?));
    /// assert!(Scopes::parse("quo\"te").is_err());
    /// # Ok::<(), lambda_mcp::auth::InvalidScopes>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, InvalidScopes> {
        let mut scopes = Self::none();
        for scope in text.split_ascii_whitespace() {
            if !is_scope(scope) {
                return Err(InvalidScopes(scope.to_owned()));
            }
            scopes.add(scope);
        }
        Ok(scopes)
    }

    /// Takes what is a scope and leaves out what is none: an issuer's scopes are not ours to judge.
    #[cfg(feature = "jwt")]
    pub(super) fn known<'a>(scopes: impl IntoIterator<Item = &'a str>) -> Self {
        let mut known = Self::none();
        for scope in scopes.into_iter().filter(|scope| is_scope(scope)) {
            known.add(scope);
        }
        known
    }

    fn add(&mut self, scope: &str) {
        if !self.iter().any(|known| known == scope) {
            self.0.push(scope.to_owned());
        }
    }

    /// Adds the scopes of another list.
    pub fn extend(&mut self, others: &Self) {
        for scope in others.iter() {
            self.add(scope);
        }
    }

    /// The scopes, in the order in which they were written.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all that is demanded is here, letter by letter: no scope implies another.
    #[must_use]
    pub fn covers(&self, demanded: &Self) -> bool {
        demanded.iter().all(|scope| self.iter().any(|s| s == scope))
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

fn is_scope(text: &str) -> bool {
    let is_allowed = |b: u8| b.is_ascii_graphic() && !matches!(b, b'"' | b'\\');
    !text.is_empty() && text.bytes().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_read_once_each_and_in_order() {
        let scopes = Scopes::parse("  b a  b\tc:d ").unwrap();
        assert_eq!(scopes.to_string(), "b a c:d");
        assert_eq!(Scopes::parse(" "), Ok(Scopes::none()));
        for text in ["a\"b", "a\\b", "ä", "a\u{7f}"] {
            assert!(Scopes::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn all_that_is_demanded_must_be_held_letter_by_letter() {
        let held = Scopes::parse("contact:send read").unwrap();
        let rows = [
            ("", true),
            ("read", true),
            ("read contact:send", true),
            ("contact", false),
            ("contact:send:all", false),
            ("Read", false),
            ("read write", false),
        ];
        for (demanded, expected) in rows {
            let demanded = Scopes::parse(demanded).unwrap();
            assert_eq!(held.covers(&demanded), expected, "{demanded}");
        }
        assert!(!Scopes::none().covers(&held));
    }
}
