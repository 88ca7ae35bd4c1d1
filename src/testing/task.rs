//! A task of the server, polled to its end. Specification: extension *Tasks*, *Task Polling*.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::answers::{Answers, Question};
use super::client::TestClient;
use super::response::TestResponse;

/// How long a task is polled, by the clock of the machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// The first pause between two polls. It doubles up to the pause that the server asks for.
const FIRST_PAUSE: Duration = Duration::from_millis(1);

/// Tasks.
impl TestClient {
    /// Polls the task that a call created until it has ended, and returns the response that the call
    /// would have had without a task: its result, or the error that the task failed with.
    ///
    /// The client must [support tasks](Self::supports_tasks). Questions of the task are answered as
    /// those of a call. With Tokio's clock paused (`#[tokio::test(start_paused = true)]`), the pauses
    /// of a task in memory take no time.
    ///
    /// # Panics
    ///
    /// - The response is not a new task.
    /// - A question has no answer.
    /// - The task was cancelled, or did not end within 30 s.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use lambda_mcp::handler::{Elicited, Question};
    /// use lambda_mcp::tasks::Tasks;
    /// use lambda_mcp::testing::{Answer, TestClient};
    /// use lambda_mcp::{Server, Task, ToolError, task_tool};
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    /// use serde_json::json;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Approval {
    ///     publish: bool,
    /// }
    ///
    /// async fn export(mut task: Task) -> Result<&'static str, ToolError> {
    ///     task.sleep(Duration::from_millis(5)).await?;
    ///     match task.ask(Question::form::<Approval>("approval", "Publish?")).await? {
    ///         Elicited::Accept(Approval { publish: true }) => Ok("Published."),
    ///         _ => Ok("Kept."),
    ///     }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("books", "1.0.0")
    ///     .tasks(Tasks::local())
    ///     .tool(task_tool("export", export).requires_tasks())
    ///     .build()?;
    /// let client = TestClient::new(server)
    ///     .supports_tasks()
    ///     .answer("approval", Answer::accept(json!({"publish": true})));
    ///
    /// let task = client.call("export", json!({})).await;
    /// assert_eq!(client.finish(&task).await.text(), "Published.");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn finish(&self, created: &TestResponse) -> TestResponse {
        let Some(id) = task_id(created) else {
            created.fail("a new task");
        };
        let mut answers = self.answers().clone();
        answers.extend(created.draft().answers.clone());
        let until = Instant::now() + PATIENCE;
        let mut pause = FIRST_PAUSE;
        loop {
            let polled = self.request("tasks/get", json!({ "taskId": id })).await;
            let task = polled.result();
            match (task["status"].as_str(), &task["inputRequests"]) {
                (Some("completed"), _) => {
                    let result = task["result"].clone();
                    return polled.answering(json!({ "result": result }));
                }
                (Some("failed"), _) => {
                    let error = task["error"].clone();
                    return polled.answering(json!({ "error": error }));
                }
                (Some("input_required"), Value::Object(requests)) => {
                    self.answer_task(&id, &mut answers, requests).await;
                }
                (Some("working"), _) => {}
                _ => polled.fail("a task that runs or has a result"),
            }
            if Instant::now() > until {
                polled.fail(&format!("a task that ends within {} s", PATIENCE.as_secs()));
            }
            let longest = task["pollIntervalMs"].as_u64().map(Duration::from_millis);
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(longest.unwrap_or(pause));
        }
    }

    /// Answers the open questions of a task.
    async fn answer_task(&self, id: &str, answers: &mut Answers, requests: &Map<String, Value>) {
        let mut responses = Map::new();
        for question in Question::read_all(requests) {
            match answers.take(&question) {
                Some(answer) => responses.insert(question.key().to_owned(), answer),
                None => panic!(
                    "the task asks a question that the client has no answer for: {question}\n\
                     (register answers by `TestClient::answer`)"
                ),
            };
        }
        let update = json!({"taskId": id, "inputResponses": responses});
        let updated = self.request("tasks/update", update).await;
        if updated.any_result().is_none() {
            updated.fail("an acknowledgement of the answers");
        }
    }
}

/// The id in the response to a call that created a task.
fn task_id(created: &TestResponse) -> Option<String> {
    let result = created.any_result()?;
    let is_task = result.get("resultType")? == "task";
    let id = result.get("taskId").filter(|_| is_task)?;
    id.as_str().map(str::to_owned)
}
