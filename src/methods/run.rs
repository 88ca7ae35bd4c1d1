//! Running a handler to its end, its deadline or its panic.

use std::panic::AssertUnwindSafe;
use std::sync::Mutex;
use std::time::Instant;

use futures_util::FutureExt as _;
use serde_json::Value;

use super::MethodContext;
use crate::era::Call;
use crate::handler::{Asks, Bound, Context, ContextParts, InvalidArguments};

/// How a call went.
pub(super) enum Ran<T> {
    /// To its end, whatever it gave.
    Done(T),
    /// The arguments do not fit its type; it was not started.
    Unfit(InvalidArguments),
    /// It did not come to its end.
    Broken(Broken),
}

/// Why a handler did not come to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// It panicked.
    Panicked,
    /// It was stopped at its deadline.
    TimedOut,
}

impl Broken {
    /// The words for the log.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Panicked => "it panicked",
            Self::TimedOut => "it did not finish in time",
        }
    }
}

/// The context of a call: it may run as long as the server allows and the platform waits.
pub(super) fn context(
    serving: &MethodContext<'_>,
    call: &Call<'_>,
    asks: Asks,
) -> (Context, Instant) {
    let limit = Instant::now() + serving.registry.settings.call_timeout;
    let deadline = serving
        .invocation
        .deadline
        .map_or(limit, |platform| limit.min(platform));
    let parts = ContextParts {
        version: call.version,
        client: call.client.clone(),
        principal: serving.principal.cloned(),
        invocation: serving.invocation.clone(),
        deadline,
        notifier: serving.notifier.for_call(),
        asks: Mutex::new(asks),
    };
    (Context::new(parts), deadline)
}

/// Runs a handler.
pub(super) async fn run<T: Send + 'static>(
    handler: &Bound<T>,
    arguments: Value,
    context: &Context,
    deadline: Instant,
) -> Ran<T> {
    // A handler's first part runs when it is called, so a panic can come from there, too.
    let started = std::panic::catch_unwind(AssertUnwindSafe(|| handler.start(arguments, context)));
    let future = match started {
        Ok(Ok(future)) => AssertUnwindSafe(future).catch_unwind(),
        Ok(Err(invalid)) => return Ran::Unfit(invalid),
        Err(_panic) => return Ran::Broken(Broken::Panicked),
    };
    match tokio::time::timeout_at(deadline.into(), future).await {
        Ok(Ok(done)) => Ran::Done(done),
        Ok(Err(_panic)) => Ran::Broken(Broken::Panicked),
        Err(_elapsed) => Ran::Broken(Broken::TimedOut),
    }
}
