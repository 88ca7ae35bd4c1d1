//! What a task does and asks, read from its history, and the answers.

use serde_json::{Value, json};

use super::double::{Api, Double, Planned};
use super::{EXECUTION, aged, created, execution, server};
use crate::tasks::{Created, tasks_client};

/// The events of a history, oldest first.
struct Events(Vec<Value>);

impl Events {
    fn new() -> Self {
        Self(vec![json!({"EventType": "ExecutionStarted", "Name": "n"})])
    }

    fn add(mut self, id: &str, kind: &str, name: &str, details: Value) -> Self {
        let mut event = json!({"Id": id, "EventType": kind, "Name": name});
        event[format!("{kind}Details")] = details;
        self.0.push(event);
        self
    }

    fn step(self, id: &str, name: &str, recorded: &Value) -> Self {
        let details = json!({"Result": {"Payload": recorded.to_string()}, "RetryDetails": {}});
        self.add(id, "StepStarted", name, json!({}))
            .add(id, "StepSucceeded", name, details)
    }

    fn opened(self, id: &str, index: usize) -> Self {
        let details = json!({"CallbackId": format!("callback-{id}")});
        self.add(
            id,
            "CallbackStarted",
            &format!("mcp.input:{index}"),
            details,
        )
    }

    fn answered(self, id: &str, index: usize) -> Self {
        self.add(
            id,
            "CallbackSucceeded",
            &format!("mcp.input:{index}"),
            json!({}),
        )
    }

    fn asked(self, id: &str, keys: &[&str]) -> Self {
        let questions: Vec<Value> = keys.iter().map(|key| json!([key, question(key)])).collect();
        self.step(id, "mcp.ask", &json!(questions))
    }

    /// The answer of the API: the newest first.
    fn page(&self) -> Planned {
        Planned::ok(json!({"Events": self.numbered()}))
    }

    fn numbered(&self) -> Vec<Value> {
        let numbered = (1..).zip(&self.0).map(|(number, event)| {
            let mut event = event.clone();
            event["EventId"] = json!(number);
            event["EventTimestamp"] = json!(1_896_000_000 + number);
            event
        });
        let mut events: Vec<Value> = numbered.collect();
        events.reverse();
        events
    }
}

fn question(key: &str) -> Value {
    let schema = json!({"type": "object", "properties": {"confirm": {"type": "boolean"}}});
    json!({"method": "elicitation/create", "params": {
        "mode": "form", "message": key, "requestedSchema": schema}})
}

/// The keys that a client answers by, without their signed part.
fn keys(task: &Value) -> Vec<&str> {
    let open = task["inputRequests"].as_object().unwrap();
    open.keys()
        .map(|key| key.split_once('~').unwrap().0)
        .collect()
}

async fn running(api: &Double, events: &Events) -> Created {
    api.always(Api::Get, Planned::ok(execution("RUNNING", json!({}))));
    api.always(Api::History, events.page());
    created(api, "multi_input", json!({})).await
}

#[tokio::test]
async fn the_newest_report_is_the_message() {
    let api = Double::start().await;
    let events = Events::new()
        .step("1", "mcp.progress", &json!("Reading"))
        .step("2", "load", &json!({"ok": 1}))
        .step("3", "mcp.progress", &json!("Writing \"é\""))
        .step("4", "_mcp.progress", &json!({"ok": "not a report"}));
    let task = running(&api, &events).await;
    let got = task.get().await;
    assert_eq!(
        (&got["status"], &got["statusMessage"]),
        (&json!("working"), &json!("Writing \"é\""))
    );
    assert_eq!(got["lastUpdatedAt"], "2030-01-30T10:40:09.000Z");
    let [history] = &api.asked(Api::History)[..] else {
        panic!("one page");
    };
    for part in [
        EXECUTION,
        "/history?",
        "ReverseOrder=true",
        "IncludeExecutionData=true",
    ] {
        assert!(history.target.contains(part), "{}", history.target);
    }
}

#[tokio::test]
async fn open_callbacks_are_the_questions_and_their_answers_are_sent_once() {
    let api = Double::start().await;
    let asked = Events::new()
        .asked("1", &["first", "second"])
        .opened("2", 0)
        .opened("3", 1);
    let task = running(&api, &asked).await;
    let got = task.get().await;
    assert_eq!(
        (&got["status"], keys(&got)),
        (&json!("input_required"), vec!["first", "second"])
    );
    let open = got["inputRequests"].as_object().unwrap().clone();
    assert_eq!(
        open.values().collect::<Vec<_>>(),
        [&question("first"), &question("second")]
    );
    // The keys are the same at the next look.
    let elsewhere = aged(
        &tasks_client(&server(&api)),
        "multi_input",
        std::time::Duration::ZERO,
    );
    assert_eq!(
        elsewhere.get().await["inputRequests"],
        Value::Object(open.clone())
    );

    api.asked(Api::History);
    api.always(Api::Callback, Planned::ok(json!({})));
    let second = open.keys().nth(1).unwrap();
    let answer = json!({"action": "accept", "content": {"confirm": true}});
    task.update(json!({second: answer})).await;
    let [sent] = &api.asked(Api::Callback)[..] else {
        panic!("one answer");
    };
    assert!(sent.target.contains("/callback-3/"), "{}", sent.target);
    assert_eq!(sent.json(), answer);
    // An answer needs no look, and the next look is a new one.
    assert!(api.asked(Api::History).is_empty());
    api.always(Api::History, asked.answered("3", 1).page());
    assert_eq!(keys(&task.get().await), ["first"]);
}

#[tokio::test]
async fn only_the_newest_questions_can_be_open() {
    let api = Double::start().await;
    let events = Events::new()
        .asked("1", &["size"])
        .opened("2", 0)
        .answered("2", 0)
        .step("3", "mcp.progress", &json!("Checking"))
        .asked("4", &["size-2", "color"])
        .opened("5", 0);
    let task = running(&api, &events).await;
    // The callback of the second question does not exist yet.
    assert_eq!(keys(&task.get().await), ["size-2"]);
    let api = Double::start().await;
    let after = events.answered("5", 0).opened("6", 1).answered("6", 1);
    let task = running(&api, &after).await;
    let got = task.get().await;
    assert_eq!(
        (&got["status"], &got["statusMessage"]),
        (&json!("working"), &json!("Checking"))
    );
}

#[tokio::test]
async fn an_answer_that_nobody_waits_for_is_acknowledged() {
    let api = Double::start().await;
    let events = Events::new().asked("1", &["first"]).opened("2", 0);
    let task = running(&api, &events).await;
    let got = task.get().await;
    let (key, _) = got["inputRequests"]
        .as_object()
        .unwrap()
        .iter()
        .next()
        .unwrap();
    // The keys of the tool alone, of another task, and altered ones are not sent.
    let other = running(&api, &events).await;
    api.starts();
    let altered = key.replace('.', "A.");
    task.update(json!({"first": {}, "other": {}, "~": {}, altered: {}}))
        .await;
    assert!(api.asked(Api::Callback).is_empty());
    for late in [
        "CallbackTimeoutException",
        "ResourceNotFoundException",
        "InvalidParameterValueException",
    ] {
        api.always(Api::Callback, Planned::error(400, late));
        other.update(json!({key: {"action": "cancel"}})).await;
        assert_eq!(api.asked(Api::Callback).len(), 1, "{late}");
    }
}

#[tokio::test]
async fn older_pages_are_read_for_what_is_missing_and_no_further() {
    let api = Double::start().await;
    let long = (0..150).fold(
        Events::new()
            .asked("a", &["old"])
            .opened("b", 0)
            .answered("b", 0)
            .step("p", "mcp.progress", &json!("Counting")),
        |events, n| events.step(&n.to_string(), "count", &json!({"ok": n})),
    );
    let events = long.numbered();
    let pages = events.chunks(100).enumerate().map(|(number, page)| {
        Planned::ok(json!({"Events": page, "NextMarker": format!("page-{number}")}))
    });
    api.always(Api::Get, Planned::ok(execution("RUNNING", json!({}))));
    api.plan(
        Api::History,
        pages.chain([Planned::ok(json!({"Events": []}))]),
    );
    let task = created(&api, "multi_input", json!({})).await;
    let got = task.get().await;
    assert_eq!(
        (&got["status"], &got["statusMessage"]),
        (&json!("working"), &json!("Counting"))
    );
    let asked = api.asked(Api::History);
    assert_eq!(asked.len(), 4);
    assert!(
        asked[1].target.contains("Marker=page-0"),
        "{}",
        asked[1].target
    );

    // A history without end is read in five pages at most.
    let api = Double::start().await;
    let events = Events::new()
        .step("1", "count", &json!({"ok": 1}))
        .numbered();
    let endless = Planned::ok(json!({"Events": events, "NextMarker": "more"}));
    api.always(Api::Get, Planned::ok(execution("RUNNING", json!({}))));
    api.always(Api::History, endless);
    let task = created(&api, "multi_input", json!({})).await;
    assert_eq!(task.get().await["status"], "working");
    assert_eq!(api.asked(Api::History).len(), 5);
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_left_out() {
    let api = Double::start().await;
    let events = Events::new()
        .step("1", "mcp.progress", &json!({"not": "a text"}))
        .step("2", "mcp.ask", &json!("not questions"))
        .opened("3", 0)
        .opened("4", 7);
    let task = running(&api, &events).await;
    let got = task.get().await;
    assert_eq!(
        (&got["status"], got.get("statusMessage")),
        (&json!("working"), None)
    );
}
