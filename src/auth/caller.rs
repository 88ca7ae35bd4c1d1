//! [`Caller`]: checks the credential of one HTTP request, on the first need.

use std::net::IpAddr;
use std::time::SystemTime;

use http::request::Parts;
use tokio::sync::OnceCell;
use tokio::time::Instant;

use super::challenge::{Cause, Challenge};
use super::{
    Auth, Authorizer, BearerToken, InvalidToken, Principal, Requirement, Scopes, Verdict, Verifier,
    bearer, metadata,
};
use crate::future;
use crate::request_headers::AllHeaders;

/// What any valid credential meets.
static ANY_CREDENTIAL: Scopes = Scopes::none();

/// How, where and when a request arrived.
///
/// What is not in the request itself comes from the configuration or the platform, never from the
/// client.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival<'a> {
    pub(crate) request: &'a Parts,
    /// The platform's id of the request, for the log.
    pub(crate) request_id: Option<&'a str>,
    pub(crate) source_ip: Option<IpAddr>,
    /// All headers, if those of the request are only what the library reads.
    pub(crate) all_headers: Option<&'a AllHeaders>,
    /// What the authorizer of the gateway found out.
    pub(crate) authorizer: Option<&'a Authorizer>,
    /// The URL in front of the path, such as `https://mcp.example.com`, if it is known.
    pub(crate) base_url: Option<&'a str>,
    /// The path of the endpoint, such as `/mcp`.
    pub(crate) path: &'a str,
    pub(crate) at: SystemTime,
}

/// The outcome of checking a request's credential.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Credential {
    /// There is none.
    Missing,
    Valid(Principal),
    Invalid(InvalidToken),
    /// It cannot be checked now.
    Unavailable,
}

impl Credential {
    /// The caller that a valid credential names.
    const fn principal(&self) -> Option<&Principal> {
        match self {
            Self::Valid(principal) => Some(principal),
            Self::Missing | Self::Invalid(_) | Self::Unavailable => None,
        }
    }

    /// Whether the request has no Bearer token at all. Another scheme is for a gateway, and a
    /// placeholder is an empty variable.
    const fn is_absent(&self) -> bool {
        matches!(
            self,
            Self::Missing | Self::Invalid(InvalidToken::Scheme | InvalidToken::Placeholder)
        )
    }
}

/// The sender of one HTTP request.
///
/// The credential is checked on the first need, and once: all messages of a batch share it.
#[derive(Debug)]
pub(crate) struct Caller<'a> {
    auth: &'a Auth,
    arrival: Arrival<'a>,
    judged: OnceCell<Judged<'a>>,
}

/// A credential, and the verifier that accepted it or found it invalid, if one did.
#[derive(Debug)]
struct Judged<'a> {
    credential: Credential,
    by: Option<&'a dyn Verifier>,
}

impl From<Credential> for Judged<'_> {
    /// No verifier judged it.
    fn from(credential: Credential) -> Self {
        Self {
            credential,
            by: None,
        }
    }
}

impl<'a> Caller<'a> {
    pub(crate) const fn new(auth: &'a Auth, arrival: Arrival<'a>) -> Self {
        Self {
            auth,
            arrival,
            judged: OnceCell::const_new(),
        }
    }

    /// Decides about a request, and returns the caller if it is known. A closed server requires a
    /// valid credential in any case.
    ///
    /// # Errors
    ///
    /// The credential is missing, invalid or lacks a scope, or it cannot be checked now.
    pub(crate) async fn authorize(
        &self,
        requirement: Requirement<'_>,
    ) -> Result<Option<&Principal>, Challenge> {
        let is_closed = self.auth.is_required();
        let required = match requirement {
            Requirement::Scopes(required) => required,
            Requirement::Nothing | Requirement::Recognized(_) | Requirement::ValidIfPresent
                if is_closed =>
            {
                &ANY_CREDENTIAL
            }
            Requirement::Nothing => return Ok(None),
            Requirement::Recognized(scopes) => {
                let principal = self.credential().await.principal();
                return Ok(principal.filter(|principal| principal.scopes().covers(scopes)));
            }
            Requirement::ValidIfPresent => {
                let credential = self.credential().await;
                if credential.is_absent() {
                    return Ok(None);
                }
                &ANY_CREDENTIAL
            }
        };
        let Judged { credential, by } = self.judged().await;
        let cause = match credential {
            Credential::Valid(principal) if principal.scopes().covers(required) => {
                return Ok(Some(principal));
            }
            Credential::Valid(_) => Cause::InsufficientScope,
            Credential::Missing => Cause::Missing,
            Credential::Invalid(reason) => Cause::Invalid(*reason),
            Credential::Unavailable => Cause::Unavailable,
        };
        let has_servers = self.auth.has_authorization_servers();
        let Arrival { base_url, path, .. } = self.arrival;
        let base_url = base_url.filter(|_| has_servers);
        let metadata_url = base_url.map(|base_url| metadata::url(base_url, path));
        let prefix = self.auth.scope_prefix(*by);
        let required = required.clone();
        Err(Challenge::new(cause, required, prefix, metadata_url))
    }

    async fn credential(&self) -> &Credential {
        &self.judged().await.credential
    }

    async fn judged(&self) -> &Judged<'a> {
        self.judged
            .get_or_init(|| async {
                let arrival = &self.arrival;
                if let Some(verified) = verified_by_gateway(self.auth, arrival) {
                    return verified.into();
                }
                let token = match bearer::token(&arrival.request.headers) {
                    Ok(None) => return Credential::Missing.into(),
                    Ok(Some(token)) => token,
                    Err(reason) => return Credential::Invalid(reason).into(),
                };
                let resource = arrival
                    .base_url
                    .map(|base| format!("{base}{}", arrival.path));
                let complete = arrival.all_headers.map(|all| {
                    let mut complete = arrival.request.clone();
                    complete.headers = all.get().clone();
                    complete
                });
                let bearer = BearerToken {
                    request: Some(complete.as_ref().unwrap_or(arrival.request)),
                    source_ip: arrival.source_ip,
                    ..BearerToken::new(token, resource.as_deref(), arrival.at)
                };
                verify(self.auth, bearer, arrival.request_id).await
            })
            .await
    }
}

/// The caller that the gateway verified, if the server accepts such callers.
fn verified_by_gateway(auth: &Auth, arrival: &Arrival<'_>) -> Option<Credential> {
    match auth.gateway.as_ref()?.principal(arrival.authorizer?) {
        Ok(principal) => {
            let mut principal = principal?;
            auth.grant_implied(&mut principal);
            Some(Credential::Valid(principal))
        }
        Err(()) => {
            let request_id = arrival.request_id;
            tracing::error!(request_id, "the function of `Auth::gateway` panicked");
            Some(Credential::Unavailable)
        }
    }
}

/// Asks the verifiers in their order, until one accepts the token or finds it invalid. Together they
/// have the timeout; one that hangs or panics is unavailable.
async fn verify<'a>(
    auth: &'a Auth,
    bearer: BearerToken<'_>,
    request_id: Option<&str>,
) -> Judged<'a> {
    let mut is_unavailable = false;
    let started = Instant::now();
    for verifier in &auth.verifiers {
        let left = auth.verifier_timeout.saturating_sub(started.elapsed());
        let verdict = match future::bounded(left, || verifier.verify(bearer)).await {
            Ok(verdict) => verdict,
            Err(broken) => {
                tracing::error!(
                    request_id,
                    ?verifier,
                    ?broken,
                    "a credential could not be checked"
                );
                Verdict::Unavailable
            }
        };
        let credential = match verdict {
            Verdict::Accepted(mut principal) => {
                auth.grant_implied(&mut principal);
                Credential::Valid(principal)
            }
            Verdict::Invalid(reason) => Credential::Invalid(reason),
            Verdict::Unavailable => {
                is_unavailable = true;
                continue;
            }
            Verdict::Unrecognized => continue,
        };
        let by = Some(&**verifier);
        return Judged { credential, by };
    }
    if is_unavailable {
        Credential::Unavailable.into()
    } else {
        Credential::Invalid(InvalidToken::Unknown).into()
    }
}
