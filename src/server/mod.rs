//! What a server is made of: tools, resources, prompts, their handlers, and its settings.
//!
//! Nothing here knows requests; the methods call in, once everything about a request is settled.

mod build_error;
mod builder;
pub(crate) mod prompt;
pub(crate) mod resource;
mod state_key;
pub(crate) mod tool;
mod tool_name;
mod uri_template;

use serde_json::{Map, Value};

pub use self::build_error::BuildError;
pub use self::builder::ServerBuilder;
pub(crate) use self::builder::Settings;
pub use self::prompt::Prompt;
pub(crate) use self::prompt::RegisteredPrompt;
pub(crate) use self::resource::RegisteredResource;
pub use self::resource::Resource;
pub use self::state_key::{InvalidRequestStateKey, RequestStateKey};
pub(crate) use self::tool::RegisteredTool;
pub use self::tool::Tool;
use crate::auth::Scopes;
pub use crate::era::param_headers::InvalidParamHeader;
pub use crate::era::{HeaderOnlyRequests, InvalidHeaderOnlyRequests};
pub use crate::gate::{Hosts, InvalidHosts, InvalidOrigins, Origins};
pub use crate::handler::invocation::Invocation;
pub use crate::reply::ReplyBody;
pub use crate::schema::UncheckableSchema;
use crate::wire::capabilities::{Empty, ServerCapabilities};
use crate::wire::version::{Era, ProtocolVersion};

/// A server's definitions, all checked.
#[derive(Debug)]
pub(crate) struct Registry {
    pub(crate) settings: Settings,
    pub(crate) tools: Vec<RegisteredTool>,
    pub(crate) resources: Vec<RegisteredResource>,
    pub(crate) prompts: Vec<RegisteredPrompt>,
}

impl Registry {
    /// The tool of this name.
    pub(crate) fn tool(&self, name: &str) -> Option<&RegisteredTool> {
        // A handful of tools: comparing names is faster than hashing one.
        self.tools.iter().find(|tool| tool.spec.name == name)
    }

    /// The prompt of this name.
    pub(crate) fn prompt(&self, name: &str) -> Option<&RegisteredPrompt> {
        self.prompts.iter().find(|prompt| prompt.spec.name == name)
    }

    /// The resource at a URI, or the first template that fits it with the text of its variables.
    pub(crate) fn resource(&self, uri: &str) -> Option<(&RegisteredResource, Map<String, Value>)> {
        let is_here = |resource: &&RegisteredResource| {
            resource.template.is_none() && resource.spec.address.as_str() == uri
        };
        if let Some(resource) = self.resources.iter().find(is_here) {
            return Some((resource, Map::new()));
        }
        self.resources
            .iter()
            .find_map(|resource| Some((resource, resource.template.as_ref()?.matches(uri)?)))
    }

    /// The scopes that all tools together ask for.
    pub(crate) fn scopes(&self) -> Scopes {
        let mut scopes = Scopes::none();
        for required in self
            .tools
            .iter()
            .filter_map(|tool| tool.required_scopes.as_ref())
        {
            scopes.extend(required);
        }
        scopes
    }

    /// Whether anything is completed.
    pub(crate) fn has_completers(&self) -> bool {
        let resources = self.resources.iter().map(|resource| &resource.completers);
        let prompts = self.prompts.iter().map(|prompt| &prompt.completers);
        resources
            .chain(prompts)
            .any(|completers| !completers.is_empty())
    }

    /// What may be claimed: only what has something to serve.
    pub(crate) fn capabilities(&self, version: ProtocolVersion) -> ServerCapabilities {
        let logs = self.settings.log_notifications && version.era() == Era::Modern;
        let completions = self.has_completers() && version.has_completions_capability();
        ServerCapabilities {
            tools: (!self.tools.is_empty()).then_some(Empty {}),
            resources: (!self.resources.is_empty()).then_some(Empty {}),
            prompts: (!self.prompts.is_empty()).then_some(Empty {}),
            completions: completions.then_some(Empty {}),
            logging: logs.then_some(Empty {}),
        }
    }
}
