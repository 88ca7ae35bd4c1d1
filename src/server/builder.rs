//! Building a server: everything that can be wrong with a definition is found here, at start.

use std::time::Duration;

use crate::auth::Auth;
use crate::era::HeaderOnlyRequests;
use crate::gate::{Gate, Hosts, Origins};
use crate::limit::{Limits, Target};
use crate::server::Registry;
use crate::server::build_error::BuildError;
use crate::server::prompt::{Prompt, RegisteredPrompt};
use crate::server::resource::{RegisteredResource, Resource};
use crate::server::state_key::RequestStateKey;
use crate::server::tool::{RegisteredTool, Tool};
use crate::wire::annotations::Icon;
use crate::wire::implementation::Implementation;

/// The largest body taken unless it is set: 1 MiB.
const MAX_BODY_BYTES: usize = 1024 * 1024;
/// How long a call may take unless it is set: below any gateway's own bound.
const CALL_TIMEOUT: Duration = Duration::from_secs(25);
/// How many entries one page of a list holds unless it is set.
const PAGE_SIZE: usize = 100;
/// How long a client may keep lists and the discovery unless it is set: five minutes.
const CACHE_TTL: Duration = Duration::from_secs(300);

/// How long a client may take to answer what it is asked unless it is set: fifteen minutes.
const STATE_TTL: Duration = Duration::from_secs(900);

/// A server under construction; made by [`Server::builder`](crate::Server::builder).
#[derive(Debug)]
#[must_use = "call `build` to get the server"]
pub struct ServerBuilder<S> {
    settings: Settings,
    tools: Vec<RegisteredTool>,
    resources: Vec<RegisteredResource>,
    prompts: Vec<RegisteredPrompt>,
    /// The first definition that cannot be served; told by `build`.
    error: Option<BuildError>,
    state: S,
}

/// What a server is besides its tools.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) identity: Implementation,
    pub(crate) instructions: Option<String>,
    pub(crate) gate: Gate,
    pub(crate) header_only: HeaderOnlyRequests,
    pub(crate) call_timeout: Duration,
    pub(crate) page_size: usize,
    pub(crate) cache_ttl: Duration,
    pub(crate) public_url: Option<String>,
    pub(crate) log_notifications: bool,
    pub(crate) auth: Auth,
    pub(crate) limits: Option<Limits>,
    pub(crate) state_key: RequestStateKey,
    pub(crate) state_ttl: Duration,
}

impl ServerBuilder<()> {
    pub(crate) fn new(name: String, version: String) -> Self {
        let identity = Implementation {
            name,
            title: None,
            version,
            description: None,
            website_url: None,
            icons: Vec::new(),
        };
        let gate = Gate {
            endpoint: "/mcp".to_owned(),
            origins: Origins::loopback(),
            hosts: Hosts::any(),
            max_body_bytes: MAX_BODY_BYTES,
            names_token_issuers: false,
        };
        Self {
            settings: Settings {
                identity,
                instructions: None,
                gate,
                header_only: HeaderOnlyRequests::default(),
                call_timeout: CALL_TIMEOUT,
                page_size: PAGE_SIZE,
                cache_ttl: CACHE_TTL,
                public_url: None,
                log_notifications: false,
                auth: Auth::new(),
                limits: None,
                state_key: RequestStateKey::random(),
                state_ttl: STATE_TTL,
            },
            tools: Vec::new(),
            resources: Vec::new(),
            prompts: Vec::new(),
            error: None,
            state: (),
        }
    }

    /// Gives the handlers that are registered after it a state, which they take as
    /// [`State<S>`](crate::State).
    pub fn state<S>(self, state: S) -> ServerBuilder<S>
    where
        S: Clone + Send + Sync + 'static,
    {
        let Self {
            settings,
            tools,
            resources,
            prompts,
            error,
            state: (),
        } = self;
        ServerBuilder {
            settings,
            tools,
            resources,
            prompts,
            error,
            state,
        }
    }
}

impl<S: Clone + Send + Sync + 'static> ServerBuilder<S> {
    /// Registers a tool. Clients see tools in the order they were registered.
    pub fn tool(mut self, tool: Tool<S>) -> Self {
        match tool.register(self.state.clone()) {
            Ok(tool)
                if self
                    .tools
                    .iter()
                    .any(|known| known.spec.name == tool.spec.name) =>
            {
                self.fail(BuildError::DuplicateTool {
                    name: tool.spec.name,
                });
            }
            Ok(tool) => self.tools.push(tool),
            Err(error) => self.fail(error),
        }
        self
    }

    /// Registers a resource or a template of resources. Clients see them in the order they were
    /// registered; the first whose URI or template fits a read serves it.
    pub fn resource(mut self, resource: Resource<S>) -> Self {
        match resource.register(&self.state) {
            Ok(resource) => {
                let uri = resource.spec.address.as_str();
                if self
                    .resources
                    .iter()
                    .any(|known| known.spec.address.as_str() == uri)
                {
                    let (uri, reason) = (uri.to_owned(), "it is registered twice".to_owned());
                    self.fail(BuildError::Resource { uri, reason });
                } else {
                    self.resources.push(resource);
                }
            }
            Err(error) => self.fail(error),
        }
        self
    }

    /// Registers a prompt. Clients see prompts in the order they were registered.
    pub fn prompt(mut self, prompt: Prompt<S>) -> Self {
        match prompt.register(&self.state) {
            Ok(prompt)
                if self
                    .prompts
                    .iter()
                    .any(|known| known.spec.name == prompt.spec.name) =>
            {
                let (name, reason) = (prompt.spec.name, "it is registered twice".to_owned());
                self.fail(BuildError::Prompt { name, reason });
            }
            Ok(prompt) => self.prompts.push(prompt),
            Err(error) => self.fail(error),
        }
        self
    }

    fn fail(&mut self, error: BuildError) {
        self.error.get_or_insert(error);
    }

    /// Sets the server's name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.settings.identity.title = Some(title.into());
        self
    }

    /// Sets what the server is, in a sentence.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.settings.identity.description = Some(description.into());
        self
    }

    /// Sets a page about the server.
    pub fn website_url(mut self, url: impl Into<String>) -> Self {
        self.settings.identity.website_url = Some(url.into());
        self
    }

    /// Adds a picture of the server.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.settings.identity.icons.push(icon);
        self
    }

    /// Tells a model how to use the server.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.settings.instructions = Some(instructions.into());
        self
    }

    /// Sets the path of the endpoint, `/mcp` unless it is set.
    pub fn endpoint(mut self, path: impl Into<String>) -> Self {
        self.settings.gate.endpoint = path.into();
        self
    }

    /// Sets which web pages may call: those of this machine unless it is set.
    pub fn origins(mut self, origins: Origins) -> Self {
        self.settings.gate.origins = origins;
        self
    }

    /// Sets which host names the server answers to: any unless it is set.
    pub fn hosts(mut self, hosts: Hosts) -> Self {
        self.settings.gate.hosts = hosts;
        self
    }

    /// Sets the largest body taken, in bytes: 1 MiB unless it is set.
    pub const fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.settings.gate.max_body_bytes = bytes;
        self
    }

    /// Sets how long a call may take: 25 seconds unless it is set, and never longer than the
    /// platform waits.
    pub const fn call_timeout(mut self, timeout: Duration) -> Self {
        self.settings.call_timeout = timeout;
        self
    }

    /// Sets how many entries one page of a list holds: 100 unless it is set.
    pub const fn page_size(mut self, entries: usize) -> Self {
        self.settings.page_size = entries;
        self
    }

    /// Sets how long clients may keep lists and the discovery: five minutes unless it is set.
    pub const fn cache_ttl(mut self, ttl: Duration) -> Self {
        self.settings.cache_ttl = ttl;
        self
    }

    /// Sets what becomes of modern requests without an envelope: rejected unless it is set.
    pub const fn header_only_requests(mut self, policy: HeaderOnlyRequests) -> Self {
        self.settings.header_only = policy;
        self
    }

    /// Declares that handlers send log messages to clients, by [`Context::log`].
    ///
    /// [`Context::log`]: crate::Context::log
    pub const fn log_notifications(mut self) -> Self {
        self.settings.log_notifications = true;
        self
    }

    /// Sets which credentials the server takes: none unless it is set.
    ///
    /// Only tools that [require a scope](Tool::requires_scope) look at them; what is public stays
    /// public, and a credential that is not good does no harm there.
    pub fn auth(mut self, auth: Auth) -> Self {
        self.settings.gate.names_token_issuers = auth.has_authorization_servers();
        self.settings.auth = auth;
        self
    }

    /// Sets how often tools may be called, and where that is counted: without limits unless it is
    /// set.
    ///
    /// A call counts when it reaches its tool: what was refused before — by its headers, its
    /// credential, its arguments — does not. Each round of a call that asks its client counts.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = Some(limits);
        self
    }

    /// Sets the key that seals what a client carries between two rounds of a request; every
    /// instance needs the same. Unless it is set each process makes one of its own, and an answer
    /// that comes to another instance has to be asked for again.
    pub fn request_state_key(mut self, key: RequestStateKey) -> Self {
        self.settings.state_key = key;
        self
    }

    /// Sets how long a client may take to answer what it is asked: fifteen minutes unless it is
    /// set.
    pub const fn request_state_ttl(mut self, ttl: Duration) -> Self {
        self.settings.state_ttl = ttl;
        self
    }

    /// Sets the URL in front of the endpoint's path, for published documents. Unless it is set it
    /// is taken from the platform's event, and never from `Host`.
    pub fn public_url(mut self, url: impl Into<String>) -> Self {
        self.settings.public_url = Some(url.into().trim_end_matches('/').to_owned());
        self
    }

    /// Checks the definitions.
    pub(crate) fn finish(self) -> Result<Registry, BuildError> {
        let Self {
            settings,
            tools,
            resources,
            prompts,
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
        let needs = |tool: &&RegisteredTool| tool.required_scopes.is_some();
        if let Some(tool) = tools.iter().find(needs)
            && settings.auth.is_empty()
        {
            return Err(BuildError::NoVerifier {
                tool: tool.spec.name.clone(),
            });
        }
        if let Some(limits) = &settings.limits {
            let tools = tools.iter().map(|tool| Target::tool(&*tool.spec.name));
            let resources = resources
                .iter()
                .map(|resource| Target::resource(resource.spec.address.as_str()));
            let prompts = prompts
                .iter()
                .map(|prompt| Target::prompt(&*prompt.spec.name));
            let served: Vec<Target<'_>> = tools.chain(resources).chain(prompts).collect();
            let is_served = |target: &&Target<'_>| served.iter().any(|own| target.matches(own));
            if let Some(target) = limits.rules().targets().find(|target| !is_served(target)) {
                return Err(BuildError::LimitOfUnknownTarget {
                    target: target.to_string(),
                });
            }
        }
        if settings.page_size == 0 {
            return Err(BuildError::PageSize);
        }
        Ok(Registry {
            settings,
            tools,
            resources,
            prompts,
        })
    }
}
