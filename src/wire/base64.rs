//! Base64 of binary content. RFC 4648, section 4.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Encodes bytes with the standard alphabet and padding.
pub(crate) fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}
