//! [`RequestStateKey`]: the key that signs `requestState`. Specification: *Multi Round-Trip
//! Requests, Security Considerations*.

use std::fmt;

use thiserror::Error;

/// The secret that signs `requestState`, task ids and session ids, at least 32 bytes. `Debug` does not show it.
///
/// # Examples
///
/// ```
/// use lambda_mcp::server::RequestStateKey;
///
/// assert!(RequestStateKey::new("too short").is_err());
/// let key = RequestStateKey::new(vec![7; 32])?;
/// assert_eq!(format!("{key:?}"), "RequestStateKey([redacted])");
/// # Ok::<(), lambda_mcp::server::InvalidRequestStateKey>(())
/// ```
#[derive(Clone)]
pub struct RequestStateKey(Vec<u8>);

/// The error of [`RequestStateKey::new`]: the secret is too short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "the key for request states is too short: use at least {} bytes",
    RequestStateKey::MIN_BYTES
)]
pub struct InvalidRequestStateKey;

/// Why a server cannot run as several instances: a handler asks its client for input, or the server
/// requires a handshake, and the instances share no key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{kind} `{name}` {}: set one key for all instances with `ServerBuilder::request_state_key`",
    why(.kind)
)]
#[non_exhaustive]
pub struct NoSharedKey {
    /// What asks: `tool`, `resource` or `prompt`. `setting` if the server requires a handshake.
    pub kind: &'static str,
    /// Its name; the URI or URI template of a resource; `legacy_handshake`.
    pub name: String,
}

impl NoSharedKey {
    /// The `kind` of a setting.
    pub(super) const SETTING: &'static str = "setting";
}

fn why(kind: &str) -> &'static str {
    if kind == NoSharedKey::SETTING {
        "requires session ids, and the next request can reach another instance"
    } else {
        "asks its client for input, and the answer can reach another instance than the question"
    }
}

impl RequestStateKey {
    /// Minimum length of a key, in bytes.
    pub const MIN_BYTES: usize = 32;

    /// Makes a key of a secret: random bytes, or a random text of at least 32 characters.
    ///
    /// # Errors
    ///
    /// The secret is shorter than [`MIN_BYTES`](Self::MIN_BYTES).
    pub fn new(secret: impl Into<Vec<u8>>) -> Result<Self, InvalidRequestStateKey> {
        let secret = secret.into();
        if secret.len() < Self::MIN_BYTES {
            Err(InvalidRequestStateKey)
        } else {
            Ok(Self(secret))
        }
    }

    /// Makes a random key for this process. If the platform gives no random bytes, the key is empty, and
    /// signing with it is refused.
    pub(crate) fn random() -> Self {
        let mut secret = vec![0; Self::MIN_BYTES];
        match getrandom::fill(&mut secret) {
            Ok(()) => Self(secret),
            Err(_) => Self(Vec::new()),
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for RequestStateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestStateKey([redacted])")
    }
}
