//! [`Tool`]: a handler with its name, description and schemas. Specification: *Tools, Tool*.

use serde_json::Value;

use crate::auth::Access;
use crate::handler::Handler;
use crate::handler::IntoToolOutput;
use crate::handler::Unbound;
use crate::platform;
use crate::server::build_error::BuildError;
use crate::server::definition::{self, access_setters, definition_setters};
use crate::server::registered_tool::{Called, RegisteredTool, ToolSpec};
use crate::server::task_behavior::TaskSettings;
use crate::server::task_part::TaskPart;
use crate::server::tool_name;
use crate::server::tool_schemas::{InputSource, OfHandler, OutputSource, ToolSchemas};
use crate::wire::tools::ToolAnnotations;

/// A tool before it is registered. Made by [`tool`](crate::tool()).
#[derive(Debug)]
#[must_use = "register it with `ServerBuilder::tool`"]
pub struct Tool<S> {
    spec: ToolSpec,
    schemas: ToolSchemas,
    handler: Unbound<S, Called>,
    may_ask: bool,
    access: Access,
    /// How it runs as a task. `None`: it never does.
    task: Option<TaskPart<S>>,
    pub(super) task_settings: TaskSettings,
    view: Option<String>,
}

/// Makes a tool from an async function.
///
/// The input schema is that of the function's [`Args`](crate::Args), the output schema that of the
/// [`Json`](crate::Json) it returns. `name` has 1 to 64 of `A-Z a-z 0-9 _ - .`, and is unique in the
/// server; [`ServerBuilder::build`] checks it.
///
/// [`ServerBuilder::build`]: crate::server::ServerBuilder::build
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
    let may_ask = H::may_ask();
    let handler = Unbound::new(handler, IntoToolOutput::into_tool_output);
    Tool::new(
        name.into(),
        (H::reads, H::Output::output_schema),
        handler,
        may_ask,
    )
}

impl<S> Tool<S> {
    /// A tool without any setting. The functions return what the handler reads, and the schema of the
    /// structured content.
    pub(super) fn new(
        name: String,
        (reads, output_schema): OfHandler,
        handler: Unbound<S, Called>,
        may_ask: bool,
    ) -> Self {
        let spec = ToolSpec {
            name,
            title: None,
            description: None,
            annotations: None,
            icons: Vec::new(),
            execution: None,
            meta: None,
        };
        Self {
            spec,
            schemas: ToolSchemas::new(reads, output_schema),
            access: Access::default(),
            may_ask,
            handler,
            task: None,
            task_settings: TaskSettings::default(),
            view: None,
        }
    }

    /// Sets the view of the tool: a resource of this server whose URI begins with `ui://` and whose contents
    /// are HTML of the type `text/html;profile=mcp-app`. Hosts show it beside the result of a call.
    ///
    /// Only clients that support it are told of it, as far as the revision says what they support, and
    /// `resources/list` does not have it. [`build`](crate::server::ServerBuilder::build) fails if there is no
    /// such resource. Specification: extension *MCP Apps*.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::{Server, resource, tool};
    ///
    /// async fn dice() -> &'static str {
    ///     "4"
    /// }
    ///
    /// async fn view() -> &'static str {
    ///     "<!doctype html><title>Dice</title>"
    /// }
    ///
    /// let view = resource("ui://dice/view", "view", view).mime_type("text/html;profile=mcp-app");
    /// let dice = tool("dice", dice).view("ui://dice/view");
    /// let server = Server::builder("dice", "1.0.0").tool(dice).resource(view).build();
    /// assert!(server.is_ok());
    /// ```
    pub fn view(mut self, uri: impl Into<String>) -> Self {
        self.view = Some(uri.into());
        self
    }

    /// Sets how the tool runs as a task.
    pub(super) fn task(mut self, task: TaskPart<S>) -> Self {
        self.task = Some(task);
        self
    }

    definition_setters!(kind: "tool", type: "Tool", example: "lambda_mcp::tool(\"hello\", hello)");

    access_setters!(kind: "tool", type: "Tool", example: "lambda_mcp::tool(\"hello\", hello)");

    /// Declares that the tool changes nothing and has no contact with the world outside the server.
    ///
    /// Clients may then call it without asking the user, and web pages of any origin that
    /// [`Origins`](crate::server::Origins) allows may call it without a credential. Sets all four hints
    /// of [`annotations`](Self::annotations).
    ///
    /// # Examples
    ///
    /// ```
    /// # async fn hello() -> &'static str { "Hello." }
    /// use lambda_mcp::server::Tool;
    ///
    /// let hello: Tool<()> = lambda_mcp::tool("hello", hello).read_only();
    /// ```
    pub fn read_only(self) -> Self {
        self.annotations(ToolAnnotations {
            read_only_hint: Some(true),
            destructive_hint: Some(false),
            idempotent_hint: Some(true),
            open_world_hint: Some(false),
        })
    }

    /// Sets the hints about the tool's effects. Defaults to none; clients then expect a tool that may
    /// change and destroy something. Specification: *Tools, Tool Annotations*.
    ///
    /// # Examples
    ///
    /// ```
    /// # async fn hello() -> &'static str { "Hello." }
    /// use lambda_mcp::content::ToolAnnotations;
    /// use lambda_mcp::server::Tool;
    ///
    /// // It sends something, but destroys nothing.
    /// let hints = ToolAnnotations::new().read_only(false).destructive(false).open_world(true);
    /// let hello: Tool<()> = lambda_mcp::tool("hello", hello).annotations(hints);
    /// ```
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.spec.annotations = Some(annotations);
        self
    }

    /// Sets `execution`, which only clients of revision 2025-11-25 get. Defaults to none.
    ///
    /// # Examples
    ///
    /// ```
    /// # async fn hello() -> &'static str { "Hello." }
    /// use lambda_mcp::server::Tool;
    /// use serde_json::json;
    ///
    /// let execution = json!({ "taskSupport": "forbidden" });
    /// let hello: Tool<()> = lambda_mcp::tool("hello", hello).execution(execution);
    /// ```
    pub fn execution(mut self, execution: Value) -> Self {
        self.spec.execution = Some(execution);
        self
    }

    /// Replaces the input schema derived from the handler's [`Args`](crate::Args).
    ///
    /// Use it for rules that a type cannot express. The arguments are checked against this schema,
    /// and must still deserialize into the handler's type. See [`schema keywords`] for what is
    /// supported; any other keyword fails the build. It is listed and checked as it is: arguments that
    /// it does not name are allowed unless it has `additionalProperties: false`. Some clients refuse
    /// `oneOf`, `anyOf` and `allOf` at its root.
    ///
    /// [`schema keywords`]: crate::server#json-schema
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::{Args, Server, tool};
    /// use serde_json::{Value, json};
    ///
    /// async fn call(Args(person): Args<Value>) -> String {
    ///     format!("Calling {}.", person["phone"].as_str().unwrap_or("by e-mail"))
    /// }
    ///
    /// let schema = json!({
    ///     "type": "object",
    ///     "properties": { "phone": { "type": "string" }, "email": { "type": "string" } },
    ///     "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }],
    /// });
    /// let call = tool("call", call).input_schema(schema);
    /// assert!(Server::builder("people", "1.0.0").tool(call).build().is_ok());
    /// ```
    pub fn input_schema(mut self, schema: Value) -> Self {
        self.schemas.input = InputSource::Given(schema);
        self
    }

    /// The same as [`input_schema`](Self::input_schema), with a function that makes the schema.
    ///
    /// On AWS Lambda the schema is made and checked when the tool is first called or listed, so that a start
    /// does not wait for it. A fault that occurs only there is logged, and answered with the error `-32603`.
    /// Everywhere else, [`build`](crate::server::ServerBuilder::build) makes and checks it.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::server::Tool;
    /// use serde_json::json;
    ///
    /// # async fn hello() -> &'static str { "Hello." }
    /// let hello: Tool<()> = lambda_mcp::tool("hello", hello)
    ///     .input_schema_with(|| json!({ "type": "object", "properties": {} }));
    /// ```
    pub fn input_schema_with(mut self, schema: impl Fn() -> Value + Send + Sync + 'static) -> Self {
        self.schemas.input = InputSource::Made(Box::new(schema));
        self
    }

    /// Ignores arguments that the input schema does not name. By default they are a tool error that
    /// names the nearest argument, so that a model corrects a misspelt one. The same holds for members
    /// of nested structs.
    ///
    /// Use it for clients that add arguments of their own to each call. It has no effect on a type with
    /// `#[serde(deny_unknown_fields)]` and on a schema that is set with
    /// [`input_schema`](Self::input_schema). Before revision 2025-11-25, where invalid arguments are a
    /// protocol error, unknown ones are always ignored.
    ///
    /// # Examples
    ///
    /// ```
    /// # async fn hello() -> &'static str { "Hello." }
    /// use lambda_mcp::server::Tool;
    ///
    /// let hello: Tool<()> = lambda_mcp::tool("hello", hello).allow_unknown_arguments();
    /// ```
    pub const fn allow_unknown_arguments(mut self) -> Self {
        self.schemas.allows_unknown = true;
        self
    }

    /// Sets the schema of the structured content, for a handler whose return type does not say it.
    ///
    /// A handler that returns [`Json<T>`](crate::Json) has the schema of `T` already; this one replaces
    /// it. Every result must match the schema.
    /// Specification: *Tools, Output Schema*.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::content::Content;
    /// use lambda_mcp::{Server, ToolError, ToolOutput, tool};
    /// use serde_json::json;
    ///
    /// async fn measure() -> Result<ToolOutput, ToolError> {
    ///     let output = ToolOutput::new().content(Content::text("It is warm."));
    ///     output.structured(&json!({ "celsius": 24.5 }))
    /// }
    ///
    /// let schema = json!({
    ///     "type": "object",
    ///     "properties": { "celsius": { "type": "number" } },
    ///     "required": ["celsius"],
    /// });
    /// let measure = tool("measure", measure).output_schema(schema);
    /// assert!(Server::builder("weather", "1.0.0").tool(measure).build().is_ok());
    /// ```
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.schemas.output = OutputSource::Given(schema);
        self
    }

    /// Checks the definition and binds it to the server's state.
    pub(super) fn register(self, state: S) -> Result<RegisteredTool, BuildError>
    where
        S: Clone + Send + Sync + 'static,
    {
        let Self {
            spec,
            schemas,
            handler,
            may_ask,
            access,
            task,
            task_settings,
            view,
        } = self;
        if !task_settings.is_default() && task.is_none() {
            return Err(BuildError::NotATask { tool: spec.name });
        }
        if !tool_name::is_valid(&spec.name) {
            return Err(BuildError::ToolName { name: spec.name });
        }
        let access = definition::check_access(access, || format!("tool `{}`", spec.name))?;
        if schemas.is_given() || !platform::is_on_lambda() {
            schemas.check(&spec.name)?;
        }
        let task = task.map(|task| task.bind(&state, task_settings));
        Ok(RegisteredTool {
            spec,
            schemas,
            task,
            view,
            access,
            may_ask,
            handler: handler.bind(state),
        })
    }
}
