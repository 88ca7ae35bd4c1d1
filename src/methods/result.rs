//! The members that results have in each era.
//!
//! Modern results carry `resultType` and the server's identity. Legacy results carry neither, since
//! strict clients reject unknown members. Specification: *Base Protocol, Result Responses*;
//! *Caching*.

use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::error::ProtocolError;
use crate::wire::version::{Era, ProtocolVersion};

/// How long and for whom a result may be cached. Specification: *Caching*.
#[derive(Debug, Clone, Copy)]
pub(super) struct CacheHints {
    ttl_ms: u64,
    cache_scope: &'static str,
}

impl CacheHints {
    /// A result that is the same for every caller.
    pub(super) fn public(ttl: Duration) -> Self {
        Self {
            ttl_ms: millis(ttl),
            cache_scope: "public",
        }
    }

    /// A result that may depend on the caller.
    pub(super) fn private(ttl: Duration) -> Self {
        Self {
            ttl_ms: millis(ttl),
            cache_scope: "private",
        }
    }
}

fn millis(ttl: Duration) -> u64 {
    // The largest integer that clients hold exactly, since they read numbers as doubles.
    const MAX_SAFE: u64 = (1 << 53) - 1;
    u64::try_from(ttl.as_millis()).map_or(MAX_SAFE, |ms| ms.min(MAX_SAFE))
}

/// The members of a result besides its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResultShape<'a> {
    version: ProtocolVersion,
    /// The server's identity, as JSON.
    server_info: &'a RawValue,
    cache: Option<CacheHints>,
    meta: Option<&'a Map<String, Value>>,
}

impl<'a> ResultShape<'a> {
    /// A result without cache hints and without a `_meta` of its own.
    pub(super) const fn new(version: ProtocolVersion, server_info: &'a RawValue) -> Self {
        Self {
            version,
            server_info,
            cache: None,
            meta: None,
        }
    }

    /// Adds cache hints.
    pub(super) const fn cache(mut self, hints: CacheHints) -> Self {
        self.cache = Some(hints);
        self
    }

    /// Adds members to `_meta`.
    pub(super) const fn meta(mut self, meta: Option<&'a Map<String, Value>>) -> Self {
        self.meta = meta;
        self
    }

    /// The server's identity, as JSON.
    pub(super) const fn server_info(&self) -> &'a RawValue {
        self.server_info
    }

    /// The version that the result is written for.
    pub(super) const fn version(&self) -> ProtocolVersion {
        self.version
    }
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
/// The body cannot be written as JSON.
pub(super) fn complete<T: Serialize>(
    shape: ResultShape<'_>,
    body: &T,
) -> Result<Bytes, ProtocolError> {
    write(shape, "complete", body)
}

/// Writes a result that asks for input. It must not be cached.
///
/// # Errors
///
/// The body cannot be written as JSON.
pub(super) fn input_required<T: Serialize>(
    shape: ResultShape<'_>,
    body: &T,
) -> Result<Bytes, ProtocolError> {
    write(shape, "input_required", body)
}

/// Writes a result that announces a task. It must not be cached.
///
/// # Errors
///
/// The body cannot be written as JSON.
pub(super) fn task<T: Serialize>(shape: ResultShape<'_>, body: &T) -> Result<Bytes, ProtocolError> {
    write(shape, "task", body)
}

fn write<T: Serialize>(
    shape: ResultShape<'_>,
    result_type: &'static str,
    body: &T,
) -> Result<Bytes, ProtocolError> {
    let ResultShape {
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
