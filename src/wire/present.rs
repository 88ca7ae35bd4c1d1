//! Reading members that must not be `null`.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// Deserializes a member that is present, including `null`.
pub(crate) fn present<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}
