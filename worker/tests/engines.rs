//! The same task function on both engines: in memory, and with the journal of a durable execution,
//! which the `LocalRunner` of the SDK replays after each wait, answer and failed attempt.

use std::time::Duration;

use aws_durable_execution_sdk::test_util::{LocalRunner, TestResult};
use lambda_mcp::handler::{Elicited, Question};
use lambda_mcp::tasks::{Retry, StepError, Tasks};
use lambda_mcp::testing::TestClient;
use lambda_mcp::{Args, Json, Server, Task, ToolError, task_tool};
use lambda_mcp_worker::handler;
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// One operation of a generated task.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "op")]
enum Op {
    /// A step that fails some times before it succeeds. Three attempts are made.
    Step {
        fails: u32,
        value: i64,
    },
    /// A step that fails for good.
    Refused {
        reason: String,
    },
    /// A step that runs once.
    Once {
        fails: bool,
    },
    Report {
        text: String,
    },
    Sleep {
        seconds: u64,
    },
    /// A question, and the answers that are given until one fits.
    Ask {
        wrong: usize,
        value: i64,
    },
    /// Several questions at once.
    AskAll {
        values: Vec<i64>,
    },
}

#[derive(Deserialize, JsonSchema)]
struct Program {
    ops: Vec<Op>,
    /// How the task ends.
    end: End,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum End {
    Returns,
    Fails,
    Panics,
    CannotAsk,
}

#[derive(Serialize, JsonSchema)]
struct Log {
    lines: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Number {
    value: i64,
}

fn question(key: &str) -> Question<Elicited<Number>> {
    Question::form::<Number>(key, "Which number?")
}

async fn interpret(
    mut task: Task,
    Args(Program { ops, end }): Args<Program>,
) -> Result<Json<Log>, ToolError> {
    let mut lines = Vec::new();
    for op in ops {
        let line = match op {
            Op::Step { fails, value } => {
                let body = move |step: lambda_mcp::tasks::Step| async move {
                    if step.attempt <= fails {
                        return Err(StepError::again(ToolError::new(format!(
                            "{fails} failures"
                        ))));
                    }
                    Ok((value, step.attempt))
                };
                let attempts = Retry::attempts(3).first_pause(Duration::from_secs(1));
                format!("{:?}", text(task.step("step", body).retry(attempts).await))
            }
            Op::Refused { reason } => {
                let body = move |_| {
                    let error = ToolError::new(reason.clone()).structured(&json!({"a": [1.5]}));
                    async move { Err::<u8, StepError>(error.into()) }
                };
                format!("{:?}", text(task.step("refused", body).await))
            }
            Op::Once { fails } => {
                let body = move |step: lambda_mcp::tasks::Step| async move {
                    if fails {
                        return Err(std::io::Error::other("SENTINEL").into());
                    }
                    Ok(step.attempt)
                };
                format!("{:?}", text(task.step_once("once", body).await))
            }
            Op::Report { text } => {
                task.progress(text).await?;
                "reported".to_owned()
            }
            Op::Sleep { seconds } => {
                task.sleep(Duration::from_secs(seconds)).await?;
                "slept".to_owned()
            }
            Op::Ask { .. } => format!("{:?}", task.ask(question("q~1")).await?),
            Op::AskAll { values } => {
                let questions = values.iter().map(|_| question("all")).collect::<Vec<_>>();
                format!("{:?}", task.ask_all(questions).await?)
            }
        };
        lines.push(line);
    }
    match end {
        End::Returns => Ok(Json(Log { lines })),
        End::Fails => Err(ToolError::new(lines.join("\n")).structured(&json!({"lines": lines}))),
        End::Panics => panic!("planned"),
        End::CannotAsk => {
            task.ask(Question::roots("roots")).await?;
            Err(ToolError::new("The client was asked for its directories."))
        }
    }
}

/// A result as text, for the log of a task.
fn text<T: std::fmt::Debug>(result: Result<T, ToolError>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

/// The answers to the questions, in their order. Wrong ones come first.
fn answers(ops: &[Op]) -> Vec<Value> {
    let accept = |value: i64| json!({"action": "accept", "content": {"value": value}});
    let mut answers = Vec::new();
    for op in ops {
        match op {
            Op::Ask { wrong, value } => {
                answers.extend((0..*wrong).map(|_| json!({"action": "perhaps"})));
                answers.push(accept(*value));
            }
            Op::AskAll { values } => answers.extend(values.iter().map(|value| accept(*value))),
            _ => {}
        }
    }
    answers
}

fn server() -> Server {
    let server = Server::builder("engines", "1").tasks(Tasks::local());
    server
        .tool(task_tool("interpret", interpret))
        .build()
        .unwrap()
}

fn arguments(ops: &[Op], end: End) -> Value {
    json!({"ops": ops, "end": end})
}

const CAPABILITIES: &str =
    r#"{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;

/// How a task ended: its result or its error.
async fn in_memory(ops: &[Op], end: End) -> Result<Value, Value> {
    let capabilities: Value = serde_json::from_str(CAPABILITIES).unwrap();
    let client = TestClient::new(server()).capabilities(capabilities);
    let created = client.call("interpret", arguments(ops, end)).await;
    let id = created.result()["taskId"].as_str().unwrap().to_owned();
    let mut answers = answers(ops).into_iter();
    for _ in 0..10_000 {
        let got = client.request("tasks/get", json!({"taskId": id})).await;
        let task = got.result().clone();
        match task["status"].as_str().unwrap() {
            "completed" => return Ok(task["result"].clone()),
            "failed" => return Err(task["error"].clone()),
            "input_required" => {
                let keys = task["inputRequests"].as_object().unwrap().keys();
                let given: serde_json::Map<String, Value> =
                    keys.cloned().zip(&mut answers).collect();
                assert!(!given.is_empty(), "more questions than answers: {task}");
                let params = json!({"taskId": id, "inputResponses": given});
                let updated = client.request("tasks/update", params).await;
                assert_eq!(updated.status(), 200, "{updated}");
            }
            _ => tokio::time::sleep(Duration::from_millis(500)).await,
        }
    }
    panic!("the task hangs");
}

async fn with_journal(ops: &[Op], end: End) -> (Result<Value, Value>, TestResult<Box<RawValue>>) {
    let mut runner = LocalRunner::new().max_invocations(1000);
    for answer in answers(ops) {
        runner = runner.callback_success(&answer);
    }
    let payload = json!({
        "id": "t1",
        "tool": "interpret",
        "arguments": arguments(ops, end),
        "capabilities": serde_json::from_str::<Value>(CAPABILITIES).unwrap(),
    });
    let result = runner.run(handler(server()), payload).await;
    let ended = match result.output() {
        Some(json) => Ok(serde_json::from_str(json.get()).unwrap()),
        None => {
            let message = result.error_message().expect("an end");
            Err(serde_json::from_str(message).unwrap_or_else(|_| panic!("{message}")))
        }
    };
    (ended, result)
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        (0_u32..5, any::<i64>()).prop_map(|(fails, value)| Op::Step { fails, value }),
        "[ -~é]{0,8}".prop_map(|reason| Op::Refused { reason }),
        any::<bool>().prop_map(|fails| Op::Once { fails }),
        "[ -~é\n]{0,8}".prop_map(|text| Op::Report { text }),
        (0_u64..90).prop_map(|seconds| Op::Sleep { seconds }),
        (0_usize..4, any::<i64>()).prop_map(|(wrong, value)| Op::Ask { wrong, value }),
        prop::collection::vec(any::<i64>(), 1..4).prop_map(|values| Op::AskAll { values }),
    ]
}

fn end() -> impl Strategy<Value = End> {
    prop_oneof![
        4 => Just(End::Returns),
        1 => Just(End::Fails),
        1 => Just(End::Panics),
        1 => Just(End::CannotAsk),
    ]
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build();
    runtime.unwrap().block_on(future)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_task_ends_alike_on_both_engines(ops in prop::collection::vec(op(), 0..7), end in end()) {
        let local = block_on(in_memory(&ops, end));
        let (durable, _) = block_on(with_journal(&ops, end));
        prop_assert_eq!(&durable, &local);
        let shown = format!("{durable:?}");
        prop_assert!(!shown.contains("SENTINEL"));
    }
}

#[test]
fn each_operation_is_recorded_under_its_name() {
    let ops = [
        Op::Report {
            text: "Reading".to_owned(),
        },
        Op::Step { fails: 2, value: 7 },
        Op::Step { fails: 0, value: 8 },
        Op::Sleep { seconds: 60 },
        Op::AskAll { values: vec![1, 2] },
    ];
    let (ended, result) = block_on(with_journal(&ops, End::Returns));
    let lines = ended.unwrap()["structuredContent"]["lines"].clone();
    assert_eq!(lines[1], "Ok((7, 3))");
    let names: Vec<_> = result
        .operations()
        .iter()
        .map(|op| op.name().unwrap_or("-"))
        .collect();
    let expected = [
        "mcp.progress",
        "step",
        "step#2",
        "mcp.sleep",
        "mcp.ask",
        "mcp.input:0",
        "mcp.input:1",
    ];
    assert_eq!(names, expected);
    // The journal was replayed: after two failed attempts, a wait and two answers.
    assert!(
        result.invocation_count() >= 4,
        "{}",
        result.invocation_count()
    );
}

#[test]
fn a_payload_that_is_not_of_this_server_is_an_internal_error() {
    let internal = json!({"code": -32603, "message": "Internal error"});
    for payload in [
        json!({}),
        json!([1]),
        json!({"id": "t", "tool": "unknown", "arguments": {}}),
        json!({"id": "t", "tool": "interpret", "arguments": {"ops": 1}}),
    ] {
        let result = block_on(LocalRunner::new().run(handler(server()), payload.clone()));
        let message = result.error_message().unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(message).unwrap(),
            internal,
            "{payload}"
        );
    }
}
