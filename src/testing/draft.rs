//! A request before it is sent.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value};

use super::answers::{Answers, Question};

/// What one request asks, and how it differs from the others of its client.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) body: Body,
    /// Members of `_meta`, besides those of the client.
    pub(super) meta: Map<String, Value>,
    pub(super) headers: Vec<HeaderEdit>,
    pub(super) answers: Answers,
    /// The questions of the result that this request continues.
    pub(super) open: Vec<Question>,
    pub(super) input_responses: Option<Value>,
    pub(super) request_state: Option<Value>,
}

/// What is sent.
#[derive(Debug, Clone)]
pub(super) enum Body {
    /// A request or notification, which gets the envelope of its version.
    Message {
        method: String,
        params: Value,
        is_notification: bool,
    },
    /// Exactly these bytes.
    Raw(Bytes),
}

/// A change of the headers that a client sends by itself.
#[derive(Debug, Clone)]
pub(super) enum HeaderEdit {
    Set(HeaderName, HeaderValue),
    Append(HeaderName, HeaderValue),
    Remove(HeaderName),
}

impl Draft {
    pub(super) fn new(body: Body) -> Self {
        Self {
            body,
            meta: Map::new(),
            headers: Vec::new(),
            answers: Answers::default(),
            open: Vec::new(),
            input_responses: None,
            request_state: None,
        }
    }

    /// The request that continues this one after its questions were answered.
    pub(super) fn resumed(&self, questions: Vec<Question>, state: Option<Value>) -> Self {
        Self {
            answers: Answers::default(),
            open: questions,
            input_responses: None,
            request_state: state,
            ..self.clone()
        }
    }
}

impl HeaderEdit {
    #[track_caller]
    pub(super) fn set(name: &str, value: &str) -> Self {
        Self::Set(header_name(name), header_value(value))
    }

    #[track_caller]
    pub(super) fn append(name: &str, value: &str) -> Self {
        Self::Append(header_name(name), header_value(value))
    }

    #[track_caller]
    pub(super) fn remove(name: &str) -> Self {
        Self::Remove(header_name(name))
    }

    pub(super) fn apply(&self, headers: &mut HeaderMap) {
        match self {
            Self::Set(name, value) => {
                headers.insert(name, value.clone());
            }
            Self::Append(name, value) => {
                headers.append(name, value.clone());
            }
            Self::Remove(name) => {
                headers.remove(name);
            }
        }
    }
}

#[track_caller]
pub(super) fn header_name(name: &str) -> HeaderName {
    match HeaderName::from_bytes(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => panic!("{name:?} is not the name of a header"),
    }
}

#[track_caller]
pub(super) fn header_value(value: &str) -> HeaderValue {
    match HeaderValue::from_bytes(value.as_bytes()) {
        Ok(value) => value,
        Err(_) => panic!("{value:?} is not the value of a header"),
    }
}
