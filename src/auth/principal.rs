//! [`Principal`]: who calls, once that is known.

use super::Scopes;

/// Who calls, and what they may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    issuer: Option<String>,
    subject: String,
    scopes: Scopes,
}

impl Principal {
    /// A caller whom this server itself knows by a name.
    #[must_use]
    pub fn new(subject: impl Into<String>, scopes: Scopes) -> Self {
        Self {
            issuer: None,
            subject: subject.into(),
            scopes,
        }
    }

    /// Says who vouches for the subject: a name means something only beside it.
    #[must_use]
    pub fn issuer(mut self, issuer: impl Into<String>) -> Self {
        self.issuer = Some(issuer.into());
        self
    }

    /// The caller's name, as its issuer gave it.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// What the credential allows.
    #[must_use]
    pub const fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// A text that no other caller has: the issuer with its length before it, then the subject.
    ///
    /// Whatever is counted or kept for a caller hangs on this, never on the subject alone.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::auth::{Principal, Scopes};
    ///
    /// let own = Principal::new("ada", Scopes::none());
    /// let foreign = own.clone().issuer("https://login.example.com");
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
    fn no_two_callers_share_an_id() {
        let of = |issuer: Option<&str>, subject: &str| {
            let own = Principal::new(subject, Scopes::none());
            issuer.map_or(own.clone(), |issuer| own.issuer(issuer)).id()
        };
        let ids = [
            of(None, "ada"),
            of(Some("https://a.example"), "ada"),
            of(Some("https://a.example/"), "ada"),
            of(Some("https://a.example"), "/ada"),
            of(None, "17:https://a.exampleada"),
            of(None, "grace"),
        ];
        for (index, id) in ids.iter().enumerate() {
            assert!(!ids[..index].contains(id), "{id}");
        }
    }
}
