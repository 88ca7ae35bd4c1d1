//! [`ToolSchemas`]: the schemas of a tool, made and checked on first need.
//!
//! To describe a type takes much longer than to register a tool, and a request needs the schemas of one
//! tool at most, unless it lists them. So an instance on AWS Lambda, whose start a client waits for, makes
//! those that come from the program when it first needs them. Everywhere else, `build` makes and checks
//! all: in tests, in a local server, in the worker. The same program has the same schemas there, so a fault
//! is found before it is deployed. What an author passes as a value may depend on the environment, and is
//! checked by `build` everywhere.

use std::fmt;
use std::sync::OnceLock;

use serde_json::Value;

use crate::era::param_headers::{self, ParamHeader};
use crate::error::ProtocolError;
use crate::handler::Reads;
use crate::schema;
use crate::schema::Validator;
use crate::server::build_error::BuildError;
use crate::server::definition;
use crate::wire::version::ProtocolVersion;

/// What the handler of a tool reads, and the schema of the structured content that it returns.
pub(super) type OfHandler = (fn() -> Reads, fn() -> Option<Value>);

/// Where the schema of the arguments comes from.
pub(super) enum InputSource {
    /// The parameters of the handler.
    Handler,
    /// The author passed it.
    Given(Value),
    /// A function of the author's makes it.
    Made(Box<dyn Fn() -> Value + Send + Sync>),
}

/// Where the schema of the structured content comes from.
pub(super) enum OutputSource {
    /// The type that the handler returns.
    Handler(fn() -> Option<Value>),
    /// The author passed it.
    Given(Value),
}

/// The arguments of a tool, after their schema was checked.
#[derive(Debug)]
struct Input {
    /// The schema as clients see it.
    listed: Value,
    validator: Validator,
    /// The same, and refuses unknown arguments; `None` if the tool ignores them.
    strict_validator: Option<Validator>,
    param_headers: Vec<ParamHeader>,
}

/// The schemas of a tool.
pub(crate) struct ToolSchemas {
    pub(super) reads: fn() -> Reads,
    pub(super) input: InputSource,
    pub(super) output: OutputSource,
    pub(super) allows_unknown: bool,
    /// The checked arguments. The inner `None`: they have a fault, which was logged.
    checked: OnceLock<Option<Input>>,
    derived_output: OnceLock<Option<Value>>,
}

impl ToolSchemas {
    /// The schemas of a handler: what it reads, and what it returns.
    pub(super) fn new(reads: fn() -> Reads, output: fn() -> Option<Value>) -> Self {
        Self {
            reads,
            input: InputSource::Handler,
            output: OutputSource::Handler(output),
            allows_unknown: false,
            checked: OnceLock::new(),
            derived_output: OnceLock::new(),
        }
    }

    /// Whether the schema of the arguments may differ from that in a test of the same program.
    pub(super) const fn is_given(&self) -> bool {
        matches!(self.input, InputSource::Given(_))
    }

    /// Makes and checks the schema of the arguments. `tool` names the tool.
    ///
    /// # Errors
    ///
    /// The schema or what the handler reads has a fault.
    pub(super) fn check(&self, tool: &str) -> Result<(), BuildError> {
        let input = self.read(tool)?;
        self.checked.get_or_init(|| Some(input));
        Ok(())
    }

    /// The schema of the arguments as clients see it.
    ///
    /// # Errors
    ///
    /// The schema has a fault, which is logged.
    pub(super) fn listed(&self, tool: &str) -> Result<&Value, ProtocolError> {
        Ok(&self.input(tool)?.listed)
    }

    /// The headers that mirror arguments.
    ///
    /// # Errors
    ///
    /// As [`listed`](Self::listed).
    pub(super) fn param_headers(&self, tool: &str) -> Result<&[ParamHeader], ProtocolError> {
        Ok(&self.input(tool)?.param_headers)
    }

    /// The check of arguments in a version. Where invalid arguments are a protocol error, which a model
    /// does not read, unknown ones are ignored.
    ///
    /// # Errors
    ///
    /// As [`listed`](Self::listed).
    pub(super) fn validator(
        &self,
        tool: &str,
        version: ProtocolVersion,
    ) -> Result<&Validator, ProtocolError> {
        let input = self.input(tool)?;
        let strict = input.strict_validator.as_ref();
        Ok(strict
            .filter(|_| version.has_argument_tool_errors())
            .unwrap_or(&input.validator))
    }

    /// The schema of the structured content, if the tool has such content.
    pub(super) fn output(&self) -> Option<&Value> {
        match &self.output {
            OutputSource::Given(schema) => Some(schema),
            OutputSource::Handler(derive) => self.derived_output.get_or_init(derive).as_ref(),
        }
    }

    fn input(&self, tool: &str) -> Result<&Input, ProtocolError> {
        let checked = self.checked.get_or_init(|| {
            let read = self.read(tool);
            read.inspect_err(|error| tracing::error!(%error, "a tool cannot be used"))
                .ok()
        });
        checked.as_ref().ok_or(ProtocolError::Internal)
    }

    fn read(&self, tool: &str) -> Result<Input, BuildError> {
        let name = || tool.to_owned();
        let reads = (self.reads)();
        definition::check_reads(&reads, || format!("tool `{tool}`"))?;
        let is_derived = matches!(self.input, InputSource::Handler);
        let given = match (&self.input, reads) {
            (InputSource::Given(schema), _) => schema.clone(),
            (InputSource::Made(make), _) => make(),
            (InputSource::Handler, Reads::Arguments(schema)) => schema,
            (InputSource::Handler, _) => schema::no_input(),
        };
        if given.get("type").and_then(Value::as_str) != Some("object") {
            return Err(BuildError::InputSchemaNotObject { tool: name() });
        }
        let invalid = |source| BuildError::InputSchema {
            tool: name(),
            source,
        };
        let validator = Validator::compile(&given).map_err(invalid)?;
        let refuses_unknown = is_derived && !self.allows_unknown;
        let is_closed = refuses_unknown && schema::closes(&given);
        let strict = refuses_unknown.then(|| schema::closed(&given));
        let strict_validator = strict
            .as_ref()
            .map(|strict| strict_validator((&validator, &given), strict, is_closed));
        let given = strict.unwrap_or(given);
        let listed = if is_derived {
            let listed = schema::listed(&given, is_closed);
            listed.map_err(|source| BuildError::InputSchemaAlternative {
                tool: name(),
                reason: source.to_string(),
            })?
        } else {
            given
        };
        let param_headers = param_headers::read(&listed);
        let param_headers = param_headers.map_err(|source| BuildError::ParamHeader {
            tool: name(),
            source,
        })?;
        Ok(Input {
            listed,
            validator,
            strict_validator,
            param_headers,
        })
    }
}

impl fmt::Debug for ToolSchemas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolSchemas")
            .field("checked", &self.checked)
            .finish_non_exhaustive()
    }
}

/// The check that refuses unknown arguments: at the root if `is_closed`, and where `strict`, which is made
/// from `given`, says so.
fn strict_validator(
    (validator, given): (&Validator, &Value),
    strict: &Value,
    is_closed: bool,
) -> Validator {
    let nested = (strict != given).then(|| Validator::compile(strict).ok());
    let checked = nested.flatten().unwrap_or_else(|| validator.clone());
    if is_closed {
        checked.without_unknown()
    } else {
        checked
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schemas(reads: fn() -> Reads) -> ToolSchemas {
        ToolSchemas::new(reads, || Some(json!({"type": "object"})))
    }

    #[test]
    fn schemas_are_the_same_whether_they_are_checked_before_or_made_on_need() {
        let reads = || {
            let nested = json!({"type": "object", "properties": {"a": {"type": "string"}}});
            let properties = json!({"x": {"type": "integer", "x-mcp-header": "X"}, "y": nested});
            Reads::Arguments(json!({"type": "object", "properties": properties}))
        };
        let (checked, lazy) = (schemas(reads), schemas(reads));
        checked.check("t").unwrap();
        assert_eq!(checked.listed("t").unwrap(), lazy.listed("t").unwrap());
        assert_eq!(lazy.listed("t").unwrap()["additionalProperties"], false);
        assert_eq!(
            checked.param_headers("t").unwrap(),
            lazy.param_headers("t").unwrap()
        );
        assert_eq!(lazy.param_headers("t").unwrap().len(), 1);
        assert_eq!(lazy.output(), Some(&json!({"type": "object"})));
    }

    #[test]
    fn a_fault_that_is_found_on_need_is_an_internal_error() {
        let not_an_object = schemas(|| Reads::Arguments(json!({"type": "array"})));
        let repeated = schemas(|| Reads::Repeatedly);
        let mut given = schemas(|| Reads::Nothing);
        given.input = InputSource::Given(json!({"type": "object", "minProperties": "one"}));
        assert!(given.is_given());
        let mut made = schemas(|| Reads::Nothing);
        made.input = InputSource::Made(Box::new(|| json!({"type": "string"})));
        assert!(!made.is_given());
        for faulty in [not_an_object, repeated, given, made] {
            faulty.check("t").unwrap_err();
            assert_eq!(faulty.listed("t"), Err(ProtocolError::Internal));
            assert_eq!(faulty.param_headers("t"), Err(ProtocolError::Internal));
            let [version, ..] = ProtocolVersion::ALL;
            assert!(faulty.validator("t", version).is_err());
        }
    }
}
