//! Building a server: the builder, its definitions, and its settings.
//!
//! Start with [`Server::builder`](crate::Server::builder). Definitions are made by
//! [`tool`](crate::tool()), [`resource`](crate::resource()),
//! [`resource_template`](crate::resource_template()) and [`prompt`](crate::prompt()).
//!
//! # JSON Schema
//!
//! Schemas are JSON Schema 2020-12. Every keyword of an input schema is checked before a handler
//! runs; a keyword that would not be checked fails [`build`](crate::server::ServerBuilder::build) with
//! [`InvalidSchema`].

mod build_error;
mod builder;
mod builder_settings;
mod definition;
pub(crate) mod prompt;
mod registry;
pub(crate) mod resource;
mod settings;
mod state_key;
pub(crate) mod tool;
mod tool_name;
mod uri_template;

pub use self::build_error::BuildError;
pub use self::builder::ServerBuilder;
pub use self::prompt::Prompt;
pub(crate) use self::prompt::RegisteredPrompt;
pub(crate) use self::registry::Registry;
pub(crate) use self::resource::RegisteredResource;
pub use self::resource::Resource;
pub(crate) use self::settings::Settings;
pub use self::state_key::{InvalidRequestStateKey, RequestStateKey};
pub(crate) use self::tool::RegisteredTool;
pub use self::tool::Tool;
pub use crate::era::param_headers::InvalidParamHeader;
pub use crate::era::{HeaderOnlyRequests, InvalidHeaderOnlyRequests};
pub use crate::gate::{Hosts, InvalidHosts, InvalidOrigins, Origins};
pub use crate::handler::invocation::Invocation;
pub use crate::reply::{ReplyBody, ResponseLimit};
pub use crate::schema::InvalidSchema;
