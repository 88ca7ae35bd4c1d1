//! Questions of a task, and answers: partial, repeated, late, unknown and invalid.

use lambda_mcp::handler::{CreateMessageRequest, Elicited, Question};
use lambda_mcp::protocol::ElicitAction;
use lambda_mcp::tasks::Tasks;
use lambda_mcp::{Server, Task, ToolError, task_tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Created, MODERN, assert_acknowledged, tasks_client, text};
use crate::fixtures::{assert_refused, client, conformance};

fn accept(content: Value) -> Value {
    json!({"action": "accept", "content": content})
}

fn keys(task: &Value) -> Vec<&str> {
    let open = task["inputRequests"].as_object();
    open.map(|open| open.keys().map(String::as_str).collect())
        .unwrap_or_default()
}

#[tokio::test]
async fn a_task_asks_and_goes_on_with_the_answer() {
    let server = conformance();
    let client = tasks_client(&server);
    for (answer, expected) in [
        (accept(json!({"confirm": true})), "a.txt is deleted."),
        (accept(json!({"confirm": false})), "a.txt is kept."),
        (json!({"action": "decline"}), "a.txt is kept."),
        (json!({"action": "cancel"}), "a.txt is kept."),
    ] {
        let task = Created::by(&client, "confirm_delete", json!({"filename": "a.txt"})).await;
        let asked = task.status("input_required").await;
        assert_eq!(
            asked["inputRequests"]["confirm"],
            json!({"method": "elicitation/create", "params": {
                "mode": "form",
                "message": "Delete a.txt?",
                "requestedSchema": {
                    "type": "object",
                    "properties": {
                        "confirm": {"type": "boolean", "description": "Whether to go on."},
                    },
                    "required": ["confirm"],
                },
            }})
        );
        // The question stays the same until it is answered.
        assert_eq!(task.get().await["inputRequests"], asked["inputRequests"]);
        task.update(json!({"confirm": answer})).await;
        let done = task.status("completed").await;
        assert_eq!(text(&done), expected);
        assert_eq!(done.get("inputRequests"), None);
    }
}

#[tokio::test]
async fn several_questions_are_open_at_once_and_answered_one_by_one() {
    let server = conformance();
    let task = Created::by(&tasks_client(&server), "multi_input", json!({})).await;
    let asked = task.status("input_required").await;
    assert_eq!(keys(&asked), ["first", "second"]);
    task.update(json!({"second": accept(json!({"confirm": true}))}))
        .await;
    let asked = task.get().await;
    assert_eq!(
        (&asked["status"], keys(&asked)),
        (&json!("input_required"), vec!["first"])
    );
    task.update(json!({"first": accept(json!({"confirm": false}))}))
        .await;
    assert_eq!(
        text(&task.status("completed").await),
        "1 of 2 parts are confirmed."
    );
}

#[tokio::test]
async fn answers_that_nobody_waits_for_are_acknowledged_and_ignored() {
    let server = conformance();
    let task = Created::by(&tasks_client(&server), "multi_input", json!({})).await;
    task.status("input_required").await;
    let yes = accept(json!({"confirm": true}));
    task.update(json!({"unknown": yes, "confirm": {"ignored": true}}))
        .await;
    task.update(json!({})).await;
    assert_eq!(keys(&task.get().await), ["first", "second"]);
    task.update(json!({"first": yes})).await;
    // The first answer counts.
    task.update(json!({"first": accept(json!({"confirm": false}))}))
        .await;
    task.update(json!({"second": yes})).await;
    let done = task.status("completed").await;
    assert_eq!(text(&done), "2 of 2 parts are confirmed.");
    task.update(json!({"second": yes})).await;
    assert_eq!(task.get().await, done);
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_asked_for_under_a_new_key() {
    let server = conformance();
    let client = tasks_client(&server);
    let task = Created::by(&client, "confirm_delete", json!({"filename": "a.txt"})).await;
    let unusable = [
        (
            "confirm",
            accept(json!({"confirm": "maybe"})),
            "`confirm` must be a boolean",
        ),
        ("confirm-2", accept(json!({})), "`confirm` is required"),
        (
            "confirm-3",
            json!({"action": "maybe"}),
            "the form of an answer",
        ),
        ("confirm-4", json!("yes"), "the form of an answer"),
    ];
    for (number, (key, answer, reason)) in (2..).zip(unusable) {
        task.until(|task| keys(task) == [key]).await;
        task.update(json!({key: answer})).await;
        let next = format!("confirm-{number}");
        let asked = task.until(|task| keys(task) == [next.as_str()]).await;
        let message = asked["inputRequests"][&next]["params"]["message"]
            .as_str()
            .unwrap();
        assert!(
            message.starts_with("Delete a.txt? (The last answer"),
            "{message}"
        );
        assert!(message.contains(reason), "{reason} in {message}");
    }
    task.update(json!({"confirm-5": {"action": "maybe"}})).await;
    let done = task.status("completed").await;
    assert_eq!(done["result"]["isError"], true);
    assert!(text(&done).contains("no answer could be used"), "{done}");
}

#[tokio::test]
async fn a_usable_answer_is_kept_while_another_is_asked_for_again() {
    let server = conformance();
    let task = Created::by(&tasks_client(&server), "multi_input", json!({})).await;
    task.status("input_required").await;
    let answers = json!({"first": accept(json!({"confirm": true})), "second": accept(json!({}))});
    task.update(answers).await;
    task.until(|task| keys(task) == ["second-2"]).await;
    task.update(json!({"second-2": accept(json!({"confirm": true}))}))
        .await;
    assert_eq!(
        text(&task.status("completed").await),
        "2 of 2 parts are confirmed."
    );
}

#[tokio::test]
async fn a_task_that_waits_can_be_cancelled() {
    let server = conformance();
    let task = Created::by(
        &tasks_client(&server),
        "confirm_delete",
        json!({"filename": "a"}),
    )
    .await;
    task.status("input_required").await;
    task.cancel().await;
    let cancelled = task.status("cancelled").await;
    assert_eq!(cancelled.get("inputRequests"), None);
    task.update(json!({"confirm": accept(json!({"confirm": true}))}))
        .await;
    assert_eq!(task.get().await, cancelled);
}

#[tokio::test]
async fn answers_must_be_an_object() {
    let server = conformance();
    let task = Created::by(&tasks_client(&server), "multi_input", json!({})).await;
    for params in [
        json!({}),
        json!({"inputResponses": null}),
        json!({"inputResponses": []}),
        json!({"inputResponses": "first"}),
    ] {
        let error = assert_refused(&task.request("tasks/update", params).await, 200, -32602);
        assert!(
            error.message.contains("`inputResponses`"),
            "{}",
            error.message
        );
    }
    let twice = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tasks/update","params":{{"taskId":"{}",
        "inputResponses":{{"first":{{}},"first":{{}}}},"_meta":{{
        "io.modelcontextprotocol/protocolVersion":"2026-07-28",
        "io.modelcontextprotocol/clientCapabilities":{{"extensions":{{"io.modelcontextprotocol/tasks":{{}}}}}}}}}}}}"#,
        task.id
    );
    let response = task.client.post(twice).await;
    assert_refused(&response, 200, -32602);
}

#[derive(Deserialize, JsonSchema)]
struct Name {
    name: String,
}

async fn everything(mut task: Task) -> Result<String, ToolError> {
    let questions = (
        Question::form::<Name>("name", "Who are you?"),
        Question::page("page", "Look at this.", "https://example.com/page"),
        Question::sample("greeting", &CreateMessageRequest::new("Greet.", 20)),
        Question::roots("roots"),
    );
    let (name, page, greeting, roots) = task.ask_all(questions).await?;
    let Elicited::Accept(Name { name }) = name else {
        return Ok("Nobody.".to_owned());
    };
    let seen = page == ElicitAction::Accept;
    Ok(format!("{} {name} {seen} {}", greeting.text(), roots.len()))
}

fn asking() -> Server {
    let server = Server::builder("asking", "1").tasks(Tasks::local());
    server
        .tool(task_tool("everything", everything))
        .build()
        .unwrap()
}

#[tokio::test]
async fn forms_pages_models_and_directories_are_asked_for() {
    let server = asking();
    let task = Created::by(&tasks_client(&server), "everything", json!({})).await;
    let asked = task.status("input_required").await;
    assert_eq!(keys(&asked), ["name", "page", "greeting", "roots"]);
    let greeting =
        json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": "Hi"}});
    task.update(json!({
        "name": accept(json!({"name": "Ada"})),
        "page": {"action": "accept"},
        "greeting": greeting,
        "roots": {"roots": [{"uri": "file:///a"}]},
    }))
    .await;
    assert_eq!(text(&task.status("completed").await), "Hi Ada true 1");
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_gets_a_failed_task() {
    let server = asking();
    let tasks = json!({"io.modelcontextprotocol/tasks": {}});
    let client = client(&server, MODERN)
        .capabilities(json!({"sampling": {}, "elicitation": {}, "extensions": tasks}));
    let task = Created::by(&client, "everything", json!({})).await;
    let failed = task.status("failed").await;
    assert_eq!(failed["error"]["code"], -32021);
    let missing = json!({"elicitation": {"url": {}}, "roots": {}});
    assert_eq!(
        failed["error"]["data"],
        json!({"requiredCapabilities": missing})
    );
    assert_acknowledged(&task.request("tasks/cancel", json!({})).await);
}

#[tokio::test]
async fn an_impossible_question_is_an_internal_error() {
    #[derive(Debug, Deserialize, JsonSchema)]
    struct Nested {
        #[expect(dead_code, reason = "only its schema matters")]
        name: Vec<Vec<String>>,
    }
    async fn nested(mut task: Task) -> Result<String, ToolError> {
        let answer = task
            .ask(Question::form::<Nested>("nested", "Which?"))
            .await?;
        Ok(format!("{answer:?}"))
    }
    let server = Server::builder("nested", "1").tasks(Tasks::local());
    let server = server.tool(task_tool("nested", nested)).build().unwrap();
    let failed = Created::by(&tasks_client(&server), "nested", json!({}))
        .await
        .status("failed")
        .await;
    assert_eq!(
        failed["error"],
        json!({"code": -32603, "message": "Internal error"})
    );
}
