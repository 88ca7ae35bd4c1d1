//! [`Principal`]: the caller that a valid credential identifies.

use serde::de::DeserializeOwned;

use super::{Claims, InvalidClaims, Scopes};

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
    claims: Claims,
}

impl Principal {
    /// Makes a principal that this server names itself, such as the owner of an API key.
    #[must_use]
    pub fn new(subject: impl Into<String>, scopes: Scopes) -> Self {
        Self {
            issuer: None,
            subject: subject.into(),
            scopes,
            claims: Claims::default(),
        }
    }

    /// Sets the issuer that names the subject. The same subject of two issuers is two principals.
    #[must_use]
    pub fn issued_by(mut self, issuer: impl Into<String>) -> Self {
        self.issuer = Some(issuer.into());
        self
    }

    /// Sets what the issuer says about the caller. Defaults to no claims.
    #[must_use]
    pub fn claiming(mut self, claims: impl Into<Claims>) -> Self {
        self.claims = claims.into();
        self
    }

    /// The principal without its claims.
    pub(crate) fn without_claims(&self) -> Self {
        Self {
            claims: Claims::default(),
            ..self.clone()
        }
    }

    /// The principal without its scopes.
    pub(crate) fn without_scopes(self) -> Self {
        Self {
            scopes: Scopes::none(),
            ..self
        }
    }

    /// Adds to the scopes what `add` adds.
    pub(super) fn extend_scopes(&mut self, add: impl FnOnce(&mut Scopes)) {
        add(&mut self.scopes);
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

    /// The scopes that the credential grants, with those that they
    /// [imply](super::Auth::scope_implies).
    #[must_use]
    pub const fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// Reads the claims of the caller's token into a type of your own: its fields name the claims.
    ///
    /// [`Jwt`](super::Jwt) sets all claims of the token, after their signature was verified. An API
    /// key has none.
    ///
    /// # Errors
    ///
    /// A claim is missing, or has another type than its field. An [`Option`] field may be missing.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::auth::{Principal, Scopes};
    /// use serde::Deserialize;
    /// use serde_json::{Map, json};
    ///
    /// #[derive(Deserialize)]
    /// struct Profile {
    ///     email: String,
    ///     #[serde(rename = "cognito:groups", default)]
    ///     groups: Vec<String>,
    /// }
    ///
    /// let claims = Map::from_iter([("email".to_owned(), json!("ada@example.com"))]);
    /// let ada = Principal::new("ada", Scopes::none()).claiming(claims);
    /// let profile: Profile = ada.claims()?;
    /// assert_eq!(profile.email, "ada@example.com");
    /// assert!(profile.groups.is_empty());
    /// # Ok::<(), lambda_mcp::auth::InvalidClaims>(())
    /// ```
    pub fn claims<T: DeserializeOwned>(&self) -> Result<T, InvalidClaims> {
        self.claims.read()
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
