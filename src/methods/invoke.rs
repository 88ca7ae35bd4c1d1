//! The invocation of a handler: of a tool, prompt, resource or completion.
//!
//! In this order: open the round, validate the arguments, read them into the handler's type, count
//! the call, run the handler until its end, its deadline or its panic, and ask the client if the
//! handler needs input. Arguments that are refused do not count. The deadline includes the time that
//! validation takes. Failures are logged here, once.

use std::error::Error;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime};

use bytes::Bytes;
use futures_util::FutureExt as _;
use http::HeaderMap;

use super::answer::Failure;
use super::context::{MethodContext, Request};
use super::multi_round_trip::{Round, Unanswered};
use super::request_state::Ticket;
use crate::error::{ToolError, chain};
use crate::future::BoxFuture;
use crate::handler::{
    Asks, Bound, CancelOnDrop, Cancellation, Context, ContextParts, InvalidArguments, NeedsInput,
    RequestError,
};
use crate::json::Document;
use crate::limit::{CallerKey, Limited, Limits, Target};
use crate::schema::{Budget, Validator};

/// The most times that a client is asked within one call.
pub(super) const MAX_ROUNDS: u32 = 16;

/// A handler and the arguments to call it with.
pub(super) struct HandlerCall<'a, T> {
    /// The kind of handler, for the log.
    pub(super) kind: &'static str,
    /// The registered name, for the log.
    pub(super) name: &'a str,
    pub(super) handler: &'a Bound<T>,
    pub(super) validator: Option<&'a Validator>,
    pub(super) arguments: Document<'a>,
    /// The round of the request. `None` for methods that cannot ask for input.
    pub(super) round: Option<Round<'a>>,
}

/// Why a handler yielded no value.
#[derive(Debug)]
pub(super) enum Stopped<E> {
    /// The request was refused before the handler ran.
    Refused(Failure),
    /// The arguments do not match the schema or the handler's type.
    InvalidArguments(InvalidArguments),
    /// The handler returned an error.
    Failed(E),
    /// The handler needs input: the `InputRequiredResult`.
    InputRequired(Bytes),
    /// The handler needs input, which the protocol version cannot ask for.
    InputNotSupported,
    /// The handler needs input, which the client of a connection did not give: why, in words.
    NotAnswered(String),
    /// The handler panicked or was cancelled at its deadline.
    Aborted(Abort),
}

/// Why a handler did not return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Abort {
    Panicked,
    TimedOut,
}

impl Abort {
    /// The words for the log.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Panicked => "it panicked",
            Self::TimedOut => "it did not finish in time",
        }
    }
}

impl<E, F: Into<Failure>> From<F> for Stopped<E> {
    fn from(failure: F) -> Self {
        Self::Refused(failure.into())
    }
}

/// The error of a handler.
pub(super) trait HandlerError {
    /// The error behind it, which clients do not see.
    fn cause(&self) -> Option<&(dyn Error + 'static)>;
}

impl HandlerError for ToolError {
    fn cause(&self) -> Option<&(dyn Error + 'static)> {
        Self::cause(self).map(|cause| cause as _)
    }
}

impl HandlerError for RequestError {
    fn cause(&self) -> Option<&(dyn Error + 'static)> {
        Self::cause(self).map(|cause| cause as _)
    }
}

/// The output of a handler.
pub(super) trait Output: Send + 'static {
    type Value;
    type Error: HandlerError;

    fn into_result(self) -> Result<Self::Value, Self::Error>;
}

impl<T: Send + 'static, E: HandlerError + Send + 'static> Output for Result<T, E> {
    type Value = T;
    type Error = E;

    fn into_result(self) -> Self {
        self
    }
}

/// Calls a handler. Headers about the caller's quota are added to `headers`.
///
/// On a connection of the legacy era the client is asked within the call, and the handler runs again
/// with the answers, as it does in the next round of a modern request.
///
/// # Errors
///
/// Why the handler yielded no value.
pub(super) async fn invoke<T: Output>(
    request: &Request<'_>,
    mut call: HandlerCall<'_, T>,
    headers: &mut HeaderMap,
) -> Result<T::Value, Stopped<T::Error>> {
    let (mut asks, ticket) = match &call.round {
        Some(round) => round.open(request)?,
        None => (Asks::default(), None),
    };
    let peer = request.context.peer.zip(call.round.as_ref());
    let mut arguments = std::mem::take(&mut call.arguments);
    for rounds_left in (0..=MAX_ROUNDS).rev() {
        // Only a handler that may run again needs the arguments twice.
        let given = match peer {
            Some((_, round)) if round.may_ask && rounds_left > 0 => arguments.clone(),
            _ => std::mem::take(&mut arguments),
        };
        let counting = (rounds_left == MAX_ROUNDS).then_some((ticket.as_ref(), &mut *headers));
        let context = match run(request, &call, given, asks, counting).await {
            Ok(value) => return Ok(value),
            Err(Ended::Stopped(stopped)) => return Err(stopped),
            Err(Ended::NeedsInput(context)) => context,
        };
        let Some(round) = &call.round else {
            return Err(Stopped::InputNotSupported);
        };
        match peer {
            Some(_) if rounds_left == 0 => break,
            Some((peer, _)) => {
                let answered = round.converse(request, &context, peer).await;
                asks = answered.map_err(|unanswered| match unanswered {
                    Unanswered::Fault(error) => Stopped::from(error),
                    Unanswered::Reason(reason) => Stopped::NotAnswered(reason),
                })?;
            }
            None => {
                let asked = round.ask(request, &context, ticket.as_ref())?;
                return Err(asked.map_or(Stopped::InputNotSupported, Stopped::InputRequired));
            }
        }
    }
    let reason = format!("it was asked {MAX_ROUNDS} times without a usable answer");
    Err(Stopped::NotAnswered(reason))
}

/// The ticket of a round that is counted, and the headers that tell the caller's quota.
type Counting<'c> = (Option<&'c Ticket>, &'c mut HeaderMap);

/// Why one run of a handler yielded no value.
enum Ended<E> {
    Stopped(Stopped<E>),
    /// The client has to be asked what the context says.
    NeedsInput(Context),
}

impl<E> From<Stopped<E>> for Ended<E> {
    fn from(stopped: Stopped<E>) -> Self {
        Self::Stopped(stopped)
    }
}

/// Runs a handler once.
async fn run<T: Output>(
    request: &Request<'_>,
    call: &HandlerCall<'_, T>,
    mut arguments: Document<'_>,
    asks: Asks,
    counting: Option<Counting<'_>>,
) -> Result<T::Value, Ended<T::Error>> {
    let &HandlerCall { kind, name, .. } = call;
    let (context, deadline) = context(request, asks);
    let unless_ended = CancelOnDrop::new(&context);
    if let Some(validator) = call.validator {
        let checked = validator.check(&mut arguments, Budget::until(deadline));
        checked.map_err(Stopped::InvalidArguments)?;
    }
    let outcome = match start(call.handler, arguments, &context) {
        Ok(future) => {
            let limits = request.context.registry.settings.limits.as_ref();
            if let (Some(limits), Some(target), Some((ticket, headers))) =
                (limits, &request.limit_target, counting)
            {
                // In a box: a call without limits does not pay for the room that counting needs.
                let counted = Box::pin(count(limits, request.context, target, ticket)).await;
                headers.extend(counted.map_err(Stopped::from)?);
            }
            finish(future, deadline).await
        }
        Err(unfinished) => Err(unfinished),
    };
    if outcome.is_ok() {
        unless_ended.ended();
    }
    let error = match outcome {
        Ok(output) => match output.into_result() {
            Ok(value) => return Ok(value),
            Err(error) => error,
        },
        Err(Unfinished::InvalidArguments(invalid)) => {
            return Err(Stopped::InvalidArguments(invalid).into());
        }
        Err(Unfinished::Aborted(abort)) => {
            let (request_id, reason) = (context.request_id(), abort.as_str());
            tracing::error!(request_id, kind, name, reason, "a handler was aborted");
            return Err(Stopped::Aborted(abort).into());
        }
    };
    if needs_input(&error, &context) {
        return Err(Ended::NeedsInput(context));
    }
    if let Some(cause) = error.cause() {
        log_failure(&context, (kind, name), cause);
    }
    Err(Stopped::Failed(error).into())
}

/// Whether a handler failed because the client must be asked first.
///
/// An error of the author's own may hide the `NeedsInput` that it was made from. A question that can be
/// put is then what the handler failed for.
fn needs_input(error: &impl HandlerError, context: &Context) -> bool {
    error.cause().is_some_and(NeedsInput::is_in) || context.with_asks(|asks| asks.is_pending())
}

/// Logs why a handler failed. Nothing of it reaches the client.
fn log_failure(context: &Context, (kind, name): (&str, &str), cause: &(dyn Error + 'static)) {
    let (request_id, error) = (context.request_id(), chain(cause));
    tracing::error!(request_id, kind, name, error, "a handler failed");
}

/// Counts a call against the limits. Requests that were refused earlier are not counted, and of the
/// rounds of a call only the first one.
async fn count(
    limits: &Limits,
    context: &MethodContext<'_>,
    target: &Target<'_>,
    ticket: Option<&Ticket>,
) -> Result<HeaderMap, Limited> {
    let caller = match context.principal {
        Some(principal) => CallerKey::credential(&principal.id()),
        None if context.invocation.hides_clients && limits.counts_by_caller(target) => {
            return Err(limits.refuse_unknown_caller(target));
        }
        None => CallerKey::address(context.invocation.source_ip),
    };
    let now = SystemTime::now();
    let quotas = match ticket {
        Some(Ticket { id, expires_at, .. }) => {
            limits
                .check_round(target, &caller, (id, *expires_at), now)
                .await?
        }
        None => limits.check(target, &caller, now).await?,
    };
    Ok(quotas.headers())
}

/// The context of a call and its deadline: the server's call timeout or the platform's deadline,
/// whichever is earlier.
fn context(request: &Request<'_>, asks: Asks) -> (Context, Instant) {
    let Request { context, call, .. } = request;
    let deadline = context.deadline();
    let parts = ContextParts {
        version: call.version,
        client: call.client.clone(),
        principal: context.principal.cloned(),
        request: Arc::clone(context.request),
        deadline,
        notifier: context.notifier.for_call(),
        asks: Mutex::new(asks),
        cancellation: Cancellation::default(),
    };
    (Context::new(parts), deadline)
}

/// Why a handler returned nothing.
enum Unfinished {
    /// The arguments do not match its type. It was not started.
    InvalidArguments(InvalidArguments),
    Aborted(Abort),
}

/// Reads the arguments into the handler's type and calls it. An async function does not run before
/// the future that it returns is polled.
fn start<T: Send + 'static>(
    handler: &Bound<T>,
    arguments: Document<'_>,
    context: &Context,
) -> Result<BoxFuture<'static, T>, Unfinished> {
    // A closure runs up to the future that it returns, so the call can panic.
    let started = std::panic::catch_unwind(AssertUnwindSafe(|| handler.start(arguments, context)));
    match started {
        Ok(Ok(future)) => Ok(future),
        Ok(Err(invalid)) => Err(Unfinished::InvalidArguments(invalid)),
        Err(_panic) => Err(Unfinished::Aborted(Abort::Panicked)),
    }
}

/// Runs a handler until its end, its deadline or its panic.
async fn finish<T>(future: BoxFuture<'static, T>, deadline: Instant) -> Result<T, Unfinished> {
    let future = AssertUnwindSafe(future).catch_unwind();
    match tokio::time::timeout_at(deadline.into(), future).await {
        Ok(Ok(output)) => Ok(output),
        Ok(Err(_panic)) => Err(Unfinished::Aborted(Abort::Panicked)),
        Err(_elapsed) => Err(Unfinished::Aborted(Abort::TimedOut)),
    }
}
