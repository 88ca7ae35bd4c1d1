//! [`Gateway`]: maps the caller that a gateway has verified to a principal.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde::Deserialize;

use super::{Authorizer, Principal, Scopes};

/// The issuer of AWS identities.
const IAM: &str = "iam.amazonaws.com";

/// A function that names the principal for what an authorizer found out.
#[derive(Clone)]
pub(super) struct Gateway(Arc<Naming>);

type Naming = dyn Fn(&Authorizer) -> Option<Principal> + Send + Sync;

impl Gateway {
    pub(super) fn new(
        naming: impl Fn(&Authorizer) -> Option<Principal> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(naming))
    }

    /// Names the caller, if the function knows one.
    ///
    /// # Errors
    ///
    /// The function panicked.
    pub(super) fn principal(&self, authorizer: &Authorizer) -> Result<Option<Principal>, ()> {
        catch_unwind(AssertUnwindSafe(|| (self.0)(authorizer))).map_err(|_panic| ())
    }
}

impl fmt::Debug for Gateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Gateway")
    }
}

impl Authorizer {
    /// The caller that the gateway verified, for [`Auth::gateway`](super::Auth::gateway).
    ///
    /// | verified by | issuer and subject | scopes |
    /// | --- | --- | --- |
    /// | a JWT or Cognito authorizer | `iss` and `sub` | `scope`, else `scp` |
    /// | IAM | `iam.amazonaws.com` and the ARN | none |
    /// | a Lambda authorizer | none: only you know what its context means | |
    ///
    /// [`Principal::claims`] reads the claims. An ID token has no scopes; with an access token use
    /// [`Auth::scope_implies`](super::Auth::scope_implies) or rules that need no scope.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::auth::{Auth, Principal};
    /// use lambda_mcp::server::Authorizer;
    /// use serde::Deserialize;
    ///
    /// /// The context that a Lambda authorizer of your own returns.
    /// #[derive(Deserialize)]
    /// struct Seller {
    ///     seller_id: String,
    ///     scope: String,
    /// }
    ///
    /// let auth = Auth::new().gateway(|authorizer| match authorizer {
    ///     Authorizer::Lambda(context) => {
    ///         let seller: Seller = context.read().ok()?;
    ///         let caller = Principal::new(seller.seller_id, seller.scope.parse().ok()?);
    ///         Some(caller.claiming(context.clone()))
    ///     }
    ///     other => other.principal(),
    /// });
    /// # assert!(!auth.is_empty());
    /// ```
    #[must_use]
    pub fn principal(&self) -> Option<Principal> {
        match self {
            Self::Claims(claims) => {
                let Verified {
                    iss,
                    sub,
                    scope,
                    scp,
                } = claims.read().ok()?;
                // API Gateway writes a list as `[a b]`.
                let scopes = scope.or(scp).unwrap_or_default();
                let scopes = scopes.trim_start_matches('[').trim_end_matches(']');
                let scopes = Scopes::lenient(scopes.split_ascii_whitespace());
                let caller = Principal::new(sub, scopes).issued_by(iss);
                Some(caller.claiming(claims.clone()))
            }
            Self::Iam(identity) => {
                let caller = Principal::new(&*identity.user_arn, Scopes::none());
                Some(caller.issued_by(IAM))
            }
            Self::Lambda(_) => None,
        }
    }
}

/// The claims that name a caller.
#[derive(Deserialize)]
struct Verified {
    iss: String,
    sub: String,
    scope: Option<String>,
    scp: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::Claims;
    use crate::auth::authorizer::IamIdentity;

    fn named(json: &str) -> Option<(String, String)> {
        let caller = Authorizer::Claims(Claims::from_json(json)).principal()?;
        Some((caller.id(), caller.scopes().to_string()))
    }

    #[test]
    fn verified_claims_name_a_caller_by_issuer_and_subject() {
        let id = "11:https://i.xada".to_owned();
        let rows = [
            (r#"{"iss":"https://i.x","sub":"ada"}"#, Some("")),
            (
                r#"{"iss":"https://i.x","sub":"ada","scope":"a b","scp":"c"}"#,
                Some("a b"),
            ),
            (
                r#"{"iss":"https://i.x","sub":"ada","scp":"[a b]"}"#,
                Some("a b"),
            ),
            (
                r#"{"iss":"https://i.x","sub":"ada","scope":"a \"b c"}"#,
                Some("a c"),
            ),
            (r#"{"sub":"ada"}"#, None),
            (r#"{"iss":"https://i.x"}"#, None),
            (r#"{"iss":"https://i.x","sub":7}"#, None),
        ];
        for (claims, scopes) in rows {
            let expected = scopes.map(|scopes| (id.clone(), scopes.to_owned()));
            assert_eq!(named(claims), expected, "{claims}");
        }
    }

    #[test]
    fn an_aws_identity_has_no_scopes_and_a_context_names_nobody() {
        let caller = Authorizer::Iam(IamIdentity::new("arn:aws:iam::1:user/ada")).principal();
        let caller = caller.unwrap();
        assert_eq!(caller.id(), "17:iam.amazonaws.comarn:aws:iam::1:user/ada");
        assert!(caller.scopes().is_empty());
        let context = Claims::from_json(r#"{"iss":"https://i.x","sub":"ada"}"#);
        assert_eq!(Authorizer::Lambda(context).principal(), None);
    }
}
