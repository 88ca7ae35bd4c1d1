//! Requests from valid to nonsense: valid ones of each method and version, changed in up to three
//! ways.

use serde_json::{Value, json};

use harness::HttpRequest;

use super::bodies;
use super::headers;
use super::random::Random;

pub(crate) const MODERN: &str = "2026-07-28";
pub(crate) const VERSIONS: [&str; 5] = [
    MODERN,
    "2025-11-25",
    "2025-06-18",
    "2025-03-26",
    "2024-11-05",
];

/// A request, and what was done to a valid one to get it.
pub(crate) struct Generated {
    pub(crate) request: HttpRequest,
    /// The method, the version and the changes.
    pub(crate) story: String,
}

/// So many requests, the same ones each time.
pub(crate) fn generate(count: usize) -> impl Iterator<Item = Generated> {
    let mut random = Random::new(0x6d63_7020_6c61_6d62);
    (0..count).map(move |_| one(&mut random))
}

/// A method and its parameters.
#[expect(clippy::too_many_lines, reason = "a table")]
fn calls(random: &mut Random) -> (&'static str, Value) {
    let calls = [
        ("ping", json!({})),
        ("tools/list", json!({})),
        (
            "tools/call",
            json!({"name": "echo", "arguments": {"text": "hi"}}),
        ),
        (
            "tools/call",
            json!({"name": "echo", "arguments": {"text": "ab", "times": 2}}),
        ),
        (
            "tools/call",
            json!({"name": "echo", "arguments": {"text": "", "times": 9}}),
        ),
        (
            "tools/call",
            json!({"name": "echo", "arguments": {"text": 5, "times": null}}),
        ),
        ("tools/call", json!({"name": "echo"})),
        ("tools/call", json!({"name": "hello", "arguments": {}})),
        ("tools/call", json!({"name": "hello"})),
        ("tools/call", json!({"name": "nobody", "arguments": {}})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({"uri": "test://note"})),
        ("resources/read", json!({"uri": "test://items/3"})),
        ("resources/read", json!({"uri": "test://items/99"})),
        ("resources/read", json!({"uri": "test://nothing"})),
        ("prompts/list", json!({})),
        (
            "prompts/get",
            json!({"name": "greet", "arguments": {"name": "Ada"}}),
        ),
        (
            "prompts/get",
            json!({"name": "greet", "arguments": {"name": "Ada", "tone": null}}),
        ),
        ("prompts/get", json!({"name": "greet"})),
        ("prompts/get", json!({"name": "nobody"})),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "tone", "value": "f"}}),
        ),
        (
            "completion/complete",
            json!({
                "ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "tone", "value": "fo"},
                "context": {"arguments": {"name": null}},
            }),
        ),
        ("server/discover", json!({})),
        ("logging/setLevel", json!({"level": "info"})),
        ("subscriptions/listen", json!({"notifications": {}})),
        ("tasks/get", json!({"taskId": "1"})),
        ("nothing/at/all", json!({})),
        ("tools/list", json!({"cursor": "nonsense"})),
        ("tools/list", json!({"cursor": null})),
        ("initialize", json!({})),
        ("notifications/initialized", json!({})),
        ("notifications/cancelled", json!({"requestId": 1})),
        ("notifications/nothing", json!({})),
    ];
    random.pick(&calls)
}

fn one(random: &mut Random) -> Generated {
    let version = random.pick(&VERSIONS);
    if version != MODERN && random.percent(6) {
        return batch(random, version);
    }
    let (method, params) = calls(random);
    let mut message = message(version, method, params, random);
    let mut request = HttpRequest::post(Vec::new());
    headers::standard(&mut request, version, &message);
    let mut story = format!("{version} {method}");
    let changes = random.pick(&[0, 0, 1, 1, 1, 1, 2, 2, 3]);
    let mut changes_text = false;
    for _ in 0..changes {
        let change = match random.below(10) {
            0..4 => headers::change(&mut request, random),
            4..8 => bodies::change_message(&mut message, random),
            8 => bodies::change_id(&mut message, random),
            _ => {
                changes_text = true;
                continue;
            }
        };
        story += " + ";
        story += &change;
    }
    let mut text = message.to_string().into_bytes();
    if changes_text {
        let (change, changed) = bodies::change_text(message.to_string(), random);
        story += " + ";
        story += &change;
        text = changed;
    }
    request.body = Some(text);
    if random.percent(3) {
        let verb = random.pick(&["GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"]);
        verb.clone_into(&mut request.method);
        story = format!("{verb} {story}");
    }
    Generated { request, story }
}

/// A message as a client of the version sends it.
fn message(version: &str, method: &str, params: Value, random: &mut Random) -> Value {
    let mut params = params;
    if method == "initialize" {
        params = json!({
            "protocolVersion": version, "capabilities": {},
            "clientInfo": {"name": "generated", "version": "1"},
        });
    }
    if version == MODERN {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "generated", "version": "1"},
        });
    } else if random.percent(5) {
        params["_meta"] =
            json!({"progressToken": random.pick(&[json!(1), json!("a"), json!(1.5), json!({})])});
    }
    let mut message = json!({"jsonrpc": "2.0", "method": method, "params": params});
    if !method.starts_with("notifications/") {
        message["id"] = json!(random.below(1000));
    }
    message
}

/// Several messages in one body.
fn batch(random: &mut Random, version: &str) -> Generated {
    let size = random.below(4);
    let mut messages = Vec::new();
    let mut story = format!("{version} batch of");
    for _ in 0..size {
        let (method, params) = calls(random);
        let mut message = message(version, method, params, random);
        story += " ";
        story += method;
        if random.percent(30) {
            story += &format!(" ({})", bodies::change_message(&mut message, random));
        }
        messages.push(message);
    }
    let mut request = HttpRequest::post(Value::from(messages).to_string());
    headers::standard(&mut request, version, &Value::Null);
    if random.percent(20) {
        story += " + ";
        story += &headers::change(&mut request, random);
    }
    Generated { request, story }
}
