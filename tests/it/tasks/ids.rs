//! Task ids: signed, bound to their owner, and mirrored in a header.

use lambda_mcp::server::RequestStateKey;
use lambda_mcp::testing::TestClient;
use serde_json::{Value, json};

use super::{Created, MODERN, capabilities, tasks_client};
use crate::fixtures::{assert_refused, cases, client, conformance, conformance_with};

const METHODS: [&str; 3] = ["tasks/get", "tasks/update", "tasks/cancel"];

fn params(id: &str) -> Value {
    json!({"taskId": id, "inputResponses": {}})
}

/// The error of a request about a task that does not exist for the client.
async fn refused(client: &TestClient, method: &str, id: &str) -> Value {
    let response = client.request(method, params(id)).await;
    let error = assert_refused(&response, 200, -32602);
    assert!(
        error.message.contains("there is no such task"),
        "{}",
        error.message
    );
    response.message()["error"].clone()
}

#[tokio::test]
async fn invented_and_altered_ids_are_unknown() {
    let server = conformance();
    let client = tasks_client(&server);
    let task = Created::by(&client, "confirm_delete", json!({"filename": "a"})).await;
    let id = &task.id;
    let flipped = (0..id.len()).step_by(11).map(|at| {
        let byte = if &id[at..=at] == "A" { "B" } else { "A" };
        format!("{}{byte}{}", &id[..at], &id[at + 1..])
    });
    let altered = flipped.chain([
        "00000000-0000-4000-8000-00000000dead".to_owned(),
        format!("{id}x"),
        id.replace('.', ""),
        "x".repeat(5000),
    ]);
    for id in altered {
        for method in METHODS {
            refused(&client, method, &id).await;
        }
    }
    task.status("input_required").await;
}

#[tokio::test]
async fn a_request_state_is_not_a_task_id_and_the_other_way_round() {
    let server = conformance();
    let client = tasks_client(&server);
    let asked = client.call("test_tool_with_task", json!({})).await;
    let state = asked.request_state().unwrap();
    refused(&client, "tasks/get", state).await;
    let task = Created::by(&client, "confirm_delete", json!({"filename": "a"})).await;
    let call = client
        .call("test_tool_with_task", json!({}))
        .request_state(task.id.as_str());
    let error = assert_refused(&call.await, 200, -32602);
    assert!(
        error.message.contains("not issued by this server"),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn ids_of_another_key_are_unknown() {
    let keyed = |secret: &str| {
        let key = RequestStateKey::new(secret).unwrap();
        conformance_with(|server| server.request_state_key(key))
    };
    let one = keyed("0123456789abcdef0123456789abcdef");
    let other = keyed("another secret of thirty-two bytes");
    let task = Created::by(
        &tasks_client(&one),
        "confirm_delete",
        json!({"filename": "a"}),
    )
    .await;
    refused(&tasks_client(&other), "tasks/get", &task.id).await;
}

#[tokio::test]
async fn a_task_of_someone_else_looks_unknown() {
    let server = cases();
    let ada = tasks_client(&server).bearer("test-key-valid");
    let grace = tasks_client(&server).bearer("test-key-B");
    let task = Created::by(&ada, "demo_slow", json!({"n": 1})).await;
    for method in METHODS {
        let foreign = refused(&grace, method, &task.id).await;
        let unknown = refused(&grace, method, "00000000-0000-4000-8000-00000000dead").await;
        assert_eq!(foreign, unknown, "{method}");
    }
    // Nothing of that reached the task.
    task.status("completed").await;
}

#[tokio::test]
async fn a_task_asks_for_the_credential_of_its_tool() {
    let server = cases();
    let ada = tasks_client(&server).bearer("test-key-valid");
    let task = Created::by(&ada, "demo_slow", json!({"n": 1})).await;
    for method in METHODS {
        let nobody = tasks_client(&server);
        let response = nobody.request(method, params(&task.id)).await;
        assert_eq!(response.status(), 401, "{response}");
        assert!(
            response
                .header("www-authenticate")
                .unwrap()
                .contains("demo:write")
        );
        // A client whose token has expired learns that it needs another.
        let expired = tasks_client(&server).bearer("expired");
        let response = expired.request(method, params(&task.id)).await;
        assert_eq!(response.status(), 401, "{response}");
        let reader = tasks_client(&server).bearer("test-key-reader");
        let response = reader.request(method, params(&task.id)).await;
        assert_eq!(response.status(), 403, "{response}");
    }
    task.status("completed").await;
}

#[tokio::test]
async fn the_header_names_the_task() {
    let server = conformance();
    let client = tasks_client(&server);
    let task = Created::by(&client, "confirm_delete", json!({"filename": "a"})).await;
    for method in METHODS {
        let request = || client.request(method, params(&task.id));
        assert_refused(&request().header("Mcp-Name", "another").await, 400, -32020);
        assert_refused(&request().without_header("Mcp-Name").await, 400, -32020);
        let without = client.request(method, json!({"inputResponses": {}}));
        assert_refused(&without.await, 400, -32020);
        assert_eq!(request().await.status(), 200);
    }
}

#[tokio::test]
async fn an_id_reveals_neither_its_owner_nor_a_credential() {
    let server = cases();
    let ada = client(&server, MODERN)
        .capabilities(capabilities())
        .bearer("test-key-valid");
    let task = Created::by(&ada, "demo_slow", json!({"n": 1})).await;
    let (content, _) = task.id.split_once('.').unwrap();
    let content = decoded(content);
    for secret in ["ada", "test-key"] {
        assert!(!content.contains(secret), "{content}");
    }
    assert!(content.contains("demo_slow"), "{content}");
    assert!(task.id.len() < 512, "{} bytes", task.id.len());
}

fn decoded(text: &str) -> String {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::URL_SAFE_NO_PAD
        .decode(text)
        .unwrap();
    String::from_utf8(bytes).unwrap()
}
