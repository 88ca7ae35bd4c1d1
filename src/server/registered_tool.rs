//! [`RegisteredTool`]: a tool that is bound to the server's state.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::auth::Access;
use crate::era::param_headers::ParamHeader;
use crate::error::ProtocolError;
use crate::error::ToolError;
use crate::handler::Bound;
use crate::handler::ToolOutput;
use crate::schema::Validator;
use crate::server::task_part::RegisteredTask;
use crate::server::tool_schemas::ToolSchemas;
use crate::wire::annotations::Icon;
use crate::wire::tools::{self as wire, ToolAnnotations};
use crate::wire::version::ProtocolVersion;

pub(super) type Called = Result<ToolOutput, ToolError>;

/// What a tool is, without its schemas.
#[derive(Debug)]
pub(crate) struct ToolSpec {
    pub(crate) name: String,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(crate) annotations: Option<ToolAnnotations>,
    pub(super) icons: Vec<Icon>,
    pub(super) execution: Option<Value>,
    pub(super) meta: Option<Map<String, Value>>,
}

/// A tool that is bound to the server's state.
#[derive(Debug)]
pub(crate) struct RegisteredTool {
    pub(crate) spec: ToolSpec,
    pub(super) schemas: ToolSchemas,
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
    /// The tool as clients see it. `has_view`: whether it is for clients that show views. Extension *MCP
    /// Apps, Resource Discovery*.
    ///
    /// # Errors
    ///
    /// The input schema has a fault, which is logged.
    pub(crate) fn listed(&self, has_view: bool) -> Result<wire::Tool<'_>, ProtocolError> {
        let spec = &self.spec;
        let meta = spec.meta.as_ref().map(Cow::Borrowed);
        let meta = match &self.view {
            Some(uri) if has_view => {
                let mut meta = spec.meta.clone().unwrap_or_default();
                let ui = meta.entry("ui").or_insert_with(|| json!({}));
                if let Some(ui) = ui.as_object_mut() {
                    ui.insert("resourceUri".to_owned(), json!(uri));
                }
                Some(Cow::Owned(meta))
            }
            Some(_) | None => meta,
        };
        Ok(wire::Tool {
            name: &spec.name,
            title: spec.title.as_deref(),
            description: spec.description.as_deref(),
            input_schema: self.input_schema()?,
            output_schema: self.output_schema(),
            annotations: spec.annotations.as_ref(),
            icons: &spec.icons,
            execution: spec.execution.as_ref(),
            meta,
        })
    }

    /// The schema of the arguments as clients see it.
    ///
    /// # Errors
    ///
    /// As [`listed`](Self::listed).
    pub(crate) fn input_schema(&self) -> Result<&Value, ProtocolError> {
        self.schemas.listed(&self.spec.name)
    }

    /// The schema of the structured content, if the tool has such content.
    pub(crate) fn output_schema(&self) -> Option<&Value> {
        self.schemas.output()
    }

    /// The headers that mirror arguments.
    ///
    /// # Errors
    ///
    /// As [`listed`](Self::listed).
    pub(crate) fn param_headers(&self) -> Result<&[ParamHeader], ProtocolError> {
        self.schemas.param_headers(&self.spec.name)
    }

    /// The check of arguments in a version.
    ///
    /// # Errors
    ///
    /// As [`listed`](Self::listed).
    pub(crate) fn validator(&self, version: ProtocolVersion) -> Result<&Validator, ProtocolError> {
        self.schemas.validator(&self.spec.name, version)
    }
}
