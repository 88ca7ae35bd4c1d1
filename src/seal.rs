//! Signed texts that a client stores and sends back, such as `requestState`, task ids and session ids.
//!
//! A client could change such a text, so it carries an HMAC that is verified before the content is
//! used. The content is signed, not encrypted: the client can read it. Each purpose signs a different
//! message, so a text that was made for one purpose is not accepted for another.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// What a sealed text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// `requestState` of a multi round-trip request.
    RequestState,
    /// The id of a task.
    TaskId,
    /// The key of a question that a task asks.
    #[cfg_attr(
        not(feature = "durable"),
        expect(dead_code, reason = "the engine in memory keeps the keys")
    )]
    TaskInput,
    /// The name of a task that is the same for equal calls.
    TaskName,
    /// The id of a session.
    Session,
}

impl Purpose {
    /// Precedes the signed text. The colon does not occur in Base64.
    const fn prefix(self) -> &'static [u8] {
        match self {
            Self::RequestState => b"requestState:",
            Self::TaskId => b"taskId:",
            Self::TaskInput => b"taskInput:",
            Self::TaskName => b"taskName:",
            Self::Session => b"session:",
        }
    }
}

/// Seals `content`. Returns `None` if the key is empty.
pub(crate) fn seal(key: &[u8], purpose: Purpose, content: &[u8]) -> Option<String> {
    let content = URL_SAFE_NO_PAD.encode(content);
    let tag = mac(key, purpose, &content)?.finalize().into_bytes();
    Some(format!("{content}.{}", URL_SAFE_NO_PAD.encode(tag)))
}

/// Verifies a sealed text and returns its content. Returns `None` for any other text.
pub(crate) fn open(key: &[u8], purpose: Purpose, sealed: &str) -> Option<Vec<u8>> {
    let (content, tag) = sealed.split_once('.')?;
    let tag = URL_SAFE_NO_PAD.decode(tag).ok()?;
    // `verify_slice` compares in constant time.
    mac(key, purpose, content)?.verify_slice(&tag).ok()?;
    URL_SAFE_NO_PAD.decode(content).ok()
}

/// Returns a name that only this key makes of `content`: 40 hexadecimal digits. `None` if the key is
/// empty.
pub(crate) fn name(key: &[u8], purpose: Purpose, content: &str) -> Option<String> {
    const BYTES: usize = 20;
    let tag = mac(key, purpose, content)?.finalize().into_bytes();
    Some(
        tag.iter()
            .take(BYTES)
            .map(|byte| format!("{byte:02x}"))
            .collect(),
    )
}

fn mac(key: &[u8], purpose: Purpose, content: &str) -> Option<Hmac<Sha256>> {
    if key.is_empty() {
        return None;
    }
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(purpose.prefix());
    mac.update(content.as_bytes());
    Some(mac)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &[u8] = b"0123456789abcdef0123456789abcdef";

    #[test]
    fn a_text_opens_for_its_key_and_purpose_alone() {
        let sealed = seal(KEY, Purpose::TaskId, b"content").unwrap();
        let opened = |key, purpose| open(key, purpose, &sealed);
        assert_eq!(
            opened(KEY, Purpose::TaskId).as_deref(),
            Some(&b"content"[..])
        );
        assert_eq!(opened(KEY, Purpose::RequestState), None);
        assert_eq!(opened(&[7; 32], Purpose::TaskId), None);
        assert_eq!(opened(b"", Purpose::TaskId), None);
        assert_eq!(seal(b"", Purpose::TaskId, b"content"), None);
    }

    #[test]
    fn an_altered_text_does_not_open() {
        let sealed = seal(KEY, Purpose::TaskId, b"content").unwrap();
        for at in 0..sealed.len() {
            let mut bytes = sealed.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(bytes).unwrap();
            assert_eq!(open(KEY, Purpose::TaskId, &altered), None, "{altered}");
        }
        for text in [
            "",
            ".",
            "a.b",
            &sealed.replace('.', ""),
            &format!("{sealed}="),
        ] {
            assert_eq!(open(KEY, Purpose::TaskId, text), None, "{text}");
        }
    }
}
