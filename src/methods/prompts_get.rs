//! `prompts/get`. Specification: *Prompts, Getting a Prompt* and *Error Handling*.

use std::fmt::Display;

use bytes::Bytes;
use http::HeaderMap;
use serde_json::{Map, Value};

use super::answer::{Failure, Outcome};
use super::context::Request;
use super::invoke::{HandlerCall, Stopped, invoke};
use super::multi_round_trip::Round;
use super::params;
use super::result;
use super::target::PromptGet;
use crate::error::ProtocolError;
use crate::error::protocol::excerpt;
use crate::handler::{PromptOutput, Reason, RequestError};
use crate::json::Document;
use crate::schema::text_arguments;
use crate::wire::content;
use crate::wire::params::SentArguments;
use crate::wire::prompts::{GetPromptResult, PromptMessage};

/// Returns a prompt.
pub(super) async fn answer(
    request: &Request<'_>,
    PromptGet { prompt, params }: PromptGet<'_>,
    headers: &mut HeaderMap,
) -> Result<(Bytes, Outcome), Failure> {
    let name = prompt.spec.name.as_str();
    let arguments = prompt.arguments()?;
    let handler_call = HandlerCall {
        kind: "prompt",
        name,
        handler: &prompt.handler,
        validator: Some(&arguments.validator),
        arguments: Document::of(&text_arguments::typed(
            &arguments.schema,
            texts(params.arguments)?,
        )),
        round: Some(Round {
            input_responses: params.input_responses,
            request_state: params.request_state,
            target: name,
            may_ask: prompt.may_ask,
        }),
    };
    match invoke(request, handler_call, headers).await {
        Ok(output) => Ok((encode(request, &output)?, Outcome::Ok)),
        Err(stopped) => explain(name, stopped),
    }
}

fn explain(name: &str, stopped: Stopped<RequestError>) -> Result<(Bytes, Outcome), Failure> {
    let invalid =
        |reason: &dyn Display| ProtocolError::invalid_params(format!("prompt `{name}`: {reason}"));
    let error = match stopped {
        Stopped::InputRequired(result) => return Ok((result, Outcome::InputRequired)),
        Stopped::Refused(failure) => return Err(failure),
        Stopped::InvalidArguments(reason) => invalid(&reason),
        Stopped::InputNotSupported => ProtocolError::InputNotSupported,
        Stopped::NotAnswered(reason) => ProtocolError::NotAnswered { reason },
        Stopped::Failed(RequestError(Reason::NotFound)) => invalid(&"not found"),
        Stopped::Failed(RequestError(Reason::Invalid(message))) => invalid(&message),
        Stopped::Failed(RequestError(Reason::Internal(_))) | Stopped::Aborted(_) => {
            ProtocolError::Internal
        }
    };
    Err(error.into())
}

/// Reads the arguments, which are strings on the wire. `null` counts as absent: strict function
/// calling sends it for every argument that is not filled in.
fn texts(given: Option<SentArguments<'_>>) -> Result<Map<String, Value>, ProtocolError> {
    let arguments = params::arguments(given)?;
    let mut texts = Map::new();
    for (name, value) in arguments.root().members().into_iter().flatten() {
        match value.as_str() {
            Some(text) => {
                texts.insert(name.to_owned(), text.into());
            }
            None if value.is_null() => {}
            None => {
                return Err(ProtocolError::invalid_params(format!(
                    "`arguments`: `{}` must be a string",
                    excerpt(name)
                )));
            }
        }
    }
    Ok(texts)
}

fn encode(request: &Request<'_>, output: &PromptOutput) -> Result<Bytes, ProtocolError> {
    let version = request.call.version;
    let known = |message: &PromptMessage| {
        let content = content::at(std::slice::from_ref(&message.content), version);
        let content = content.first()?.clone();
        Some(PromptMessage {
            role: message.role,
            content,
        })
    };
    let messages: Vec<PromptMessage> = output.messages.iter().filter_map(known).collect();
    let result = GetPromptResult {
        description: output.description.as_deref(),
        messages: &messages,
    };
    result::complete(request.result(), &result)
}
