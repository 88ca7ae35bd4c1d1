//! [`ServerBuilder`]: registering what a server offers. Every fault is found when it is built;
//! those of types before the program runs on AWS Lambda (`tool_schemas.rs`).

use std::collections::{HashMap, HashSet};

use crate::server::build_error::BuildError;
use crate::server::document::{self, RegisteredDocument};
use crate::server::kind::Kind;
use crate::server::prompt::{Prompt, RegisteredPrompt};
use crate::server::registered_resource::RegisteredResource;
use crate::server::registered_tool::RegisteredTool;
use crate::server::registry::Registry;
use crate::server::resource::Resource;
use crate::server::settings::Settings;
use crate::server::tool::Tool;

/// A server under construction. Made by [`Server::builder`](crate::Server::builder).
///
/// `S` is the state that handlers take as [`State<S>`](crate::State).
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use lambda_mcp::{Server, prompt, resource, tool};
///
/// async fn ping() -> &'static str {
///     "pong"
/// }
///
/// let server = Server::builder("example", "1.0.0")
///     .title("Example")
///     .instructions("Call `ping` to test the connection.")
///     .call_timeout(Duration::from_secs(5))
///     .tool(tool("ping", ping).description("Returns `pong`.").read_only())
///     .resource(resource("example:pong", "pong", ping))
///     .prompt(prompt("ping", ping))
///     .build()?;
/// # let _ = server;
/// # Ok::<(), lambda_mcp::server::BuildError>(())
/// ```
#[derive(Debug)]
#[must_use = "call `build` to get the server"]
pub struct ServerBuilder<S> {
    pub(super) settings: Settings,
    pub(super) tools: Vec<RegisteredTool>,
    pub(super) resources: Vec<RegisteredResource>,
    pub(super) prompts: Vec<RegisteredPrompt>,
    pub(super) documents: Vec<RegisteredDocument>,
    /// The builder that each merged definition comes from, by its name.
    pub(super) origins: HashMap<(Kind, String), String>,
    /// The names of all definitions.
    pub(super) taken: HashSet<(Kind, String)>,
    /// The first fault; `build` returns it.
    pub(super) error: Option<BuildError>,
    state: S,
}

impl ServerBuilder<()> {
    pub(crate) fn new(name: String, version: String) -> Self {
        Self {
            settings: Settings::new(name, version),
            tools: Vec::new(),
            resources: Vec::new(),
            prompts: Vec::new(),
            documents: Vec::new(),
            origins: HashMap::new(),
            taken: HashSet::new(),
            error: None,
            state: (),
        }
    }

    /// Sets the state of the handlers that are registered after it. They take it as
    /// [`State<S>`](crate::State), whose documentation has an example.
    ///
    /// Each call clones it: put what is large or shared into an [`Arc`](std::sync::Arc).
    pub fn state<S>(self, state: S) -> ServerBuilder<S>
    where
        S: Clone + Send + Sync + 'static,
    {
        let Self {
            settings,
            tools,
            resources,
            prompts,
            documents,
            origins,
            taken,
            error,
            state: (),
        } = self;
        ServerBuilder {
            settings,
            tools,
            resources,
            prompts,
            documents,
            origins,
            taken,
            error,
            state,
        }
    }
}

impl<S: Clone + Send + Sync + 'static> ServerBuilder<S> {
    /// Registers a tool. Lists keep the order of registration.
    ///
    /// See [`tool`](crate::tool()) for an example.
    pub fn tool(mut self, tool: Tool<S>) -> Self {
        match tool.register(self.state.clone()) {
            Ok(tool) if !self.take(Kind::Tool, &tool.spec.name) => {
                let name = tool.spec.name;
                let same = BuildError::DuplicateTool { name: name.clone() };
                self.fail(self.name_taken(Kind::Tool, &name, same));
            }
            Ok(tool) => self.tools.push(tool),
            Err(error) => self.fail(error),
        }
        self
    }

    /// Registers a resource or a resource template. Lists keep the order of registration.
    ///
    /// A read is served by the resource with that URI, or by the first template that matches. See
    /// [`resource`](crate::resource()) and [`resource_template`](crate::resource_template()) for
    /// examples.
    pub fn resource(mut self, resource: Resource<S>) -> Self {
        match resource.register(&self.state) {
            Ok(resource) if !self.take(Kind::Resource, resource.spec.address.as_str()) => {
                let uri = resource.spec.address.as_str().to_owned();
                let same = BuildError::Resource {
                    uri: uri.clone(),
                    reason: "it is registered twice".to_owned(),
                };
                self.fail(self.name_taken(Kind::Resource, &uri, same));
            }
            Ok(resource) => self.resources.push(resource),
            Err(error) => self.fail(error),
        }
        self
    }

    /// Registers a prompt. Lists keep the order of registration.
    ///
    /// See [`prompt`](crate::prompt()) for an example.
    pub fn prompt(mut self, prompt: Prompt<S>) -> Self {
        match prompt.register(&self.state) {
            Ok(prompt) if !self.take(Kind::Prompt, &prompt.spec.name) => {
                let name = prompt.spec.name;
                let same = BuildError::Prompt {
                    name: name.clone(),
                    reason: "it is registered twice".to_owned(),
                };
                self.fail(self.name_taken(Kind::Prompt, &name, same));
            }
            Ok(prompt) => self.prompts.push(prompt),
            Err(error) => self.fail(error),
        }
        self
    }

    /// Checks what concerns several definitions, and returns them.
    pub(crate) fn finish(self) -> Result<Registry, BuildError> {
        let Self {
            mut settings,
            tools,
            resources,
            prompts,
            documents,
            error,
            ..
        } = self;
        if let Some(error) = error {
            return Err(error);
        }
        let endpoint = &settings.gate.endpoint;
        if !endpoint.starts_with('/') || endpoint.len() < 2 || endpoint.ends_with('/') {
            return Err(BuildError::Endpoint {
                path: endpoint.clone(),
            });
        }
        let requires_tasks = |tool: &&RegisteredTool| {
            let task = tool.task.as_ref();
            task.is_some_and(|task| task.settings.is_required)
        };
        if settings.tasks.is_none()
            && let Some(tool) = tools.iter().find(requires_tasks)
        {
            return Err(BuildError::NoTasks {
                tool: tool.spec.name.clone(),
            });
        }
        if settings.page_size == 0 {
            return Err(BuildError::PageSize);
        }
        settings.gate.documents = document::paths(&settings.gate, &documents)?;
        let registry = Registry {
            settings,
            tools,
            resources,
            prompts,
            documents,
        };
        registry.check_auth()?;
        registry.check_views()?;
        if let Some(target) = registry.unknown_limit_target() {
            return Err(BuildError::LimitOfUnknownTarget { target });
        }
        Ok(registry)
    }
}
