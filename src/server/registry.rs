//! [`Registry`]: a server's definitions after all of them were checked.

use serde_json::{Map, Value};

use crate::auth::Access;
use crate::auth::Scopes;
use crate::era::LegacyHandshake;
use crate::limit::Target;
use crate::server::build_error::BuildError;
use crate::server::document::RegisteredDocument;
use crate::server::many_instances::ManyInstancesError;
use crate::server::prompt::RegisteredPrompt;
use crate::server::registered_resource::RegisteredResource;
use crate::server::registered_tool::RegisteredTool;
use crate::server::settings::Settings;
use crate::server::state_key::NoSharedKey;
use crate::wire::capabilities::{Empty, Extensions, ServerCapabilities};
use crate::wire::version::{Era, ProtocolVersion};

/// A server's definitions, all checked.
#[derive(Debug)]
pub(crate) struct Registry {
    pub(crate) settings: Settings,
    pub(crate) tools: Vec<RegisteredTool>,
    pub(crate) resources: Vec<RegisteredResource>,
    pub(crate) prompts: Vec<RegisteredPrompt>,
    /// What the author publishes, in the order of the gate's paths.
    pub(crate) documents: Vec<RegisteredDocument>,
}

impl Registry {
    /// The tool with this name.
    pub(crate) fn tool(&self, name: &str) -> Option<&RegisteredTool> {
        // Servers have few tools: comparing their names is faster than hashing one.
        self.tools.iter().find(|tool| tool.spec.name == name)
    }

    /// The prompt with this name.
    pub(crate) fn prompt(&self, name: &str) -> Option<&RegisteredPrompt> {
        self.prompts.iter().find(|prompt| prompt.spec.name == name)
    }

    /// The resource at this URI, or the first template that matches it, with the values of its
    /// variables.
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

    /// The access rules of all definitions, with their kind and name.
    fn access(&self) -> impl Iterator<Item = (&'static str, &str, &Access)> {
        let tools = self.tools.iter();
        let tools = tools.map(|tool| ("tool", tool.spec.name.as_str(), &tool.access));
        let resources = self.resources.iter();
        let resources = resources.map(|one| ("resource", one.spec.address.as_str(), &one.access));
        let prompts = self.prompts.iter();
        let prompts = prompts.map(|prompt| ("prompt", prompt.spec.name.as_str(), &prompt.access));
        tools.chain(resources).chain(prompts)
    }

    /// The scopes that any tool, resource or prompt requires or recognizes.
    pub(crate) fn scopes(&self) -> Scopes {
        let mut scopes = Scopes::none();
        for (_, _, access) in self.access() {
            let wanted = [access.required_scopes(), access.recognized_scopes()];
            for wanted in wanted.into_iter().flatten() {
                scopes.extend(wanted);
            }
        }
        scopes
    }

    /// Checks that the views of tools exist.
    pub(super) fn check_views(&self) -> Result<(), BuildError> {
        let has = |uri: &str| {
            let found = self.resource(uri);
            found.is_some_and(|(resource, _)| resource.is_view())
        };
        for tool in &self.tools {
            if let Some(uri) = tool.view.as_deref().filter(|uri| !has(uri)) {
                let (tool, uri) = (tool.spec.name.clone(), uri.to_owned());
                return Err(BuildError::View { tool, uri });
            }
        }
        Ok(())
    }

    /// Checks that credentials can be verified where they are required.
    pub(super) fn check_auth(&self) -> Result<(), BuildError> {
        let auth = &self.settings.auth;
        if let Some(source) = auth.invalid_scopes() {
            return Err(BuildError::Scopes {
                definition: "`Auth::scope_implies`".to_owned(),
                source: source.clone(),
            });
        }
        if !auth.is_empty() {
            return Ok(());
        }
        let mut closed = self.access();
        let closed = closed.find(|(_, _, access)| access.required_scopes().is_some());
        match closed {
            Some((kind, name, _)) => Err(BuildError::NoVerifier {
                definition: format!("{kind} `{name}`"),
            }),
            None if auth.is_required() => Err(BuildError::NoVerifier {
                definition: "the server".to_owned(),
            }),
            None => Ok(()),
        }
    }

    /// A target of the limits that nothing here matches: a typing error in a limit must not leave a
    /// tool without one.
    pub(crate) fn unknown_limit_target(&self) -> Option<String> {
        let tools = self.tools.iter().map(|tool| &*tool.spec.name);
        let resources = self.resources.iter().map(|one| one.spec.address.as_str());
        let prompts = self.prompts.iter().map(|prompt| &*prompt.spec.name);
        let completed = self
            .resources
            .iter()
            .filter(|one| !one.completers.is_empty());
        let completed = completed.map(|one| one.spec.address.as_str());
        let filled_in = self.prompts.iter().filter(|one| !one.completers.is_empty());
        let filled_in = filled_in.map(|prompt| &*prompt.spec.name);
        let known: Vec<Target<'_>> = tools
            .map(Target::tool)
            .chain(resources.map(Target::resource))
            .chain(prompts.map(Target::prompt))
            .chain(completed.map(Target::resource_completion))
            .chain(filled_in.map(Target::prompt_completion))
            .collect();
        let is_unknown = |target: &&Target<'_>| !known.iter().any(|known| target.matches(known));
        let mut targets = self.settings.limits.as_ref()?.rules().targets();
        targets.find(is_unknown).map(ToString::to_string)
    }

    /// What a client calls a handler that may ask it for input, if there is one: the kind and the name.
    pub(crate) fn asking(&self) -> Option<(&'static str, &str)> {
        let tools = self.tools.iter().filter(|tool| tool.may_ask);
        let resources = self.resources.iter().filter(|one| one.may_ask);
        let prompts = self.prompts.iter().filter(|prompt| prompt.may_ask);
        { tools.map(|tool| ("tool", &*tool.spec.name)) }
            .chain(resources.map(|one| ("resource", one.spec.address.as_str())))
            .chain(prompts.map(|prompt| ("prompt", &*prompt.spec.name)))
            .next()
    }

    /// Checks that several instances of the server can serve the rounds and the tasks of one call, and
    /// the requests of one session.
    pub(crate) fn check_for_many_instances(&self) -> Result<(), ManyInstancesError> {
        let tasks = self.settings.tasks.as_ref();
        if tasks.is_some_and(|tasks| tasks.engine().is_local()) {
            return Err(ManyInstancesError::LocalTasks);
        }
        let required = self.settings.legacy_handshake == LegacyHandshake::Required;
        let handshake = required.then_some((NoSharedKey::SETTING, "legacy_handshake"));
        match self.asking().or(handshake) {
            Some((kind, name)) if !self.settings.has_shared_state_key => {
                let name = name.to_owned();
                Err(NoSharedKey { kind, name }.into())
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Whether any argument has a completion handler.
    pub(crate) fn has_completers(&self) -> bool {
        let resources = self.resources.iter().map(|resource| &resource.completers);
        let prompts = self.prompts.iter().map(|prompt| &prompt.completers);
        resources
            .chain(prompts)
            .any(|completers| !completers.is_empty())
    }

    /// Whether clients can get a task.
    pub(crate) fn has_tasks(&self) -> bool {
        self.settings.tasks.is_some() && self.tools.iter().any(|tool| tool.task.is_some())
    }

    /// The capabilities to declare on a connection, where a client of any version can set a log level.
    pub(crate) fn capabilities_on_connection(
        &self,
        version: ProtocolVersion,
    ) -> ServerCapabilities {
        ServerCapabilities {
            logging: self.settings.log_notifications.then_some(Empty {}),
            ..self.capabilities(version)
        }
    }

    /// The capabilities to declare: only those with something behind them.
    pub(crate) fn capabilities(&self, version: ProtocolVersion) -> ServerCapabilities {
        let logs = self.settings.log_notifications && version.era() == Era::Modern;
        let tasks = self.has_tasks() && version.era() == Era::Modern;
        let completions = self.has_completers() && version.has_completions_capability();
        ServerCapabilities {
            tools: (!self.tools.is_empty()).then_some(Empty {}),
            resources: (!self.resources.is_empty()).then_some(Empty {}),
            prompts: (!self.prompts.is_empty()).then_some(Empty {}),
            completions: completions.then_some(Empty {}),
            logging: logs.then_some(Empty {}),
            extensions: tasks.then_some(Extensions::TASKS),
        }
    }
}
