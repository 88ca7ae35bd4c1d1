//! [`Question`]: what a client can be asked, and how its answer is read. Specification: *Elicitation*;
//! *Sampling*; *Roots*.

use std::fmt;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::auth::HttpsUrl;
use crate::handler::asks::Unusable;
use crate::handler::create_message::CreateMessageRequest;
use crate::json::Document;
use crate::schema::form::{Form, form};
use crate::schema::{Budget, Validator};
use crate::wire::capabilities::{ClientCapabilities, Elicitation as ElicitationCapability, Empty};
use crate::wire::input_required::{
    CreateMessageResult, ElicitAction, ElicitResult, ListRootsResult, Root,
};

/// The user's response to a form. Returned by
/// [`AskingContext::elicit`](crate::AskingContext::elicit) and asked for by [`Question::form`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Elicited<T> {
    /// The user submitted the form, and its fields are valid.
    Accept(T),
    /// The user declined.
    Decline,
    /// The user dismissed the form without a choice.
    Cancel,
}

/// A question to the client, whose answer is a `T`.
///
/// [`Task::ask`](crate::Task::ask) puts it. `key` names the question within the task.
///
/// # Examples
///
/// ```
/// use lambda_mcp::handler::{Elicited, Question};
/// use lambda_mcp::protocol::ElicitAction;
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Approval {
///     /// Whether the report may be sent.
///     send: bool,
/// }
///
/// let form: Question<Elicited<Approval>> = Question::form("approval", "Send the report?");
/// let page: Question<ElicitAction> =
///     Question::page("pay", "Pay for the report.", "https://shop.example.com/pay/4711");
/// # let _ = (form, page);
/// ```
#[must_use = "a question is put by `Task::ask`"]
pub struct Question<T> {
    key: String,
    needs: ClientCapabilities,
    /// The request, as a client gets it the first time.
    request: Value,
    /// The schema of the form. `null` for other questions.
    schema: Value,
    /// Reads an answer, which must match the schema.
    read: fn(answer: &Value, schema: &Value) -> Result<T, Unusable>,
    /// Why no client can be asked: a mistake of the author.
    fault: Option<String>,
}

/// The type parameter of these functions is that of the answer; `Question` itself has none here.
impl Question<()> {
    /// A form with the fields of `T`, which the user fills in.
    ///
    /// `T` is a struct of texts, numbers, booleans and choices, without nesting; doc comments of its
    /// fields are shown to the user, and so are the titles of variants (`#[schemars(title = "…")]`).
    /// With another type the call fails as an internal error. Specification: *Elicitation, Form Mode*.
    pub fn form<T>(key: impl Into<String>, message: &str) -> Question<Elicited<T>>
    where
        T: DeserializeOwned + JsonSchema,
    {
        let key = key.into();
        let (form, fault) = match form::<T>() {
            Ok(form) => (form, None),
            Err(invalid) => {
                let ty = std::any::type_name::<T>();
                let fault =
                    format!("`{ty}` is not a form that MCP allows (key `{key}`): {invalid}");
                (Form::default(), Some(fault))
            }
        };
        let needs = elicitation(ElicitationCapability {
            form: Some(Empty {}),
            url: None,
        });
        let request = json!({
            "method": "elicitation/create",
            "params": { "mode": "form", "message": message, "requestedSchema": form.requested },
        });
        Question {
            schema: form.checked,
            fault,
            ..Question::new(key, needs, request, read_form)
        }
    }

    /// A web page that the user opens, for input that must not pass through the client. `url` must
    /// be a valid `https` URL. Specification: *Elicitation, URL Mode*.
    pub fn page(key: impl Into<String>, message: &str, url: &str) -> Question<ElicitAction> {
        let key = key.into();
        let is_valid = url.starts_with("https://") && url.parse::<HttpsUrl>().is_ok();
        let fault = (!is_valid).then(|| format!("the page of `{key}` needs a valid `https` URL"));
        let needs = elicitation(ElicitationCapability {
            form: None,
            url: Some(Empty {}),
        });
        let request = json!({
            "method": "elicitation/create",
            "params": { "mode": "url", "message": message, "url": url },
        });
        Question {
            fault,
            ..Question::new(key, needs, request, |answer, _| {
                decode::<ElicitResult>(answer).map(|result| result.action)
            })
        }
    }

    /// A request to the client's model. **Deprecated in revision 2026-07-28.** Specification:
    /// *Sampling*.
    pub fn sample(
        key: impl Into<String>,
        request: &CreateMessageRequest,
    ) -> Question<CreateMessageResult> {
        let needs = ClientCapabilities {
            sampling: Some(Empty {}),
            ..ClientCapabilities::default()
        };
        Question::new(key, needs, request.to_wire(), |answer, _| decode(answer))
    }

    /// The directories and files that the user works in. **Deprecated in revision 2026-07-28.**
    /// Specification: *Roots*.
    pub fn roots(key: impl Into<String>) -> Question<Vec<Root>> {
        let needs = ClientCapabilities {
            roots: Some(Empty {}),
            ..ClientCapabilities::default()
        };
        let request = json!({ "method": "roots/list", "params": {} });
        Question::new(key, needs, request, |answer, _| {
            decode::<ListRootsResult>(answer).map(|result| result.roots)
        })
    }
}

impl<T> Question<T> {
    fn new(
        key: impl Into<String>,
        needs: ClientCapabilities,
        request: Value,
        read: fn(&Value, &Value) -> Result<T, Unusable>,
    ) -> Self {
        Self {
            key: key.into(),
            needs,
            request,
            schema: Value::Null,
            read,
            fault: None,
        }
    }

    /// The key.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// The capabilities that a client needs.
    pub(crate) const fn needs(&self) -> &ClientCapabilities {
        &self.needs
    }

    /// Why no client can be asked.
    pub(crate) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Reads an answer.
    pub(crate) fn read(&self, answer: &Value) -> Result<T, Unusable> {
        (self.read)(answer, &self.schema)
    }

    /// The request, with the reason why the last answer could not be used.
    pub(crate) fn request(&self, wrong: Option<&str>) -> Value {
        let mut request = self.request.clone();
        if let (Some(wrong), Some(Value::String(message))) =
            (wrong, request.pointer_mut("/params/message"))
        {
            message.push_str(&format!(" (The last answer could not be used: {wrong}.)"));
        }
        request
    }
}

impl<T> fmt::Debug for Question<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question")
            .field("key", &self.key)
            .field("request", &self.request)
            .finish_non_exhaustive()
    }
}

fn elicitation(mode: ElicitationCapability) -> ClientCapabilities {
    ClientCapabilities {
        elicitation: Some(mode),
        ..ClientCapabilities::default()
    }
}

fn decode<T: DeserializeOwned>(answer: &Value) -> Result<T, Unusable> {
    // serde would read a struct from an array as well.
    let object = answer.is_object().then(|| T::deserialize(answer).ok());
    object.flatten().ok_or(Unusable::IllFormed)
}

/// A form as a value, checked against the schema of its type.
fn read_form<T: DeserializeOwned>(answer: &Value, schema: &Value) -> Result<Elicited<T>, Unusable> {
    let result: ElicitResult = decode(answer)?;
    match result.action {
        ElicitAction::Decline => Ok(Elicited::Decline),
        ElicitAction::Cancel => Ok(Elicited::Cancel),
        ElicitAction::Accept => {
            let content = form_content(result.content)?;
            let mut content = Document::of(&content);
            let validator = Validator::compile(schema)
                .map_err(|error| Unusable::IllFilled(error.to_string()))?;
            validator
                .check(&mut content, Budget::steps_only())
                .map_err(|invalid| Unusable::IllFilled(invalid.to_string()))?;
            let filled = content.root().read();
            filled.map(Elicited::Accept).map_err(|error| {
                Unusable::IllFilled(format!("`{}` has no such value", error.path()))
            })
        }
    }
}

/// The fields of a form: texts, numbers, booleans and lists of texts. `null` is the same as absent.
/// Specification: *Schema, `ElicitResult`*.
fn form_content(content: Option<Value>) -> Result<Value, Unusable> {
    let mut fields = match content {
        None => Map::new(),
        Some(Value::Object(fields)) => fields,
        Some(_) => return Err(Unusable::IllFormed),
    };
    fields.retain(|_, value| !value.is_null());
    let is_field = |value: &Value| match value {
        Value::Object(_) | Value::Null => false,
        Value::Array(items) => items.iter().all(Value::is_string),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    };
    if fields.values().all(is_field) {
        Ok(Value::Object(fields))
    } else {
        Err(Unusable::IllFormed)
    }
}
