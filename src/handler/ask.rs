//! Asking the client for input in the middle of a request. Specification: *Multi Round-Trip
//! Requests*.
//!
//! A handler asks by a key and goes on with `?`. If the answer is not there yet the call ends; the
//! client is asked, calls again, and the same code runs again with the answer in hand. Nothing is
//! kept here in between.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::handler::context::Context;
use crate::schema;
use crate::schema::Validator;
use crate::wire::capabilities::{ClientCapabilities, Elicitation as ElicitationCapability, Empty};
use crate::wire::input_required::{
    CreateMessageResult, ElicitAction, ElicitResult, ListRootsResult, Root,
};

/// An answer that is not there yet. Pass it on with `?`: the client will be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the client has to be asked first")]
#[non_exhaustive]
pub struct NeedsInput;

/// What the person behind the client did with a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Elicited<T> {
    /// Filled it in.
    Accept(T),
    /// Said no.
    Decline,
    /// Closed it without an answer.
    Cancel,
}

/// What a model is to be asked. Specification: *Sampling*.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampling(Map<String, Value>);

impl Sampling {
    /// Asks with one message of the user, for an answer of at most so many tokens.
    #[must_use]
    pub fn new(text: &str, max_tokens: u32) -> Self {
        let message = json!({ "role": "user", "content": { "type": "text", "text": text } });
        let mut params = Map::new();
        params.insert("messages".to_owned(), json!([message]));
        params.insert("maxTokens".to_owned(), json!(max_tokens));
        Self(params)
    }

    /// Sets the system prompt.
    #[must_use]
    pub fn system_prompt(mut self, text: &str) -> Self {
        self.0.insert("systemPrompt".to_owned(), json!(text));
        self
    }

    /// Sets how freely the model may answer.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.0.insert("temperature".to_owned(), json!(temperature));
        self
    }
}

/// What one request asks of its client.
#[derive(Debug, Default)]
pub(crate) struct Asks {
    supported: ClientCapabilities,
    /// All answers that came with the request, also such as nobody asks for.
    answers: Map<String, Value>,
    asked: Asked,
}

/// What is left to be asked when a handler stops.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// The requests, by their keys.
    pub(crate) requests: Map<String, Value>,
    /// The answers that were of use, to be carried along.
    pub(crate) used: Map<String, Value>,
    /// What the client would have to be able to do.
    pub(crate) missing: ClientCapabilities,
    /// A question that cannot be put to a client; the author's mistake.
    pub(crate) fault: Option<&'static str>,
}

impl Asks {
    /// `answers`: what the client sent along, and what it had answered before.
    pub(crate) fn new(supported: ClientCapabilities, answers: Map<String, Value>) -> Self {
        Self {
            supported,
            answers,
            asked: Asked::default(),
        }
    }

    pub(crate) fn take(&mut self) -> Asked {
        std::mem::take(&mut self.asked)
    }

    /// The answer to `key`, or else the note that it must be asked for by `request`, which is told
    /// what was wrong with an answer that is there and cannot be used.
    fn ask<T>(
        &mut self,
        key: &str,
        needs: ClientCapabilities,
        read: impl FnOnce(&Value) -> Result<T, String>,
        request: impl FnOnce(Option<String>) -> Value,
    ) -> Result<T, NeedsInput> {
        let mut wrong = None;
        if let Some(answer) = self.answers.get(key) {
            match read(answer) {
                Ok(read) => {
                    self.asked.used.insert(key.to_owned(), answer.clone());
                    return Ok(read);
                }
                Err(reason) => wrong = Some(reason),
            }
        }
        let can = (needs.sampling.is_none() || self.supported.supports_sampling())
            && (needs.roots.is_none() || self.supported.supports_roots())
            && needs.elicitation.as_ref().is_none_or(|needs| {
                (needs.form.is_none() || self.supported.supports_form_elicitation())
                    && (needs.url.is_none() || self.supported.supports_url_elicitation())
            });
        if can {
            self.asked.requests.insert(key.to_owned(), request(wrong));
        } else {
            self.asked.missing.merge(needs);
        }
        Err(NeedsInput)
    }
}

impl Context {
    /// Asks the person behind the client to fill in a form, whose fields are those of `T`: text,
    /// numbers, truth values and choices, without nesting.
    ///
    /// `key` names the question within this request. Specification: *Elicitation*: never ask for
    /// passwords or keys like this; see [`elicit_url`](Self::elicit_url).
    ///
    /// # Errors
    ///
    /// The answer is not there yet; pass the error on with `?`.
    pub fn elicit<T>(&self, key: &str, message: &str) -> Result<Elicited<T>, NeedsInput>
    where
        T: DeserializeOwned + JsonSchema,
    {
        let schema = schema::form::<T>();
        let Some(schema) = schema else {
            self.with_asks(|asks| asks.asked.fault = Some("a form must be flat"));
            return Err(NeedsInput);
        };
        let form = Some(ElicitationCapability {
            form: Some(Empty {}),
            url: None,
        });
        let needs = ClientCapabilities {
            elicitation: form,
            ..ClientCapabilities::default()
        };
        let read = |answer: &Value| read_form(answer, &schema);
        let request = |wrong: Option<String>| {
            let message = match wrong {
                Some(wrong) => format!("{message} (The last answer could not be used: {wrong}.)"),
                None => message.to_owned(),
            };
            json!({
                "method": "elicitation/create",
                "params": { "mode": "form", "message": message, "requestedSchema": schema },
            })
        };
        self.with_asks(|asks| asks.ask(key, needs, read, request))
    }

    /// Asks the person behind the client to visit a page, for what must not pass through the
    /// client. Agreement is no sign that anything happened there.
    ///
    /// # Errors
    ///
    /// The answer is not there yet; pass the error on with `?`.
    pub fn elicit_url(
        &self,
        key: &str,
        message: &str,
        url: &str,
    ) -> Result<ElicitAction, NeedsInput> {
        let page = Some(ElicitationCapability {
            form: None,
            url: Some(Empty {}),
        });
        let needs = ClientCapabilities {
            elicitation: page,
            ..ClientCapabilities::default()
        };
        let read = |answer: &Value| decode::<ElicitResult>(answer).map(|result| result.action);
        let request = |_| {
            json!({
                "method": "elicitation/create",
                "params": { "mode": "url", "message": message, "url": url },
            })
        };
        self.with_asks(|asks| asks.ask(key, needs, read, request))
    }

    /// Asks the client's model.
    ///
    /// # Errors
    ///
    /// The answer is not there yet; pass the error on with `?`.
    pub fn sample(
        &self,
        key: &str,
        sampling: &Sampling,
    ) -> Result<CreateMessageResult, NeedsInput> {
        let needs = ClientCapabilities {
            sampling: Some(Empty {}),
            ..ClientCapabilities::default()
        };
        let request = |_| json!({ "method": "sampling/createMessage", "params": sampling.0 });
        self.with_asks(|asks| asks.ask(key, needs, decode, request))
    }

    /// Asks the client which directories it works in.
    ///
    /// # Errors
    ///
    /// The answer is not there yet; pass the error on with `?`.
    pub fn roots(&self, key: &str) -> Result<Vec<Root>, NeedsInput> {
        let needs = ClientCapabilities {
            roots: Some(Empty {}),
            ..ClientCapabilities::default()
        };
        let read = |answer: &Value| decode::<ListRootsResult>(answer).map(|result| result.roots);
        let request = |_| json!({ "method": "roots/list", "params": {} });
        self.with_asks(|asks| asks.ask(key, needs, read, request))
    }
}

fn decode<T: DeserializeOwned>(answer: &Value) -> Result<T, String> {
    T::deserialize(answer).map_err(|error| error.to_string())
}

/// A form as a value, checked against what was asked.
fn read_form<T: DeserializeOwned>(answer: &Value, schema: &Value) -> Result<Elicited<T>, String> {
    let result = decode::<ElicitResult>(answer)?;
    match result.action {
        ElicitAction::Decline => Ok(Elicited::Decline),
        ElicitAction::Cancel => Ok(Elicited::Cancel),
        ElicitAction::Accept => {
            let mut content = result.content.unwrap_or_else(|| json!({}));
            let validator = Validator::compile(schema).map_err(|error| error.to_string())?;
            validator
                .check(&mut content)
                .map_err(|invalid| invalid.to_string())?;
            serde_path_to_error::deserialize(content)
                .map(Elicited::Accept)
                .map_err(|error| format!("`{}` {}", error.path(), error.inner()))
        }
    }
}
