//! [`Challenge`]: the error response to a call without a sufficient credential.
//!
//! RFC 6750, section 3: 401 with `invalid_token`, 403 with `insufficient_scope`, and no error code
//! if the request had no Bearer token. Specification: *Authorization, Error Handling*. A credential
//! that cannot be checked now is not the client's fault: 503.

use http::StatusCode;
use http::header::{HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};

use super::{InvalidToken, Scopes};
use crate::reply::ErrorResponse;
use crate::wire::version::Era;

/// `Retry-After` for a credential that cannot be checked now, in seconds.
const RETRY_AFTER_S: HeaderValue = HeaderValue::from_static("5");
/// The protection space. A challenge needs at least one parameter, and this one is always there.
const REALM: &str = "mcp";
/// The JSON-RPC code in the legacy era.
const LEGACY_CODE: i32 = -32000;

/// A call that is not authorized, and what it requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Challenge {
    cause: Cause,
    required: Scopes,
    /// The required scopes as the issuer of tokens names them.
    asked: Scopes,
    metadata_url: Option<String>,
}

/// Why a call is not authorized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// There is no credential.
    Missing,
    /// The credential is invalid.
    Invalid(InvalidToken),
    /// The credential is valid, but lacks a required scope.
    InsufficientScope,
    /// The credential cannot be checked now.
    Unavailable,
}

impl Challenge {
    /// `scope_prefix` is what the issuer of tokens writes before each scope.
    pub(super) fn new(
        cause: Cause,
        required: Scopes,
        scope_prefix: &str,
        metadata_url: Option<String>,
    ) -> Self {
        Self {
            cause,
            asked: required.prefixed(scope_prefix),
            required,
            metadata_url,
        }
    }

    /// The reason code that logs use.
    #[must_use]
    pub(crate) const fn as_str(&self) -> &'static str {
        match self.cause {
            Cause::Missing => "missing",
            Cause::Invalid(reason) => reason.as_str(),
            Cause::InsufficientScope => "insufficient_scope",
            Cause::Unavailable => "unavailable",
        }
    }

    /// The HTTP status. It is the same in both eras, because clients start a sign-in on 401.
    #[must_use]
    pub(crate) const fn status(&self) -> StatusCode {
        match self.cause {
            Cause::Missing | Cause::Invalid(_) => StatusCode::UNAUTHORIZED,
            Cause::InsufficientScope => StatusCode::FORBIDDEN,
            Cause::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The JSON-RPC code: the HTTP status in the modern era, -32000 in the legacy era.
    ///
    /// Specification: *Error Codes*: the codes of an application are outside of -32768 to -32000.
    #[must_use]
    pub(crate) fn code(&self, era: Era) -> i32 {
        match era {
            Era::Modern => i32::from(self.status().as_u16()),
            Era::Legacy => LEGACY_CODE,
        }
    }

    /// Returns the error and the headers for the client.
    #[must_use]
    pub(crate) fn response(&self, era: Era) -> ErrorResponse {
        let mut response = ErrorResponse::new(self.status(), self.code(era), self.text());
        let (name, value) = match self.cause {
            Cause::Unavailable => (RETRY_AFTER, RETRY_AFTER_S),
            Cause::Missing | Cause::Invalid(_) | Cause::InsufficientScope => {
                (WWW_AUTHENTICATE, self.www_authenticate())
            }
        };
        response.headers.insert(name, value);
        response
    }

    /// `Bearer` and at least one parameter. RFC 6750, section 3.
    fn www_authenticate(&self) -> HeaderValue {
        let error = match self.cause {
            // "SHOULD NOT include an error code" if the request had no Bearer token.
            Cause::Missing | Cause::Invalid(InvalidToken::Scheme) | Cause::Unavailable => None,
            Cause::Invalid(reason) => Some(("invalid_token", reason.description())),
            Cause::InsufficientScope => {
                Some(("insufficient_scope", "The token does not allow this call"))
            }
        };
        let mut value = format!("Bearer realm={}", quoted(REALM));
        let mut add = |name: &str, text: &str| {
            value.push_str(", ");
            value.push_str(name);
            value.push('=');
            value.push_str(&quoted(text));
        };
        if let Some((error, description)) = error {
            add("error", error);
            add("error_description", description);
        }
        // Clients ask the issuer for exactly these. Specification: *Scope Selection Strategy*.
        if !self.asked.is_empty() {
            add("scope", &self.asked.to_string());
        }
        if let Some(url) = &self.metadata_url {
            add("resource_metadata", url);
        }
        HeaderValue::try_from(value).unwrap_or(HeaderValue::from_static("Bearer realm=\"mcp\""))
    }

    /// The message for a person or a model. It has the server's own names of scopes.
    fn text(&self) -> String {
        let scopes = if self.required.is_empty() {
            String::new()
        } else {
            format!(" with the scope `{}`", self.required)
        };
        match self.cause {
            Cause::Missing => format!(
                "This call requires a credential{scopes}. Send `Authorization: Bearer` and a key or \
                 token."
            ),
            Cause::Invalid(reason) => format!(
                "{}. This call requires a valid key or token{scopes}.",
                reason.description()
            ),
            Cause::InsufficientScope => {
                format!("The credential does not allow this call. It requires one{scopes}.")
            }
            Cause::Unavailable => {
                "The credential cannot be checked now. Try again in 5 seconds.".to_owned()
            }
        }
    }
}

/// A quoted string. RFC 9110, section 5.6.4.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    const METADATA: &str = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";

    fn challenge(cause: Cause, scopes: &str, metadata: bool) -> Challenge {
        let required = scopes.parse().unwrap();
        Challenge::new(cause, required, "", metadata.then(|| METADATA.to_owned()))
    }

    #[test]
    fn each_cause_has_its_status_and_its_challenge() {
        let expired = Cause::Invalid(InvalidToken::Expired);
        let rows = [
            (
                challenge(Cause::Missing, "contact:send", true),
                401,
                format!(
                    r#"Bearer realm="mcp", scope="contact:send", resource_metadata="{METADATA}""#
                ),
            ),
            (
                challenge(Cause::Missing, "", false),
                401,
                r#"Bearer realm="mcp""#.to_owned(),
            ),
            (
                challenge(Cause::Invalid(InvalidToken::Scheme), "", false),
                401,
                r#"Bearer realm="mcp""#.to_owned(),
            ),
            (
                challenge(expired, "a b", false),
                401,
                r#"Bearer realm="mcp", error="invalid_token", error_description="The token has expired", scope="a b""#
                    .to_owned(),
            ),
            (
                challenge(Cause::InsufficientScope, "a", true),
                403,
                format!(
                    r#"Bearer realm="mcp", error="insufficient_scope", error_description="The token does not allow this call", scope="a", resource_metadata="{METADATA}""#
                ),
            ),
        ];
        for (challenge, status, expected) in rows {
            for era in [Era::Modern, Era::Legacy] {
                let response = challenge.response(era);
                assert_eq!(response.status.as_u16(), status);
                assert_eq!(response.headers[WWW_AUTHENTICATE], expected);
                let code = match era {
                    Era::Modern => i32::from(status),
                    Era::Legacy => -32000,
                };
                assert_eq!(response.code, code);
            }
        }
    }

    #[test]
    fn a_credential_that_cannot_be_checked_is_no_challenge() {
        let response = challenge(Cause::Unavailable, "a", true).response(Era::Modern);
        assert_eq!(response.status, 503);
        assert_eq!(response.headers[RETRY_AFTER], "5");
        assert!(!response.headers.contains_key(WWW_AUTHENTICATE));
    }

    #[test]
    fn the_message_names_what_is_required() {
        let text = challenge(Cause::Missing, "contact:send", false).text();
        assert!(
            text.contains("Bearer") && text.contains("contact:send"),
            "{text}"
        );
        let text = challenge(Cause::InsufficientScope, "contact:send", false).text();
        assert!(
            text.ends_with("requires one with the scope `contact:send`."),
            "{text}"
        );
    }

    #[test]
    fn a_url_cannot_close_its_quotes() {
        let mut challenge = challenge(Cause::Missing, "", true);
        challenge.metadata_url = Some("https://a.example/\"x\\".to_owned());
        assert_eq!(
            challenge.www_authenticate(),
            r#"Bearer realm="mcp", resource_metadata="https://a.example/\"x\\""#
        );
        challenge.metadata_url = Some("https://a.example/\r\nx".to_owned());
        assert_eq!(challenge.www_authenticate(), r#"Bearer realm="mcp""#);
    }
}
