//! [`Prompt`]: messages that a user chooses. Specification: *Prompts*.

use serde_json::Value;

use crate::auth::Access;
use crate::handler::Handler;
use crate::handler::{Bound, Reads, Unbound};
use crate::handler::{Completer, UnboundCompleter};
use crate::handler::{IntoPrompt, PromptOutput, RequestError};
use crate::schema::Validator;
use crate::server::build_error::BuildError;
use crate::server::definition::{self, access_setters, completion_setter, definition_setters};
use crate::server::tool_name;
use crate::wire::prompts::{self as wire, PromptArgument};

type Given = Result<PromptOutput, RequestError>;

/// A prompt before it is registered. Made by [`prompt`](crate::prompt()).
#[derive(Debug)]
#[must_use = "register it with `ServerBuilder::prompt`"]
pub struct Prompt<S> {
    spec: wire::Prompt,
    reads: Reads,
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
        reads: H::reads(),
        handler,
        may_ask: H::may_ask(),
        completers: Vec::new(),
        access: Access::default(),
    }
}

/// The arguments as `prompts/list` shows them, from their schema.
fn arguments(schema: &Value) -> Vec<PromptArgument> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let text = |property: &Value, keyword: &str| {
        property
            .get(keyword)
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let argument = |(name, property): (&String, &Value)| PromptArgument {
        name: name.clone(),
        title: text(property, "title"),
        description: text(property, "description"),
        required: required.is_some_and(|names| names.iter().any(|n| n == name.as_str())),
    };
    properties.into_iter().flatten().map(argument).collect()
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
        self.reads = self.reads.with_schema(schema);
        self
    }

    /// Checks the definition and binds it to the server's state.
    pub(super) fn register(self, state: &S) -> Result<RegisteredPrompt, BuildError>
    where
        S: Clone + Send + Sync + 'static,
    {
        let Self {
            mut spec,
            reads,
            handler,
            may_ask,
            completers,
            access,
        } = self;
        let name = spec.name.clone();
        let fail = |reason: String| BuildError::Prompt {
            name: name.clone(),
            reason,
        };
        let definition = || format!("prompt `{name}`");
        if !tool_name::is_valid(&spec.name) {
            return Err(fail(
                "its name is not valid; use 1 to 64 of `A-Z a-z 0-9 _ - .`".to_owned(),
            ));
        }
        let access = definition::check_access(access, definition)?;
        definition::check_reads(&reads, definition)?;
        definition::check_completers(&completers, definition)?;
        let (validator, schema) = definition::arguments(reads).map_err(&fail)?;
        if let Some((argument, found)) = definition::not_text(&schema) {
            return Err(BuildError::PromptArgument {
                prompt: name,
                argument,
                found,
            });
        }
        spec.arguments = arguments(&schema);
        let known = |name: &str| spec.arguments.iter().any(|argument| argument.name == name);
        if let Some(unknown) = completers
            .iter()
            .map(UnboundCompleter::argument)
            .find(|n| !known(n))
        {
            return Err(fail(format!(
                "`{unknown}` has a completion handler, but is not an argument"
            )));
        }
        let completers = completers
            .into_iter()
            .map(|c| c.bind(state.clone()))
            .collect();
        let handler = handler.bind(state.clone());
        Ok(RegisteredPrompt {
            spec,
            schema,
            validator,
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
    pub(crate) spec: wire::Prompt,
    pub(crate) schema: Value,
    pub(crate) validator: Validator,
    pub(crate) handler: Bound<Given>,
    /// Whether the handler may ask the client for input.
    pub(crate) may_ask: bool,
    pub(crate) completers: Vec<Completer>,
    pub(crate) access: Access,
}
