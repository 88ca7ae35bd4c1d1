//! [`Target`]: what a request addresses.
//!
//! It is resolved once, before the caller is authorized: it names the credential and the limit that
//! apply, and then serves the request.

use serde_json::{Map, Value};

use super::listing::{List, Listing};
use super::params::{self, CallParams};
use super::prepared::Prepared;
use super::task_request::{Action, TaskRequest};
use crate::auth::{Access, Requirement};
use crate::era::Call;
use crate::error::ProtocolError;
use crate::error::protocol::excerpt;
use crate::handler::Completer;
use crate::layer::TargetKind;
use crate::limit;
use crate::server::{RegisteredPrompt, RegisteredResource, RegisteredTool, Registry};
use crate::wire::completion::{CompleteParams, Reference};
use crate::wire::resources::ReadResourceParams;
use crate::wire::tools::ToolAnnotations;
use crate::wire::version::Era;

/// What a request addresses, with its decoded parameters.
#[derive(Debug)]
pub(crate) enum Target<'a> {
    /// `initialize`.
    Initialize,
    /// `ping`.
    Ping,
    /// `logging/setLevel`.
    SetLogLevel,
    /// `server/discover`.
    Discover,
    /// One of the list methods.
    List(List),
    /// `tools/call`.
    Tool(ToolCall<'a>),
    /// `prompts/get`.
    Prompt(PromptGet<'a>),
    /// `resources/read`.
    Resource(ResourceRead<'a>),
    /// `completion/complete`.
    Completion(ArgumentCompletion<'a>),
    /// `tasks/get`, `tasks/update` or `tasks/cancel`.
    Task(TaskRequest<'a>),
}

/// A call of a tool.
#[derive(Debug)]
pub(crate) struct ToolCall<'a> {
    pub(super) tool: &'a RegisteredTool,
    pub(super) params: CallParams<'a>,
}

/// A request for a prompt.
#[derive(Debug)]
pub(crate) struct PromptGet<'a> {
    pub(super) prompt: &'a RegisteredPrompt,
    pub(super) params: CallParams<'a>,
}

/// A read of a resource.
#[derive(Debug)]
pub(crate) struct ResourceRead<'a> {
    pub(super) resource: &'a RegisteredResource,
    /// The variables of the template that the URI matches.
    pub(super) variables: Map<String, Value>,
    pub(super) params: ReadResourceParams<'a>,
}

/// A completion of an argument.
#[derive(Debug)]
pub(crate) struct ArgumentCompletion<'a> {
    pub(super) of: Completable<'a>,
    pub(super) params: CompleteParams<'a>,
}

/// What has arguments that can be completed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Completable<'a> {
    Prompt(&'a RegisteredPrompt),
    Resource(&'a RegisteredResource),
}

impl<'a> Completable<'a> {
    /// The completion handlers of its arguments.
    pub(super) fn completers(self) -> &'a [Completer] {
        match self {
            Self::Prompt(prompt) => &prompt.completers,
            Self::Resource(resource) => &resource.completers,
        }
    }

    /// Who may use it.
    const fn access(self) -> &'a Access {
        match self {
            Self::Prompt(prompt) => &prompt.access,
            Self::Resource(resource) => &resource.access,
        }
    }

    /// The registered name, or the URI or template of a resource.
    fn name(self) -> &'a str {
        match self {
            Self::Prompt(prompt) => &prompt.spec.name,
            Self::Resource(resource) => resource.spec.address.as_str(),
        }
    }
}

impl<'a> Target<'a> {
    /// Returns what the request addresses. The arguments of a call move into it.
    ///
    /// `initialize` and `ping` exist in the legacy era only, `logging/setLevel` on its connections,
    /// `server/discover` in the modern era.
    /// Methods that would keep a stream open or need a session do not exist here, nor do those of a
    /// feature that the server does not use.
    ///
    /// # Errors
    ///
    /// No such method, tool, prompt or resource, or parameters that cannot be decoded.
    pub(crate) fn resolve(
        registry: &'a Registry,
        call: &mut Call<'a>,
    ) -> Result<Self, ProtocolError> {
        let has_tools = !registry.tools.is_empty();
        let has_resources = !registry.resources.is_empty();
        let has_prompts = !registry.prompts.is_empty();
        match (call.version.era(), call.method.as_ref()) {
            (Era::Legacy, "initialize") => Ok(Self::Initialize),
            (Era::Legacy, "ping") => Ok(Self::Ping),
            (Era::Legacy, "logging/setLevel")
                if registry.settings.log_notifications && call.connection.is_some() =>
            {
                Ok(Self::SetLogLevel)
            }
            (Era::Modern, "server/discover") => Ok(Self::Discover),
            (_, "tools/list") if has_tools => Ok(Self::List(List::Tools)),
            (_, "tools/call") if has_tools => tool(registry, call).map(Self::Tool),
            (_, "resources/list") if has_resources => Ok(Self::List(List::Resources)),
            (_, "resources/templates/list") if has_resources => {
                Ok(Self::List(List::ResourceTemplates))
            }
            (_, "resources/read") if has_resources => resource(registry, call).map(Self::Resource),
            (_, "prompts/list") if has_prompts => Ok(Self::List(List::Prompts)),
            (_, "prompts/get") if has_prompts => prompt(registry, call).map(Self::Prompt),
            (_, "completion/complete") if registry.has_completers() => {
                completion(registry, call).map(Self::Completion)
            }
            (Era::Modern, method) if registry.has_tasks() && Action::of(method).is_some() => {
                TaskRequest::resolve(registry, call).map(Self::Task)
            }
            (_, method) => Err(ProtocolError::MethodNotFound {
                method: excerpt(method),
            }),
        }
    }

    /// The name it was registered under; for a resource, its URI or template. `None` if nothing
    /// registered is addressed.
    pub(crate) fn name(&self) -> Option<&'a str> {
        match self {
            Self::Tool(target) => Some(&target.tool.spec.name),
            Self::Prompt(target) => Some(&target.prompt.spec.name),
            Self::Resource(target) => Some(target.resource.spec.address.as_str()),
            Self::Completion(target) => Some(target.of.name()),
            Self::Task(target) => Some(&target.tool.spec.name),
            Self::Initialize | Self::Ping | Self::SetLogLevel | Self::Discover | Self::List(_) => {
                None
            }
        }
    }

    /// The kind of what is addressed, for layers and spans. `None` if nothing registered is addressed.
    pub(crate) const fn kind(&self) -> Option<TargetKind> {
        match self {
            Self::Tool(_) => Some(TargetKind::Tool),
            Self::Prompt(_) => Some(TargetKind::Prompt),
            Self::Resource(_) => Some(TargetKind::Resource),
            Self::Completion(_) => Some(TargetKind::Completion),
            Self::Task(_) => Some(TargetKind::Task),
            Self::Initialize | Self::Ping | Self::SetLogLevel | Self::Discover | Self::List(_) => {
                None
            }
        }
    }

    /// The hints about the effects of the tool.
    pub(super) const fn annotations(&self) -> Option<&'a ToolAnnotations> {
        match self {
            Self::Tool(target) => target.tool.spec.annotations.as_ref(),
            Self::Task(target) => target.tool.spec.annotations.as_ref(),
            Self::Prompt(_)
            | Self::Resource(_)
            | Self::Completion(_)
            | Self::Initialize
            | Self::Ping
            | Self::SetLogLevel
            | Self::Discover
            | Self::List(_) => None,
        }
    }

    /// What the request requires of its caller. The completion of an argument requires what its prompt
    /// or resource does.
    pub(crate) fn requirement(
        &self,
        (registry, prepared): (&Registry, &Prepared),
        call: &Call<'_>,
    ) -> Requirement<'a> {
        match self {
            Self::Tool(target) => target.tool.access.requirement(),
            // Whoever may call the tool may ask for its tasks.
            Self::Task(target) => target.tool.access.requirement(),
            Self::Prompt(target) => target.prompt.access.requirement(),
            Self::Resource(target) => target.resource.access.requirement(),
            Self::Completion(target) => target.of.access().requirement(),
            Self::List(list)
                if prepared
                    .at(registry, call.version)
                    .and_then(|lists| lists.list(*list, false))
                    .is_ok_and(Listing::is_personal) =>
            {
                Requirement::ValidIfPresent
            }
            Self::List(_) | Self::Initialize | Self::Ping | Self::SetLogLevel | Self::Discover => {
                Requirement::Nothing
            }
        }
    }

    /// The name of the tool, if the request calls one that is not declared as read-only, or changes
    /// its task. Everything else only reads. Schema, *`ToolAnnotations`*: `readOnlyHint` defaults to
    /// false.
    pub(crate) fn effect(&self) -> Option<&'a str> {
        let tool = match self {
            Self::Tool(target) => target.tool,
            Self::Task(target) if target.action != Action::Get => target.tool,
            Self::Task(_)
            | Self::Prompt(_)
            | Self::Resource(_)
            | Self::Completion(_)
            | Self::Initialize
            | Self::Ping
            | Self::SetLogLevel
            | Self::Discover
            | Self::List(_) => return None,
        };
        let spec = &tool.spec;
        let hint = spec
            .annotations
            .as_ref()
            .and_then(|hints| hints.read_only_hint);
        (hint != Some(true)).then_some(spec.name.as_str())
    }

    /// What rate limits count the call as. `None` if no limit applies.
    pub(super) fn limit_target(&self) -> Option<limit::Target<'a>> {
        match self {
            Self::Tool(target) => Some(limit::Target::tool(&*target.tool.spec.name)),
            Self::Prompt(target) => Some(limit::Target::prompt(&*target.prompt.spec.name)),
            Self::Resource(target) => {
                let uri = target.resource.spec.address.as_str();
                Some(limit::Target::resource(uri))
            }
            Self::Completion(target) => Some(match target.of {
                Completable::Prompt(_) => limit::Target::prompt_completion(target.of.name()),
                Completable::Resource(_) => limit::Target::resource_completion(target.of.name()),
            }),
            // Polling a task is not another call of its tool.
            Self::Task(_)
            | Self::Initialize
            | Self::Ping
            | Self::SetLogLevel
            | Self::Discover
            | Self::List(_) => None,
        }
    }
}

fn tool<'a>(registry: &'a Registry, call: &mut Call<'a>) -> Result<ToolCall<'a>, ProtocolError> {
    let params = params::take_call(call)?;
    let Some(tool) = registry.tool(&params.name) else {
        return Err(ProtocolError::UnknownTool {
            name: excerpt(&params.name),
        });
    };
    Ok(ToolCall { tool, params })
}

fn prompt<'a>(registry: &'a Registry, call: &mut Call<'a>) -> Result<PromptGet<'a>, ProtocolError> {
    let params = params::take_call(call)?;
    let Some(prompt) = registry.prompt(&params.name) else {
        let reason = format!("there is no prompt `{}`", excerpt(&params.name));
        return Err(ProtocolError::invalid_params(reason));
    };
    Ok(PromptGet { prompt, params })
}

fn resource<'a>(
    registry: &'a Registry,
    call: &Call<'a>,
) -> Result<ResourceRead<'a>, ProtocolError> {
    let params: ReadResourceParams<'a> = params::decode(call)?;
    let Some((resource, variables)) = registry.resource(&params.uri) else {
        return Err(ProtocolError::ResourceNotFound {
            uri: params.uri.into_owned(),
        });
    };
    Ok(ResourceRead {
        resource,
        variables,
        params,
    })
}

fn completion<'a>(
    registry: &'a Registry,
    call: &Call<'a>,
) -> Result<ArgumentCompletion<'a>, ProtocolError> {
    let params: CompleteParams<'a> = params::decode(call)?;
    let of = match &params.reference {
        Reference::Prompt { name } => registry.prompt(name).map(Completable::Prompt),
        // The template itself, or a URI that matches it.
        Reference::Resource { uri } => {
            let mut resources = registry.resources.iter();
            resources
                .find(|resource| resource.spec.address.as_str() == uri)
                .or_else(|| registry.resource(uri).map(|(resource, _)| resource))
                .map(Completable::Resource)
        }
    };
    let Some(of) = of else {
        let (Reference::Prompt { name } | Reference::Resource { uri: name }) = &params.reference;
        let reason = format!("`ref` names `{}`, which does not exist", excerpt(name));
        return Err(ProtocolError::invalid_params(reason));
    };
    Ok(ArgumentCompletion { of, params })
}
