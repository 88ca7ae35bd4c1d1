//! The methods of the protocol, one file each, and the one place that chooses among them.

mod initialize;
mod ping;
mod prepared;
mod server_discover;
mod shape;
mod tools_call;
mod tools_list;

use bytes::Bytes;

pub(crate) use self::prepared::Prepared;
use crate::era::Call;
use crate::error::ProtocolError;
use crate::error::protocol::excerpt;
use crate::server::{Invocation, Registry};
use crate::wire::version::Era;

/// What a method answered, and what the log tells of it.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The `result`, as JSON, or the `error`.
    pub(crate) result: Result<Bytes, ProtocolError>,
    /// The registered name of what was called.
    pub(crate) target: Option<String>,
    /// The tool ran and failed.
    pub(crate) is_tool_error: bool,
}

impl From<Result<Bytes, ProtocolError>> for Answer {
    fn from(result: Result<Bytes, ProtocolError>) -> Self {
        Self {
            result,
            target: None,
            is_tool_error: false,
        }
    }
}

/// Serves a request.
///
/// `initialize` and `ping` left the protocol with the modern era, `server/discover` came with it.
/// Everything that would hold a stream open or need a session is not here, and so is refused at
/// once.
pub(crate) async fn dispatch(
    registry: &Registry,
    prepared: &Prepared,
    call: &Call<'_>,
    invocation: &Invocation,
) -> Answer {
    match (call.version.era(), call.method.as_ref()) {
        (Era::Legacy, "initialize") => initialize::answer(prepared, call).into(),
        (Era::Legacy, "ping") => ping::answer().into(),
        (Era::Modern, "server/discover") => server_discover::answer(prepared).into(),
        (_, "tools/list") if registry.capabilities().tools.is_some() => {
            tools_list::answer(prepared, call).into()
        }
        (_, "tools/call") if registry.capabilities().tools.is_some() => {
            tools_call::answer(registry, prepared, call, invocation).await
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
        let text = error.to_string();
        let reason = text.split(" at line ").next().unwrap_or_default();
        ProtocolError::invalid_params(format!("{}: {reason}", call.method))
    })
}
