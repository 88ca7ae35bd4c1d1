//! The judgement of messages, judged: what breaks the official schemas is seen, what holds is not.

use serde_json::{Value, json};

use crate::harness_works::{Play, scripted};
use harness::{Outcome, SERVED_VERSIONS, Version, official_schemas, typed_check};

/// What the harness finds wrong with an answer to `request`.
fn faults(request: &Value, status: u16, body: &Value) -> String {
    let headers = json!({"content-type": "application/json"});
    let answer = json!({"statusCode": status, "headers": headers, "body": body.to_string()});
    let named = &request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
    let outcome = scripted(Play::Respond(answer))
        .post(request)
        .version(named.as_str().unwrap_or("2025-06-18"))
        .outcome();
    let Outcome::Reply(reply) = outcome else {
        panic!("{outcome:?}")
    };
    reply.faults.join("\n")
}

#[test]
fn results_that_break_the_schema_are_faults() {
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    let modern =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}});
    let legacy = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let cases = [
        (&modern, json!({"tools": []}), "resultType"),
        (
            &modern,
            json!({"tools": [], "resultType": "complete"}),
            "cacheScope",
        ),
        (&legacy, json!({}), "tools"),
        (&legacy, json!({"tools": [], "ttlMs": 0}), "no `/ttlMs`"),
        (&legacy, json!({"tools": [{"name": "a"}]}), "inputSchema"),
    ];
    for (request, result, words) in cases {
        let found = faults(
            request,
            200,
            &json!({"jsonrpc": "2.0", "id": 1, "result": result}),
        );
        assert!(
            found.contains(words),
            "{result}: expected {words:?}, got {found:?}"
        );
    }
    let good = json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}});
    assert_eq!(faults(&legacy, 200, &good), "");
}

/// A task that holds, with other members.
fn task(more: &Value) -> Value {
    let mut task = json!({
        "resultType": "complete", "taskId": "t", "status": "working", "ttlMs": 1,
        "createdAt": "2026-07-28T00:00:00Z", "lastUpdatedAt": "2026-07-28T00:00:00Z",
    });
    for (name, value) in more.as_object().unwrap() {
        task[name] = value.clone();
    }
    task
}

/// Judges results of `method`, each with the words that the fault must have; none if it holds.
fn judge(method: &str, results: &[(Value, &str)]) {
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    let params = json!({"_meta": meta});
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    for (result, words) in results {
        let answer = json!({"jsonrpc": "2.0", "id": 1, "result": result});
        let found = faults(&request, 200, &answer);
        assert_eq!(
            found.is_empty(),
            words.is_empty(),
            "{method} {result}: {found}"
        );
        assert!(found.contains(words), "{method} {result}: {found}");
    }
}

#[test]
fn tasks_that_break_the_schema_are_faults() {
    let created = |more: Value| {
        let mut task = task(&more);
        task["resultType"] = json!("task");
        task
    };
    judge(
        "tools/call",
        &[
            (created(json!({})), ""),
            (created(json!({"ttlMs": 0.5})), "ttlMs"),
            (created(json!({"requestState": "s"})), "requestState"),
        ],
    );
    let called = json!({"content": [], "resultType": "complete"});
    let completed = |result: Value| task(&json!({"status": "completed", "result": result}));
    judge(
        "tasks/get",
        &[
            (task(&json!({})), ""),
            (completed(called.clone()), ""),
            (completed(json!({})), "CallToolResult"),
            (task(&json!({"resultType": "task"})), "GetTaskResult"),
            (task(&json!({"task": {}})), "`task`"),
            (task(&json!({"result": called})), "`result`"),
            (task(&json!({"status": "completed"})), "`result`"),
            (task(&json!({"status": "failed"})), "`error`"),
            (task(&json!({"status": "paused"})), "GetTaskResult"),
        ],
    );
    judge(
        "tasks/cancel",
        &[
            (json!({"resultType": "complete"}), ""),
            (json!({"resultType": "task"}), "CancelTaskResult"),
        ],
    );
}

#[test]
fn messages_that_break_the_schema_are_faults() {
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let error = |code: i64| json!({"code": code, "message": "no"});
    let cases = [
        (
            200,
            json!({"jsonrpc": "2.0", "id": 2, "result": {}}),
            "for no request",
        ),
        (
            200,
            json!({"jsonrpc": "2.0", "id": "1", "error": error(-1)}),
            "nobody sent",
        ),
        (
            200,
            json!({"jsonrpc": "2.0", "id": null, "error": error(-1)}),
            "without an id",
        ),
        (
            400,
            json!({"jsonrpc": "2.0", "id": null, "error": {"code": 1}}),
            "message",
        ),
        (
            400,
            json!({"jsonrpc": "2.0", "id": 1, "error": error(-32022)}),
            "data",
        ),
        (200, json!({"id": 1, "result": {"tools": []}}), "jsonrpc"),
        (
            200,
            json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}, "x": 1}),
            "unknown",
        ),
        (200, json!([]), "0 responses to 1 requests"),
        (
            200,
            json!({"jsonrpc": "2.0", "method": "notifications/x"}),
            "ServerNotification",
        ),
        (
            200,
            json!({"method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}}),
            "JSONRPCNotification",
        ),
    ];
    for (status, body, words) in cases {
        let found = faults(&request, status, &body);
        assert!(
            found.contains(words),
            "{body}: expected {words:?}, got {found:?}"
        );
    }
}

#[test]
fn a_notification_is_good_in_every_version() {
    for version in SERVED_VERSIONS {
        let name = version.name();
        let meta = json!({"io.modelcontextprotocol/protocolVersion": name});
        let request =
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}});
        let told = |params: Value| {
            let body =
                json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
            faults(&request, 202, &body)
        };
        let mut good = json!({"progressToken": 1, "progress": 0.5, "total": 1});
        if version >= Version::V2025_03_26 {
            good["message"] = json!("half");
        }
        assert_eq!(told(good), "", "{name}");
        let bad = told(json!({"progressToken": 1}));
        assert!(bad.contains("ServerNotification"), "{name}: {bad}");
    }
}

#[test]
fn both_schemas_judge_every_version() {
    let _ = official_schemas();
    for version in SERVED_VERSIONS {
        let good = json!({"content": [{"type": "text", "text": "a"}], "resultType": "complete"});
        let mut good = good;
        if !version.is_modern() {
            good.as_object_mut().unwrap().remove("resultType");
        }
        assert_eq!(
            typed_check(version, "CallToolResult", &good),
            Ok(()),
            "{version:?}"
        );
        let bad = json!({"content": [{"type": "text"}], "resultType": "complete"});
        assert!(
            typed_check(version, "CallToolResult", &bad).is_err(),
            "{version:?}"
        );
    }
}
