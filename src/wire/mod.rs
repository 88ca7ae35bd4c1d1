//! The serde types of the protocol, one file per page of the specification.
//!
//! They describe what is on the wire and nothing else: no rule, no I/O, nothing of ours imported.

pub(crate) mod annotations;
pub(crate) mod capabilities;
pub(crate) mod completion;
pub(crate) mod content;
pub(crate) mod discover;
pub(crate) mod implementation;
pub(crate) mod initialize;
pub(crate) mod input_required;
pub(crate) mod jsonrpc;
pub(crate) mod logging;
pub(crate) mod meta;
pub(crate) mod percent;
pub(crate) mod progress;
pub(crate) mod prompts;
pub(crate) mod protected_resource;
pub(crate) mod resources;
pub(crate) mod strict;
mod timestamp;
pub(crate) mod tools;
pub(crate) mod version;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// Reads a member that is there, also when it is `null`: for members that must not be `null`.
pub(crate) fn present<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}
