//! The era of a connection, and the handshake. Specification: *stdio, Backward Compatibility*;
//! *Versioning*; 2025-11-25, *Lifecycle*.

use serde_json::json;

use super::{
    LEGACY, MODERN, ask, assert_code, call, desk, initialize, initialized, modern, notification,
    request, text, with_version,
};

#[test]
fn a_legacy_connection_begins_with_initialize_and_needs_nothing_more() {
    for version in LEGACY {
        let mut process = desk();
        let early = process.ask(&request(json!(1), "tools/list", json!({})));
        assert_code(&early, -32600);
        assert_eq!(early["id"], 1);
        // "other than pings"
        let pong = process.ask(&request(json!(2), "ping", json!({})));
        assert_eq!(pong["result"], json!({}), "{pong}");
        let answer = ask(&mut process, version, &initialize(version, json!({})));
        assert_eq!(answer["result"]["protocolVersion"], version, "{answer}");
        assert_eq!(
            answer["result"]["capabilities"]["logging"],
            json!({}),
            "{answer}"
        );
        // `notifications/initialized` is not awaited.
        let tools = ask(
            &mut process,
            version,
            &request(json!(3), "tools/list", json!({})),
        );
        assert!(tools["result"]["tools"].is_array(), "{tools}");
        assert!(tools["result"].get("resultType").is_none(), "{tools}");
        process.send(&notification("notifications/initialized", json!({})));
        let echoed = call(json!("four"), "echo", json!({ "text": "é\n\u{2028}" }));
        assert_eq!(text(&ask(&mut process, version, &echoed)), "é\n\u{2028}");
        assert_code(&process.ask(&initialize(version, json!({}))), -32600);
    }
}

#[test]
fn requests_that_follow_initialize_at_once_are_served() {
    let mut process = desk();
    let burst = [
        initialize("2025-11-25", json!({})),
        call(json!(1), "echo", json!({ "text": "at once" })),
    ];
    let lines: String = burst.iter().map(|message| format!("{message}\n")).collect();
    process.send_raw(lines.as_bytes());
    assert_eq!(process.next()["id"], "init");
    assert_eq!(text(&process.next()), "at once");
}

#[test]
fn a_modern_connection_needs_no_handshake_and_has_none() {
    let mut process = desk();
    let message = modern(
        json!(1),
        "tools/call",
        json!({ "name": "echo", "arguments": { "text": "a" } }),
    );
    let answer = ask(&mut process, MODERN, &message);
    assert_eq!(text(&answer), "a");
    assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    let discovered = ask(
        &mut process,
        MODERN,
        &modern(json!(2), "server/discover", json!({})),
    );
    assert_eq!(discovered["result"]["supportedVersions"][0], MODERN);
    // Locked.
    let refused = process.ask(&initialize("2025-11-25", json!({})));
    assert_code(&refused, -32600);
    let words = refused["error"]["message"].as_str().unwrap();
    assert!(
        words.contains("2026-07-28") && words.contains("2025-11-25"),
        "{words}"
    );
    // Without `_meta`, a request is a modern one that lacks it.
    assert_code(
        &process.ask(&request(json!(3), "tools/list", json!({}))),
        -32602,
    );
    assert_code(
        &process.ask(&with_version(
            "2025-11-25",
            json!(4),
            "tools/list",
            json!({}),
        )),
        -32600,
    );
    assert_code(&process.ask(&modern(json!(5), "ping", json!({}))), -32601);
    assert_code(
        &process.ask(&modern(
            json!(6),
            "logging/setLevel",
            json!({"level": "info"}),
        )),
        -32601,
    );
}

#[test]
fn a_legacy_connection_stays_one() {
    let mut process = initialized("2025-06-18", json!({}));
    assert_code(
        &process.ask(&modern(json!(1), "tools/list", json!({}))),
        -32600,
    );
    assert_code(
        &process.ask(&request(json!(2), "server/discover", json!({}))),
        -32601,
    );
    let tools = process.ask(&request(json!(3), "tools/list", json!({})));
    assert!(tools["result"]["tools"].is_array(), "{tools}");
    // It is one before `initialize` as well.
    let mut process = desk();
    assert_code(
        &process.ask(&request(json!(1), "tools/list", json!({}))),
        -32600,
    );
    assert_code(
        &process.ask(&modern(json!(2), "tools/list", json!({}))),
        -32600,
    );
    assert!(process.ask(&initialize("2025-11-25", json!({})))["result"].is_object());
}

#[test]
fn a_version_that_is_not_supported_decides_nothing() {
    let unsupported = with_version("2099-01-01", json!(1), "server/discover", json!({}));
    for goes_on in [
        modern(json!(2), "tools/list", json!({})),
        initialize("2025-11-25", json!({})),
    ] {
        let mut process = desk();
        let refused = process.ask(&unsupported);
        assert_code(&refused, -32022);
        let supported = refused["error"]["data"]["supported"].as_array().unwrap();
        assert!(supported.contains(&json!(MODERN)), "{refused}");
        let answer = process.ask(&goes_on);
        assert!(answer["result"].is_object(), "{answer}");
    }
    // Later, it is refused as well, and the connection goes on.
    let mut process = desk();
    assert!(process.ask(&modern(json!(1), "tools/list", json!({})))["result"].is_object());
    assert_code(&process.ask(&unsupported), -32022);
    assert!(process.ask(&modern(json!(3), "tools/list", json!({})))["result"].is_object());
}

#[test]
fn initialize_agrees_on_a_version_with_a_handshake() {
    for requested in ["2026-07-28", "2099-01-01", "1.0"] {
        let mut process = desk();
        let answer = process.ask(&initialize(requested, json!({})));
        assert_eq!(
            answer["result"]["protocolVersion"], "2025-11-25",
            "{requested}: {answer}"
        );
    }
    // One that cannot be read is not the handshake.
    let mut process = desk();
    assert_code(
        &process.ask(&request(json!(1), "initialize", json!({}))),
        -32602,
    );
    assert_code(
        &process.ask(&request(json!(2), "tools/list", json!({}))),
        -32600,
    );
    assert!(process.ask(&initialize("2025-03-26", json!({})))["result"].is_object());
}

#[test]
fn a_tool_that_requires_a_scope_is_refused() {
    let mut process = initialized("2025-11-25", json!({}));
    let refused = process.ask(&call(json!(1), "closed", json!({ "amount": 1 })));
    assert!(refused["error"]["code"].is_i64(), "{refused}");
    assert!(refused.get("result").is_none(), "{refused}");
}
