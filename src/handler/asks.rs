//! What one request asks of its client, and the answers it has so far. Specification: *Multi
//! Round-Trip Requests*.

use std::error::Error;

use serde_json::{Map, Value};
use thiserror::Error;

use crate::wire::capabilities::ClientCapabilities;

/// The client has not answered yet. Return it with `?`: the client is asked, and calls again.
///
/// [`AskingContext::elicit`](crate::AskingContext::elicit) and the like return it. It converts into
/// [`ToolError`](crate::ToolError) and [`RequestError`](crate::handler::RequestError), and may be part
/// of an error type of your own or of `anyhow::Error`: the call ends as `input_required`, not as an
/// error, if the error that the handler returns is a `NeedsInput` or has one among its sources. A
/// question that the client can be asked is also put if the error hides where it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("input from the client is required first")]
#[non_exhaustive]
pub struct NeedsInput {
    source: Pending,
}

/// The source of every [`NeedsInput`], by which it is found.
///
/// Wrappers such as a `transparent` variant of `thiserror`, or the box that `anyhow::Error` becomes,
/// have the sources of what they wrap, but hide its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the question is pending")]
struct Pending;

impl NeedsInput {
    pub(crate) const fn new() -> Self {
        Self { source: Pending }
    }

    /// Whether an error, or one of its sources, says that the client must be asked first.
    pub(crate) fn is_in(error: &(dyn Error + 'static)) -> bool {
        std::iter::successors(Some(error), |&error| error.source())
            .any(|error| error.is::<Pending>())
    }
}

/// What one request asks of its client.
#[derive(Debug, Default)]
pub(crate) struct Asks {
    supported: ClientCapabilities,
    /// All answers that came with the request, including those that no handler asks for.
    answers: Map<String, Value>,
    asked: Asked,
}

/// What is left to ask when a handler stops.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// The requests, by key.
    pub(crate) requests: Map<String, Value>,
    /// The answers that the handler used, to be carried into the next round.
    pub(crate) used: Map<String, Value>,
    /// The capabilities that the client lacks.
    pub(crate) missing: ClientCapabilities,
    /// A question that no client can be asked: a mistake of the author.
    pub(crate) fault: Option<String>,
    /// What is wrong with an answer that is not a result of its request.
    pub(crate) invalid: Option<String>,
}

/// An answer that a handler cannot use.
#[derive(Debug)]
pub(crate) enum Unusable {
    /// It is not a result of the request: a mistake of the client.
    IllFormed,
    /// It is well-formed, but the user's input breaks a rule. The user is asked again.
    IllFilled(String),
}

impl Asks {
    /// `answers`: those of this request, and those of earlier rounds.
    pub(crate) fn new(supported: ClientCapabilities, answers: Map<String, Value>) -> Self {
        Self {
            supported,
            answers,
            asked: Asked::default(),
        }
    }

    /// Whether there is a question that the client can be asked, and nothing that prevents it.
    pub(crate) fn is_pending(&self) -> bool {
        let Asked {
            requests,
            missing,
            fault,
            invalid,
            ..
        } = &self.asked;
        !requests.is_empty() && missing.is_empty() && fault.is_none() && invalid.is_none()
    }

    pub(crate) fn take(&mut self) -> Asked {
        std::mem::take(&mut self.asked)
    }

    /// Records that the handler asked what no client can be asked.
    pub(super) fn fail(&mut self, fault: String) {
        self.asked.fault.get_or_insert(fault);
    }

    /// Records that the client needs capabilities that it did not declare.
    pub(crate) fn lack(&mut self, needs: ClientCapabilities) -> NeedsInput {
        self.asked.missing.merge(needs);
        NeedsInput::new()
    }

    /// Returns the answer to `key`, or records the request as pending. `request` gets the reason
    /// why an answer that is present is unusable.
    pub(super) fn ask<T>(
        &mut self,
        key: &str,
        needs: ClientCapabilities,
        read: impl FnOnce(&Value) -> Result<T, Unusable>,
        request: impl FnOnce(Option<String>) -> Value,
    ) -> Result<T, NeedsInput> {
        let mut wrong = None;
        if let Some(answer) = self.answers.get(key).filter(|answer| !answer.is_null()) {
            match read(answer) {
                Ok(read) => {
                    self.asked.used.insert(key.to_owned(), answer.clone());
                    return Ok(read);
                }
                Err(Unusable::IllFilled(reason)) => wrong = Some(reason),
                Err(Unusable::IllFormed) => {
                    let request = request(None);
                    let method = request.get("method").and_then(Value::as_str);
                    let method = method.unwrap_or_default();
                    let key: String = key.chars().take(80).collect();
                    self.asked.invalid.get_or_insert(format!(
                        "`inputResponses.{key}` must be the result of `{method}`"
                    ));
                    return Err(NeedsInput::new());
                }
            }
        }
        if self.supported.covers(&needs) {
            self.asked.requests.insert(key.to_owned(), request(wrong));
        } else {
            self.asked.missing.merge(needs);
        }
        Err(NeedsInput::new())
    }
}
