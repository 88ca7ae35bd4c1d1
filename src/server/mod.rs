//! What a server is made of: tools, their handlers, and its settings.
//!
//! Nothing here knows requests; the methods call in, once everything about a request is settled.

mod builder;
mod context;
mod extract;
mod handler;
mod output;
mod schema;
mod tool;
mod tool_name;
mod validate;

pub(crate) use self::builder::Settings;
pub use self::builder::{BuildError, ServerBuilder};
pub use self::context::{Context, Invocation};
pub use self::extract::{Args, CallParts, FromCall, State};
pub use self::handler::{BoxFuture, Handler};
pub use self::output::{IntoToolOutput, Json, ToolOutput};
pub(crate) use self::tool::Registered;
pub use self::tool::{Tool, tool};
pub use self::validate::{InvalidArguments, UncheckableSchema};
use crate::wire::capabilities::{Empty, ServerCapabilities};

/// A server's definitions, all checked.
#[derive(Debug)]
pub(crate) struct Registry {
    pub(crate) settings: Settings,
    pub(crate) tools: Vec<Registered>,
}

impl Registry {
    /// The tool of this name.
    pub(crate) fn tool(&self, name: &str) -> Option<&Registered> {
        // A handful of tools: comparing names is faster than hashing one.
        self.tools.iter().find(|tool| tool.spec.name == name)
    }

    /// What may be claimed: only what has something to serve.
    pub(crate) fn capabilities(&self) -> ServerCapabilities {
        ServerCapabilities {
            tools: (!self.tools.is_empty()).then_some(Empty {}),
        }
    }
}
