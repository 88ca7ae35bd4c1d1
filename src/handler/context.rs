//! What a handler may know of the request it serves, and what it may tell the client meanwhile.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::auth::Principal;
use crate::era::client::Client;
use crate::handler::ask::{Asked, Asks};
use crate::handler::invocation::Invocation;
use crate::handler::notify::Notifier;
use crate::wire::capabilities::ClientCapabilities;
use crate::wire::logging::LoggingLevel;
use crate::wire::version::ProtocolVersion;

/// The request a handler serves. Take it as a parameter where it is needed.
///
/// Besides what the request is, it reaches the client: [`progress`](Self::progress) and
/// [`log`](Self::log) tell it how the work goes, [`elicit`](Self::elicit) and its like ask it for
/// input.
#[derive(Debug, Clone)]
pub struct Context(Arc<ContextParts>);

/// What a context is made of.
#[derive(Debug)]
pub(crate) struct ContextParts {
    pub(crate) version: ProtocolVersion,
    pub(crate) client: Client,
    pub(crate) principal: Option<Principal>,
    pub(crate) invocation: Invocation,
    pub(crate) deadline: Instant,
    pub(crate) notifier: Notifier,
    pub(crate) asks: Mutex<Asks>,
}

impl Context {
    pub(crate) fn new(parts: ContextParts) -> Self {
        Self(Arc::new(parts))
    }

    /// The protocol version of the request.
    #[must_use]
    pub fn protocol_version(&self) -> ProtocolVersion {
        self.0.version
    }

    /// The client's own name, if it gave one. It proves nothing.
    #[must_use]
    pub fn client_name(&self) -> Option<&str> {
        self.0.client.info.as_ref().map(|info| info.name.as_str())
    }

    /// What the client can do.
    #[must_use]
    pub fn client_capabilities(&self) -> &ClientCapabilities {
        &self.0.client.capabilities
    }

    /// Who calls, if the tool requires a credential.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.0.principal.as_ref()
    }

    /// The platform's id of the request, for finding it in the logs.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.0.invocation.request_id.as_deref()
    }

    /// The address the platform saw the request come from.
    #[must_use]
    pub fn source_ip(&self) -> Option<IpAddr> {
        self.0.invocation.source_ip
    }

    /// The time left before the call is given up.
    #[must_use]
    pub fn time_left(&self) -> Duration {
        self.0.deadline.saturating_duration_since(Instant::now())
    }

    /// Tells the client how far the work is, out of `total` if that is known.
    ///
    /// Nothing is sent unless the client asked for it and can read an event stream, and nothing
    /// that does not go forward. Specification: *Progress*.
    pub fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        if let Some(token) = &self.0.client.progress_token {
            let message = message.filter(|_| self.0.version.has_progress_messages());
            self.0.notifier.progress(token, progress, total, message);
        }
    }

    /// Sends the client a log message; `logger` names the part that writes it.
    ///
    /// Nothing is sent unless the server declares [`log_notifications`] and the client asked for
    /// this level. It is read by strangers: no secrets, no persons, no internals. Specification:
    /// *Logging*.
    ///
    /// [`log_notifications`]: crate::server::ServerBuilder::log_notifications
    pub fn log(&self, level: LoggingLevel, logger: Option<&str>, data: &Value) {
        if self.0.client.log_level.is_some_and(|least| level >= least) {
            self.0.notifier.log(level, logger, data);
        }
    }

    /// What was asked of the client, and what it answered.
    pub(crate) fn with_asks<T>(&self, use_asks: impl FnOnce(&mut Asks) -> T) -> T {
        // A handler that panicked while it asked leaves its asks as they were.
        use_asks(&mut self.0.asks.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes what is still to be asked.
    pub(crate) fn take_asked(&self) -> Asked {
        self.with_asks(Asks::take)
    }
}
