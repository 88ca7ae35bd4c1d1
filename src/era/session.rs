//! `Mcp-Session-Id`: the proof that a client of the legacy era began with `initialize`.
//! Specification: 2025-11-25, *Transports, Session Management*.
//!
//! The id is a signed text with its own expiry, so that no instance stores sessions. It is no
//! credential: each request is authorized by itself. Only servers with
//! [`LegacyHandshake::Required`] have such ids, and only over HTTP.

use std::str::FromStr;
use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderName, HeaderValue};
use thiserror::Error;

use crate::error::ProtocolError;
use crate::seal::{self, Purpose};

/// The header of the session id.
pub(crate) const MCP_SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");

const EXPIRY_BYTES: usize = 8;
const RANDOM_BYTES: usize = 16;

/// Whether clients of the revisions before 2026-07-28 must begin with `initialize` over HTTP.
///
/// Set it with
/// [`ServerBuilder::legacy_handshake`](crate::server::ServerBuilder::legacy_handshake). Defaults to
/// [`Optional`](Self::Optional). Specification: 2025-11-25, *Transports, Session Management*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::server::LegacyHandshake;
///
/// assert_eq!("required".parse(), Ok(LegacyHandshake::Required));
/// assert_eq!(LegacyHandshake::default(), LegacyHandshake::Optional);
/// assert!("yes".parse::<LegacyHandshake>().is_err());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LegacyHandshake {
    /// Every request is served by itself, with or without a handshake before it.
    #[default]
    Optional,
    /// The answer to `initialize` has an `Mcp-Session-Id`, and other requests without it are refused:
    /// with status 400 if they have none, with 404 if it has expired or was not issued by this server.
    Required,
}

/// The error for a text that is neither `optional` nor `required`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a policy for the handshake; use `optional` or `required`")]
pub struct InvalidLegacyHandshake(String);

/// Parses `optional` or `required`.
impl FromStr for LegacyHandshake {
    type Err = InvalidLegacyHandshake;

    fn from_str(text: &str) -> Result<Self, InvalidLegacyHandshake> {
        match text {
            "optional" => Ok(Self::Optional),
            "required" => Ok(Self::Required),
            _ => Err(InvalidLegacyHandshake(text.to_owned())),
        }
    }
}

/// Makes a session id that is valid until `expires_at`. `None` without a key, or if the platform gives no
/// random bytes.
pub(crate) fn mint(key: &[u8], expires_at: SystemTime) -> Option<HeaderValue> {
    let mut content = [0; EXPIRY_BYTES + RANDOM_BYTES];
    let (expiry, random) = content.split_at_mut(EXPIRY_BYTES);
    expiry.copy_from_slice(&epoch_s(expires_at).to_be_bytes());
    getrandom::fill(random).ok()?;
    let id = seal::seal(key, Purpose::Session, &content)?;
    HeaderValue::try_from(id).ok()
}

/// Checks the session id of a request.
///
/// # Errors
///
/// There is none, it has expired, or it was not made with this key.
pub(crate) fn check(key: &[u8], headers: &HeaderMap, now: SystemTime) -> Result<(), ProtocolError> {
    let mut ids = headers.get_all(MCP_SESSION_ID).iter();
    let id = match (ids.next(), ids.next()) {
        (None, _) => return Err(ProtocolError::NoSession),
        (Some(id), None) => id,
        (Some(_), Some(_)) => return Err(ProtocolError::SessionEnded),
    };
    let expires_at_s = || -> Option<u64> {
        let content = seal::open(key, Purpose::Session, id.to_str().ok()?)?;
        let expiry = content.get(..EXPIRY_BYTES)?;
        Some(u64::from_be_bytes(expiry.try_into().ok()?))
    };
    match expires_at_s() {
        Some(expires_at_s) if epoch_s(now) < expires_at_s => Ok(()),
        Some(_) | None => Err(ProtocolError::SessionEnded),
    }
}

fn epoch_s(at: SystemTime) -> u64 {
    at.duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or(Duration::ZERO)
        .as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &[u8] = b"0123456789abcdef0123456789abcdef";

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    fn with(ids: &[&HeaderValue]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for &id in ids {
            headers.append(MCP_SESSION_ID, id.clone());
        }
        headers
    }

    #[test]
    fn an_id_holds_until_it_expires_and_for_its_key_alone() {
        let id = mint(KEY, at(1000)).unwrap();
        assert!(id.as_bytes().iter().all(u8::is_ascii_graphic), "{id:?}");
        let ended = Err(ProtocolError::SessionEnded);
        assert_eq!(check(KEY, &with(&[&id]), at(999)), Ok(()));
        assert_eq!(check(KEY, &with(&[&id]), at(1000)), ended);
        assert_eq!(check(&[7; 32], &with(&[&id]), at(999)), ended);
        assert_eq!(check(KEY, &with(&[&id, &id]), at(999)), ended);
        assert_eq!(check(KEY, &with(&[]), at(0)), Err(ProtocolError::NoSession));
        assert_ne!(mint(KEY, at(1000)), Some(id));
        assert_eq!(mint(b"", at(1000)), None);
    }

    #[test]
    fn another_text_is_no_id() {
        let id = mint(KEY, at(1000)).unwrap();
        let id = id.to_str().unwrap();
        let other_purpose = seal::seal(KEY, Purpose::TaskId, &[255; 24]).unwrap();
        let short = seal::seal(KEY, Purpose::Session, &[1, 2]).unwrap();
        for text in [
            "",
            ".",
            "x",
            &format!("{id}A"),
            &id.replace('.', ""),
            &other_purpose,
            &short,
        ] {
            let text = HeaderValue::from_str(text).unwrap();
            let checked = check(KEY, &with(&[&text]), at(0));
            assert_eq!(checked, Err(ProtocolError::SessionEnded), "{text:?}");
        }
    }
}
