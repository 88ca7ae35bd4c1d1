//! A tool: a handler with its name and description. Specification: *Tools, Tool*.

use serde_json::{Map, Value};

use crate::auth::Scopes;
use crate::era::param_headers::{self, ParamHeader};
use crate::error::ToolError;
use crate::handler::Handler;
use crate::handler::{Bound, Unbound};
use crate::handler::{IntoToolOutput, ToolOutput};
use crate::schema;
use crate::schema::Validator;
use crate::server::build_error::BuildError;
use crate::server::tool_name;
use crate::wire::annotations::Icon;
use crate::wire::tools::{self as wire, ToolAnnotations};

type Called = Result<ToolOutput, ToolError>;

/// A tool before it is registered; made by [`tool`].
#[derive(Debug)]
pub struct Tool<S> {
    spec: wire::Tool,
    handler: Unbound<S, Called>,
    requires: Option<String>,
}

/// Makes a tool of an async function.
///
/// # Examples
///
/// ```
/// use lambda_mcp::{Args, Server, tool};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Greet {
///     /// Who to greet.
///     name: String,
/// }
///
/// async fn greet(Args(Greet { name }): Args<Greet>) -> String {
///     format!("Hello, {name}.")
/// }
///
/// let server = Server::builder("greeter", "1.0.0")
///     .tool(tool("greet", greet).description("Greets a person by name.").read_only())
///     .build();
/// assert!(server.is_ok());
/// ```
pub fn tool<S, M, H>(name: impl Into<String>, handler: H) -> Tool<S>
where
    H: Handler<S, M>,
    H::Output: IntoToolOutput + 'static,
{
    let spec = wire::Tool {
        name: name.into(),
        title: None,
        description: None,
        input_schema: H::input_schema().unwrap_or_else(schema::no_input),
        output_schema: H::Output::output_schema(),
        annotations: None,
        icons: Vec::new(),
        execution: None,
        meta: None,
    };
    Tool {
        spec,
        requires: None,
        handler: Unbound::new(handler, IntoToolOutput::into_tool_output),
    }
}

impl<S> Tool<S> {
    /// Sets the name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.spec.title = Some(title.into());
        self
    }

    /// Sets what it does and when to choose it: this is what a model decides by.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.spec.description = Some(description.into());
        self
    }

    /// Declares that it changes nothing and reaches nothing beyond this server.
    #[must_use]
    pub fn read_only(self) -> Self {
        self.annotations(ToolAnnotations {
            read_only_hint: Some(true),
            destructive_hint: Some(false),
            idempotent_hint: Some(true),
            open_world_hint: Some(false),
        })
    }

    /// Sets the hints about its effects.
    #[must_use]
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.spec.annotations = Some(annotations);
        self
    }

    /// Adds a picture.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> Self {
        self.spec.icons.push(icon);
        self
    }

    /// Sets `execution`, which revision 2025-11-25 defines; clients of others do not see it.
    #[must_use]
    pub fn execution(mut self, execution: Value) -> Self {
        self.spec.execution = Some(execution);
        self
    }

    /// Sets `_meta`, for what the protocol has no member for.
    #[must_use]
    pub fn meta(mut self, meta: Map<String, Value>) -> Self {
        self.spec.meta = Some(meta);
        self
    }

    /// Replaces the input schema that was derived from the handler's arguments.
    ///
    /// Arguments are checked against this one, and must still fit the handler's type.
    #[must_use]
    pub fn input_schema(mut self, schema: Value) -> Self {
        self.spec.input_schema = schema;
        self
    }

    /// Requires a credential that has these scopes, separated by spaces; with none, any credential
    /// that is known.
    ///
    /// The server needs a way to know credentials then: [`ServerBuilder::auth`].
    ///
    /// [`ServerBuilder::auth`]: crate::server::ServerBuilder::auth
    #[must_use]
    pub fn requires_scope(mut self, scopes: impl Into<String>) -> Self {
        self.requires = Some(scopes.into());
        self
    }

    /// Checks the definition and binds it to the server's state.
    pub(super) fn register(self, state: S) -> Result<RegisteredTool, BuildError>
    where
        S: Send + Sync + 'static,
    {
        let Self {
            spec,
            handler,
            requires,
        } = self;
        if !tool_name::is_valid(&spec.name) {
            return Err(BuildError::ToolName { name: spec.name });
        }
        if spec.input_schema.get("type").and_then(Value::as_str) != Some("object") {
            return Err(BuildError::InputSchemaNotObject { tool: spec.name });
        }
        let tool = || spec.name.clone();
        let required_scopes = requires.map(|scopes| scopes.parse::<Scopes>()).transpose();
        let required_scopes = required_scopes.map_err(|source| BuildError::Scopes {
            tool: tool(),
            source,
        })?;
        let validator = Validator::compile(&spec.input_schema).map_err(|source| {
            BuildError::UncheckableSchema {
                tool: tool(),
                source,
            }
        })?;
        let param_headers =
            param_headers::read(&spec.input_schema).map_err(|source| BuildError::ParamHeader {
                tool: tool(),
                source,
            })?;
        Ok(RegisteredTool {
            spec,
            required_scopes,
            validator,
            param_headers,
            handler: handler.bind(state),
        })
    }
}

/// A tool that serves calls.
#[derive(Debug)]
pub(crate) struct RegisteredTool {
    pub(crate) spec: wire::Tool,
    pub(crate) validator: Validator,
    pub(crate) param_headers: Vec<ParamHeader>,
    /// The scopes a caller must have; `None` asks for no credential at all.
    pub(crate) required_scopes: Option<Scopes>,
    pub(crate) handler: Bound<Called>,
}
