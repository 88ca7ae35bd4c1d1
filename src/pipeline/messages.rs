//! The messages of one request body: each is authorized, served, logged and answered by itself.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::SystemTime;

use bytes::Bytes;
use http::header::{ACCESS_CONTROL_EXPOSE_HEADERS, RETRY_AFTER};
use http::{HeaderMap, StatusCode};
use tracing::{Instrument as _, Span};

use super::span;
use crate::auth::challenge::Challenge;
use crate::auth::{Caller, Requirement};
use crate::era::connection::INITIALIZE;
use crate::era::{self, Call, Inbound, Message, Rejected, session};
use crate::error::ProtocolError;
use crate::gate::cors;
use crate::layer::Outcome;
use crate::log::{Entry, RequestLog};
use crate::methods::{self, Answer, MethodContext, Target};
use crate::reply::{self, Budget, ErrorId, ErrorResponse, Reply, ResponseLimit};
use crate::trace_context::TraceContext;
use crate::wire::version::Era;

/// The largest response body of a batch. Without it, a few kilobytes could request megabytes.
const BATCH_LIMIT: ResponseLimit = ResponseLimit::bytes(1_000_000);
/// What is kept free for each message of a batch: the refusal of a response that is too large,
/// without its id.
const REFUSAL_BYTES: usize = 512;

/// Serves the messages of a request body.
pub(super) struct Messages<'a> {
    pub(super) context: MethodContext<'a>,
    pub(super) caller: Caller<'a>,
    pub(super) log: RequestLog<'a>,
    /// The HTTP headers of the request.
    pub(super) headers: &'a HeaderMap,
    /// Whether the messages may cause effects without a credential.
    pub(super) may_act: bool,
    /// Whether legacy messages must show a handshake.
    pub(super) requires_session: bool,
}

impl Messages<'_> {
    /// Serves the message or messages of a body.
    pub(super) async fn serve(&self, body: &[u8]) -> Reply {
        let entry = Entry::start();
        let header_only = self.context.registry.settings.header_only;
        let inbound = era::classify(self.headers, body, header_only);
        self.serve_inbound(inbound, entry).await
    }

    /// Serves what was read from a body, or from a line of a connection.
    pub(super) async fn serve_inbound(
        &self,
        inbound: Result<Inbound<'_>, Rejected>,
        entry: Entry,
    ) -> Reply {
        let inbound = inbound.and_then(|inbound| match self.without_session(&inbound) {
            Some(rejected) => Err(rejected),
            None => Ok(inbound),
        });
        match inbound {
            Err(rejected) => self.rejected(rejected, entry),
            Ok(Inbound::Single(message)) => {
                let mut budget = Budget::new(self.context.invocation.response_limit);
                self.message(message, entry, &mut budget).await
            }
            // Boxed, so that a single message does not pay for the room that a batch needs.
            Ok(Inbound::Batch(messages)) => Box::pin(self.batch(messages)).await,
        }
    }

    /// Rejects what must show a handshake and does not.
    fn without_session(&self, inbound: &Inbound<'_>) -> Option<Rejected> {
        if !self.requires_session {
            return None;
        }
        let id = match inbound {
            Inbound::Single(Message::Request(call)) => {
                if call.version.era() == Era::Modern || call.method == INITIALIZE {
                    return None;
                }
                Some(id(call))
            }
            Inbound::Single(Message::NoReply { version, .. }) => {
                if version.era() == Era::Modern {
                    return None;
                }
                None
            }
            // Only a legacy version has batches, and `initialize` is in none.
            Inbound::Batch(_) => Some(ErrorId::Null),
        };
        let key = self.context.registry.settings.state_key.bytes();
        let checked = session::check(key, self.headers, SystemTime::now());
        checked.err().map(|error| Rejected {
            id,
            error,
            era: Era::Legacy,
        })
    }

    /// Adds a session id to the answer of `initialize`, if the server requires one.
    fn with_session(&self, call: &Call<'_>, answer: &Answer, reply: Reply) -> Reply {
        let is_handshake = call.method == INITIALIZE && call.version.era() == Era::Legacy;
        if !self.requires_session || !is_handshake || answer.result.is_err() {
            return reply;
        }
        let settings = &self.context.registry.settings;
        let expires_at = SystemTime::now() + settings.session_ttl;
        match session::mint(settings.state_key.bytes(), expires_at) {
            Some(id) => reply
                .header(session::MCP_SESSION_ID, id)
                .header(ACCESS_CONTROL_EXPOSE_HEADERS, cors::EXPOSED_WITH_SESSION),
            None => {
                tracing::error!("no key or no randomness for a session id");
                self.write(call, &ProtocolError::Internal.into())
            }
        }
    }

    /// Serves the messages of a batch one after the other. 2025-03-26, *Batching*.
    ///
    /// The responses share one budget. Once a response does not fit into it, the remaining requests
    /// are not processed: each gets an error that advises to send it by itself.
    async fn batch(&self, messages: Vec<Result<Message<'_>, Rejected>>) -> Reply {
        let limit = self.context.invocation.response_limit;
        let mut budget =
            Budget::of_batch(limit.map_or(BATCH_LIMIT, |limit| limit.at_most(BATCH_LIMIT)));
        let size = messages.len();
        // The refusals, the brackets, and a comma for each message.
        budget.reserve(messages.iter().map(refusal_bytes).sum::<usize>() + 2 + size);
        let mut replies = Vec::with_capacity(size);
        for (index, message) in messages.into_iter().enumerate() {
            let entry = Entry::start().in_batch(index, size);
            budget.release(refusal_bytes(&message));
            let reply = match message {
                Err(rejected) => {
                    let reply = self.rejected(rejected, entry);
                    budget.spend(&reply.body());
                    reply
                }
                Ok(Message::Request(call)) if budget.is_exceeded() => {
                    let answer = methods::not_processed(&budget);
                    let trace = TraceContext::new(&call.client.trace, self.headers);
                    let entry = entry.request(&call, &trace);
                    let reply = self.answered(&call, &answer, entry);
                    budget.spend(&reply.body());
                    reply
                }
                Ok(message) => self.message(message, entry, &mut budget).await,
            };
            replies.push(reply);
        }
        // What gets no response: notifications and responses, accepted or rejected.
        let (silent, replies): (Vec<Reply>, Vec<Reply>) =
            replies.into_iter().partition(|reply| reply.body_len() == 0);
        if replies.is_empty() {
            let is_rejected = |reply: &&Reply| reply.status().is_client_error();
            let status = silent.iter().find(is_rejected).map(Reply::status);
            return Reply::empty(status.unwrap_or(StatusCode::ACCEPTED));
        }
        batch_reply(&replies)
    }

    async fn message(&self, message: Message<'_>, entry: Entry, budget: &mut Budget) -> Reply {
        match message {
            Message::Request(call) => self.request(call, entry, budget).await,
            Message::NoReply { method, version } => {
                let entry = entry.no_reply(method.as_deref(), version);
                let (reply, entry) = match self.caller.authorize(Requirement::Nothing).await {
                    Ok(_) => (Reply::empty(StatusCode::ACCEPTED), entry),
                    Err(challenge) => {
                        let headers = challenge.response(version.era()).headers;
                        let reply = Reply::empty(challenge.status()).headers(headers);
                        (reply, entry.challenge(&challenge, version.era()))
                    }
                };
                self.log.write(&entry, reply.status());
                reply
            }
        }
    }

    async fn request(&self, mut call: Box<Call<'_>>, entry: Entry, budget: &mut Budget) -> Reply {
        let era = call.version.era();
        // In a box, as it is handed on through futures whose room is copied.
        let target = Target::resolve(self.context.registry, &mut call).map(Box::new);
        let call = &*call;
        let trace = TraceContext::new(&call.client.trace, self.headers);
        let entry = entry.request(call, &trace);
        let span = self.span(call, target.as_deref().ok(), &trace);
        let served = self.authorized(call, target, entry, &span);
        let (answer, entry) = match served.instrument(span.clone()).await {
            Ok(served) => served,
            Err((challenge, entry)) => {
                let reply = challenge.response(era).into_reply(&id(call));
                span::end(&span, Outcome::Error, Some(challenge.code(era)));
                self.log
                    .write(&entry.challenge(&challenge, era), reply.status());
                budget.spend(&reply.body());
                return reply;
            }
        };
        let reply = self.with_session(call, &answer, self.write(call, &answer));
        if budget.surely_fits(reply.body_len()) || budget.take(&reply.body()) {
            let (outcome, code) = answer.outcome(era);
            span::end(&span, outcome, code);
            self.log.write(&entry.answer(&answer, era), reply.status());
            return reply;
        }
        let answer = methods::too_large(&self.context, call, answer, budget);
        let (outcome, code) = answer.outcome(era);
        span::end(&span, outcome, code);
        let reply = self.answered(call, &answer, entry);
        budget.spend(&reply.body());
        reply
    }

    /// The span of a request, with what the author adds to it before it starts.
    fn span(&self, call: &Call<'_>, target: Option<&Target<'_>>, trace: &TraceContext<'_>) -> Span {
        let span = span::new(call, target, self.context.invocation);
        if let Some(hook) = &self.context.registry.settings.on_request_span
            && !span.is_disabled()
        {
            let told = catch_unwind(AssertUnwindSafe(|| hook.call(&span, trace)));
            if told.is_err() {
                tracing::error!("the function of `on_request_span` panicked");
            }
        }
        span
    }

    /// Authorizes the caller and serves the request.
    async fn authorized(
        &self,
        call: &Call<'_>,
        target: Result<Box<Target<'_>>, ProtocolError>,
        entry: Entry,
        span: &Span,
    ) -> Result<(Answer, Entry), (Challenge, Entry)> {
        // A closed server says nothing to strangers, not even what it does not have.
        if let Err(challenge) = self.caller.authorize(Requirement::Nothing).await {
            return Err((challenge, entry));
        }
        let target = match target {
            Ok(target) => target,
            Err(error) => return Ok((Answer::from(error), entry)),
        };
        let entry = entry.target(target.name());
        let requirement = target.requirement((self.context.registry, self.context.prepared), call);
        let principal = match self.caller.authorize(requirement).await {
            Ok(principal) => principal,
            Err(challenge) => return Err((challenge, entry)),
        };
        let entry = entry.principal(principal);
        span::caller(span, entry.subject());
        let is_forbidden = |_: &&str| !self.may_act && principal.is_none();
        if let Some(tool) = target.effect().filter(is_forbidden) {
            return Ok((ProtocolError::forbidden_origin(tool).into(), entry));
        }
        let context = MethodContext {
            principal,
            ..self.context
        };
        let answer = methods::dispatch(&context, call, target).await;
        Ok((answer, entry))
    }

    /// Writes the response to a request.
    fn write(&self, call: &Call<'_>, answer: &Answer) -> Reply {
        let reply = match (&answer.result, &answer.shared) {
            (Ok(_), Some(shared)) => reply::shared_result(&call.id, shared),
            (Ok(result), None) => {
                Reply::json(StatusCode::OK, reply::result_message(&call.id, result))
            }
            (Err(failure), _) => failure.response(call.version.era()).into_reply(&id(call)),
        };
        reply.headers(answer.headers.clone())
    }

    fn answered(&self, call: &Call<'_>, answer: &Answer, entry: Entry) -> Reply {
        let reply = self.write(call, answer);
        self.log
            .write(&entry.answer(answer, call.version.era()), reply.status());
        reply
    }

    fn rejected(&self, rejected: Rejected, entry: Entry) -> Reply {
        let Rejected { id, error, era } = rejected;
        let reply = match id {
            Some(id) => ErrorResponse::protocol(&error, era).into_reply(&id),
            None if error == ProtocolError::SessionEnded => Reply::empty(StatusCode::NOT_FOUND),
            None => Reply::empty(StatusCode::BAD_REQUEST),
        };
        self.log.write(&entry.rejected(&error, era), reply.status());
        reply
    }
}

fn id(call: &Call<'_>) -> ErrorId {
    ErrorId::Of(call.id.clone())
}

/// What is kept free for the refusal of a message. An escaped id is at most twice as long.
fn refusal_bytes(message: &Result<Message<'_>, Rejected>) -> usize {
    match message {
        Ok(Message::Request(call)) => REFUSAL_BYTES + 2 * call.id.as_json().len(),
        Ok(Message::NoReply { .. }) => 0,
        Err(Rejected { id, .. }) => match id {
            Some(ErrorId::Of(id)) => REFUSAL_BYTES + 2 * id.as_json().len(),
            Some(ErrorId::Null | ErrorId::Absent) => REFUSAL_BYTES,
            None => 0,
        },
    }
}

/// The response to a batch. It has status 200 unless all its requests were refused with the same
/// status: then it has that status, so that clients and gateways see it.
fn batch_reply(replies: &[Reply]) -> Reply {
    let Some((first, rest)) = replies.split_first() else {
        return Reply::empty(StatusCode::ACCEPTED);
    };
    let bodies: Vec<Bytes> = replies.iter().map(Reply::body).collect();
    let body = reply::batch_message(&bodies);
    let is_refusal = matches!(
        first.status(),
        StatusCode::UNAUTHORIZED
            | StatusCode::FORBIDDEN
            | StatusCode::TOO_MANY_REQUESTS
            | StatusCode::SERVICE_UNAVAILABLE
    );
    if !is_refusal || rest.iter().any(|reply| reply.status() != first.status()) {
        return Reply::json(StatusCode::OK, body);
    }
    // The longest wait, so that a retry of the whole batch can succeed.
    let wait = |reply: &&Reply| -> Option<u64> {
        let seconds = reply.header_map().get(RETRY_AFTER)?;
        seconds.to_str().ok()?.parse().ok()
    };
    let longest = replies.iter().max_by_key(wait).unwrap_or(first);
    Reply::json(first.status(), body).headers(longest.header_map().clone())
}
