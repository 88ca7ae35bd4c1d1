//! [`BuildError`]: why a server cannot be built.

use thiserror::Error;

use crate::auth::InvalidScopes;
use crate::era::param_headers::InvalidParamHeader;
use crate::schema::InvalidSchema;

/// Why [`ServerBuilder::build`](crate::server::ServerBuilder::build) failed.
///
/// The message names the definition, the fault and the remedy. All faults are found at build time,
/// never on a call, so return the error from `main`. One thing is checked before a deployment instead: an
/// instance on AWS Lambda describes the types of arguments when they are first needed, and the same program
/// found their faults in every test and local run. See
/// [`Tool::input_schema_with`](crate::server::Tool::input_schema_with).
///
/// # Examples
///
/// ```
/// use lambda_mcp::server::BuildError;
/// use lambda_mcp::{Server, tool};
///
/// async fn hello() -> &'static str {
///     "Hello."
/// }
///
/// let error = Server::builder("greeter", "1.0.0").tool(tool("say hello", hello)).build().unwrap_err();
/// assert!(matches!(error, BuildError::ToolName { .. }));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Two tools have the same name.
    #[error("two tools have the name `{name}`; rename one")]
    DuplicateTool {
        /// The name.
        name: String,
    },
    /// A tool's name has unsupported characters or an unsupported length.
    #[error("`{name}` is not a valid tool name; use 1 to 64 of `A-Z a-z 0-9 _ - .`")]
    ToolName {
        /// The name.
        name: String,
    },
    /// A tool's input schema does not describe an object.
    #[error("the input schema of tool `{tool}` is not an object; use a struct for its arguments")]
    InputSchemaNotObject {
        /// The tool's name.
        tool: String,
    },
    /// A tool's input schema cannot be checked.
    #[error("the input schema of tool `{tool}` is invalid: {source}")]
    InputSchema {
        /// The tool's name.
        tool: String,
        /// What is wrong.
        source: InvalidSchema,
    },
    /// A tool's input schema cannot be listed as one object, which clients require.
    #[error(
        "the input schema of tool `{tool}` cannot be listed as one object: {reason}; \
         use an enum with `#[serde(tag = \"..\")]`, or make it a field of a struct"
    )]
    InputSchemaAlternative {
        /// The tool's name.
        tool: String,
        /// What one of its alternatives is.
        reason: String,
    },
    /// Two parameters of a handler read the arguments.
    #[error(
        "{definition}: two parameters of its handler read the arguments; \
         use one `Args<T>` with the fields of both"
    )]
    RepeatedArguments {
        /// The definition, such as a tool with its name.
        definition: String,
    },
    /// A handler that is not a completion handler takes a
    /// [`CompletionRequest`](crate::handler::CompletionRequest).
    #[error("{definition}: only completion handlers take a `CompletionRequest`; use `Args<T>`")]
    CompletionRequest {
        /// The definition, such as a tool with its name.
        definition: String,
    },
    /// A completion handler takes [`Args`](crate::Args).
    #[error(
        "{definition}: completion handlers do not take `Args<T>`; use `CompletionRequest`, \
         whose `arguments` are those that are filled in"
    )]
    ArgumentsOfCompletion {
        /// The argument and what it belongs to.
        definition: String,
    },
    /// A prompt has an argument that cannot be filled in.
    #[error(
        "prompt `{prompt}`: its argument `{argument}` is {found}, but arguments of prompts are text; \
         use a text, number or boolean"
    )]
    PromptArgument {
        /// The prompt's name.
        prompt: String,
        /// The argument's name.
        argument: String,
        /// What it is.
        found: String,
    },
    /// The URI of a resource has variables.
    #[error("resource `{uri}`: its URI has variables; use `resource_template` for it")]
    ResourceVariables {
        /// The URI.
        uri: String,
    },
    /// A tool's `x-mcp-header` annotation is invalid.
    #[error("tool `{tool}`: {source}")]
    ParamHeader {
        /// The tool's name.
        tool: String,
        /// What is wrong.
        source: InvalidParamHeader,
    },
    /// A resource or template is invalid.
    #[error("resource `{uri}`: {reason}")]
    Resource {
        /// Its URI or URI template.
        uri: String,
        /// What is wrong.
        reason: String,
    },
    /// A prompt is invalid.
    #[error("prompt `{name}`: {reason}")]
    Prompt {
        /// Its name.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// The scopes that a tool, resource or prompt requires, or that imply others, are invalid.
    #[error("{definition}: {source}")]
    Scopes {
        /// What has them, such as "tool `refund`".
        definition: String,
        /// What is wrong.
        source: InvalidScopes,
    },
    /// The server, or a tool, resource or prompt, requires a credential, but the server accepts none.
    #[error("{definition} requires a credential; add a verifier with `ServerBuilder::auth`")]
    NoVerifier {
        /// What requires it, such as "tool `refund`".
        definition: String,
    },
    /// A tool that requires tasks was not made by [`task_tool`](crate::task_tool).
    #[error("tool `{tool}` requires tasks but is not one; make it with `task_tool`")]
    NotATask {
        /// The tool's name.
        tool: String,
    },
    /// A tool requires tasks, but the server runs none.
    #[error("tool `{tool}` requires tasks; say where they run with `ServerBuilder::tasks`")]
    NoTasks {
        /// The tool's name.
        tool: String,
    },
    /// A limit names a tool, resource or prompt that does not exist.
    #[error("a limit names `{target}`, but no such tool, resource or prompt exists")]
    LimitOfUnknownTarget {
        /// The tool, resource or prompt, as the limit names it.
        target: String,
    },
    /// Builders that are merged have a tool, resource or prompt of the same name.
    #[error("{kind} `{name}` is defined by `{first}` and by `{second}`; rename one")]
    MergedTwice {
        /// `tool`, `resource` or `prompt`.
        kind: &'static str,
        /// The name; of a resource, the URI or URI template.
        name: String,
        /// The name of the builder that defines it first.
        first: String,
        /// The name of the builder that defines it again.
        second: String,
    },
    /// A builder that is merged into another sets something for a whole server.
    #[error("`{from}` sets {setting} and is merged; set them on the builder it is merged into")]
    MergedSetting {
        /// What is set.
        setting: &'static str,
        /// The name of the builder that is merged.
        from: String,
    },
    /// The endpoint's path is invalid.
    #[error("`{path}` is not a valid endpoint path; write it like `/mcp`")]
    Endpoint {
        /// The path.
        path: String,
    },
    /// A tool names a view that does not exist.
    #[error(
        "tool `{tool}` has the view `{uri}`, but no resource whose URI begins with `ui://` is registered there"
    )]
    View {
        /// The tool's name.
        tool: String,
        /// The URI of the view.
        uri: String,
    },
    /// A document that the server publishes is invalid.
    #[error("document `{path}`: {reason}")]
    Document {
        /// The path.
        path: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// A definition cannot be serialized as JSON.
    #[error("a definition cannot be serialized as JSON")]
    Unwritable,
    /// The page size is zero.
    #[error("the page size is 0; it must be at least 1")]
    PageSize,
}
