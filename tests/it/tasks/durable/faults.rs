//! What a client gets when the API refuses, lags or breaks.

use std::time::Duration;

use lambda_mcp::testing::TestResponse;
use serde_json::{Value, json};

use super::double::{Api, Double, Planned};
use super::{aged, created, execution, server};
use crate::fixtures::assert_refused;
use crate::tasks::{Created, tasks_client};

const YOUNG: Duration = Duration::from_secs(5);
const OLD: Duration = Duration::from_secs(61);

fn not_found() -> Planned {
    Planned::error(404, "ResourceNotFoundException")
}

fn throttled() -> Planned {
    Planned::error(429, "TooManyRequestsException")
}

/// Each request about a task, and the operation that it needs first.
const REQUESTS: [(&str, Api); 4] = [
    ("tools/call", Api::Invoke),
    ("tasks/get", Api::Get),
    ("tasks/update", Api::Callback),
    ("tasks/cancel", Api::Stop),
];

/// A task of some age that asks, and the key of its question.
async fn asking(api: &Double, age: Duration) -> (Created, String) {
    let asked = json!([["size", {"method": "elicitation/create", "params": {
        "mode": "form", "message": "m", "requestedSchema": {"type": "object", "properties": {}}}}]]);
    let started = |id: u32, kind: &str, name: &str| {
        json!({"Id": id.to_string(), "EventId": id, "EventType": kind,
        "Name": name, "EventTimestamp": 1_796_000_000})
    };
    let mut step = started(1, "StepSucceeded", "mcp.ask");
    step["StepSucceededDetails"] =
        json!({"Result": {"Payload": asked.to_string()}, "RetryDetails": {}});
    let mut callback = started(2, "CallbackStarted", "mcp.input:0");
    callback["CallbackStartedDetails"] = json!({"CallbackId": "c"});
    api.always(Api::Get, Planned::ok(execution("RUNNING", json!({}))));
    api.always(
        Api::History,
        Planned::ok(json!({"Events": [callback, step]})),
    );
    let task = aged(&tasks_client(&server(api)), "multi_input", age);
    let got = task.get().await;
    let key = got["inputRequests"]
        .as_object()
        .unwrap()
        .keys()
        .next()
        .unwrap();
    let key = key.clone();
    // As on another instance, which has read nothing yet.
    let task = aged(&tasks_client(&server(api)), "multi_input", age);
    for operation in [Api::Get, Api::History] {
        api.asked(operation);
    }
    (task, key)
}

async fn send(task: &Created, method: &str, key: &str) -> TestResponse {
    match method {
        "tools/call" => task.client.call("multi_input", json!({})).await,
        "tasks/update" => {
            let answers = json!({key: {"action": "cancel"}});
            task.request(method, json!({"inputResponses": answers}))
                .await
        }
        _ => task.request(method, json!({})).await,
    }
}

#[tokio::test]
async fn a_throttled_call_is_429_with_the_time_to_wait() {
    for (method, operation) in REQUESTS {
        for (retry_after, expected) in [
            (None, 1),
            (Some("7"), 7),
            (Some("86400"), 60),
            (Some("soon"), 1),
        ] {
            let api = Double::start().await;
            let (task, key) = asking(&api, YOUNG).await;
            let answer = throttled();
            let answer = match retry_after {
                Some(wait) => answer.header("retry-after", wait),
                None => answer,
            };
            api.always(operation, answer);
            let response = send(&task, method, &key).await;
            let error = assert_refused(&response, 429, 429);
            assert_eq!(
                error.data["retryAfterSeconds"], expected,
                "{method} {retry_after:?}"
            );
            assert_eq!(response.header("retry-after"), Some(&*expected.to_string()));
        }
    }
    // The history is throttled as well.
    let api = Double::start().await;
    let (task, key) = asking(&api, YOUNG).await;
    api.always(Api::History, throttled());
    assert_refused(&send(&task, "tasks/get", &key).await, 429, 429);
}

#[tokio::test]
async fn a_server_error_is_tried_again_once() {
    for (method, operation) in REQUESTS {
        let api = Double::start().await;
        let (task, key) = asking(&api, YOUNG).await;
        let broken = Planned::error(500, "ServiceException");
        api.always(operation, broken.clone());
        let response = send(&task, method, &key).await;
        let error = assert_refused(&response, 200, -32603);
        assert_eq!(error.message, "Internal error", "{method}");
        let asked = api.asked(operation);
        assert_eq!(asked.len(), 2, "{method}");
        // The second attempt is the same: a start has the same name.
        assert_eq!(asked[0].body, asked[1].body, "{method}");

        let works = match operation {
            Api::Invoke => None,
            Api::Get => Some(execution("STOPPED", json!({}))),
            Api::Stop => Some(json!({"StopTimestamp": 1_796_000_009})),
            Api::History | Api::Callback => Some(json!({})),
        };
        if let Some(works) = works {
            api.plan(operation, [broken, Planned::ok(works)]);
            assert_eq!(
                send(&task, method, &key).await.result()["resultType"],
                "complete"
            );
        }
    }
}

#[tokio::test]
async fn a_refusal_is_an_internal_error_without_its_words() {
    for kind in [
        "AccessDeniedException",
        "KMSAccessDeniedException",
        "Surprise",
    ] {
        for (method, operation) in REQUESTS {
            let api = Double::start().await;
            let (task, key) = asking(&api, YOUNG).await;
            api.always(operation, Planned::error(403, kind));
            let response = send(&task, method, &key).await;
            assert_refused(&response, 200, -32603);
            let shown = response.message().to_string();
            assert!(
                !shown.contains("planted") && !shown.contains(kind),
                "{shown}"
            );
        }
    }
}

#[tokio::test]
async fn an_execution_that_does_not_show_yet_is_working() {
    let api = Double::start().await;
    let client = tasks_client(&server(&api));
    api.always(Api::Get, not_found());
    let got = aged(&client, "slow_compute", YOUNG).get().await;
    assert_eq!(got["status"], "working");
    assert_eq!(got["lastUpdatedAt"], got["createdAt"]);
    // Right after its creation as well: "the task is durably created" before the answer.
    let new = created(&api, "slow_compute", json!({"seconds": 1})).await;
    assert_eq!(new.get().await["status"], "working");

    // The execution shows, and its history lags.
    let api = Double::start().await;
    let client = tasks_client(&server(&api));
    api.always(Api::Get, Planned::ok(execution("RUNNING", json!({}))));
    api.always(Api::History, not_found());
    let got = aged(&client, "slow_compute", YOUNG).get().await;
    assert_eq!(got["status"], "working");
}

#[tokio::test]
async fn an_execution_that_does_not_show_after_a_minute_is_unknown() {
    let api = Double::start().await;
    let client = tasks_client(&server(&api));
    api.always(Api::Get, not_found());
    api.always(Api::Stop, not_found());
    let task = aged(&client, "slow_compute", OLD);
    for method in ["tasks/get", "tasks/cancel"] {
        let error = assert_refused(&task.request(method, json!({})).await, 200, -32602);
        assert!(
            error.message.contains("there is no such task"),
            "{}",
            error.message
        );
    }
    assert_eq!(api.asked(Api::Stop).len(), 1);
    // A history that is gone while the execution shows.
    api.always(Api::Get, Planned::ok(execution("RUNNING", json!({}))));
    api.always(Api::History, not_found());
    assert_refused(&task.request("tasks/get", json!({})).await, 200, -32602);
}

#[tokio::test]
async fn a_cancellation_waits_for_an_execution_to_show() {
    let api = Double::start().await;
    let client = tasks_client(&server(&api));
    let stopped = Planned::ok(json!({"StopTimestamp": 1_796_000_009}));
    api.plan(Api::Stop, [not_found(), not_found(), stopped]);
    aged(&client, "slow_compute", YOUNG).cancel().await;
    assert_eq!(api.asked(Api::Stop).len(), 3);
    // If it does not show, nothing was cancelled, and the client is to come back.
    api.always(Api::Stop, not_found());
    let response = aged(&client, "slow_compute", YOUNG)
        .request("tasks/cancel", json!({}))
        .await;
    assert_refused(&response, 429, 429);
    assert_eq!(api.asked(Api::Stop).len(), 3);
}

#[tokio::test]
async fn a_start_that_the_service_does_not_take_creates_no_task() {
    let api = Double::start().await;
    let client = tasks_client(&server(&api));
    let compute = json!({"seconds": 1});
    let rows = [
        (
            Planned::error(409, "DurableExecutionAlreadyStartedException"),
            -32602,
        ),
        (Planned::error(413, "RequestTooLargeException"), -32602),
        (Planned::error(404, "ResourceNotFoundException"), -32602),
        (
            Planned::error(400, "InvalidParameterValueException"),
            -32603,
        ),
        // A function that is not durable: the invocation has no execution.
        (Planned::ok(Value::Null), -32603),
    ];
    for (answer, code) in rows {
        api.always(Api::Invoke, answer.clone());
        let response = client.call("slow_compute", compute.clone()).await;
        assert_refused(&response, 200, code);
        assert_eq!(api.asked(Api::Invoke).len(), 1, "{answer:?}");
    }
    // Arguments that AWS would refuse are not sent.
    api.starts();
    let label = "x".repeat(1_000_000);
    let response = client
        .call("slow_compute", json!({"seconds": 1, "label": label}))
        .await;
    let error = assert_refused(&response, 200, -32602);
    assert!(error.message.contains("1 MB"), "{}", error.message);
    assert!(api.asked(Api::Invoke).is_empty());
}

#[tokio::test]
async fn an_api_that_cannot_be_reached_is_an_internal_error() {
    let api = Double::start().await;
    let port = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let closed = format!("http://{}", port.local_addr().unwrap());
    drop(port);
    let tasks = lambda_mcp::tasks::Tasks::durable_with_config(
        super::WORKER,
        crate::aws_http::config(&closed),
    );
    let server = crate::fixtures::conformance_with(|server| {
        server.tasks(tasks).request_state_key(super::key())
    });
    let response = tasks_client(&server)
        .call("slow_compute", json!({"seconds": 1}))
        .await;
    let error = assert_refused(&response, 200, -32603);
    assert_eq!(error.message, "Internal error");
    assert!(api.asked(Api::Invoke).is_empty());
}
