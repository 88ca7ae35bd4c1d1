//! What all requests of a client share.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use http::{Extensions, Request, Response};
use serde_json::{Map, Value, json};

use super::answers::Answers;
use super::draft::HeaderEdit;
use crate::handler::Invocation;
use crate::pipeline::Server;
use crate::wire::version::ProtocolVersion;

/// Sees each HTTP request with its response.
pub(super) type Inspect = Arc<dyn Fn(&Request<Bytes>, &Response<Bytes>) + Send + Sync>;

/// A client's settings.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) server: Server,
    pub(super) version: ProtocolVersion,
    /// What the client declares; by default what its answers need.
    pub(super) capabilities: Option<Value>,
    pub(super) supports_tasks: bool,
    pub(super) client_info: Option<Value>,
    pub(super) meta: Map<String, Value>,
    pub(super) headers: Vec<HeaderEdit>,
    /// What the front of the server adds, with an [`Invocation`].
    pub(super) extensions: Extensions,
    pub(super) answers: Answers,
    pub(super) is_streaming: bool,
    pub(super) inspect: Option<Inspect>,
    /// The number of the next request; shared by the clones of a client.
    next_id: Arc<AtomicU64>,
}

impl Settings {
    pub(super) fn new(server: Server) -> Self {
        let mut extensions = Extensions::new();
        extensions.insert(Invocation {
            source_ip: Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
            ..Invocation::default()
        });
        Self {
            server,
            version: ProtocolVersion::V2026_07_28,
            capabilities: None,
            supports_tasks: false,
            client_info: Some(json!({"name": "test-client", "version": "1.0.0"})),
            meta: Map::new(),
            headers: Vec::new(),
            extensions,
            answers: Answers::default(),
            is_streaming: false,
            inspect: None,
            next_id: Arc::new(AtomicU64::new(1)),
        }
    }

    pub(super) fn next_id(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Headers are left out: they may carry a credential.
        f.debug_struct("Settings")
            .field("version", &self.version)
            .field("capabilities", &self.capabilities)
            .field("client_info", &self.client_info)
            .field("meta", &self.meta)
            .field("answers", &self.answers)
            .finish_non_exhaustive()
    }
}
