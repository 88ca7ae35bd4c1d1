//! What a server is besides its tools, resources and prompts, and the defaults.

use std::time::Duration;

use crate::auth::Auth;
use crate::era::{HeaderOnlyRequests, LegacyHandshake};
use crate::gate::{Gate, Hosts, Origins};
use crate::layer::Layers;
use crate::limit::Limits;
use crate::server::on_request_span::OnRequestSpan;
use crate::server::state_key::RequestStateKey;
use crate::tasks::Tasks;
use crate::wire::implementation::Implementation;

/// Default maximum size of a request body: 1 MiB.
const MAX_BODY_BYTES: usize = 1024 * 1024;
/// Default call timeout: 25 s, below API Gateway's 29 s.
const CALL_TIMEOUT: Duration = Duration::from_secs(25);
/// Default number of entries in one page of a list.
const PAGE_SIZE: usize = 100;
/// Default time that clients may cache lists and the discovery: 5 minutes.
const CACHE_TTL: Duration = Duration::from_secs(300);
/// Default time that a client has to answer a question: 15 minutes.
const STATE_TTL: Duration = Duration::from_secs(900);
/// Default time that a session id holds: 24 hours.
const SESSION_TTL: Duration = Duration::from_secs(24 * 60 * 60);

/// The settings of a server.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) identity: Implementation,
    pub(crate) instructions: Option<String>,
    pub(crate) gate: Gate,
    pub(crate) header_only: HeaderOnlyRequests,
    pub(crate) legacy_handshake: LegacyHandshake,
    /// How long a session id holds.
    pub(crate) session_ttl: Duration,
    pub(crate) call_timeout: Duration,
    pub(crate) page_size: usize,
    pub(crate) cache_ttl: Duration,
    pub(crate) public_url: Option<String>,
    pub(crate) log_notifications: bool,
    pub(crate) auth: Auth,
    pub(crate) limits: Option<Limits>,
    /// Whether a load balancer in front appends the client's address to `X-Forwarded-For`.
    pub(crate) trusts_load_balancer: bool,
    pub(crate) state_key: RequestStateKey,
    /// Whether the author set the key, so that all instances can have the same one.
    pub(crate) has_shared_state_key: bool,
    pub(crate) state_ttl: Duration,
    pub(crate) tasks: Option<Tasks>,
    pub(crate) layers: Layers,
    pub(crate) on_request_span: Option<OnRequestSpan>,
}

impl Settings {
    /// The defaults, for a server of this name and version.
    pub(super) fn new(name: String, version: String) -> Self {
        let identity = Implementation {
            name,
            title: None,
            version,
            description: None,
            website_url: None,
            icons: Vec::new(),
        };
        let gate = Gate {
            endpoint: "/mcp".to_owned(),
            origins: Origins::loopback(),
            hosts: Hosts::any(),
            max_body_bytes: MAX_BODY_BYTES,
            names_token_issuers: false,
            documents: Vec::new(),
        };
        Self {
            identity,
            instructions: None,
            gate,
            header_only: HeaderOnlyRequests::default(),
            legacy_handshake: LegacyHandshake::default(),
            session_ttl: SESSION_TTL,
            call_timeout: CALL_TIMEOUT,
            page_size: PAGE_SIZE,
            cache_ttl: CACHE_TTL,
            public_url: None,
            log_notifications: false,
            auth: Auth::new(),
            limits: None,
            trusts_load_balancer: false,
            state_key: RequestStateKey::random(),
            has_shared_state_key: false,
            state_ttl: STATE_TTL,
            tasks: None,
            layers: Layers::default(),
            on_request_span: None,
        }
    }

    /// Names a setting that must hold for a whole server, if it is set. Merging must not drop it.
    pub(super) fn of_the_whole_server(&self) -> Option<&'static str> {
        if !self.auth.is_empty() {
            Some("credentials")
        } else if self.limits.is_some() {
            Some("limits")
        } else if !self.layers.is_empty() {
            Some("layers")
        } else if self.on_request_span.is_some() {
            Some("functions for spans")
        } else if self.tasks.is_some() {
            Some("an engine for tasks")
        } else {
            None
        }
    }
}
