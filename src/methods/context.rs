//! What a method works with besides its parameters.

use std::sync::Arc;
use std::time::Instant;

use http::request::Parts;

use super::prepared::Prepared;
use super::result::ResultShape;
use crate::auth::Principal;
use crate::era::Call;
use crate::handler::{Invocation, Notifier};
use crate::limit::Target;
use crate::peer::Peer;
use crate::server::Registry;

/// The server, the edge and the caller of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MethodContext<'s> {
    /// The server's definitions and settings.
    pub(crate) registry: &'s Registry,
    /// Results that depend on the build alone.
    pub(crate) prepared: &'s Prepared,
    /// The HTTP request.
    pub(crate) request: &'s Arc<Parts>,
    /// What the edge knows about the request.
    pub(crate) invocation: &'s Invocation,
    /// Sends notifications to the client.
    pub(crate) notifier: &'s Notifier,
    /// The client at the other end of a connection, if the server can send it requests.
    pub(crate) peer: Option<&'s Peer>,
    /// The caller, if its credential was checked and is valid.
    pub(crate) principal: Option<&'s Principal>,
}

impl MethodContext<'_> {
    /// When a call that starts now is stopped: after the server's call timeout, or at the platform's
    /// deadline if that is earlier.
    pub(super) fn deadline(&self) -> Instant {
        let timeout = Instant::now() + self.registry.settings.call_timeout;
        let platform = self.invocation.deadline;
        platform.map_or(timeout, |platform| timeout.min(platform))
    }
}

/// One request that a method serves.
#[derive(Debug, Clone)]
pub(super) struct Request<'a> {
    pub(super) context: &'a MethodContext<'a>,
    pub(super) call: &'a Call<'a>,
    /// What rate limits count the call as. `None` if no limit applies.
    pub(super) limit_target: Option<Target<'a>>,
}

impl<'a> Request<'a> {
    /// The members that every result has, without cache hints or `_meta`.
    pub(super) fn result(&self) -> ResultShape<'a> {
        ResultShape::new(self.call.version, &self.context.prepared.server_info)
    }
}
