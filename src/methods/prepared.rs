//! Results that depend only on the registered tools, prompts and resources, serialized once: the lists of
//! a version on the first request that needs one, so that a start does not wait for versions that nobody
//! speaks.
//!
//! Each result is written by itself, so that a definition with a fault takes away only its own list. On
//! AWS Lambda such a fault can be found as late as here.
//!
//! A closed server marks them `cacheScope: private`: "responses with a `public` `cacheScope` may be
//! shared between callers even if the Result is coming from an authenticated endpoint".

use std::sync::OnceLock;

use bytes::Bytes;
use serde_json::value::RawValue;

use super::listing::{List, Listing};
use super::result::{self, CacheHints, ResultShape};
use crate::error::ProtocolError;
use crate::server::{RegisteredTool, Registry};
use crate::wire::capabilities::ServerCapabilities;
use crate::wire::discover::DiscoverResult;
use crate::wire::initialize::InitializeResult;
use crate::wire::prompts::Prompt;
use crate::wire::resources::{Address, Resource};
use crate::wire::tools::Tool;
use crate::wire::version::{Era, ProtocolVersion};

/// The prepared results of all versions.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// The server's name and version, as results of 2026-07-28 contain them.
    pub(super) server_info: Box<RawValue>,
    pub(super) discover: Bytes,
    cache: CacheHints,
    versions: [(ProtocolVersion, OnceLock<AtVersion>); ProtocolVersion::ALL.len()],
}

/// A prepared result. The reason why there is none was logged.
type Written<T> = Result<T, ProtocolError>;

/// The prepared results of one version.
#[derive(Debug)]
pub(super) struct AtVersion {
    initialize: Written<Bytes>,
    tools: Written<Listing>,
    /// The same for clients that show views, if any tool has one.
    tools_with_views: Option<Written<Listing>>,
    resources: Written<Listing>,
    resource_templates: Written<Listing>,
    prompts: Written<Listing>,
}

impl AtVersion {
    /// Returns the result of `initialize` where there is no connection.
    ///
    /// # Errors
    ///
    /// It cannot be written as JSON.
    pub(super) fn initialize(&self) -> Result<Bytes, ProtocolError> {
        self.initialize.clone()
    }

    /// Returns a list. `shows_views`: whether the client supports MCP Apps.
    ///
    /// # Errors
    ///
    /// An entry of the list has a fault.
    pub(super) fn list(&self, list: List, shows_views: bool) -> Result<&Listing, ProtocolError> {
        let list = match list {
            List::Tools => {
                let with_views = self.tools_with_views.as_ref().filter(|_| shows_views);
                with_views.unwrap_or(&self.tools)
            }
            List::Resources => &self.resources,
            List::ResourceTemplates => &self.resource_templates,
            List::Prompts => &self.prompts,
        };
        list.as_ref().map_err(Clone::clone)
    }
}

impl Prepared {
    /// Serializes the results.
    ///
    /// # Errors
    ///
    /// A definition cannot be serialized as JSON.
    pub(crate) fn new(registry: &Registry) -> Result<Self, ProtocolError> {
        let settings = &registry.settings;
        let [newest, ..] = ProtocolVersion::ALL;
        let server_info = serde_json::value::to_raw_value(&settings.identity.at(newest))
            .map_err(|_| ProtocolError::Internal)?;
        let shape = ResultShape::new(newest, &server_info);
        let cache = if settings.auth.is_required() {
            CacheHints::private(settings.cache_ttl)
        } else {
            CacheHints::public(settings.cache_ttl)
        };
        let discover = result::complete(
            shape.cache(cache),
            &DiscoverResult {
                supported_versions: &ProtocolVersion::ALL,
                capabilities: &registry.capabilities(newest),
                instructions: settings.instructions.as_deref(),
            },
        )?;
        Ok(Self {
            discover,
            cache,
            versions: ProtocolVersion::ALL.map(|version| (version, OnceLock::new())),
            server_info,
        })
    }

    /// The results of one version. `registry` is that of [`new`](Self::new).
    ///
    /// # Errors
    ///
    /// The version is not one of [`ProtocolVersion::ALL`].
    pub(super) fn at(
        &self,
        registry: &Registry,
        version: ProtocolVersion,
    ) -> Result<&AtVersion, ProtocolError> {
        let found = self.versions.iter().find(|(known, _)| *known == version);
        let (_, results) = found.ok_or(ProtocolError::Internal)?;
        Ok(results.get_or_init(|| self.write(registry, version)))
    }

    /// Serializes the results of one version.
    fn write(&self, registry: &Registry, version: ProtocolVersion) -> AtVersion {
        let shape = ResultShape::new(version, &self.server_info);
        let answer = match version.era() {
            Era::Modern => Ok(Bytes::new()),
            Era::Legacy => initialize(registry, shape, &registry.capabilities(version)),
        };
        lists(registry, shape.cache(self.cache), answer)
    }
}

/// The result of `initialize` on a connection, where the server can also keep a log level.
///
/// # Errors
///
/// It cannot be serialized as JSON.
pub(super) fn initialize_connection(
    registry: &Registry,
    prepared: &Prepared,
    version: ProtocolVersion,
) -> Result<Bytes, ProtocolError> {
    let capabilities = registry.capabilities_on_connection(version);
    let shape = ResultShape::new(version, &prepared.server_info);
    initialize(registry, shape, &capabilities)
}

fn initialize(
    registry: &Registry,
    shape: ResultShape<'_>,
    capabilities: &ServerCapabilities,
) -> Result<Bytes, ProtocolError> {
    let result = InitializeResult {
        protocol_version: shape.version(),
        capabilities,
        server_info: registry.settings.identity.at(shape.version()),
        instructions: registry.settings.instructions.as_deref(),
    };
    result::complete(shape, &result)
}

fn lists(registry: &Registry, shape: ResultShape<'_>, initialize: Written<Bytes>) -> AtVersion {
    let version = shape.version();
    let size = registry.settings.page_size;
    let tools = |has_views: bool| {
        let tools = registry.tools.iter();
        let tools = tools.map(|tool| Ok((tool_at(tool, version, has_views)?, &tool.access)));
        let tools = tools.collect::<Result<Vec<_>, ProtocolError>>()?;
        Listing::new(List::Tools, tools, size, shape)
    };
    let prompts = || {
        let prompts = registry.prompts.iter();
        let prompts =
            prompts.map(|prompt| Ok((prompt_at(prompt.listed()?, version), &prompt.access)));
        let prompts = prompts.collect::<Result<Vec<_>, ProtocolError>>()?;
        Listing::new(List::Prompts, prompts, size, shape)
    };
    // A request of an older revision does not say what the client supports, and `_meta` that a client does
    // not know has no effect.
    let is_legacy = version.era() == Era::Legacy;
    let has_views = registry.tools.iter().any(|tool| tool.view.is_some());
    // Hosts find a view by the tool. Other clients have no use for it.
    let resources = registry.resources.iter().filter(|one| !one.is_view());
    let resources = resources.map(|one| (resource_at(one.listed(), version), &one.access));
    let (resources, templates): (Vec<_>, Vec<_>) =
        resources.partition(|(resource, _)| matches!(resource.address, Address::Uri(_)));
    AtVersion {
        initialize,
        tools: tools(is_legacy),
        tools_with_views: (has_views && !is_legacy).then(|| tools(true)),
        resources: Listing::new(List::Resources, resources, size, shape),
        resource_templates: Listing::new(List::ResourceTemplates, templates, size, shape),
        prompts: prompts(),
    }
}

/// Returns a tool with only the members that the version defines.
///
/// # Errors
///
/// Its input schema has a fault.
fn tool_at(
    tool: &RegisteredTool,
    version: ProtocolVersion,
    has_views: bool,
) -> Result<Tool<'_>, ProtocolError> {
    let mut tool = tool.listed(has_views)?;
    let is_object = |schema: &&serde_json::Value| {
        schema.get("type").and_then(serde_json::Value::as_str) == Some("object")
    };
    if !version.has_structured_content() {
        tool.title = None;
        tool.output_schema = None;
        tool.meta = None;
    }
    if !version.has_any_structured_content() {
        tool.output_schema = tool.output_schema.filter(is_object);
    }
    if !version.has_tool_annotations() {
        tool.annotations = None;
    }
    if !version.has_icons() {
        tool.icons = &[];
    }
    if !version.has_execution() {
        tool.execution = None;
    }
    Ok(tool)
}

/// Returns a prompt with only the members that the version defines.
fn prompt_at(mut prompt: Prompt, version: ProtocolVersion) -> Prompt {
    if !version.has_structured_content() {
        prompt.title = None;
        prompt.meta = None;
        prompt
            .arguments
            .iter_mut()
            .for_each(|argument| argument.title = None);
    }
    if !version.has_icons() {
        prompt.icons.clear();
    }
    prompt
}

/// Returns a resource or template with only the members that the version defines.
fn resource_at(mut resource: Resource, version: ProtocolVersion) -> Resource {
    if !version.has_structured_content() {
        resource.title = None;
        resource.meta = None;
    }
    if let Some(annotations) = &mut resource.annotations {
        annotations.reduce_to(version);
    }
    if !version.has_icons() {
        resource.icons.clear();
    }
    resource
}
