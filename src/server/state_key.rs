//! The key that seals request states.

use std::fmt;

use thiserror::Error;

/// A secret of at least 32 bytes.
#[derive(Clone)]
pub struct RequestStateKey(Vec<u8>);

/// A secret that is too short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the key must have at least {} bytes", RequestStateKey::MIN_BYTES)]
pub struct InvalidRequestStateKey;

impl RequestStateKey {
    /// The fewest bytes a key may have.
    pub const MIN_BYTES: usize = 32;

    /// Takes a secret.
    ///
    /// # Errors
    ///
    /// It has fewer than [`MIN_BYTES`](Self::MIN_BYTES).
    pub fn new(secret: impl Into<Vec<u8>>) -> Result<Self, InvalidRequestStateKey> {
        let secret = secret.into();
        if secret.len() < Self::MIN_BYTES {
            Err(InvalidRequestStateKey)
        } else {
            Ok(Self(secret))
        }
    }

    /// A key of this process alone. Empty, and so refused wherever it would be used, where the
    /// platform has no randomness.
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
