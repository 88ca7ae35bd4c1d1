//! How a result looks in each era.
//!
//! Modern results say what type they are and who answers; legacy results carry none of that, since
//! strict clients stumble over it. Specification: *Base Protocol, Result Responses*; *Caching*.

use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::error::ProtocolError;
use crate::wire::version::{Era, ProtocolVersion};

/// How long, and by whom, a result may be kept. Specification: *Caching*.
#[derive(Debug, Clone, Copy)]
pub(super) struct CacheHints {
    ttl_ms: u64,
    cache_scope: &'static str,
}

impl CacheHints {
    /// For results that are the same for every caller.
    pub(super) fn public(ttl: Duration) -> Self {
        Self {
            ttl_ms: millis(ttl),
            cache_scope: "public",
        }
    }

    /// For results that may depend on the caller.
    pub(super) fn private(ttl: Duration) -> Self {
        Self {
            ttl_ms: millis(ttl),
            cache_scope: "private",
        }
    }
}

fn millis(ttl: Duration) -> u64 {
    // Clients read it as a double: the largest integer that all of them hold exactly.
    const MAX_SAFE: u64 = (1 << 53) - 1;
    u64::try_from(ttl.as_millis()).map_or(MAX_SAFE, |ms| ms.min(MAX_SAFE))
}

/// What a result is besides its own members.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape<'a> {
    pub(super) version: ProtocolVersion,
    /// The server's identity, as JSON.
    pub(super) server_info: &'a RawValue,
    /// For the results that may be kept.
    pub(super) cache: Option<CacheHints>,
    /// The author's own `_meta`.
    pub(super) meta: Option<&'a Map<String, Value>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Modern<'a, T> {
    result_type: &'static str,
    #[serde(flatten)]
    body: &'a T,
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_scope: Option<&'static str>,
    #[serde(rename = "_meta")]
    meta: ModernMeta<'a>,
}

#[derive(Serialize)]
struct ModernMeta<'a> {
    #[serde(flatten)]
    own: Option<&'a Map<String, Value>>,
    #[serde(rename = "io.modelcontextprotocol/serverInfo")]
    server_info: &'a RawValue,
}

#[derive(Serialize)]
struct Legacy<'a, T> {
    #[serde(flatten)]
    body: &'a T,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Map<String, Value>>,
}

/// Writes a complete result.
///
/// # Errors
///
/// It cannot be written as JSON.
pub(super) fn complete<T: Serialize>(shape: Shape<'_>, body: &T) -> Result<Bytes, ProtocolError> {
    write(shape, "complete", body)
}

/// Writes a result that asks for input; it may not be kept.
///
/// # Errors
///
/// It cannot be written as JSON.
pub(super) fn input_required<T: Serialize>(
    shape: Shape<'_>,
    body: &T,
) -> Result<Bytes, ProtocolError> {
    write(shape, "input_required", body)
}

fn write<T: Serialize>(
    shape: Shape<'_>,
    result_type: &'static str,
    body: &T,
) -> Result<Bytes, ProtocolError> {
    let Shape {
        version,
        server_info,
        cache,
        meta,
    } = shape;
    let json = match version.era() {
        Era::Modern => serde_json::to_vec(&Modern {
            result_type,
            body,
            ttl_ms: cache.map(|hints| hints.ttl_ms),
            cache_scope: cache.map(|hints| hints.cache_scope),
            meta: ModernMeta {
                own: meta,
                server_info,
            },
        }),
        Era::Legacy => serde_json::to_vec(&Legacy { body, meta }),
    };
    json.map(Bytes::from).map_err(|error| {
        tracing::error!(%error, "a result could not be written as JSON");
        ProtocolError::Internal
    })
}
