//! [`PromptArguments`]: the arguments of a prompt, made and checked on first need, as the schemas of tools
//! are (`tool_schemas.rs`).

use std::fmt;

use serde_json::Value;

use crate::error::ProtocolError;
use crate::handler::Reads;
use crate::schema::Validator;
use crate::server::build_error::BuildError;
use crate::server::definition;
use crate::server::on_need::OnNeed;
use crate::server::tool_schemas::InputSource;
use crate::wire::prompts::PromptArgument;

/// Arguments after they were checked.
#[derive(Debug)]
pub(crate) struct CheckedArguments {
    /// The schema as one object.
    pub(crate) schema: Value,
    pub(crate) validator: Validator,
    /// The arguments as clients see them.
    pub(crate) listed: Vec<PromptArgument>,
}

/// The arguments of a prompt.
pub(crate) struct PromptArguments {
    reads: fn() -> Reads,
    pub(super) input: InputSource,
    checked: OnNeed<CheckedArguments>,
}

impl PromptArguments {
    /// The arguments that a handler reads.
    pub(super) const fn new(reads: fn() -> Reads) -> Self {
        Self {
            reads,
            input: InputSource::Handler,
            checked: OnNeed::new(),
        }
    }

    /// Whether the schema may differ from that in a test of the same program.
    pub(super) const fn is_given(&self) -> bool {
        matches!(self.input, InputSource::Given(_))
    }

    /// Makes and checks the arguments. `prompt` names the prompt, `completed` what completion handlers are
    /// for.
    ///
    /// # Errors
    ///
    /// The schema has a fault, or a completion handler has no argument.
    pub(super) fn check<'c>(
        &self,
        prompt: &str,
        completed: impl Iterator<Item = &'c str>,
    ) -> Result<(), BuildError> {
        let arguments = self.read(prompt)?;
        let is_known = |name: &str| arguments.listed.iter().any(|listed| listed.name == name);
        let mut unknown = completed.filter(|name| !is_known(name));
        if let Some(unknown) = unknown.next() {
            return Err(BuildError::Prompt {
                name: prompt.to_owned(),
                reason: format!("`{unknown}` has a completion handler, but is not an argument"),
            });
        }
        self.checked.keep(arguments);
        Ok(())
    }

    /// The arguments.
    ///
    /// # Errors
    ///
    /// The schema has a fault, which is logged.
    pub(super) fn get(&self, prompt: &str) -> Result<&CheckedArguments, ProtocolError> {
        self.checked.get("a prompt", || self.read(prompt))
    }

    fn read(&self, prompt: &str) -> Result<CheckedArguments, BuildError> {
        let reads = (self.reads)();
        let reads = match &self.input {
            InputSource::Handler => reads,
            InputSource::Given(schema) => reads.with_schema(schema.clone()),
            InputSource::Made(make) => reads.with_schema(make()),
        };
        definition::check_reads(&reads, || format!("prompt `{prompt}`"))?;
        let arguments = definition::arguments(reads);
        let (validator, schema) = arguments.map_err(|reason| BuildError::Prompt {
            name: prompt.to_owned(),
            reason,
        })?;
        if let Some((argument, found)) = definition::not_text(&schema) {
            return Err(BuildError::PromptArgument {
                prompt: prompt.to_owned(),
                argument,
                found,
            });
        }
        Ok(CheckedArguments {
            listed: listed(&schema),
            schema,
            validator,
        })
    }
}

impl fmt::Debug for PromptArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PromptArguments")
            .field("checked", &self.checked)
            .finish_non_exhaustive()
    }
}

/// The arguments as `prompts/list` shows them, from their schema.
fn listed(schema: &Value) -> Vec<PromptArgument> {
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
