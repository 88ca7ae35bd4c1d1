//! [`Challenge`]: the answer to a call that lacks a credential, or holds one that will not do.
//!
//! RFC 6750, section 3: 401 with `invalid_token`, 403 with `insufficient_scope`, and no error code
//! where there was no Bearer token at all. Specification: *Authorization, Error Handling*. A
//! credential that cannot be judged now is nobody's fault outside: 503.

use bytes::Bytes;
use http::StatusCode;
use http::header::{HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};

use super::{InvalidToken, Scopes};
use crate::reply::Reply;
use crate::wire::jsonrpc::{ErrorObject, RequestId};
use crate::wire::version::Era;

/// What a client is told to wait when a verifier cannot be reached, in seconds.
const RETRY_AFTER_S: HeaderValue = HeaderValue::from_static("5");
/// The name of what is protected; it is there so that a challenge always has a parameter.
const REALM: &str = "mcp";
/// The code of every refusal by the server in the legacy era.
const LEGACY_CODE: i32 = -32000;

/// A call that may not be made, and what it would take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Challenge {
    cause: Cause,
    required: Scopes,
    metadata_url: Option<String>,
}

/// Why a call may not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// There is no credential.
    Missing,
    /// The credential is invalid.
    Invalid(InvalidToken),
    /// The credential is good, but does not allow this.
    InsufficientScope,
    /// The credential cannot be judged now.
    Unavailable,
}

impl Challenge {
    pub(super) const fn new(cause: Cause, required: Scopes, metadata_url: Option<String>) -> Self {
        Self {
            cause,
            required,
            metadata_url,
        }
    }

    /// The word used in logs.
    #[must_use]
    pub(crate) const fn as_str(&self) -> &'static str {
        match self.cause {
            Cause::Missing => "missing",
            Cause::Invalid(reason) => reason.as_str(),
            Cause::InsufficientScope => "insufficient_scope",
            Cause::Unavailable => "unavailable",
        }
    }

    /// The HTTP status, the same in both eras: clients begin a sign-in by it.
    #[must_use]
    pub(crate) const fn status(&self) -> StatusCode {
        match self.cause {
            Cause::Missing | Cause::Invalid(_) => StatusCode::UNAUTHORIZED,
            Cause::InsufficientScope => StatusCode::FORBIDDEN,
            Cause::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The JSON-RPC code. Specification: *Error Codes*: an application's codes lie outside of
    /// -32768 to -32000; here they are the HTTP status. Legacy clients know -32000.
    #[must_use]
    pub(crate) fn code(&self, era: Era) -> i32 {
        match era {
            Era::Modern => i32::from(self.status().as_u16()),
            Era::Legacy => LEGACY_CODE,
        }
    }

    /// The JSON-RPC error response, as the JSON text of one message: for one in a batch.
    #[must_use]
    pub(crate) fn message(&self, id: &RequestId, era: Era) -> Bytes {
        let text = self.text();
        let error = ErrorObject {
            code: self.code(era),
            message: &text,
            data: None,
        };
        let id = id.as_json();
        // Strings cannot fail to serialise; were it otherwise, `null` still ends the text.
        let error = serde_json::to_string(&error).unwrap_or_else(|_| "null".to_owned());
        format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#).into()
    }

    /// The response to a call that came alone.
    #[must_use]
    pub(crate) fn reply(&self, id: &RequestId, era: Era) -> Reply {
        let reply = Reply::json(self.status(), self.message(id, era));
        match self.cause {
            Cause::Unavailable => reply.header(RETRY_AFTER, RETRY_AFTER_S),
            Cause::Missing | Cause::Invalid(_) | Cause::InsufficientScope => {
                reply.header(WWW_AUTHENTICATE, self.www_authenticate())
            }
        }
    }

    /// `Bearer`, and at least one parameter: RFC 6750, section 3.
    fn www_authenticate(&self) -> HeaderValue {
        let error = match self.cause {
            // "SHOULD NOT include an error code" where another scheme or none was tried.
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
        if !self.required.is_empty() {
            add("scope", &self.required.to_string());
        }
        if let Some(url) = &self.metadata_url {
            add("resource_metadata", url);
        }
        HeaderValue::try_from(value).unwrap_or(HeaderValue::from_static("Bearer realm=\"mcp\""))
    }

    /// One or two sentences for a person or a model.
    fn text(&self) -> String {
        let scopes = if self.required.is_empty() {
            String::new()
        } else {
            format!(" with the scope `{}`", self.required)
        };
        match self.cause {
            Cause::Missing => format!(
                "This call needs a credential: send `Authorization: Bearer` and a key or token{scopes}."
            ),
            Cause::Invalid(reason) => format!(
                "{}. This call needs a key or token{scopes}.",
                reason.description()
            ),
            Cause::InsufficientScope => {
                format!("The credential does not allow this call: it needs one{scopes}.")
            }
            Cause::Unavailable => {
                "The credential cannot be checked at the moment; try again in some seconds."
                    .to_owned()
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
    use http::HeaderMap;
    use serde_json::value::RawValue;
    use serde_json::{Value, json};

    use super::*;
    const METADATA: &str = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";

    fn challenge(cause: Cause, scopes: &str, metadata: bool) -> Challenge {
        let required = scopes.parse().unwrap();
        Challenge::new(cause, required, metadata.then(|| METADATA.to_owned()))
    }

    fn sent(challenge: &Challenge, era: Era) -> (u16, HeaderMap, Value) {
        let raw: Box<RawValue> = serde_json::from_str("6").unwrap();
        let id = RequestId::new(&raw).unwrap();
        let response = challenge.reply(&id, era).into_response(HeaderMap::new());
        let (parts, body) = response.into_parts();
        let body = serde_json::from_slice(&body.into_bytes().unwrap()).unwrap();
        (parts.status.as_u16(), parts.headers, body)
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
                let (sent_status, headers, body) = sent(&challenge, era);
                assert_eq!(sent_status, status);
                assert_eq!(headers[WWW_AUTHENTICATE], expected);
                assert_eq!(headers["content-type"], "application/json");
                assert_eq!(body["id"], json!(6));
                let code = match era {
                    Era::Modern => i64::from(status),
                    Era::Legacy => -32000,
                };
                assert_eq!(body["error"]["code"], json!(code));
            }
        }
    }

    #[test]
    fn what_cannot_be_judged_is_no_challenge() {
        let (status, headers, _) = sent(&challenge(Cause::Unavailable, "a", true), Era::Modern);
        assert_eq!(status, 503);
        assert_eq!(headers[RETRY_AFTER], "5");
        assert!(!headers.contains_key(WWW_AUTHENTICATE));
    }

    #[test]
    fn the_words_say_what_is_needed() {
        let text = challenge(Cause::Missing, "contact:send", false).text();
        assert!(
            text.contains("Bearer") && text.contains("contact:send"),
            "{text}"
        );
        let text = challenge(Cause::InsufficientScope, "contact:send", false).text();
        assert!(
            text.ends_with("it needs one with the scope `contact:send`."),
            "{text}"
        );
    }

    #[test]
    fn a_url_cannot_end_its_quotes() {
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
