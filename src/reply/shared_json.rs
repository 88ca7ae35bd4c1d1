//! [`SharedJson`]: JSON that is part of many responses.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use crate::wire::text::escape_into;

/// JSON text that many responses have, such as a list. A clone is cheap and shares everything.
#[derive(Debug, Clone)]
pub(crate) struct SharedJson(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    json: Bytes,
    escaped: OnceLock<Bytes>,
}

impl SharedJson {
    pub(crate) fn new(json: Bytes) -> Self {
        Self(Arc::new(Inner {
            json,
            escaped: OnceLock::new(),
        }))
    }

    /// The JSON.
    pub(crate) fn json(&self) -> &Bytes {
        &self.0.json
    }

    /// The JSON as the inside of a JSON string, for an edge whose responses are JSON documents. It is
    /// written on the first need.
    pub(super) fn escaped(&self) -> &Bytes {
        self.0.escaped.get_or_init(|| escaped(&self.0.json))
    }
}

/// JSON text as the inside of a JSON string.
pub(super) fn escaped(json: &[u8]) -> Bytes {
    let mut escaped = Vec::with_capacity(json.len() + json.len() / 4);
    escape_into(&mut escaped, std::str::from_utf8(json).unwrap_or_default());
    escaped.into()
}
