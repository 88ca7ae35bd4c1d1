//! [`Principal`]: the caller that a valid credential identifies.

use super::Scopes;

/// The caller that a valid credential identifies: who it is, and what it may do.
///
/// A [`Verifier`](super::Verifier) returns it; a handler reads it with
/// [`Context::principal`](crate::Context::principal).
///
/// # Examples
///
/// ```
/// use lambda_mcp::auth::Principal;
///
/// let principal = Principal::new("ada", "contact:send profile".parse()?)
///     .issued_by("https://login.example.com");
/// assert_eq!(principal.subject(), "ada");
/// assert_eq!(principal.issuer(), Some("https://login.example.com"));
/// assert!(principal.scopes().contains("profile"));
/// # Ok::<(), lambda_mcp::auth::InvalidScopes>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    issuer: Option<String>,
    subject: String,
    scopes: Scopes,
}

impl Principal {
    /// Makes a principal that this server names itself, such as the owner of an API key.
    #[must_use]
    pub fn new(subject: impl Into<String>, scopes: Scopes) -> Self {
        Self {
            issuer: None,
            subject: subject.into(),
            scopes,
        }
    }

    /// Sets the issuer that names the subject. The same subject of two issuers is two principals.
    #[must_use]
    pub fn issued_by(mut self, issuer: impl Into<String>) -> Self {
        self.issuer = Some(issuer.into());
        self
    }

    /// The issuer that names the subject, or `None` if this server does.
    #[must_use]
    pub fn issuer(&self) -> Option<&str> {
        self.issuer.as_deref()
    }

    /// The subject: the caller's name, unique within its issuer.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The scopes that the credential grants.
    #[must_use]
    pub const fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// Returns a text that identifies the principal across issuers: the length of the issuer, a
    /// colon, the issuer, the subject.
    ///
    /// Use it as the key for whatever you count or store per caller. The subject alone is not
    /// enough: another issuer may use the same one.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::auth::{Principal, Scopes};
    ///
    /// let own = Principal::new("ada", Scopes::none());
    /// let foreign = own.clone().issued_by("https://login.example.com");
    /// assert_ne!(own.id(), foreign.id());
    /// ```
    #[must_use]
    pub fn id(&self) -> String {
        let issuer = self.issuer.as_deref().unwrap_or_default();
        format!("{}:{issuer}{}", issuer.len(), self.subject)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_principals_share_an_id() {
        let id = |issuer: Option<&str>, subject: &str| {
            let own = Principal::new(subject, Scopes::none());
            issuer
                .map_or(own.clone(), |issuer| own.issued_by(issuer))
                .id()
        };
        let ids = [
            id(None, "ada"),
            id(Some("https://a.example"), "ada"),
            id(Some("https://a.example/"), "ada"),
            id(Some("https://a.example"), "/ada"),
            id(None, "17:https://a.exampleada"),
            id(None, "grace"),
        ];
        for (index, id) in ids.iter().enumerate() {
            assert!(!ids[..index].contains(id), "{id}");
        }
    }
}
