//! What each kind of client gets.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use lambda_mcp::handler::{Elicited, Question};
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::server::BuildError;
use lambda_mcp::tasks::Tasks;
use lambda_mcp::testing::Answer;
use lambda_mcp::{Server, State, Task, ToolError, task_tool, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Created, MODERN, capabilities, tasks_client, text};
use crate::fixtures::{assert_refused, client, conformance, legacy_versions};

fn required() -> Value {
    json!({"requiredCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}}})
}

#[tokio::test]
async fn the_extension_is_declared_where_there_are_tasks() {
    let server = conformance();
    let discovered = client(&server, MODERN).discover().await;
    let declared = &discovered.result()["capabilities"];
    assert_eq!(
        declared["extensions"],
        json!({"io.modelcontextprotocol/tasks": {}})
    );
    assert_eq!(declared.get("tasks"), None);
    for version in legacy_versions() {
        let hello = client(&server, version).initialize().await;
        let declared = &hello.result()["capabilities"];
        assert_eq!(
            (declared.get("extensions"), declared.get("tasks")),
            (None, None)
        );
    }
}

#[tokio::test]
async fn a_client_that_does_not_declare_tasks_gets_no_task() {
    let server = conformance();
    let arguments = json!({"seconds": 0, "label": "x"});
    let undeclared = [
        json!({}),
        json!({"elicitation": {}}),
        json!({"extensions": {}}),
        json!({"extensions": {"example.com/other": {"a": 1}}}),
        json!({"tasks": {}}),
    ];
    for capabilities in undeclared {
        let client = client(&server, MODERN).capabilities(capabilities.clone());
        let response = client.call("slow_compute", arguments.clone()).await;
        assert_eq!(
            response.result()["resultType"],
            "complete",
            "{capabilities}"
        );
        assert_eq!(response.text(), "x is computed.");
        let response = client.call("failing_job", json!({})).await;
        assert_eq!(assert_refused(&response, 400, -32021).data, required());
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            let response = client.request(method, json!({"taskId": "t"})).await;
            assert_eq!(
                assert_refused(&response, 400, -32021).data,
                required(),
                "{method}"
            );
        }
    }
    // What one request declared does not hold for the next.
    Created::by(&tasks_client(&server), "slow_compute", arguments.clone()).await;
    let response = client(&server, MODERN)
        .call("slow_compute", arguments)
        .await;
    assert_eq!(response.text(), "x is computed.");
}

#[tokio::test]
async fn an_older_client_gets_the_result_or_advice() {
    let server = conformance();
    for version in legacy_versions() {
        // Legacy requests declare nothing, whatever they have in `_meta`.
        let client = client(&server, version)
            .meta("io.modelcontextprotocol/clientCapabilities", capabilities());
        let response = client
            .call("slow_compute", json!({"seconds": 0, "label": "x"}))
            .await;
        assert_eq!(response.text(), "x is computed.", "{version}");
        let response = client.call("failing_job", json!({})).await;
        assert!(response.is_error());
        assert!(response.text().contains("2026-07-28"), "{response}");
        let response = client
            .call("confirm_delete", json!({"filename": "a"}))
            .await;
        assert!(response.is_error());
        assert!(response.text().contains("2026-07-28"), "{response}");
        for method in [
            "tasks/get",
            "tasks/update",
            "tasks/cancel",
            "tasks/result",
            "tasks/list",
        ] {
            let response = client.request(method, json!({"taskId": "t"})).await;
            assert_refused(&response, 200, -32601);
        }
        let tools = client.tools().await;
        assert_eq!(tools.get("slow_compute").get("execution"), None);
    }
}

#[tokio::test]
async fn methods_of_earlier_drafts_and_hints_are_not_known() {
    let server = conformance();
    let client = tasks_client(&server);
    for method in ["tasks/result", "tasks/list", "tasks/resume"] {
        assert_refused(
            &client.request(method, json!({"taskId": "t"})).await,
            404,
            -32601,
        );
    }
    // The hint of an earlier draft makes no task.
    let hint = json!({"ttl": 60_000, "pollInterval": 100});
    let response = client
        .call("greet", json!({"name": "Ada"}))
        .param("task", hint)
        .await;
    assert_eq!(response.text(), "Hello, Ada!");
}

#[tokio::test]
async fn without_an_engine_every_tool_runs_within_the_call() {
    async fn hello(_task: Task) -> &'static str {
        "Hello."
    }
    let server = Server::builder("hello", "1")
        .tool(task_tool("hello", hello))
        .build()
        .unwrap();
    let client = tasks_client(&server);
    assert_eq!(client.call("hello", json!({})).await.text(), "Hello.");
    let response = client.request("tasks/get", json!({"taskId": "t"})).await;
    assert_refused(&response, 404, -32601);
    assert_eq!(
        client.discover().await.result()["capabilities"].get("extensions"),
        None
    );

    let required = Server::builder("hello", "1").tool(task_tool("hello", hello).requires_tasks());
    let error = required.build().unwrap_err();
    assert_eq!(
        error,
        BuildError::NoTasks {
            tool: "hello".to_owned()
        }
    );
    async fn plain() -> &'static str {
        "Hello."
    }
    let plain = Server::builder("hello", "1")
        .tasks(Tasks::local())
        .tool(tool("hello", plain).requires_tasks());
    let error = plain.build().unwrap_err();
    assert_eq!(
        error,
        BuildError::NotATask {
            tool: "hello".to_owned()
        }
    );
}

#[tokio::test]
async fn a_server_without_task_tools_has_no_tasks() {
    async fn hello() -> &'static str {
        "Hello."
    }
    let server = Server::builder("hello", "1").tasks(Tasks::local());
    let server = server.tool(tool("hello", hello)).build().unwrap();
    let client = tasks_client(&server);
    assert_eq!(
        client.discover().await.result()["capabilities"].get("extensions"),
        None
    );
    let response = client.request("tasks/get", json!({"taskId": "t"})).await;
    assert_refused(&response, 404, -32601);
}

#[tokio::test]
async fn questions_before_a_task_are_answered_before_it_is_created() {
    let server = conformance();
    let client = tasks_client(&server);
    let asked = client.call("test_tool_with_task", json!({})).await;
    assert!(asked.is_input_required(), "{asked}");
    assert_eq!(asked.result().get("taskId"), None);
    let answer = Answer::accept(json!({"name": "Ada"}));
    let created = client.resume(&asked).answer("user_name", answer).await;
    let result = created.result();
    assert_eq!(result["resultType"], "task");
    assert_eq!(
        (result.get("requestState"), result.get("inputRequests")),
        (None, None)
    );
    let id = result["taskId"].as_str().unwrap().to_owned();
    let done = Created {
        client: client.clone(),
        id,
    }
    .status("completed")
    .await;
    assert_eq!(text(&done), "Hello, Ada!");
    // The tool refuses before there is a task.
    let asked = client.call("test_tool_with_task", json!({})).await;
    let refused = client
        .resume(&asked)
        .answer("user_name", Answer::decline())
        .await;
    assert!(refused.is_error());
    assert_eq!(refused.text(), "There is nobody to greet.");
}

#[derive(Deserialize, JsonSchema)]
struct Consent {
    agreed: bool,
}

/// Asks before its only step, or after it.
async fn ask(
    mut task: Task,
    State((early, steps)): State<(bool, Arc<AtomicU32>)>,
) -> Result<String, ToolError> {
    let question = || Question::form::<Consent>("consent", "Go on?");
    let mut answers = Vec::new();
    if early {
        answers.push(task.ask(question()).await?);
    }
    task.progress("Working").await?;
    task.step("count", move |_| {
        steps.fetch_add(1, Ordering::SeqCst);
        async { Ok(()) }
    })
    .await?;
    if !early {
        answers.push(task.ask(question()).await?);
    }
    let agreed = matches!(answers[..], [Elicited::Accept(Consent { agreed: true })]);
    Ok(format!("{agreed}"))
}

fn asking(early: bool) -> (Server, Arc<AtomicU32>) {
    let steps = Arc::new(AtomicU32::new(0));
    let server = Server::builder("asking", "1")
        .tasks(Tasks::local())
        .state((early, Arc::clone(&steps)))
        .tool(task_tool("ask", ask))
        .build();
    (server.unwrap(), steps)
}

#[tokio::test]
async fn within_a_call_a_question_before_the_first_step_is_a_round() {
    let (server, steps) = asking(true);
    let answer = Answer::accept(json!({"agreed": true}));
    let client = client(&server, MODERN).answer("consent", answer);
    let response = client.call("ask", json!({})).progress_token(1).await;
    assert_eq!(response.text(), "true");
    assert_eq!(response.progress()[0].message.as_deref(), Some("Working"));
    assert_eq!(steps.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn within_a_call_a_question_after_a_step_needs_tasks() {
    let (server, steps) = asking(false);
    let answer = Answer::accept(json!({"agreed": true}));
    let inline = client(&server, MODERN).answer("consent", answer);
    let response = inline.call("ask", json!({})).await;
    assert_eq!(assert_refused(&response, 400, -32021).data, required());
    assert_eq!(
        steps.load(Ordering::SeqCst),
        1,
        "the step does not run twice"
    );
    let task = Created::by(&tasks_client(&server), "ask", json!({})).await;
    task.status("input_required").await;
    let answers = json!({"consent": {"action": "accept", "content": {"agreed": true}}});
    task.update(answers).await;
    assert_eq!(text(&task.status("completed").await), "true");
    let response = client(&server, ProtocolVersion::V2025_11_25)
        .call("ask", json!({}))
        .await;
    assert!(response.is_error());
}

#[tokio::test(start_paused = true)]
async fn within_a_call_the_call_timeout_holds() {
    let server =
        crate::fixtures::conformance_with(|server| server.call_timeout(Duration::from_secs(5)));
    let response = client(&server, MODERN)
        .call("slow_compute", json!({"seconds": 60}))
        .await;
    assert!(response.is_error());
    assert!(
        response.text().contains("did not finish in time"),
        "{response}"
    );
    // A task has no such limit.
    let task = Created::by(
        &tasks_client(&server),
        "slow_compute",
        json!({"seconds": 60}),
    )
    .await;
    task.status("completed").await;
}

#[tokio::test]
async fn a_web_page_that_may_only_read_cannot_create_or_change_a_task() {
    let server = crate::fixtures::conformance_with(|server| {
        server.origins(lambda_mcp::server::Origins::any())
    });
    let client = tasks_client(&server);
    let task = Created::by(&client, "confirm_delete", json!({"filename": "a"})).await;
    task.status("input_required").await;
    let page = client.header("Origin", "https://page.example.com");
    let arguments = json!({"filename": "a"});
    assert_refused(&page.call("confirm_delete", arguments).await, 403, -32600);
    let params = json!({"taskId": task.id, "inputResponses": {}});
    for method in ["tasks/update", "tasks/cancel"] {
        assert_refused(&page.request(method, params.clone()).await, 403, -32600);
    }
    assert_eq!(page.request("tasks/get", params).await.status(), 200);
    assert_eq!(task.get().await["status"], "input_required");
}
