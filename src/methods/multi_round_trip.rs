//! Requests that ask the client for input and are sent again with its answers. Specification:
//! *Multi Round-Trip Requests*.

use std::borrow::Cow;
use std::time::SystemTime;

use bytes::Bytes;
use futures_util::future::try_join_all;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::context::{MethodContext, Request};
use super::params;
use super::request_state::{self, Binding, Contents, Ticket};
use super::result;
use crate::auth::Principal;
use crate::era::Call;
use crate::error::ProtocolError;
use crate::handler::{Asked, Asks, Context};
use crate::json::{Document, ValueRef};
use crate::peer::{NoAnswer, Peer};
use crate::schema::form::without_titled_choices;
use crate::server::random_id;
use crate::wire::input_required::InputRequiredResult;
use crate::wire::version::{Era, ProtocolVersion};

/// The request, and what it carries from its earlier rounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Round<'a> {
    pub(super) input_responses: Option<&'a RawValue>,
    pub(super) request_state: Option<&'a RawValue>,
    /// The name of the tool or prompt, or the URI of the resource.
    pub(super) target: &'a str,
    /// Whether the handler is known to ask, so that the start of the server checked its key.
    pub(super) may_ask: bool,
}

/// Why the client of a connection gave no answers.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// A mistake of the handler's author.
    Fault(ProtocolError),
    /// The client cannot be asked, or did not answer: why, in words.
    Reason(String),
}

impl Round<'_> {
    /// Returns whether the request carries anything from an earlier round.
    pub(super) const fn is_retry(&self) -> bool {
        self.input_responses.is_some() || self.request_state.is_some()
    }

    /// Returns the answers of earlier rounds, read from the sealed state, together with the new ones,
    /// and the proof that an earlier round was counted.
    ///
    /// # Errors
    ///
    /// `requestState` cannot be opened, or `inputResponses` is not an object.
    pub(super) fn open(
        &self,
        request: &Request<'_>,
    ) -> Result<(Asks, Option<Ticket>), ProtocolError> {
        let Request { context, call, .. } = *request;
        if call.version.era() == Era::Legacy {
            let asks = Asks::new(call.client.capabilities.clone(), Map::new());
            return Ok((asks, None));
        }
        let mut answers = Map::new();
        let mut ticket = None;
        if let Some(state) = self.request_state {
            let state: Cow<'_, str> = serde_json::from_str(state.get())
                .map_err(|_| ProtocolError::invalid_params("`requestState` must be a string"))?;
            let arguments = params::sent_arguments(call);
            let principal = context.principal.map(Principal::id);
            let binding = self.binding(call, arguments.root(), principal.as_deref());
            let key = &context.registry.settings.state_key;
            let opened = request_state::open(key, binding, &state, SystemTime::now())
                .map_err(|refused| ProtocolError::invalid_params(refused.reason()))?;
            (answers, ticket) = (opened.answers, opened.ticket);
        }
        if let Some(responses) = self.input_responses {
            let Some(responses) = Document::parse_object(responses.get()) else {
                let reason = "`inputResponses` must be an object of answers";
                return Err(ProtocolError::invalid_params(reason));
            };
            answers.extend(responses);
        }
        Ok((Asks::new(call.client.capabilities.clone(), answers), ticket))
    }

    /// Returns the result that asks the client for the input the handler needs, or `None` for the
    /// versions before 2026-07-28, which have no such result.
    ///
    /// # Errors
    ///
    /// The client lacks a capability, a question is not valid, or there is no key to seal the state.
    pub(super) fn ask(
        &self,
        request: &Request<'_>,
        handler: &Context,
        ticket: Option<&Ticket>,
    ) -> Result<Option<Bytes>, ProtocolError> {
        let Request { context, call, .. } = *request;
        let asked = self.asked(context, handler)?;
        if let Some(reason) = asked.invalid {
            return Err(ProtocolError::invalid_params(reason));
        }
        if call.version.era() == Era::Legacy {
            return Ok(None);
        }
        if !asked.missing.is_empty() {
            return Err(ProtocolError::MissingClientCapability {
                required: asked.missing,
            });
        }
        let arguments = params::sent_arguments(call);
        let settings = &context.registry.settings;
        let principal = context.principal.map(Principal::id);
        let binding = self.binding(call, arguments.root(), principal.as_deref());
        let contents = Contents {
            answers: asked.used,
            ticket,
            expires_at: SystemTime::now() + settings.state_ttl,
        };
        let state = request_state::seal(&settings.state_key, binding, contents);
        let Some(state) = state else {
            let request_id = context.invocation.request_id.as_deref();
            tracing::error!(request_id, "no key to seal a request state with");
            return Err(ProtocolError::Internal);
        };
        let body = InputRequiredResult {
            input_requests: &asked.requests,
            request_state: &state,
        };
        result::input_required(request.result(), &body).map(Some)
    }

    /// Asks the client at the other end of a connection, and returns the answers of all rounds.
    ///
    /// The client has as much time for an answer as in the modern era. Specification: 2025-11-25,
    /// *Elicitation*; *Sampling*; *Roots*.
    ///
    /// # Errors
    ///
    /// The client lacks a capability or does not answer, or a question is not valid.
    pub(super) async fn converse(
        &self,
        request: &Request<'_>,
        handler: &Context,
        peer: &Peer,
    ) -> Result<Asks, Unanswered> {
        let Request { context, call, .. } = *request;
        let asked = self.asked(context, handler).map_err(Unanswered::Fault)?;
        if let Some(reason) = asked.invalid {
            return Err(Unanswered::Reason(reason));
        }
        if !asked.missing.is_empty() {
            let missing = serde_json::to_string(&asked.missing).unwrap_or_default();
            let reason = format!("its capabilities lack {missing}");
            return Err(Unanswered::Reason(reason));
        }
        let timeout = context.registry.settings.state_ttl;
        let questions = asked
            .requests
            .into_iter()
            .map(|(key, question)| async move {
                let question = at(question, call.version).map_err(Unanswered::Fault)?;
                let answer = peer.ask(&question, timeout).await;
                answer
                    .map(|answer| (key, answer))
                    .map_err(|no_answer| Unanswered::Reason(no_answer_to(&question, &no_answer)))
            });
        let mut answers = asked.used;
        answers.extend(try_join_all(questions).await?);
        Ok(Asks::new(call.client.capabilities.clone(), answers))
    }

    /// What is left to ask.
    ///
    /// # Errors
    ///
    /// The author's mistakes: a question that no client can be asked, or a parameter that hides that
    /// the handler asks.
    fn asked(
        &self,
        context: &MethodContext<'_>,
        handler: &Context,
    ) -> Result<Asked, ProtocolError> {
        let asked = handler.take_asked();
        if !self.may_ask {
            tracing::error!(
                target = self.target,
                "a handler asked the client without an `AskingContext` parameter: implement \
                 `FromCall::may_ask` for the parameter that contains it"
            );
            return Err(ProtocolError::Internal);
        }
        if let Some(fault) = asked.fault {
            tracing::error!(
                request_id = context.invocation.request_id.as_deref(),
                target = self.target,
                fault,
                "a question cannot be put to a client"
            );
            return Err(ProtocolError::InvalidQuestion { reason: fault });
        }
        Ok(asked)
    }

    fn binding<'b>(
        &'b self,
        call: &'b Call<'_>,
        arguments: ValueRef<'b>,
        principal: Option<&'b str>,
    ) -> Binding<'b> {
        Binding {
            method: &call.method,
            target: self.target,
            arguments,
            principal,
        }
    }
}

/// A request to the client in the form of its version. Before 2025-11-25 there is no `mode`.
///
/// A page has an `elicitationId` in 2025-11-25, where the schema requires it. The library never sends
/// `notifications/elicitation/complete`, which is optional and refers to it: only the handler learns what
/// happened on the page, and with its result the call ends, which tells the client the same.
///
/// # Errors
///
/// The platform gives no random bytes for the id.
fn at(mut question: Value, version: ProtocolVersion) -> Result<Value, ProtocolError> {
    let Some(Value::Object(params)) = question.get_mut("params") else {
        return Ok(question);
    };
    if version.has_elicitation_ids() && params.contains_key("url") {
        let id = random_id().map_err(|error| {
            tracing::error!(%error, "no randomness for the id of an elicitation");
            ProtocolError::Internal
        })?;
        params.insert("elicitationId".to_owned(), Value::from(id));
    }
    if !version.has_elicitation_modes() {
        params.shift_remove("mode");
    }
    if !version.has_titled_choices()
        && let Some(form) = params.get_mut("requestedSchema")
    {
        without_titled_choices(form);
    }
    Ok(question)
}

/// Why a question has no answer, for the model.
fn no_answer_to(question: &Value, no_answer: &NoAnswer) -> String {
    let method = question.get("method").and_then(Value::as_str);
    format!("`{}` {no_answer}", method.unwrap_or_default())
}
