//! Building a server: the builder, its definitions, and its settings.
//!
//! Start with [`Server::builder`](crate::Server::builder). Definitions are made by
//! [`tool`](crate::tool()), [`resource`](crate::resource()),
//! [`resource_template`](crate::resource_template()) and [`prompt`](crate::prompt()).
//!
//! # JSON Schema
//!
//! Schemas are JSON Schema 2020-12, derived from types by `schemars` or written by hand. Arguments are
//! checked before a handler runs, in a time proportional to their size and within the call's timeout.
//!
//! | about | checked keywords |
//! | --- | --- |
//! | any value | `type`, `enum`, `const`, `allOf`, `anyOf`, `oneOf`, `not`, `if`, `then`, `else`, `$ref` within the schema, `$defs`, `$anchor` |
//! | numbers | `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf` |
//! | strings | `minLength`, `maxLength` (in characters), `pattern` (a regular expression without look-around and backreferences) |
//! | arrays | `items`, `prefixItems`, `contains`, `minContains`, `maxContains`, `minItems`, `maxItems`, `uniqueItems` |
//! | objects | `properties`, `patternProperties`, `additionalProperties`, `unevaluatedProperties`, `propertyNames`, `required`, `dependentRequired`, `dependentSchemas`, `minProperties`, `maxProperties` |
//!
//! `format` is checked if it is `date`, `date-time`, `uuid`, `email` or `uri`, the formats of types such as
//! `chrono::NaiveDate`, `jiff::Timestamp`, `uuid::Uuid` and `url::Url`. Other formats are annotations.
//!
//! Annotations assert nothing: `title`, `description`, `default`, `examples`, `deprecated`, `readOnly`, `writeOnly`, `contentEncoding`, `contentMediaType`, `contentSchema`, `$comment`, and
//! keywords that begin with `x-`. Any other keyword, and a `$schema` other than
//! `https://json-schema.org/draft/2020-12/schema`, fails
//! [`build`](crate::server::ServerBuilder::build) with [`InvalidSchema`].
//!
//! The schema of an enum has alternatives at its root, which some clients refuse. It is listed as one
//! object: the fields of all variants, with the tag as an enumeration. Arguments are checked against the
//! variant that the tag names.
//!
//! An argument that the type does not have is a tool error, which suggests the nearest name;
//! [`Tool::allow_unknown_arguments`] ignores it.
//!
//! Two things are put right before the handler gets its arguments: a `null` for an optional field that
//! cannot be `null` is left out, and a whole number such as `5.0` or `1e2` becomes an integer where
//! only integers are allowed.

mod build_error;
mod builder;
mod builder_settings;
mod builder_signed;
mod composition;
mod definition;
mod document;
mod kind;
mod many_instances;
mod on_need;
mod on_request_span;
pub(crate) mod prompt;
mod prompt_arguments;
mod registered_resource;
mod registered_tool;
mod registry;
mod registry_name;
pub(crate) mod resource;
mod resource_variables;
mod settings;
mod state_key;
mod task_behavior;
mod task_part;
mod task_settings;
pub(crate) mod task_tool;
pub(crate) mod tool;
mod tool_name;
mod tool_schemas;
mod uri_template;

pub use self::build_error::BuildError;
pub use self::builder::ServerBuilder;
pub use self::document::Document;
pub(crate) use self::document::entity_tag;
pub use self::many_instances::ManyInstancesError;
pub use self::prompt::Prompt;
pub(crate) use self::prompt::RegisteredPrompt;
pub(crate) use self::registered_resource::RegisteredResource;
pub(crate) use self::registered_tool::RegisteredTool;
pub(crate) use self::registry::Registry;
pub use self::registry_name::InvalidRegistryName;
pub use self::resource::Resource;
pub(crate) use self::settings::Settings;
pub use self::state_key::{InvalidRequestStateKey, NoSharedKey, RequestStateKey};
pub(crate) use self::task_part::RegisteredTask;
pub(crate) use self::task_tool::random_id;
pub use self::tool::Tool;
pub use crate::auth::authorizer::{Authorizer, IamIdentity};
pub use crate::era::param_headers::InvalidParamHeader;
pub use crate::era::{
    HeaderOnlyRequests, InvalidHeaderOnlyRequests, InvalidLegacyHandshake, LegacyHandshake,
};
pub use crate::gate::{Hosts, InvalidHosts, InvalidOrigins, Origins};
pub use crate::handler::invocation::Invocation;
pub use crate::reply::{ReplyBody, ResponseLimit};
pub use crate::schema::InvalidSchema;
pub use crate::trace_context::TraceContext;
