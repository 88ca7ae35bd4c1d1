//! [`CallInfo`]: what a layer sees of a request.

use crate::auth::Principal;
use crate::handler::Invocation;
use crate::wire::tools::ToolAnnotations;
use crate::wire::version::ProtocolVersion;

/// What a [`CallLayer`](super::CallLayer) sees of a request. A copy is cheap.
///
/// It has neither the arguments nor the result: both can be large, and can hold what must not be
/// logged.
#[derive(Debug, Clone, Copy)]
pub struct CallInfo<'a> {
    pub(crate) method: &'a str,
    pub(crate) target: Option<(TargetKind, &'a str)>,
    pub(crate) annotations: Option<&'a ToolAnnotations>,
    pub(crate) principal: Option<&'a Principal>,
    pub(crate) version: ProtocolVersion,
    pub(crate) client: Option<&'a str>,
    pub(crate) invocation: &'a Invocation,
}

/// The kind of what a request addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TargetKind {
    /// A tool that is called.
    Tool,
    /// A prompt that is requested.
    Prompt,
    /// A resource that is read.
    Resource,
    /// A prompt or resource whose argument is completed.
    Completion,
    /// A task, by the tool that it is a call of.
    Task,
}

impl<'a> CallInfo<'a> {
    /// Returns the method, such as `tools/call`. It is one that the server has.
    #[must_use]
    pub const fn method(&self) -> &'a str {
        self.method
    }

    /// Returns the kind of what is addressed, or `None` for methods such as `tools/list`.
    #[must_use]
    pub fn kind(&self) -> Option<TargetKind> {
        self.target.map(|(kind, _)| kind)
    }

    /// Returns the registered name of what is addressed; for a resource, the URI or URI template it is
    /// registered with.
    #[must_use]
    pub fn name(&self) -> Option<&'a str> {
        self.target.map(|(_, name)| name)
    }

    /// Returns the hints about the effects of the tool, if it is a tool that has some.
    #[must_use]
    pub const fn annotations(&self) -> Option<&'a ToolAnnotations> {
        self.annotations
    }

    /// Returns the authenticated caller, or `None` if what is addressed requires no credential.
    #[must_use]
    pub const fn principal(&self) -> Option<&'a Principal> {
        self.principal
    }

    /// Returns the protocol version of the request.
    #[must_use]
    pub const fn protocol_version(&self) -> ProtocolVersion {
        self.version
    }

    /// Returns the name of the client, if it sent one. It proves nothing.
    #[must_use]
    pub const fn client_name(&self) -> Option<&'a str> {
        self.client
    }

    /// Returns what the platform knows of the request, such as its id and the client's address.
    #[must_use]
    pub const fn invocation(&self) -> &'a Invocation {
        self.invocation
    }
}
