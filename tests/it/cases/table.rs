//! The format of `tests/data/cases.jsonl`.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

/// One line of the table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) area: String,
    pub(crate) layer: String,
    pub(crate) summary: String,
    pub(crate) request: RequestSpec,
    pub(crate) expect: Expect,
    #[serde(rename = "era")]
    _era: String,
    #[serde(rename = "priority")]
    _priority: u8,
    #[serde(rename = "basis")]
    _basis: String,
    #[serde(rename = "fault")]
    _fault: String,
    #[serde(rename = "rule")]
    _rule: String,
}

/// What is sent: one request, steps, a loop, or Lambda events; or what is compared.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum RequestSpec {
    Steps(Steps),
    Loop(Loop),
    Event(EventSpec),
    Events(Events),
    Unit(Unit),
    Faults(Faults),
    One(HttpSpec),
}

/// A sequence on one server.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Steps {
    pub(crate) steps: Vec<Step>,
    /// The configuration to run with, in words.
    pub(crate) env: Option<String>,
    /// How often to go through the steps, in words.
    pub(crate) repeat: Option<String>,
}

/// One step of a sequence.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Step {
    /// Something the harness does, in words.
    Action(String),
    Event(EventSpec),
    Request(HttpSpec),
}

/// A request to repeat, in words.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Loop {
    #[serde(rename = "loop")]
    pub(crate) what: String,
}

/// One Lambda event as it stands.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventSpec {
    pub(crate) event: Value,
}

/// Several Lambda events.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Events {
    pub(crate) events: Vec<Value>,
}

/// Arguments of a function for which it gives the same, or something else.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Unit {
    pub(crate) unit: String,
    #[serde(default)]
    pub(crate) pairs_equal: Vec<[Value; 2]>,
    #[serde(default)]
    pub(crate) pairs_different: Vec<[Value; 2]>,
}

/// Requests while the store of the limits fails.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Faults {
    pub(crate) store_fault: Vec<String>,
    #[serde(rename = "then")]
    _then: Vec<HttpSpec>,
}

/// One HTTP request; at most one of the bodies is there.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HttpSpec {
    pub(crate) method: String,
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) headers: Map<String, Value>,
    pub(crate) body: Option<Value>,
    pub(crate) body_raw: Option<String>,
    pub(crate) body_base64: Option<String>,
    pub(crate) body_generator: Option<String>,
}

/// What a right answer looks like.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expect {
    pub(crate) status: Value,
    pub(crate) headers: Option<Map<String, Value>>,
    pub(crate) jsonrpc: Option<Map<String, Value>>,
    pub(crate) body_contains: Option<String>,
    pub(crate) deadline_ms: Option<u64>,
    #[serde(default)]
    pub(crate) log_not_contains: Vec<String>,
    #[serde(rename = "notes")]
    _notes: Option<String>,
}

/// The table as it is kept.
pub(crate) fn text() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases.jsonl");
    std::fs::read_to_string(path).expect("tests/data/cases.jsonl")
}

/// All cases, with our own decisions in the place of the expectations they replace.
pub(crate) fn load() -> Vec<Case> {
    let parse = |line: &str| {
        let mut case: Value = serde_json::from_str(line).unwrap();
        super::decisions::apply(&mut case);
        let id = case["id"].clone();
        serde_json::from_value(case).unwrap_or_else(|error| panic!("{id}: {error}"))
    };
    text().lines().map(parse).collect()
}
