//! [`BuildError`]: what can be wrong with a definition.

use thiserror::Error;

use crate::auth::InvalidScopes;
use crate::era::param_headers::InvalidParamHeader;
use crate::schema::UncheckableSchema;

/// A definition that cannot be served.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Two tools have one name.
    #[error("two tools are called `{name}`")]
    DuplicateTool {
        /// The name.
        name: String,
    },
    /// A tool's name has other characters or another length than allowed.
    #[error("`{name}` cannot be a tool's name: write 1 to 64 of `A-Z a-z 0-9 _ - .`")]
    ToolName {
        /// The name.
        name: String,
    },
    /// A tool's arguments are not an object.
    #[error("the arguments of tool `{tool}` must be a struct: its input schema is no object")]
    InputSchemaNotObject {
        /// The tool's name.
        tool: String,
    },
    /// A tool's input schema promises what would not be checked.
    #[error("tool `{tool}`: {source}")]
    UncheckableSchema {
        /// The tool's name.
        tool: String,
        /// What it promises.
        source: UncheckableSchema,
    },
    /// A tool's `x-mcp-header` breaks a rule.
    #[error("tool `{tool}`: {source}")]
    ParamHeader {
        /// The tool's name.
        tool: String,
        /// The rule.
        source: InvalidParamHeader,
    },
    /// A resource cannot be served.
    #[error("resource `{uri}`: {reason}")]
    Resource {
        /// Its URI or template.
        uri: String,
        /// Why.
        reason: String,
    },
    /// A prompt cannot be served.
    #[error("prompt `{name}`: {reason}")]
    Prompt {
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
    /// The scopes a tool requires are not written as scopes are.
    #[error("tool `{tool}`: {source}")]
    Scopes {
        /// The tool's name.
        tool: String,
        /// What is wrong with them.
        source: InvalidScopes,
    },
    /// A tool requires a credential, and the server knows none.
    #[error("tool `{tool}` requires a credential, but the server has no way to know one")]
    NoVerifier {
        /// The tool's name.
        tool: String,
    },
    /// A limit names a tool, resource or prompt that is not registered.
    #[error("there is a limit for `{target}`, but the server has no such tool, resource or prompt")]
    LimitOfUnknownTarget {
        /// The tool, resource or prompt, as the limit names it.
        target: String,
    },
    /// The endpoint's path is not one.
    #[error("`{path}` cannot be the endpoint's path: write it like `/mcp`")]
    Endpoint {
        /// The path.
        path: String,
    },
    /// A definition cannot be written as JSON, such as a schema that holds what JSON has not.
    #[error("a definition cannot be written as JSON")]
    Unwritable,
    /// The page size is zero.
    #[error("a page must hold at least one entry")]
    PageSize,
}
