//! What a test reads from the results of tools, resources, prompts and completion.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::answers::Question;
use super::response::TestResponse;

/// What is suggested for an argument. Returned by [`TestResponse::completion`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completion {
    /// The suggestions, at most 100.
    pub values: Vec<String>,
    /// The number of all suggestions, if the server gives it.
    pub total: Option<u64>,
    /// Whether there are more than `values` holds.
    pub has_more: bool,
}

impl TestResponse {
    /// The text of the result: that of a tool's content blocks, of a resource's contents, or of a
    /// prompt's messages. Several texts are joined by line breaks; what is not text is left out.
    ///
    /// # Panics
    ///
    /// There is no such result.
    #[must_use]
    #[track_caller]
    pub fn text(&self) -> String {
        let result = self.complete("a result with text");
        let parts = ["content", "contents", "messages"]
            .iter()
            .find_map(|member| result.get(member)?.as_array());
        let Some(parts) = parts else {
            self.fail("a result with `content`, `contents` or `messages`");
        };
        let text = |part: &Value| {
            // The text of a prompt's message is one level below.
            let block = part.get("content").unwrap_or(part);
            Some(block.get("text")?.as_str()?.to_owned())
        };
        let texts: Vec<String> = parts.iter().filter_map(text).collect();
        texts.join("\n")
    }

    /// Whether the tool failed: `isError` of its result. [`text`](Self::text) is what the model reads.
    ///
    /// # Panics
    ///
    /// There is no result: the request was refused, or the client is asked for input.
    #[must_use]
    #[track_caller]
    pub fn is_error(&self) -> bool {
        let result = self.complete("the result of a tool");
        result.get("isError") == Some(&Value::Bool(true))
    }

    /// The content blocks of a tool's result, as JSON.
    ///
    /// # Panics
    ///
    /// There is no such result.
    #[must_use]
    #[track_caller]
    pub fn content(&self) -> &[Value] {
        self.array("content")
    }

    /// The structured content of a tool's result.
    ///
    /// # Panics
    ///
    /// There is none, or it does not fit the type.
    ///
    /// # Examples
    ///
    /// ```
    /// # use lambda_mcp::{Json, Server, testing::TestClient, tool};
    /// # use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    /// # use serde_json::json;
    ///
    /// #[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    /// struct Size {
    ///     bytes: u64,
    /// }
    /// # async fn size() -> Json<Size> { Json(Size { bytes: 7 }) }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = Server::builder("files", "1.0.0").tool(tool("size", size)).build()?;
    ///
    /// let result = TestClient::new(server).call("size", json!({})).await;
    /// assert_eq!(result.structured::<Size>(), Size { bytes: 7 });
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    #[track_caller]
    pub fn structured<T: DeserializeOwned>(&self) -> T {
        let result = self.complete("a result with structured content");
        let Some(content) = result.get("structuredContent") else {
            self.fail("structured content (revisions before 2025-06-18 have none)");
        };
        match T::deserialize(content) {
            Ok(content) => content,
            Err(error) => self.fail(&format!(
                "structured content that fits `{}` ({error})",
                std::any::type_name::<T>()
            )),
        }
    }

    /// The contents of a resource, as JSON.
    ///
    /// # Panics
    ///
    /// There is no such result.
    #[must_use]
    #[track_caller]
    pub fn contents(&self) -> &[Value] {
        self.array("contents")
    }

    /// The bytes of a resource: those of the first of its contents that has a `blob`.
    ///
    /// # Panics
    ///
    /// There is no such result, or its `blob` is not Base64.
    #[must_use]
    #[track_caller]
    pub fn bytes(&self) -> Vec<u8> {
        let mut contents = self.contents().iter();
        let blob = contents.find_map(|contents| contents.get("blob")?.as_str());
        match blob.map(|blob| STANDARD.decode(blob)) {
            Some(Ok(bytes)) => bytes,
            Some(Err(_)) => self.fail("a `blob` in Base64"),
            None => self.fail("contents with a `blob`"),
        }
    }

    /// The messages of a prompt, as JSON.
    ///
    /// # Panics
    ///
    /// There is no such result.
    #[must_use]
    #[track_caller]
    pub fn messages(&self) -> &[Value] {
        self.array("messages")
    }

    /// The suggestions of a completion.
    ///
    /// # Panics
    ///
    /// There is no such result.
    #[must_use]
    #[track_caller]
    pub fn completion(&self) -> Completion {
        let result = self.complete("a completion");
        let completion = result.get("completion").unwrap_or(&Value::Null);
        let values = completion.get("values").and_then(Value::as_array);
        let texts = values.and_then(|values| {
            let texts = values.iter().map(|value| value.as_str().map(str::to_owned));
            texts.collect::<Option<Vec<String>>>()
        });
        let Some(values) = texts else {
            self.fail("a result with `completion.values`");
        };
        Completion {
            values,
            total: completion.get("total").and_then(Value::as_u64),
            has_more: completion.get("hasMore") == Some(&Value::Bool(true)),
        }
    }

    /// The `_meta` of the result; `null` if it has none.
    ///
    /// # Panics
    ///
    /// There is no result.
    #[must_use]
    #[track_caller]
    pub fn meta(&self) -> &Value {
        self.result().get("_meta").unwrap_or(&Value::Null)
    }

    /// Whether the server asks for input before it completes the request.
    #[must_use]
    pub fn is_input_required(&self) -> bool {
        self.input_requests().is_some()
    }

    /// The questions of the server; empty for any other response.
    #[must_use]
    pub fn questions(&self) -> Vec<Question> {
        self.input_requests()
            .map_or_else(Vec::new, Question::read_all)
    }

    /// The question of this key.
    ///
    /// # Panics
    ///
    /// The server does not ask it.
    #[must_use]
    #[track_caller]
    pub fn question(&self, key: &str) -> Question {
        let mut questions = self.questions().into_iter();
        match questions.find(|question| question.key() == key) {
            Some(question) => question,
            None => self.fail(&format!("the question `{key}`")),
        }
    }

    /// The `requestState` of a result that asks for input.
    #[must_use]
    pub fn request_state(&self) -> Option<&str> {
        self.any_result()?.get("requestState")?.as_str()
    }

    fn input_requests(&self) -> Option<&Map<String, Value>> {
        let result = self.any_result()?;
        let is_asking = result.get("resultType")? == "input_required";
        result
            .get("inputRequests")
            .filter(|_| is_asking)?
            .as_object()
    }

    /// The result, unless it asks for input.
    #[track_caller]
    fn complete(&self, expected: &str) -> &Value {
        match self.any_result() {
            Some(result) if !self.is_input_required() => result,
            _ => self.fail(expected),
        }
    }

    #[track_caller]
    fn array(&self, member: &str) -> &[Value] {
        let result = self.complete(&format!("a result with `{member}`"));
        match result.get(member).and_then(Value::as_array) {
            Some(array) => array,
            None => self.fail(&format!("a result with `{member}`")),
        }
    }
}
