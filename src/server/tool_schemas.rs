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

use crate::era::param_headers::{self, InvalidParamHeader, ParamHeader};
use crate::error::ProtocolError;
use crate::handler::Reads;
use crate::schema;
use crate::schema::Validator;
use crate::server::build_error::BuildError;
use crate::server::definition;
use crate::server::on_need::OnNeed;
use crate::wire::version::ProtocolVersion;

/// What the handler of a tool reads, and the schema of the structured content that it returns.
pub(super) type OfHandler = (fn() -> Reads, fn() -> Option<Value>);

/// What cannot be used if a schema has a fault.
const KIND: &str = "a tool";

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

/// How the arguments of a call are checked.
#[derive(Debug)]
struct Checks {
    validator: Validator,
    /// Whether arguments that the schema does not name are refused, although it allows them.
    refuses_unknown: bool,
    /// The check that refuses them, made when it is needed.
    strict: OnceLock<Validator>,
    param_headers: Vec<ParamHeader>,
}

/// The schemas of a tool.
pub(crate) struct ToolSchemas {
    pub(super) reads: fn() -> Reads,
    pub(super) input: InputSource,
    pub(super) output: OutputSource,
    pub(super) allows_unknown: bool,
    /// The schema of the arguments as clients see it.
    listed: OnNeed<Value>,
    /// The checks of arguments.
    checks: OnNeed<Checks>,
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
            listed: OnNeed::new(),
            checks: OnNeed::new(),
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
        let given = self.given(tool)?;
        let checks = self.compiled(tool, &given)?;
        let listed = self.listed_form(tool, given)?;
        self.checks.keep(checks);
        self.listed.keep(listed);
        Ok(())
    }

    /// The schema of the arguments as clients see it.
    ///
    /// # Errors
    ///
    /// The schema has a fault, which is logged.
    pub(super) fn listed(&self, tool: &str) -> Result<&Value, ProtocolError> {
        self.listed.get(KIND, || self.made_for_list(tool))
    }

    /// The headers that mirror arguments.
    ///
    /// # Errors
    ///
    /// As [`listed`](Self::listed).
    pub(super) fn param_headers(&self, tool: &str) -> Result<&[ParamHeader], ProtocolError> {
        Ok(&self.checks(tool)?.param_headers)
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
        let checks = self.checks(tool)?;
        if !checks.refuses_unknown || !version.has_argument_tool_errors() {
            return Ok(&checks.validator);
        }
        if let Some(strict) = checks.strict.get() {
            return Ok(strict);
        }
        // The type of the arguments was described before, without a fault.
        let given = self.given(tool).map_err(|_| ProtocolError::Internal)?;
        Ok(checks
            .strict
            .get_or_init(|| strict_validator(&checks.validator, given)))
    }

    /// The schema of the structured content, if the tool has such content.
    pub(super) fn output(&self) -> Option<&Value> {
        match &self.output {
            OutputSource::Given(schema) => Some(schema),
            OutputSource::Handler(derive) => self.derived_output.get_or_init(derive).as_ref(),
        }
    }

    fn checks(&self, tool: &str) -> Result<&Checks, ProtocolError> {
        self.checks.get(KIND, || self.made_for_calls(tool))
    }

    /// Makes what a list needs. The checks of a schema that comes from a type are left to calls.
    fn made_for_list(&self, tool: &str) -> Result<Value, BuildError> {
        let given = self.given(tool)?;
        if !self.is_derived() {
            Validator::compile(&given).map_err(|source| invalid(tool, source))?;
        }
        let listed = self.listed_form(tool, given)?;
        param_headers::read(&listed).map_err(|source| invalid_header(tool, source))?;
        Ok(listed)
    }

    /// Makes what a call needs.
    fn made_for_calls(&self, tool: &str) -> Result<Checks, BuildError> {
        let given = self.given(tool)?;
        let checks = self.compiled(tool, &given)?;
        if checks.refuses_unknown {
            let strict = strict_validator(&checks.validator, given);
            checks.strict.get_or_init(|| strict);
        }
        Ok(checks)
    }

    const fn is_derived(&self) -> bool {
        matches!(self.input, InputSource::Handler)
    }

    /// The schema as its source has it.
    fn given(&self, tool: &str) -> Result<Value, BuildError> {
        let reads = (self.reads)();
        definition::check_reads(&reads, || format!("tool `{tool}`"))?;
        let given = match (&self.input, reads) {
            (InputSource::Given(schema), _) => schema.clone(),
            (InputSource::Made(make), _) => make(),
            (InputSource::Handler, Reads::Arguments(schema)) => schema,
            (InputSource::Handler, _) => schema::no_input(),
        };
        if given.get("type").and_then(Value::as_str) != Some("object") {
            let tool = tool.to_owned();
            return Err(BuildError::InputSchemaNotObject { tool });
        }
        Ok(given)
    }

    /// The checks of a schema.
    fn compiled(&self, tool: &str, given: &Value) -> Result<Checks, BuildError> {
        let validator = Validator::compile(given).map_err(|source| invalid(tool, source))?;
        // A schema without annotations has none where it is listed.
        let headers = match param_headers::read(given) {
            Ok(found) if found.is_empty() => found,
            Ok(_) | Err(_) => {
                let listed = self.listed_form(tool, given.clone())?;
                param_headers::read(&listed).map_err(|source| invalid_header(tool, source))?
            }
        };
        Ok(Checks {
            validator,
            refuses_unknown: self.is_derived() && !self.allows_unknown,
            strict: OnceLock::new(),
            param_headers: headers,
        })
    }

    /// A schema as clients see it.
    fn listed_form(&self, tool: &str, mut given: Value) -> Result<Value, BuildError> {
        if !self.is_derived() {
            return Ok(given);
        }
        let is_closed = !self.allows_unknown && schema::closes(&given);
        if !self.allows_unknown {
            schema::close_nested(&mut given);
        }
        schema::listed(given, is_closed).map_err(|source| BuildError::InputSchemaAlternative {
            tool: tool.to_owned(),
            reason: source.to_string(),
        })
    }
}

fn invalid(tool: &str, source: schema::InvalidSchema) -> BuildError {
    let tool = tool.to_owned();
    BuildError::InputSchema { tool, source }
}

fn invalid_header(tool: &str, source: InvalidParamHeader) -> BuildError {
    let tool = tool.to_owned();
    BuildError::ParamHeader { tool, source }
}

impl fmt::Debug for ToolSchemas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolSchemas")
            .field("listed", &self.listed)
            .field("checks", &self.checks)
            .finish_non_exhaustive()
    }
}

/// The check that refuses arguments that a schema does not name: at the root, and in nested objects.
/// `validator` is that of the schema.
fn strict_validator(validator: &Validator, mut given: Value) -> Validator {
    let closes_root = schema::closes(&given);
    let closed = schema::close_nested(&mut given).then(|| Validator::compile(&given).ok());
    let checked = closed.flatten().unwrap_or_else(|| validator.clone());
    if closes_root {
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
