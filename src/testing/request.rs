//! A request that is ready to be sent, with as many rounds as its answers allow.

use std::fmt;

use serde_json::{Map, Value};

use super::answers::{Answer, Answers, Question};
use super::draft::{Body, Draft, HeaderEdit};
use super::exchange;
use super::response::TestResponse;
use super::settings::Settings;
use crate::future::BoxFuture;

/// Rounds after which a request is given up: the handler asks again and again.
const MAX_ROUNDS: usize = 20;

/// A request of a [`TestClient`](super::TestClient). It is sent by `.await`.
///
/// ```
/// # use lambda_mcp::{Context, Server, testing::TestClient, tool};
/// # use serde_json::json;
/// # async fn count(context: Context) -> &'static str { context.progress(1.0, None, None); "done" }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let server = Server::builder("counter", "1.0.0").tool(tool("count", count)).build()?;
/// let client = TestClient::new(server);
/// let result = client
///     .call("count", json!({}))
///     .progress_token("my-token")
///     .header("Origin", "http://localhost:3000")
///     .await;
/// assert_eq!(result.progress().len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use = "a request is sent by `.await`"]
pub struct TestRequest {
    settings: Settings,
    draft: Draft,
}

impl TestRequest {
    pub(super) fn new(settings: Settings, draft: Draft) -> Self {
        Self { settings, draft }
    }

    /// Sets a member of `params`, such as the `context` of a completion.
    ///
    /// # Panics
    ///
    /// The request was made by [`TestClient::post`](super::TestClient::post), which sends its bytes
    /// unchanged, or its `params` are not an object.
    #[track_caller]
    pub fn param(mut self, name: &str, value: Value) -> Self {
        let Body::Message { params, .. } = &mut self.draft.body else {
            panic!("a raw body has no parameters to set");
        };
        match params.as_object_mut() {
            Some(params) => params.insert(name.to_owned(), value),
            None => panic!("`params` is not an object: {params}"),
        };
        self
    }

    /// Sets a member of `_meta`.
    pub fn meta(mut self, name: &str, value: Value) -> Self {
        self.draft.meta.insert(name.to_owned(), value);
        self
    }

    /// Asks for progress notifications, which repeat the token: text or an integer.
    ///
    /// [`TestResponse::progress`] returns them.
    pub fn progress_token(self, token: impl Into<Value>) -> Self {
        self.meta("progressToken", token.into())
    }

    /// Sets a header, in place of any of that name.
    ///
    /// # Panics
    ///
    /// The name or the value is not allowed in HTTP.
    #[track_caller]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.draft.headers.push(HeaderEdit::set(name, value));
        self
    }

    /// Adds a header; those of that name stay.
    ///
    /// # Panics
    ///
    /// The name or the value is not allowed in HTTP.
    #[track_caller]
    pub fn append_header(mut self, name: &str, value: &str) -> Self {
        self.draft.headers.push(HeaderEdit::append(name, value));
        self
    }

    /// Leaves out a header that the client would send.
    ///
    /// # Panics
    ///
    /// The name is not allowed in HTTP.
    #[track_caller]
    pub fn without_header(mut self, name: &str) -> Self {
        self.draft.headers.push(HeaderEdit::remove(name));
        self
    }

    /// Sends a bearer token, in place of the client's own.
    ///
    /// # Panics
    ///
    /// The token is not allowed in a header.
    #[track_caller]
    pub fn bearer(self, token: &str) -> Self {
        self.header("Authorization", &format!("Bearer {token}"))
    }

    /// Answers the question `key`, for this request alone.
    ///
    /// On a request made by [`TestClient::resume`](super::TestClient::resume) the answer is sent at
    /// once, otherwise when the server asks.
    pub fn answer(mut self, key: &str, answer: Answer) -> Self {
        self.draft.answers.insert(key, answer);
        self
    }

    /// Sets `inputResponses` to any JSON value: for answers that nobody asked for, and for values
    /// that a server must refuse.
    pub fn input_responses(mut self, responses: Value) -> Self {
        self.draft.input_responses = Some(responses);
        self
    }

    /// Sets `requestState` to any JSON value.
    pub fn request_state(mut self, state: impl Into<Value>) -> Self {
        self.draft.request_state = Some(state.into());
        self
    }

    /// Sends the request, and again with answers as long as the server asks and all its questions
    /// have one.
    async fn send(self) -> TestResponse {
        let Self {
            settings,
            mut draft,
        } = self;
        let mut answers = settings.answers.clone();
        let declared = {
            let mut all = answers.clone();
            all.extend(draft.answers.clone());
            all
        };
        if draft.open.is_empty() {
            answers.extend(draft.answers.clone());
        } else {
            let mut responses = draft.answers.take_all();
            for question in std::mem::take(&mut draft.open) {
                if !responses.contains_key(question.key())
                    && let Some(answer) = answers.take(&question)
                {
                    responses.insert(question.key().to_owned(), answer);
                }
            }
            draft.input_responses = Some(Value::Object(responses));
        }
        let mut earlier = Vec::new();
        for _ in 0..MAX_ROUNDS {
            let (response, id) = exchange::send(&settings, &draft, &declared).await;
            let response = TestResponse::read(response, id.as_ref(), draft.clone(), earlier);
            let questions = response.questions();
            if questions.is_empty() {
                return response;
            }
            let Some(responses) = answer_all(&mut answers, &questions) else {
                return response;
            };
            draft.input_responses = Some(Value::Object(responses));
            draft.request_state = response.request_state().map(Value::from);
            earlier = response.into_notifications();
        }
        panic!(
            "the server still asks after {MAX_ROUNDS} rounds of {:?}",
            draft.body
        );
    }
}

/// The answers to all of the questions, or `None` if one of them has none.
fn answer_all(answers: &mut Answers, questions: &[Question]) -> Option<Map<String, Value>> {
    let answer = |question: &Question| Some((question.key().to_owned(), answers.take(question)?));
    questions.iter().map(answer).collect()
}

impl IntoFuture for TestRequest {
    type Output = TestResponse;
    type IntoFuture = BoxFuture<'static, TestResponse>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

impl fmt::Debug for TestRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestRequest")
            .field("client", &self.settings)
            .field("body", &self.draft.body)
            .field("meta", &self.draft.meta)
            .finish_non_exhaustive()
    }
}
