//! Questions of a server to its client, and the answers that a test gives. Specification: *Multi
//! Round-Trip Requests*; *Elicitation*; *Sampling*; *Roots*.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value, json};

/// What a server asks its client for, under a key.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    key: String,
    method: String,
    params: Value,
}

impl Question {
    /// Reads the `inputRequests` of a result.
    pub(super) fn read_all(requests: &Map<String, Value>) -> Vec<Self> {
        let read = |(key, request): (&String, &Value)| Self {
            key: key.clone(),
            method: text(request, "method").to_owned(),
            params: request.get("params").cloned().unwrap_or_default(),
        };
        requests.iter().map(read).collect()
    }

    /// The key that the handler gave the question, and that its answer has.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The method: `elicitation/create`, `sampling/createMessage` or `roots/list`.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The parameters, as they were sent.
    #[must_use]
    pub const fn params(&self) -> &Value {
        &self.params
    }

    /// The text that the user or the model reads: the message of a form or page, the last message
    /// for a model. Empty for `roots/list`.
    #[must_use]
    pub fn message(&self) -> &str {
        let messages = self.params.get("messages").and_then(Value::as_array);
        match messages.and_then(|messages| messages.last()) {
            Some(last) => last.get("content").map_or("", |block| text(block, "text")),
            None => text(&self.params, "message"),
        }
    }

    /// The JSON Schema of a form; `null` for other questions.
    #[must_use]
    pub fn schema(&self) -> &Value {
        self.params.get("requestedSchema").unwrap_or(&Value::Null)
    }

    /// The address of the page to visit, for a question that asks for that.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        self.params.get("url").and_then(Value::as_str)
    }

    fn kind(&self) -> Kind {
        match self.method.as_str() {
            "sampling/createMessage" => Kind::Sampling,
            "roots/list" => Kind::Roots,
            _ => Kind::Elicitation,
        }
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({}: {:?})", self.key, self.method, self.message())
    }
}

fn text<'v>(value: &'v Value, member: &str) -> &'v str {
    value.get(member).and_then(Value::as_str).unwrap_or("")
}

/// A client's answer to a question.
///
/// # Examples
///
/// ```
/// use lambda_mcp::testing::Answer;
/// use serde_json::json;
///
/// let form = Answer::accept(json!({"name": "Ada"}));
/// assert_eq!(*form.value(), json!({"action": "accept", "content": {"name": "Ada"}}));
///
/// let model = Answer::sampled("Paris.");
/// assert_eq!(model.value()["content"]["text"], "Paris.");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    value: Value,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Elicitation,
    Sampling,
    Roots,
    /// Any of them.
    Raw,
}

impl Answer {
    /// The user fills in the form with `content`.
    ///
    /// # Panics
    ///
    /// `content` cannot be written as JSON.
    #[must_use]
    #[track_caller]
    pub fn accept(content: impl Serialize) -> Self {
        match serde_json::to_value(content) {
            Ok(content) => Self::elicited(json!({"action": "accept", "content": content})),
            Err(error) => panic!("the content of a form cannot be written as JSON: {error}"),
        }
    }

    /// The user agrees to visit the page of [`AskingContext::elicit_url`](crate::AskingContext::elicit_url).
    #[must_use]
    pub fn accept_url() -> Self {
        Self::elicited(json!({"action": "accept"}))
    }

    /// The user says no.
    #[must_use]
    pub fn decline() -> Self {
        Self::elicited(json!({"action": "decline"}))
    }

    /// The user closes the question without an answer.
    #[must_use]
    pub fn cancel() -> Self {
        Self::elicited(json!({"action": "cancel"}))
    }

    /// The client's model says `text`. It is called `test-model` and ended its turn.
    #[must_use]
    pub fn sampled(text: &str) -> Self {
        Self {
            value: json!({
                "role": "assistant",
                "content": {"type": "text", "text": text},
                "model": "test-model",
                "stopReason": "endTurn",
            }),
            kind: Kind::Sampling,
        }
    }

    /// The client works in these directories, given by their `file:` URIs.
    #[must_use]
    pub fn roots<'u>(uris: impl IntoIterator<Item = &'u str>) -> Self {
        let roots: Vec<Value> = uris.into_iter().map(|uri| json!({ "uri": uri })).collect();
        Self {
            value: json!({ "roots": roots }),
            kind: Kind::Roots,
        }
    }

    /// Any JSON value: for answers that a client must not give, and for members that this type has
    /// no method for.
    #[must_use]
    pub const fn raw(value: Value) -> Self {
        Self {
            value,
            kind: Kind::Raw,
        }
    }

    const fn elicited(value: Value) -> Self {
        Self {
            value,
            kind: Kind::Elicitation,
        }
    }

    /// The answer as it is sent.
    #[must_use]
    pub const fn value(&self) -> &Value {
        &self.value
    }
}

type Answering = Arc<dyn Fn(&Question) -> Answer + Send + Sync>;

/// The answers that a client has.
#[derive(Clone, Default)]
pub(super) struct Answers {
    by_key: BTreeMap<String, Answer>,
    by_kind: BTreeMap<Kind, Answering>,
}

impl Answers {
    pub(super) fn insert(&mut self, key: &str, answer: Answer) {
        self.by_key.insert(key.to_owned(), answer);
    }

    pub(super) fn on_elicit(&mut self, answering: Answering) {
        self.by_kind.insert(Kind::Elicitation, answering);
    }

    pub(super) fn on_sample(&mut self, answering: Answering) {
        self.by_kind.insert(Kind::Sampling, answering);
    }

    pub(super) fn on_roots(&mut self, answering: Answering) {
        self.by_kind.insert(Kind::Roots, answering);
    }

    /// Takes the answers that `other` has; they come before the own ones.
    pub(super) fn extend(&mut self, other: Self) {
        self.by_key.extend(other.by_key);
        self.by_kind.extend(other.by_kind);
    }

    /// The answer to a question. One that is registered by key is used once: a handler that could
    /// not use it asks again, and must not get it again.
    pub(super) fn take(&mut self, question: &Question) -> Option<Value> {
        if let Some(answer) = self.by_key.remove(&question.key) {
            return Some(answer.value);
        }
        let answering = self.by_kind.get(&question.kind())?;
        Some(answering(question).value)
    }

    /// The answers by key that were not asked for yet, all of them.
    pub(super) fn take_all(&mut self) -> Map<String, Value> {
        let answers = std::mem::take(&mut self.by_key);
        let values = answers.into_iter().map(|(key, answer)| (key, answer.value));
        values.collect()
    }

    /// The capabilities of a client that can give these answers.
    pub(super) fn capabilities(&self) -> Value {
        let by_key = self.by_key.values().map(|answer| answer.kind);
        let kinds: Vec<Kind> = by_key.chain(self.by_kind.keys().copied()).collect();
        let has = |kind: Kind| kinds.contains(&kind) || kinds.contains(&Kind::Raw);
        let mut capabilities = Map::new();
        if has(Kind::Elicitation) {
            let modes = json!({"form": {}, "url": {}});
            capabilities.insert("elicitation".to_owned(), modes);
        }
        if has(Kind::Sampling) {
            capabilities.insert("sampling".to_owned(), json!({}));
        }
        if has(Kind::Roots) {
            capabilities.insert("roots".to_owned(), json!({}));
        }
        Value::Object(capabilities)
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answers")
            .field("by_key", &self.by_key)
            .field("by_kind", &self.by_kind.keys())
            .finish()
    }
}
