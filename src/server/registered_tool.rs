//! [`RegisteredTool`]: a tool after its definition was checked.

use serde_json::{Value, json};

use crate::auth::Access;
use crate::era::param_headers::ParamHeader;
use crate::error::ToolError;
use crate::handler::Bound;
use crate::handler::ToolOutput;
use crate::schema::Validator;
use crate::server::build_error::BuildError;
use crate::server::task_part::RegisteredTask;
use crate::wire::tools as wire;
use crate::wire::version::ProtocolVersion;

pub(super) type Called = Result<ToolOutput, ToolError>;

/// A tool that is bound to the server's state.
#[derive(Debug)]
pub(crate) struct RegisteredTool {
    pub(crate) spec: wire::Tool,
    pub(super) validator: Validator,
    /// The same, and refuses unknown arguments; `None` if the tool ignores them.
    pub(super) strict_validator: Option<Validator>,
    pub(crate) param_headers: Vec<ParamHeader>,
    pub(crate) access: Access,
    /// Whether the handler may ask the client for input.
    pub(crate) may_ask: bool,
    pub(crate) handler: Bound<Called>,
    /// How it runs as a task. `None`: it never does.
    pub(crate) task: Option<RegisteredTask>,
    /// The URI of its view.
    pub(crate) view: Option<String>,
}

impl RegisteredTool {
    /// The tool as clients see it that show views. Extension *MCP Apps, Resource Discovery*.
    pub(crate) fn with_view(&self) -> wire::Tool {
        let mut tool = self.spec.clone();
        if let Some(uri) = &self.view {
            let meta = tool.meta.get_or_insert_default();
            let ui = meta.entry("ui").or_insert_with(|| json!({}));
            if let Some(ui) = ui.as_object_mut() {
                ui.insert("resourceUri".to_owned(), json!(uri));
            }
        }
        tool
    }

    /// The check of arguments in a version. Where invalid arguments are a protocol error, which a model
    /// does not read, unknown ones are ignored.
    pub(crate) fn validator(&self, version: ProtocolVersion) -> &Validator {
        let strict = self.strict_validator.as_ref();
        strict
            .filter(|_| version.has_argument_tool_errors())
            .unwrap_or(&self.validator)
    }
}

/// The check that refuses unknown arguments: at the root if `is_closed`, and where `strict`, which is made
/// from `given`, says so.
pub(super) fn strict_validator(
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

pub(super) fn not_listed(tool: &str, source: &dyn std::error::Error) -> BuildError {
    BuildError::InputSchemaAlternative {
        tool: tool.to_owned(),
        reason: source.to_string(),
    }
}
