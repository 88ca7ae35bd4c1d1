//! [`Prompt`]: messages that a user chooses. Specification: *Prompts*.

use serde_json::Value;

use crate::auth::Access;
use crate::error::ProtocolError;
use crate::handler::Handler;
use crate::handler::{Bound, Unbound};
use crate::handler::{Completer, UnboundCompleter};
use crate::handler::{IntoPrompt, PromptOutput, RequestError};
use crate::platform;
use crate::server::build_error::BuildError;
use crate::server::definition::{self, access_setters, completion_setter, definition_setters};
use crate::server::prompt_arguments::{CheckedArguments, PromptArguments};
use crate::server::tool_name;
use crate::server::tool_schemas::InputSource;
use crate::wire::prompts as wire;

type Given = Result<PromptOutput, RequestError>;

/// A prompt before it is registered. Made by [`prompt`](crate::prompt()).
#[derive(Debug)]
#[must_use = "register it with `ServerBuilder::prompt`"]
pub struct Prompt<S> {
    spec: wire::Prompt,
    arguments: PromptArguments,
    handler: Unbound<S, Given>,
    may_ask: bool,
    completers: Vec<UnboundCompleter<S>>,
    access: Access,
}

/// Makes a prompt from an async function.
///
/// The fields of its [`Args`](crate::Args) are the arguments that a user fills in. They are text in
/// the protocol, and read as the types of the fields: `"5"` for a field of type `u32` is 5. A field
/// that no text can be, such as a list, fails the build. `name` has 1 to 64 of `A-Z a-z 0-9 _ - .`, and
/// is unique in the server.
///
/// # Examples
///
/// ```
/// use lambda_mcp::{Args, Server, prompt};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Review {
///     /// The code to review.
///     code: String,
/// }
///
/// async fn review(Args(Review { code }): Args<Review>) -> String {
///     format!("Review this code:\n\n{code}")
/// }
///
/// let review = prompt("review", review).description("Reviews code.");
/// assert!(Server::builder("reviewer", "1.0.0").prompt(review).build().is_ok());
/// ```
pub fn prompt<S, M, H>(name: impl Into<String>, handler: H) -> Prompt<S>
where
    H: Handler<S, M>,
    H::Output: IntoPrompt + 'static,
{
    let spec = wire::Prompt {
        name: name.into(),
        title: None,
        description: None,
        arguments: Vec::new(),
        icons: Vec::new(),
        meta: None,
    };
    let handler = Unbound::new(handler, IntoPrompt::into_prompt);
    Prompt {
        spec,
        arguments: PromptArguments::new(H::reads),
        handler,
        may_ask: H::may_ask(),
        completers: Vec::new(),
        access: Access::default(),
    }
}

impl<S> Prompt<S> {
    definition_setters!(
        kind: "prompt", type: "Prompt", example: "lambda_mcp::prompt(\"hello\", hello)"
    );

    access_setters!(
        kind: "prompt", type: "Prompt", example: "lambda_mcp::prompt(\"hello\", hello)"
    );

    completion_setter!("argument");

    /// Replaces the schema of the arguments, which is derived from the handler's
    /// [`Args`](crate::Args).
    ///
    /// Use it for descriptions and rules that a type cannot express, such as values that are known
    /// when the server starts. The arguments are checked against this schema, and must still
    /// deserialize into the handler's type. [`schema keywords`] lists what is supported; any other
    /// keyword fails the build.
    ///
    /// [`schema keywords`]: crate::server#json-schema
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::{Args, Server, prompt};
    /// use serde_json::{Value, json};
    ///
    /// async fn greet(Args(person): Args<Value>) -> String {
    ///     format!("Greet {}.", person["name"].as_str().unwrap_or("everybody"))
    /// }
    ///
    /// let schema = json!({
    ///     "type": "object",
    ///     "properties": { "name": { "type": "string", "description": "Ada or Grace." } },
    /// });
    /// let greet = prompt("greet", greet).input_schema(schema);
    /// assert!(Server::builder("people", "1.0.0").prompt(greet).build().is_ok());
    /// ```
    pub fn input_schema(mut self, schema: Value) -> Self {
        self.arguments.input = InputSource::Given(schema);
        self
    }

    /// The same as [`input_schema`](Self::input_schema), with a function that makes the schema. On AWS Lambda
    /// it is made when the prompt is first got or listed, as that of
    /// [tools](crate::server::Tool::input_schema_with).
    pub fn input_schema_with(mut self, schema: impl Fn() -> Value + Send + Sync + 'static) -> Self {
        self.arguments.input = InputSource::Made(Box::new(schema));
        self
    }

    /// Checks the definition and binds it to the server's state.
    pub(super) fn register(self, state: &S) -> Result<RegisteredPrompt, BuildError>
    where
        S: Clone + Send + Sync + 'static,
    {
        let Self {
            spec,
            arguments,
            handler,
            may_ask,
            completers,
            access,
        } = self;
        let definition = || format!("prompt `{}`", spec.name);
        if !tool_name::is_valid(&spec.name) {
            return Err(BuildError::Prompt {
                name: spec.name,
                reason: "its name is not valid; use 1 to 64 of `A-Z a-z 0-9 _ - .`".to_owned(),
            });
        }
        let access = definition::check_access(access, definition)?;
        definition::check_completers(&completers, definition)?;
        if arguments.is_given() || !platform::is_on_lambda() {
            let completed = completers.iter().map(UnboundCompleter::argument);
            arguments.check(&spec.name, completed)?;
        }
        let completers = completers
            .into_iter()
            .map(|c| c.bind(state.clone()))
            .collect();
        let handler = handler.bind(state.clone());
        Ok(RegisteredPrompt {
            spec,
            arguments,
            handler,
            may_ask,
            completers,
            access,
        })
    }
}

/// A prompt that is bound to the server's state.
#[derive(Debug)]
pub(crate) struct RegisteredPrompt {
    /// What the prompt is, without its arguments.
    pub(crate) spec: wire::Prompt,
    arguments: PromptArguments,
    pub(crate) handler: Bound<Given>,
    /// Whether the handler may ask the client for input.
    pub(crate) may_ask: bool,
    pub(crate) completers: Vec<Completer>,
    pub(crate) access: Access,
}

impl RegisteredPrompt {
    /// The arguments.
    ///
    /// # Errors
    ///
    /// They have a fault, which is logged.
    pub(crate) fn arguments(&self) -> Result<&CheckedArguments, ProtocolError> {
        self.arguments.get(&self.spec.name)
    }

    /// The prompt as clients see it.
    ///
    /// # Errors
    ///
    /// As [`arguments`](Self::arguments).
    pub(crate) fn listed(&self) -> Result<wire::Prompt, ProtocolError> {
        Ok(wire::Prompt {
            arguments: self.arguments()?.listed.clone(),
            ..self.spec.clone()
        })
    }
}
