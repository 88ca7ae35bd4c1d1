//! A request inside the layers of the server: what they see, and what becomes of a refusal.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::answer::Answer;
use super::context::{MethodContext, Request};
use super::invoke::MAX_ROUNDS;
use super::target::Target;
use super::tools_call;
use crate::era::Call;
use crate::error::{ProtocolError, ToolError, chain};
use crate::future::{BoxFuture, Broken, bounded};
use crate::layer::{CallEnd, CallInfo, Step};

/// How much longer than the handler the layers around it may take: enough to see its timeout.
const GRACE: Duration = Duration::from_millis(250);

/// Serves a request with `serve`, inside the layers.
pub(super) async fn around<'a>(
    context: &'a MethodContext<'a>,
    call: &'a Call<'a>,
    target: Box<Target<'a>>,
    serve: impl FnOnce(Box<Target<'a>>) -> BoxFuture<'a, Answer> + Send + 'a,
) -> Answer {
    let started = Instant::now();
    let answer = Mutex::new(None);
    let info = CallInfo {
        method: &call.method,
        target: target.kind().zip(target.name()),
        annotations: target.annotations(),
        principal: context.principal,
        version: call.version,
        client: call.client.info.as_ref().map(|client| client.name.as_str()),
        invocation: context.invocation,
    };
    let method = |step: Step| -> BoxFuture<'_, CallEnd> {
        let answer = &answer;
        Box::pin(async move {
            let given = match step {
                Step::Serve => serve(target).await,
                Step::Refuse(error) => refuse(context, call, &target, &error),
                Step::Reject(message) => ProtocolError::invalid_params(message).into(),
            };
            let (outcome, code) = given.outcome(call.version.era());
            *answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(given);
            CallEnd {
                outcome,
                code,
                started,
            }
        })
    };
    let layers = &context.registry.settings.layers;
    let timeout = context.deadline().saturating_duration_since(started) + GRACE + waiting(context);
    let ended = bounded(timeout, || layers.call(info, method)).await;
    if let Err(broken) = ended {
        let reason = match broken {
            Broken::Panicked => "it panicked",
            Broken::TimedOut => "it did not finish in time",
        };
        tracing::error!(
            method = info.method,
            name = info.name(),
            reason,
            "a layer was aborted"
        );
        return ProtocolError::Internal.into();
    }
    let answer = answer.into_inner().unwrap_or_else(PoisonError::into_inner);
    // A layer can return the end of another call without running this one.
    answer.unwrap_or_else(|| {
        tracing::error!(
            method = info.method,
            name = info.name(),
            "a layer did not continue the call"
        );
        ProtocolError::Internal.into()
    })
}

/// How long a call may wait for answers of its client. Nothing, unless the client is asked within it.
fn waiting(context: &MethodContext<'_>) -> Duration {
    let settings = &context.registry.settings;
    let round = settings.state_ttl.saturating_add(settings.call_timeout);
    match context.peer {
        Some(_) => round.saturating_mul(MAX_ROUNDS),
        None => Duration::ZERO,
    }
}

/// The response to a request that a layer refuses.
fn refuse(
    context: &MethodContext<'_>,
    call: &Call<'_>,
    target: &Target<'_>,
    error: &ToolError,
) -> Answer {
    if let Some(cause) = error.cause() {
        let method = &*call.method;
        tracing::error!(
            method,
            name = target.name(),
            error = chain(cause),
            "a layer failed"
        );
    }
    if let Target::Tool(_) = target {
        let request = Request {
            context,
            call,
            limit_target: None,
        };
        return tools_call::error(&request, &error.to_string())
            .map_err(super::Failure::from)
            .into();
    }
    if error.cause().is_some() {
        return ProtocolError::Internal.into();
    }
    ProtocolError::invalid_params(error.to_string()).into()
}
