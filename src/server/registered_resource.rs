//! [`RegisteredResource`]: a resource that is bound to the server's state.

use std::fmt;
use std::time::Duration;

use crate::auth::Access;
use crate::error::ProtocolError;
use crate::handler::Bound;
use crate::handler::Completer;
use crate::handler::Contents;
use crate::handler::RequestError;
use crate::server::resource_variables::{CheckedVariables, ResourceVariables};
use crate::server::uri_template::UriTemplate;
use crate::wire::resources as wire;

pub(super) type Read = Result<Vec<Contents>, RequestError>;

/// A resource that is bound to the server's state.
#[derive(Debug)]
pub(crate) struct RegisteredResource {
    pub(crate) spec: wire::Resource,
    pub(super) variables: ResourceVariables,
    pub(crate) template: Option<UriTemplate>,
    pub(crate) handler: Bound<Read>,
    /// Whether the handler may ask the client for input.
    pub(crate) may_ask: bool,
    pub(crate) completers: Vec<Completer>,
    pub(crate) is_public: bool,
    /// How long clients may cache the contents. `None`: as the server says.
    pub(crate) cache_ttl: Option<Duration>,
    /// The size, if it is not known before it is listed.
    pub(super) size: Option<SizeOf>,
    pub(crate) access: Access,
}

/// A function that returns the size of a resource.
pub(super) struct SizeOf(pub(super) Box<dyn Fn() -> Option<u64> + Send + Sync>);

impl fmt::Debug for SizeOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SizeOf")
    }
}

impl RegisteredResource {
    /// Whether it is the view of a tool. Extension *MCP Apps, UI Resource Format*.
    pub(crate) fn is_view(&self) -> bool {
        self.spec.address.as_str().starts_with("ui://")
    }

    /// What the handler reads from the URI.
    ///
    /// # Errors
    ///
    /// It has a fault, which is logged.
    pub(crate) fn variables(&self) -> Result<&CheckedVariables, ProtocolError> {
        let known = UriTemplate::names(self.template.as_ref());
        self.variables.get(self.spec.address.as_str(), &known)
    }

    /// The resource as clients see it.
    pub(crate) fn listed(&self) -> wire::Resource {
        let mut listed = self.spec.clone();
        if let Some(SizeOf(size)) = &self.size {
            listed.size = size();
        }
        listed
    }
}
