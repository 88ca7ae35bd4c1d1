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

/// The requests of a case, or the values that it compares.
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
    /// The configuration, in words.
    pub(crate) env: Option<String>,
    /// The number of repetitions, in words.
    pub(crate) repeat: Option<String>,
}

/// One step of a sequence.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Step {
    /// An action, in words.
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

/// A Lambda event.
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

/// Pairs of arguments for which a function must return equal or different values.
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

/// An HTTP request. At most one of the bodies is present.
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

/// The expected response.
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

/// Reads the table.
pub(crate) fn text() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases.jsonl");
    std::fs::read_to_string(path).expect("tests/data/cases.jsonl")
}

/// Returns all cases, with the decisions applied.
pub(crate) fn load() -> Vec<Case> {
    let parse = |line: &str| {
        let mut case: Value = serde_json::from_str(line).unwrap();
        super::decisions::apply(&mut case);
        let id = case["id"].clone();
        serde_json::from_value(case).unwrap_or_else(|error| panic!("{id}: {error}"))
    };
    text().lines().map(parse).collect()
}
