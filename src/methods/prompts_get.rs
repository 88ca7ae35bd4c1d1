//! `prompts/get`. Specification: *Prompts, Getting a Prompt* and *Error Handling*.

use bytes::Bytes;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::multi_round_trip::{Next, Round};
use super::run::{self, Ran};
use super::shape::{self, Shape};
use super::{Answer, MethodContext, Outcome};
use crate::era::Call;
use crate::error::ProtocolError;
use crate::error::protocol::excerpt;
use crate::handler::{NeedsInput, PromptOutput, Reason};
use crate::schema::text_arguments;
use crate::server::RegisteredPrompt;
use crate::wire::content;
use crate::wire::prompts::{GetPromptParams, GetPromptResult, PromptMessage};
use crate::wire::strict::{StrictValue, describe};

/// Gives a prompt.
pub(super) async fn answer(serving: &MethodContext<'_>, call: &Call<'_>) -> Answer {
    let params: GetPromptParams<'_> = match super::params(call) {
        Ok(params) => params,
        Err(error) => return Err(error).into(),
    };
    let Some(prompt) = serving.registry.prompt(&params.name) else {
        let reason = format!("there is no prompt `{}`", excerpt(&params.name));
        return Err(ProtocolError::invalid_params(reason)).into();
    };
    Answer::of(
        Some(&prompt.spec.name),
        get(serving, call, prompt, &params).await,
    )
}

async fn get(
    serving: &MethodContext<'_>,
    call: &Call<'_>,
    prompt: &RegisteredPrompt,
    params: &GetPromptParams<'_>,
) -> Result<(Bytes, Outcome), ProtocolError> {
    let name = prompt.spec.name.as_str();
    let round = Round {
        input_responses: params.input_responses,
        request_state: params.request_state,
        target: name,
        arguments: params.arguments,
    };
    let asks = round.open(serving, call)?;
    let mut arguments = text_arguments::typed(&prompt.schema, texts(params.arguments)?);
    let unfit = |reason: &dyn std::fmt::Display| {
        ProtocolError::invalid_params(format!("prompt `{name}`: {reason}"))
    };
    prompt
        .validator
        .check(&mut arguments)
        .map_err(|invalid| unfit(&invalid))?;
    let (context, deadline) = run::context(serving, call, asks);
    let error = match run::run(&prompt.handler, arguments, &context, deadline).await {
        Ran::Done(Ok(output)) => return Ok((encode(serving, call, &output)?, Outcome::Ok)),
        Ran::Unfit(invalid) => return Err(unfit(&invalid)),
        Ran::Broken(how) => {
            tracing::error!(prompt = name, how = how.as_str(), "a prompt broke");
            return Err(ProtocolError::Internal);
        }
        Ran::Done(Err(error)) => error,
    };
    match error.cause() {
        Some(cause) if cause.is::<NeedsInput>() => {
            return match round.ask(serving, serving.prepared, call, &context)? {
                Next::Ask(result) => Ok((result, Outcome::InputRequired)),
                Next::CannotAsk => Err(ProtocolError::CannotAsk),
            };
        }
        Some(cause) => tracing::error!(prompt = name, error = %cause, "a prompt failed"),
        None => {}
    }
    Err(match error.0 {
        Reason::NotFound => ProtocolError::invalid_params(format!("prompt `{name}`: not found")),
        Reason::Invalid(message) => unfit(&message),
        Reason::Internal(_) => ProtocolError::Internal,
    })
}

/// The arguments; each is text on the wire.
fn texts(raw: Option<&RawValue>) -> Result<Map<String, Value>, ProtocolError> {
    let StrictValue(arguments) =
        serde_json::from_str(raw.map_or("{}", RawValue::get)).map_err(|error| {
            ProtocolError::invalid_params(format!("`arguments`: {}", describe(&error)))
        })?;
    let Value::Object(arguments) = arguments else {
        return Err(ProtocolError::invalid_params(
            "`arguments` must be an object",
        ));
    };
    match arguments.iter().find(|(_, value)| !value.is_string()) {
        Some((name, _)) => Err(ProtocolError::invalid_params(format!(
            "`arguments`: `{}` must be a string",
            excerpt(name)
        ))),
        None => Ok(arguments),
    }
}

fn encode(
    serving: &MethodContext<'_>,
    call: &Call<'_>,
    output: &PromptOutput,
) -> Result<Bytes, ProtocolError> {
    let version = call.version;
    let known = |message: &PromptMessage| {
        let content = content::at(std::slice::from_ref(&message.content), version);
        let content = content.first()?.clone();
        Some(PromptMessage {
            role: message.role,
            content,
        })
    };
    let messages: Vec<PromptMessage> = output.messages.iter().filter_map(known).collect();
    let shape = Shape {
        version,
        server_info: &serving.prepared.server_info,
        cache: None,
        meta: None,
    };
    let description = output.description.as_deref();
    shape::complete(
        shape,
        &GetPromptResult {
            description,
            messages: &messages,
        },
    )
}
