//! [`Scopes`]: the permissions of a credential, and those a call requires. RFC 6749, section 3.3.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A set of scopes, such as `contact:send profile`.
///
/// Parse it from text in which spaces separate the scopes. The empty text is the empty set.
/// Duplicates are dropped. The order is kept for display, but has no meaning: two sets with the
/// same scopes are equal.
///
/// # Examples
///
/// ```
/// use lambda_mcp::auth::Scopes;
///
/// let granted: Scopes = "contact:send profile".parse()?;
/// assert!(granted.covers(&"contact:send".parse()?));
/// // Scopes are compared byte for byte; none contains another.
/// assert!(!granted.covers(&"contact".parse()?));
///
/// assert!("quo\"te".parse::<Scopes>().is_err());
/// # Ok::<(), lambda_mcp::auth::InvalidScopes>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Scopes(Vec<String>);

/// Text that contains something that is not a scope.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not a scope; a scope is printable ASCII without spaces, double quotes and backslashes"
)]
pub struct InvalidScopes(String);

impl FromStr for Scopes {
    type Err = InvalidScopes;

    fn from_str(text: &str) -> Result<Self, InvalidScopes> {
        let mut scopes = Self::none();
        for scope in text.split_ascii_whitespace() {
            if !is_scope(scope) {
                return Err(InvalidScopes(scope.to_owned()));
            }
            scopes.add(scope);
        }
        Ok(scopes)
    }
}

impl Scopes {
    /// The empty set. As a requirement, any valid credential meets it.
    #[must_use]
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// Keeps what is a scope and drops the rest: an issuer may use other names for other servers.
    pub(super) fn lenient<'a>(scopes: impl IntoIterator<Item = &'a str>) -> Self {
        let mut valid = Self::none();
        for scope in scopes.into_iter().filter(|scope| is_scope(scope)) {
            valid.add(scope);
        }
        valid
    }

    /// Returns the scopes with a prefix before each. A scope that is not valid with the prefix is left out:
    /// no token can have it.
    pub(super) fn prefixed(&self, prefix: &str) -> Self {
        let scopes = self.iter().map(|scope| format!("{prefix}{scope}"));
        Self(scopes.filter(|scope| is_scope(scope)).collect())
    }

    fn add(&mut self, scope: &str) {
        if !self.contains(scope) {
            self.0.push(scope.to_owned());
        }
    }

    /// Adds the scopes of another set.
    pub fn extend(&mut self, others: &Self) {
        for scope in others.iter() {
            self.add(scope);
        }
    }

    /// Iterates over the scopes, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the set contains a scope, compared byte for byte.
    #[must_use]
    pub fn contains(&self, scope: &str) -> bool {
        self.iter().any(|known| known == scope)
    }

    /// Whether the set contains every scope of `required`.
    #[must_use]
    pub fn covers(&self, required: &Self) -> bool {
        required.iter().all(|scope| self.contains(scope))
    }
}

impl PartialEq for Scopes {
    fn eq(&self, other: &Self) -> bool {
        self.covers(other) && other.covers(self)
    }
}

impl Eq for Scopes {}

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

    fn scopes(text: &str) -> Scopes {
        text.parse().unwrap()
    }

    #[test]
    fn duplicates_are_dropped_and_the_order_is_kept() {
        assert_eq!(scopes("  b a  b\tc:d ").to_string(), "b a c:d");
        assert_eq!(scopes(" "), Scopes::none());
        for text in ["a\"b", "a\\b", "ä", "a\u{7f}"] {
            assert!(text.parse::<Scopes>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_prefix_stands_before_each_scope() {
        let required = scopes("b a");
        assert_eq!(required.prefixed("x/").to_string(), "x/b x/a");
        assert_eq!(required.prefixed("").to_string(), "b a");
        assert!(required.prefixed("x y").is_empty());
    }

    #[test]
    fn sets_are_equal_in_any_order() {
        assert_eq!(scopes("a b"), scopes("b a"));
        assert_ne!(scopes("a b"), scopes("a"));
        assert_ne!(scopes("a"), scopes("a b"));
    }

    #[test]
    fn every_required_scope_must_be_granted_byte_for_byte() {
        let granted = scopes("contact:send read");
        let rows = [
            ("", true),
            ("read", true),
            ("read contact:send", true),
            ("contact", false),
            ("contact:send:all", false),
            ("Read", false),
            ("read write", false),
        ];
        for (required, expected) in rows {
            assert_eq!(granted.covers(&scopes(required)), expected, "{required}");
        }
        assert!(!Scopes::none().covers(&granted));
    }
}
