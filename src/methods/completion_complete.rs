//! `completion/complete`. Specification: *Completion*.

use bytes::Bytes;
use http::HeaderMap;
use serde_json::Value;

use super::answer::{Failure, Outcome};
use super::context::Request;
use super::invoke::{HandlerCall, Stopped, invoke};
use super::result;
use super::target::ArgumentCompletion;
use crate::error::ProtocolError;
use crate::handler::{CompletionRequest, Reason, RequestError};
use crate::json::Document;
use crate::wire::completion::{CompleteResult, Completion, MAX_VALUES};

/// Completes an argument. An argument without a completion handler has no suggestions.
pub(super) async fn answer(
    request: &Request<'_>,
    ArgumentCompletion { of, params }: ArgumentCompletion<'_>,
    headers: &mut HeaderMap,
) -> Result<(Bytes, Outcome), Failure> {
    let argument = params.argument;
    let mut completers = of.completers().iter();
    let values = match completers.find(|completer| completer.argument == argument.name) {
        None => Vec::new(),
        Some(completer) => {
            let typed = CompletionRequest {
                value: argument.value.clone().into_owned(),
                arguments: params.context.unwrap_or_default().into_arguments(),
            };
            let handler_call = HandlerCall {
                kind: "completion",
                name: &completer.argument,
                handler: &completer.handler,
                validator: None,
                arguments: Document::of(&serde_json::to_value(typed).unwrap_or(Value::Null)),
                round: None,
            };
            match invoke(request, handler_call, headers).await {
                Ok(values) => matching(values, &argument.value),
                Err(stopped) => explain(&argument.name, stopped)?,
            }
        }
    };
    let sent = values.get(..MAX_VALUES).unwrap_or(&values);
    let completion = Completion {
        values: sent,
        total: values.len(),
        has_more: values.len() > sent.len(),
    };
    let result = CompleteResult { completion };
    let result = result::complete(request.result(), &result)?;
    Ok((result, Outcome::Ok))
}

/// The suggestions of a handler that returned none, or why there is no result.
fn explain(argument: &str, stopped: Stopped<RequestError>) -> Result<Vec<String>, Failure> {
    let error = match stopped {
        Stopped::Refused(failure) => return Err(failure),
        Stopped::Failed(RequestError(Reason::NotFound)) => return Ok(Vec::new()),
        Stopped::Failed(RequestError(Reason::Invalid(message))) => {
            ProtocolError::invalid_params(format!("completion of `{argument}`: {message}"))
        }
        Stopped::Failed(RequestError(Reason::Internal(_)))
        | Stopped::InvalidArguments(_)
        | Stopped::InputRequired(_)
        | Stopped::InputNotSupported
        | Stopped::NotAnswered(_)
        | Stopped::Aborted(_) => ProtocolError::Internal,
    };
    Err(error.into())
}

/// The values that contain the text, ignoring case. Those that start with it come first.
fn matching(values: Vec<String>, text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let (mut first, rest): (Vec<_>, Vec<_>) = values
        .into_iter()
        .partition(|value| value.to_lowercase().starts_with(&text));
    first.extend(
        rest.into_iter()
            .filter(|value| value.to_lowercase().contains(&text)),
    );
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_start_with_the_text_come_first() {
        let values = ["Ruby", "TypeScript", "Rust", "JavaScript"]
            .map(str::to_owned)
            .to_vec();
        assert_eq!(matching(values.clone(), "ru"), ["Ruby", "Rust"]);
        assert_eq!(
            matching(values.clone(), "script"),
            ["TypeScript", "JavaScript"]
        );
        assert_eq!(matching(values.clone(), ""), values);
        assert_eq!(matching(values, "go"), Vec::<String>::new());
    }
}
