//! `portfolio stdio`: the function as a process that a client on a desktop starts.

use harness::Process;
use serde_json::{Value, json};

fn request(id: u32, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn initialize() -> Value {
    let client = json!({ "name": "it", "version": "1" });
    let params = json!({
        "protocolVersion": "2025-11-25", "clientInfo": client, "capabilities": {},
    });
    request(0, "initialize", params)
}

#[test]
fn the_built_in_content_is_served_in_both_eras() {
    let call = json!({ "name": "get_resume", "arguments": { "section": "basics" } });
    let mut legacy = Process::start("portfolio", &["stdio"], &[]);
    let answer = legacy.ask(&initialize());
    assert_eq!(
        answer["result"]["serverInfo"]["name"], "portfolio",
        "{answer}"
    );
    let basics = legacy.ask(&request(1, "tools/call", call.clone()));
    let mut modern = Process::start("portfolio", &["stdio"], &[]);
    let mut params = call;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let same = modern.ask(&request(1, "tools/call", params));
    let structured = |answer: &Value| answer["result"]["structuredContent"].clone();
    assert!(structured(&basics).is_object(), "{basics}");
    assert_eq!(structured(&basics), structured(&same));
    modern.close_input();
    assert_eq!(modern.next_line(), None);
    assert!(modern.ends().success());
}

#[test]
fn settings_hold_and_faults_are_told_on_standard_error() {
    let here = harness::workspace().join("content");
    let content = here.to_str().unwrap();
    let mut process = Process::start(
        "portfolio",
        &["stdio"],
        &[("CONTENT_DIR", content), ("LOG_LEVEL", "off")],
    );
    assert!(process.ask(&initialize())["result"].is_object());
    process.close_input();
    assert!(process.ends().success());
    assert_eq!(process.logged(), "");

    let mut process = Process::start("portfolio", &["stdio"], &[("LOG_LEVEL", "loud")]);
    process.logs("LOG_LEVEL");
    assert_eq!(process.next_line(), None);
    assert!(!process.ends().success());
}
