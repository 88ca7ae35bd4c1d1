//! [`Claims`]: what an issuer says about a caller, as JSON.

use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use thiserror::Error;

/// What an issuer says about a caller: the verified claims of a token, as JSON.
///
/// [`Principal::claims`](super::Principal::claims) reads those of the caller's credential, and
/// [`Authorizer`](crate::server::Authorizer) has those that a gateway verified. They are personal
/// data, so `Debug` does not show them. A clone is cheap.
///
/// # Examples
///
/// ```
/// use lambda_mcp::auth::Claims;
/// use serde::Deserialize;
/// use serde_json::{Map, json};
///
/// #[derive(Deserialize)]
/// struct Tenant {
///     tenant: String,
/// }
///
/// let claims = Claims::from(Map::from_iter([("tenant".to_owned(), json!("acme"))]));
/// assert_eq!(claims.read::<Tenant>()?.tenant, "acme");
/// assert!(Claims::default().read::<Tenant>().is_err());
/// # Ok::<(), lambda_mcp::auth::InvalidClaims>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Claims(Option<Arc<str>>);

/// The error of reading claims: one is missing or has another type.
///
/// The message names the claim. It has no value of the token.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the claims cannot be read: {0}")]
pub struct InvalidClaims(String);

impl Claims {
    /// The claims in a JSON text, which is an object.
    pub(crate) fn from_json(json: &str) -> Self {
        Self(Some(Arc::from(json)))
    }

    /// Reads the claims that `T` has fields for. All others are ignored.
    ///
    /// # Errors
    ///
    /// A claim is missing, or has another type than its field.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, InvalidClaims> {
        let json = self.0.as_deref().unwrap_or("{}");
        let mut reader = serde_json::Deserializer::from_str(json);
        serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            let (path, text) = (error.path().to_string(), error.inner().to_string());
            // Other texts than this one quote the value.
            InvalidClaims(if text.starts_with("missing field") {
                text
            } else if path == "." {
                "a claim is not of the expected type".to_owned()
            } else {
                format!("`{path}` is not of the expected type")
            })
        })
    }

    /// Whether there are no claims, as with an API key.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

impl Default for Claims {
    /// No claims.
    fn default() -> Self {
        Self(None)
    }
}

impl From<Map<String, Value>> for Claims {
    fn from(claims: Map<String, Value>) -> Self {
        Self::from_json(&Value::Object(claims).to_string())
    }
}

impl fmt::Debug for Claims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_empty() {
            "Claims(none)"
        } else {
            "Claims([redacted])"
        })
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Wanted {
        #[expect(dead_code, reason = "only whether it can be read matters")]
        level: u8,
    }

    fn error(json: &str) -> String {
        let read = Claims::from_json(json).read::<Wanted>();
        read.unwrap_err().to_string()
    }

    #[test]
    fn an_error_names_the_claim_and_never_quotes_its_value() {
        let missing = error(r#"{"sub": "SENTINEL"}"#);
        assert!(missing.contains("`level`"), "{missing}");
        assert!(!missing.contains("SENTINEL"), "{missing}");
        for value in [r#""SENTINEL""#, "4711", r#"{"SENTINEL": 1}"#, "-1"] {
            let wrong = error(&format!(r#"{{"level": {value}}}"#));
            assert!(wrong.contains("`level`"), "{wrong}");
            assert!(!wrong.contains("SENTINEL"), "{wrong}");
            assert!(!wrong.contains("4711"), "{wrong}");
        }
    }

    #[test]
    fn debug_output_hides_the_claims() {
        let shown = format!("{:?}", Claims::from_json(r#"{"email": "SENTINEL"}"#));
        assert_eq!(shown, "Claims([redacted])");
    }
}
