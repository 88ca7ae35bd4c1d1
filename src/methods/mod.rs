//! The methods of the protocol, one file each, and the one place that chooses among them.

mod completion_complete;
mod initialize;
mod lists;
mod multi_round_trip;
mod ping;
mod prepared;
mod prompts_get;
mod request_state;
mod resources_read;
mod run;
mod server_discover;
mod shape;
mod tools_call;

use bytes::Bytes;
use http::HeaderMap;

use self::prepared::List;
pub(crate) use self::prepared::Prepared;
use crate::auth::Principal;
use crate::era::Call;
use crate::error::ProtocolError;
use crate::error::protocol::excerpt;
use crate::handler::{Invocation, Notifier};
use crate::limit::Limited;
use crate::server::Registry;
use crate::wire::strict::describe;
use crate::wire::version::Era;

/// What a request is served with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MethodContext<'s> {
    /// What is served.
    pub(crate) registry: &'s Registry,
    /// The answers that were written at start.
    pub(crate) prepared: &'s Prepared,
    /// What the edge knows of the request.
    pub(crate) invocation: &'s Invocation,
    /// Where notifications go.
    pub(crate) notifier: &'s Notifier,
    /// Who calls, where that had to be known.
    pub(crate) principal: Option<&'s Principal>,
}

/// What a method answered, and what the log tells of it.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The `result`, as JSON, or why there is none.
    pub(crate) result: Result<Bytes, Failure>,
    /// The registered name of what was called.
    pub(crate) target: Option<String>,
    /// What kind of result it is.
    pub(crate) outcome: Outcome,
    /// Headers that go along.
    pub(crate) headers: HeaderMap,
}

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error of the protocol.
    Protocol(ProtocolError),
    /// The tool was called too often.
    Limited(Limited),
}

impl From<Limited> for Failure {
    fn from(limited: Limited) -> Self {
        Self::Limited(limited)
    }
}

impl From<ProtocolError> for Failure {
    fn from(error: ProtocolError) -> Self {
        Self::Protocol(error)
    }
}

/// What kind of result an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// What was asked for.
    Ok,
    /// The tool ran and failed.
    ToolError,
    /// The client has to answer first.
    InputRequired,
}

impl From<Result<Bytes, ProtocolError>> for Answer {
    fn from(result: Result<Bytes, ProtocolError>) -> Self {
        let done = result.map(|result| (result, Outcome::Ok));
        Self::of(None, done.map_err(Failure::from))
    }
}

impl Answer {
    /// What a handler of the registered name `target` came to.
    fn of(target: Option<&str>, done: Result<(Bytes, Outcome), impl Into<Failure>>) -> Self {
        let target = target.map(str::to_owned);
        let (result, outcome) = match done {
            Ok((result, outcome)) => (Ok(result), outcome),
            Err(failure) => (Err(failure.into()), Outcome::Ok),
        };
        Self {
            result,
            target,
            outcome,
            headers: HeaderMap::new(),
        }
    }
}

/// Serves a request.
///
/// `initialize` and `ping` left the protocol with the modern era, `server/discover` came with it.
/// Everything that would hold a stream open or need a session is not here, and so is refused at
/// once; so is what the server has nothing of.
pub(crate) async fn dispatch(serving: &MethodContext<'_>, call: &Call<'_>) -> Answer {
    let MethodContext {
        registry, prepared, ..
    } = serving;
    let has_tools = !registry.tools.is_empty();
    let has_resources = !registry.resources.is_empty();
    let has_prompts = !registry.prompts.is_empty();
    match (call.version.era(), call.method.as_ref()) {
        (Era::Legacy, "initialize") => initialize::answer(prepared, call).into(),
        (Era::Legacy, "ping") => ping::answer().into(),
        (Era::Modern, "server/discover") => server_discover::answer(prepared).into(),
        (_, "tools/list") if has_tools => lists::answer(prepared, List::Tools, call).into(),
        (_, "tools/call") if has_tools => tools_call::answer(serving, call).await,
        (_, "resources/list") if has_resources => {
            lists::answer(prepared, List::Resources, call).into()
        }
        (_, "resources/templates/list") if has_resources => {
            lists::answer(prepared, List::ResourceTemplates, call).into()
        }
        (_, "resources/read") if has_resources => resources_read::answer(serving, call).await,
        (_, "prompts/list") if has_prompts => lists::answer(prepared, List::Prompts, call).into(),
        (_, "prompts/get") if has_prompts => prompts_get::answer(serving, call).await,
        (_, "completion/complete") if registry.has_completers() => {
            completion_complete::answer(serving, call).await
        }
        (_, method) => Err(ProtocolError::MethodNotFound {
            method: excerpt(method),
        })
        .into(),
    }
}

/// Decodes a method's parameters; absent ones are an empty object.
fn params<'a, T: serde::Deserialize<'a>>(call: &Call<'a>) -> Result<T, ProtocolError> {
    let json = call.params.map_or("{}", serde_json::value::RawValue::get);
    serde_json::from_str(json).map_err(|error| {
        ProtocolError::invalid_params(format!("{}: {}", call.method, describe(&error)))
    })
}
