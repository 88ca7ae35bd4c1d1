//! What takes a clock or full queues to show. `tests/it/stdio` drives the real process.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::channel;
use tokio::task::JoinHandle;

use super::*;
use crate::error::ToolError;
use crate::handler::Context;
use crate::handler::ask::AskingContext;
use crate::handler::{Elicited, IntoToolOutput};
use crate::server::tool::tool;

#[derive(Deserialize, JsonSchema)]
struct Name {
    name: String,
}

async fn greet(context: AskingContext) -> Result<String, ToolError> {
    match context.elicit::<Name>("name", "What is your name?")? {
        Elicited::Accept(Name { name }) => Ok(format!("Hello, {name}.")),
        Elicited::Decline | Elicited::Cancel => Ok("Hello.".to_owned()),
    }
}

async fn sleep() -> &'static str {
    tokio::time::sleep(Duration::from_secs(5)).await;
    "slept"
}

async fn echo() -> &'static str {
    "echo"
}

async fn chat(context: Context) -> impl IntoToolOutput {
    for step in 1..=2000 {
        context.progress(f64::from(step), None, None);
    }
    "said"
}

fn server() -> Server {
    Server::builder("connected", "1.0.0")
        .call_timeout(Duration::from_secs(20))
        .request_state_ttl(Duration::from_secs(60))
        .tool(tool("greet", greet))
        .tool(tool("sleep", sleep))
        .tool(tool("echo", echo))
        .tool(tool("chat", chat))
        .build()
        .unwrap()
}

/// The client's side of a connection.
struct Client {
    input: Option<Sender<Bytes>>,
    output: Receiver<Bytes>,
    served: JoinHandle<()>,
}

impl Client {
    /// `lines`: how many lines of output wait at most.
    fn new(lines: usize) -> Self {
        let (input, pieces) = channel(4);
        let (sender, output) = channel(lines);
        Self {
            input: Some(input),
            output,
            served: tokio::spawn(serve(server(), pieces, sender)),
        }
    }

    /// One that can be asked, after its handshake.
    async fn initialized(lines: usize) -> Self {
        let mut client = Self::new(lines);
        let params = json!({
            "protocolVersion": "2025-11-25",
            "clientInfo": { "name": "unit", "version": "1" },
            "capabilities": { "elicitation": {} },
        });
        client.send(&request(0, "initialize", &params)).await;
        let answer = client.read().await;
        assert_eq!(
            answer["result"]["protocolVersion"], "2025-11-25",
            "{answer}"
        );
        client
    }

    async fn send(&self, message: &Value) {
        let line = format!("{message}\n");
        let input = self.input.as_ref().unwrap();
        input.send(line.into()).await.unwrap();
    }

    async fn read(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(3600), self.output.recv()).await;
        serde_json::from_slice(&line.unwrap().expect("another line")).unwrap()
    }

    /// Calls a tool without arguments.
    async fn call(&self, id: u64, tool: &str) {
        self.send(&request(id, "tools/call", &json!({ "name": tool })))
            .await;
    }
}

fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_default()
}

#[tokio::test(start_paused = true)]
async fn a_question_without_an_answer_ends_the_call_and_is_cancelled() {
    let mut client = Client::initialized(64).await;
    client.call(1, "greet").await;
    let question = client.read().await;
    assert_eq!(question["method"], "elicitation/create");
    // The user has longer for an answer than a handler has for its work.
    tokio::time::sleep(Duration::from_secs(59)).await;
    assert!(client.output.try_recv().is_err());
    let cancelled = client.read().await;
    assert_eq!(
        cancelled["method"], "notifications/cancelled",
        "{cancelled}"
    );
    assert_eq!(cancelled["params"]["requestId"], question["id"]);
    let answer = client.read().await;
    assert_eq!(answer["id"], 1);
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert!(text(&answer).contains("not answered in time"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_user_who_fills_in_the_form_wrongly_is_asked_again_up_to_a_bound() {
    let mut client = Client::initialized(64).await;
    client.call(1, "greet").await;
    let mut questions = 0;
    let answer = loop {
        let message = client.read().await;
        if message["method"] != "elicitation/create" {
            break message;
        }
        questions += 1;
        let result = json!({ "action": "accept", "content": { "name": 7 } });
        let response = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
        client.send(&response).await;
    };
    assert_eq!(questions, 16, "{answer}");
    assert!(text(&answer).contains("16 times"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn answers_are_read_while_every_place_is_taken_by_a_call_that_asks() {
    let mut client = Client::initialized(MAX_CALLS * 2).await;
    let calls = MAX_CALLS as u64;
    for id in 1..=calls {
        client.call(id, "greet").await;
    }
    let mut questions = Vec::new();
    for _ in 0..calls {
        let question = client.read().await;
        assert_eq!(question["method"], "elicitation/create");
        questions.push(question["id"].clone());
    }
    // Another request finds no place, and cannot wait before the answers.
    client.call(calls + 1, "echo").await;
    let refused = client.read().await;
    assert_eq!(refused["id"], calls + 1);
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    for id in questions {
        let result = json!({ "action": "accept", "content": { "name": "Ada" } });
        client
            .send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }))
            .await;
    }
    for _ in 0..calls {
        assert_eq!(text(&client.read().await), "Hello, Ada.");
    }
}

#[tokio::test(start_paused = true)]
async fn calls_in_flight_are_answered_after_the_end_of_the_input() {
    let mut client = Client::initialized(64).await;
    client.call(1, "sleep").await;
    client.call(2, "greet").await;
    assert_eq!(client.read().await["method"], "elicitation/create");
    client.input = None;
    let unanswered = client.read().await;
    assert_eq!(unanswered["id"], 2);
    assert!(
        text(&unanswered).contains("connection ended"),
        "{unanswered}"
    );
    let slept = client.read().await;
    assert_eq!((slept["id"].as_u64(), text(&slept)), (Some(1), "slept"));
    assert!(client.output.recv().await.is_none());
    client.served.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_is_not_read_from() {
    let mut client = Client::initialized(4).await;
    let mut sent = 0_u64;
    let line = |id: u64| {
        Bytes::from(format!(
            "{}\n",
            request(id, "tools/call", &json!({"name": "echo"}))
        ))
    };
    let input = client.input.clone().unwrap();
    let stuck = loop {
        let next = input.send(line(sent + 1));
        // The clock is paused: the minute passes when nothing else can happen.
        match tokio::time::timeout(Duration::from_secs(60), next).await {
            Ok(Ok(())) => sent += 1,
            Ok(Err(gone)) => panic!("{gone}"),
            Err(_elapsed) => break sent,
        }
    };
    let most = (MAX_CALLS + 4 + 4 + 1) as u64;
    assert!((MAX_CALLS as u64..=most).contains(&stuck), "{stuck}");
    // Once it reads, every answer comes.
    let mut ids = Vec::new();
    for _ in 0..stuck {
        ids.push(client.read().await["id"].as_u64().unwrap());
    }
    ids.sort_unstable();
    assert!(ids.into_iter().eq(1..=stuck));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_goes_away_ends_the_connection_and_its_calls() {
    let client = Client::initialized(64).await;
    client.call(1, "sleep").await;
    let Client {
        output,
        served,
        input,
    } = client;
    drop(output);
    tokio::time::timeout(Duration::from_secs(1), served)
        .await
        .expect("the calls are not waited for")
        .unwrap();
    drop(input);
}

#[tokio::test(start_paused = true)]
async fn notifications_come_before_their_answer_and_a_flood_of_them_is_cut() {
    let mut client = Client::initialized(4).await;
    let params = json!({ "name": "chat", "_meta": { "progressToken": "t" } });
    client.send(&request(1, "tools/call", &params)).await;
    let mut heard = 0;
    loop {
        let message = client.read().await;
        if message["id"] == 1 {
            break;
        }
        assert_eq!(message["method"], "notifications/progress");
        heard += 1;
        assert_eq!(
            message["params"]["progress"].as_f64(),
            Some(f64::from(heard))
        );
    }
    assert_eq!(heard, 1000);
}

#[tokio::test(start_paused = true)]
async fn lines_that_wait_for_room_are_served_after_the_end_of_the_input() {
    let mut client = Client::initialized(8).await;
    let calls = 3 * MAX_CALLS as u64;
    let lines: String = (1..=calls)
        .map(|id| {
            format!(
                "{}\n",
                request(id, "tools/call", &json!({ "name": "sleep" }))
            )
        })
        .collect();
    let input = client.input.take().unwrap();
    input.send(lines.into()).await.unwrap();
    drop(input);
    let mut answered = 0;
    while let Some(line) = client.output.recv().await {
        let answer: Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(text(&answer), "slept", "{answer}");
        answered += 1;
    }
    assert_eq!(answered, calls);
}
