//! Both eras and their versions: every request stands by itself, and is answered in its own shape.

use serde_json::{Value, json};

use crate::harness::{Front, Reply, SERVED_VERSIONS, ServerConfig, TestServer, Version};
use crate::messages::{ask, call, legacy, ping, request};

const CLIENT: &str = "io.modelcontextprotocol/clientInfo";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const PROTOCOL: &str = "io.modelcontextprotocol/protocolVersion";

#[test]
fn a_call_may_be_the_very_first_request_in_every_version() {
    for version in SERVED_VERSIONS {
        for front in Front::ALL {
            let server = TestServer::cases();
            let params = json!({"name": "demo_read", "arguments": {"q": "a"}});
            let message = request(version, "tools/call", params);
            let builder = server.post(&message).via(front);
            let builder = if version.is_modern() {
                builder.modern_headers()
            } else {
                builder.version(version.name())
            };
            let result = builder.send().result();
            assert!(
                result["content"][0]["text"]
                    .as_str()
                    .unwrap()
                    .contains("`a`"),
                "{result}"
            );
        }
    }
}

#[test]
fn it_does_not_matter_which_instance_answers() {
    // Three processes take turns: whatever one of them kept, the others do not have.
    let server = ServerConfig::new("cases").children(3).start();
    for _ in 0..4 {
        let client = json!({"name": "c", "version": "0"});
        let hello =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        ask(&server, Version::V2025_11_25, "initialize", hello).result();
        let first = ask(&server, Version::V2025_11_25, "tools/list", json!({})).result();
        let next = json!({"cursor": first["nextCursor"]});
        let second = ask(&server, Version::V2025_11_25, "tools/list", next).result();
        assert_eq!(second["tools"][0]["name"], "demo_fail", "{second}");
    }
    let logs = server.finish();
    assert_eq!(logs.lines().count(), 12, "{logs}");
}

#[test]
fn versions_are_served_side_by_side_by_one_process() {
    let server = TestServer::cases();
    for version in SERVED_VERSIONS
        .into_iter()
        .chain(SERVED_VERSIONS.into_iter().rev())
    {
        let result = ask(&server, version, "tools/list", json!({})).result();
        assert_eq!(result["tools"][0]["name"], "demo_read", "{version:?}");
        assert_eq!(
            result.get("resultType").is_some(),
            version.is_modern(),
            "{version:?}"
        );
    }
}

#[test]
fn the_handshake_works_and_is_no_precondition() {
    let server = TestServer::cases();
    for version in legacy() {
        let client = json!({"name": "c", "version": "0"});
        let hello =
            json!({"protocolVersion": version.name(), "capabilities": {}, "clientInfo": client});
        let message = request(version, "initialize", hello);
        let reply = server.post(&message).send();
        let result = reply.result();
        assert_eq!(result["protocolVersion"], version.name());
        assert_eq!(result["serverInfo"]["name"], "cases");
        assert_eq!(result["capabilities"]["tools"], json!({}), "{result}");
        assert_eq!(reply.header("mcp-session-id"), None, "there is no session");

        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let reply = server.post(&initialized).version(version.name()).send();
        assert_eq!((reply.status, reply.body.len()), (202, 0));
        assert_eq!(
            server.post(&ping()).version(version.name()).send().result(),
            json!({})
        );
    }
}

#[test]
fn a_handshake_for_any_other_version_agrees_on_the_newest_legacy_one() {
    let server = TestServer::cases();
    for asked in [
        "2024-11-05",
        "2024-10-07",
        "2026-07-28",
        "2099-01-01",
        "1.0.0",
        "",
    ] {
        let client = json!({"name": "c", "version": "0"});
        let hello = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": client});
        let message = request(Version::V2025_11_25, "initialize", hello);
        let result = server.post(&message).send().result();
        assert_eq!(result["protocolVersion"], "2025-11-25", "{asked}");
    }
}

#[test]
fn a_handshake_without_its_parameters_is_invalid() {
    let server = TestServer::cases();
    for params in [
        json!({}),
        json!({"protocolVersion": 20_251_125}),
        json!({"protocolVersion": null}),
    ] {
        let message = request(Version::V2025_11_25, "initialize", params.clone());
        let reply = server.post(&message).version("2025-11-25").send();
        assert_eq!(
            (reply.status, reply.error_code()),
            (200, -32602),
            "{params}: {reply:#?}"
        );
    }
}

#[test]
fn discovery_says_it_all_in_one_round_trip() {
    let server = TestServer::cases();
    let reply = ask(&server, Version::V2026_07_28, "server/discover", json!({}));
    let result = reply.result();
    let versions: Vec<&str> = SERVED_VERSIONS
        .iter()
        .rev()
        .map(|version| version.name())
        .collect();
    assert_eq!(result["supportedVersions"], json!(versions));
    assert_eq!(result["capabilities"]["tools"], json!({}), "{result}");
    assert_eq!(
        result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "cases"
    );
    assert_eq!(result["cacheScope"], "public");
    assert!(result["ttlMs"].as_u64().unwrap() > 0);
}

#[test]
fn each_era_has_its_own_methods() {
    let server = TestServer::cases();
    let gone = [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "roots/list",
    ];
    for method in gone
        .into_iter()
        .chain(["subscriptions/listen", "resources/list", "prompts/list"])
    {
        let reply = ask(&server, Version::V2026_07_28, method, json!({}));
        assert_eq!(
            (reply.status, reply.error_code()),
            (404, -32601),
            "{method}: {reply:#?}"
        );
    }
    for version in legacy() {
        for method in [
            "server/discover",
            "logging/setLevel",
            "resources/list",
            "tasks/get",
            "",
        ] {
            let reply = ask(&server, version, method, json!({}));
            assert_eq!(
                (reply.status, reply.error_code()),
                (200, -32601),
                "{method}: {reply:#?}"
            );
        }
    }
}

#[test]
fn an_unknown_tool_is_a_protocol_error_in_every_version() {
    let server = TestServer::cases();
    for version in SERVED_VERSIONS {
        for name in ["no_such_tool", "", "DEMO_READ", "demo_read "] {
            let reply = call(&server, version, name, json!({}));
            assert_eq!(
                (reply.status, reply.error_code()),
                (200, -32602),
                "{name:?}: {reply:#?}"
            );
        }
    }
}

#[test]
fn a_call_that_is_no_call_is_a_protocol_error() {
    let server = TestServer::cases();
    let calls = [
        json!({}),
        json!({"name": 5}),
        json!({"name": null}),
        json!({"name": "demo_read", "arguments": []}),
        json!({"name": "demo_read", "arguments": "q"}),
        json!({"name": "demo_read", "arguments": 1}),
    ];
    for version in legacy() {
        for params in &calls {
            let reply = ask(&server, version, "tools/call", params.clone());
            assert_eq!(
                (reply.status, reply.error_code()),
                (200, -32602),
                "{params}: {reply:#?}"
            );
        }
    }
}

/// Arguments of `demo_bounds` that break one rule, with the words that name field and rule.
fn unfit() -> Vec<(Value, [&'static str; 2])> {
    vec![
        (json!({"count": 1}), ["text", "required"]),
        (json!({"text": "a"}), ["count", "required"]),
        (json!({"text": "", "count": 1}), ["text", "1"]),
        (json!({"text": "123456789", "count": 1}), ["text", "8"]),
        (json!({"text": 5, "count": 1}), ["text", "string"]),
        (json!({"text": "a", "count": 0}), ["count", "1"]),
        (json!({"text": "a", "count": 51}), ["count", "50"]),
        (json!({"text": "a", "count": 1.5}), ["count", "integer"]),
        (json!({"text": "a", "count": "1"}), ["count", "integer"]),
        (
            json!({"text": "a", "count": 1, "color": "blue"}),
            ["color", "green"],
        ),
        (json!({}), ["text", "required"]),
    ]
}

#[test]
fn arguments_that_do_not_fit_name_the_field_and_the_rule() {
    let server = TestServer::cases();
    for version in SERVED_VERSIONS {
        for (arguments, words) in unfit() {
            let reply = call(&server, version, "demo_bounds", arguments.clone());
            assert_eq!(reply.status, 200, "{reply:#?}");
            let message = reply.message();
            let text = match version {
                Version::V2025_03_26 | Version::V2025_06_18 => {
                    assert_eq!(reply.error_code(), -32602, "{arguments}: {reply:#?}");
                    message["error"]["message"].clone()
                }
                Version::V2025_11_25 | Version::V2026_07_28 => {
                    assert_eq!(
                        message["result"]["isError"], true,
                        "{arguments}: {reply:#?}"
                    );
                    message["result"]["content"][0]["text"].clone()
                }
            };
            let text = text.as_str().unwrap();
            for word in words {
                assert!(
                    text.contains(word),
                    "{version:?} {arguments}: {word:?} is not in {text:?}"
                );
            }
        }
    }
}

#[test]
fn arguments_at_the_bounds_fit() {
    let server = TestServer::cases();
    for arguments in [
        json!({"text": "a", "count": 1}),
        json!({"text": "12345678", "count": 50}),
        // Eight characters are more bytes.
        json!({"text": "éééééééé", "count": 50, "color": "red"}),
        json!({"text": "a", "count": 1, "color": null}),
    ] {
        let result = call(
            &server,
            Version::V2025_11_25,
            "demo_bounds",
            arguments.clone(),
        )
        .result();
        assert_ne!(result["isError"], true, "{arguments}: {result}");
    }
}

#[test]
fn a_whole_number_written_as_a_fraction_is_refused_in_words() {
    // JSON Schema takes `1.0` for an integer; serde does not, and neither does the validator.
    let server = TestServer::cases();
    let reply = call(
        &server,
        Version::V2025_11_25,
        "demo_bounds",
        json!({"text": "a", "count": 1.0}),
    );
    assert_eq!(reply.result()["isError"], true, "{reply:#?}");
    assert!(
        reply.text().contains("`count` must be an integer"),
        "{reply:#?}"
    );
}

#[test]
fn batches_belong_to_one_version() {
    let server = TestServer::cases();
    let batch = json!([ping(), {"jsonrpc": "2.0", "id": 2, "method": "ping"}]);
    for version in legacy() {
        let reply = server.post(&batch).version(version.name()).send();
        if version == Version::V2025_03_26 {
            assert_eq!(reply.status, 200);
            assert_eq!(reply.json().as_array().map(Vec::len), Some(2), "{reply:#?}");
        } else {
            assert_eq!(
                (reply.status, reply.error_code()),
                (400, -32600),
                "{reply:#?}"
            );
        }
    }
    let modern = request(Version::V2026_07_28, "tools/list", json!({}));
    let reply = server
        .post(&json!([modern]))
        .version(Version::MODERN)
        .send();
    assert_eq!(
        (reply.status, reply.error_code()),
        (400, -32600),
        "{reply:#?}"
    );
    // No header at all is the oldest version.
    assert_eq!(server.post(&batch).send().status, 200);
}

#[test]
fn each_message_of_a_batch_stands_by_itself() {
    let server = TestServer::cases();
    let call = |id: Value, name: &str| {
        let params = json!({"name": name, "arguments": {"q": "a", "how": "panic"}});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    let batch = json!([
        call(json!(1), "demo_read"),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        call(json!("b"), "no_such_tool"),
        {"jsonrpc": "2.0", "id": 3, "result": {}},
        call(json!(4), "demo_fail"),
        {"jsonrpc": "1.0", "id": 5, "method": "ping"},
        {"jsonrpc": "2.0", "id": 6, "method": "nope"},
        {"jsonrpc": "2.0", "id": 7, "method": "ping"},
    ]);
    let reply = server.post(&batch).version("2025-03-26").send();
    let answers = reply.json();
    let of = |id: Value| {
        let found = answers
            .as_array()
            .unwrap()
            .iter()
            .find(|answer| answer["id"] == id);
        found
            .unwrap_or_else(|| panic!("no answer to {id}: {answers:#}"))
            .clone()
    };
    assert_eq!(answers.as_array().unwrap().len(), 6, "{answers:#}");
    assert!(of(json!(4))["error"]["code"] == -32603);
    assert!(of(json!("b"))["error"]["code"] == -32602);
    assert!(of(json!(5))["error"]["code"] == -32600);
    assert!(of(json!(6))["error"]["code"] == -32601);
    assert_eq!(of(json!(7))["result"], json!({}));
}

#[test]
fn a_batch_of_notifications_is_accepted_and_a_bad_batch_is_not() {
    let server = TestServer::cases();
    let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let reply = server
        .post(&json!([note, note]))
        .version("2025-03-26")
        .send();
    assert_eq!((reply.status, reply.body.len()), (202, 0));

    let many = Value::Array(vec![ping(); 1000]);
    for batch in [json!([]), many] {
        let reply = server.post(&batch).version("2025-03-26").send();
        assert_eq!(
            (reply.status, reply.error_code()),
            (400, -32600),
            "{reply:#?}"
        );
    }
    let client = json!({"name": "c", "version": "0"});
    let hello = json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": client});
    let hello = request(Version::V2025_03_26, "initialize", hello);
    let reply = server.post(&json!([hello])).version("2025-03-26").send();
    assert_eq!(
        reply.json()[0]["error"]["code"],
        -32600,
        "initialize is never part of a batch"
    );
}

#[test]
fn a_version_that_is_not_served_is_named_with_those_that_are() {
    let server = TestServer::cases();
    let versions: Vec<&str> = SERVED_VERSIONS
        .iter()
        .rev()
        .map(|version| version.name())
        .collect();
    let assert_unsupported = |reply: &Reply, words: &str| {
        assert_eq!(
            (reply.status, reply.error_code()),
            (400, -32022),
            "{words}: {reply:#?}"
        );
        let error = &reply.message()["error"];
        assert_eq!(error["data"]["supported"], json!(versions), "{words}");
        assert!(
            error["message"]
                .as_str()
                .unwrap()
                .contains("Unsupported protocol version"),
            "{words}"
        );
    };
    for version in ["2024-11-05", "2099-01-01", "latest", "2025-11-25x"] {
        assert_unsupported(&server.post(&ping()).version(version).send(), version);
        let mut message = request(Version::V2026_07_28, "tools/list", json!({}));
        message["params"]["_meta"][PROTOCOL] = json!(version);
        let reply = server
            .post(&message)
            .modern_headers()
            .version(version)
            .send();
        assert_unsupported(&reply, version);
    }
}

/// Changes a good modern request and gives the answer's status and code.
fn modern_but(
    server: &TestServer,
    change: impl FnOnce(&mut Value),
    header: (&str, Option<&str>),
) -> (u16, i64) {
    let params = json!({"name": "demo_read", "arguments": {"q": "a"}});
    let mut message = request(Version::V2026_07_28, "tools/call", params);
    let good = message.clone();
    change(&mut message);
    let mut builder = server.post(&message).version(Version::MODERN);
    builder = builder
        .header("Mcp-Method", "tools/call")
        .header("Mcp-Name", "demo_read");
    builder = match header {
        ("", _) => builder,
        (name, None) => builder.without_header(name),
        (name, Some(value)) => builder.set_header(name, value),
    };
    assert!(
        message != good || !header.0.is_empty(),
        "nothing was changed"
    );
    let reply = builder.send();
    (
        reply.status,
        reply.message()["error"]["code"].as_i64().unwrap_or(0),
    )
}

#[test]
fn headers_and_envelope_of_a_modern_request_must_agree() {
    let server = TestServer::cases();
    let headers = [
        ("MCP-Protocol-Version", None),
        ("MCP-Protocol-Version", Some("2025-11-25")),
        ("MCP-Protocol-Version", Some("2026-07-28, 2025-11-25")),
        ("Mcp-Method", None),
        ("Mcp-Method", Some("tools/list")),
        ("Mcp-Method", Some("TOOLS/CALL")),
        ("Mcp-Method", Some("")),
        ("Mcp-Method", Some("tools/call, tools/list")),
        ("Mcp-Name", None),
        ("Mcp-Name", Some("other")),
        ("Mcp-Name", Some("=?base64?b3RoZXI=?=")),
        ("Mcp-Name", Some("=?base64?ZGVtb19yZWFk")),
    ];
    for header in headers {
        assert_eq!(
            modern_but(&server, |_| (), header),
            (400, -32020),
            "{header:?}"
        );
    }
    for header in [
        ("MCP-Protocol-Version", Some("2026-07-28, 2026-07-28")),
        ("Mcp-Name", Some("=?base64?ZGVtb19yZWFk?=")),
        ("Mcp-Param-Region", Some("eu")),
    ] {
        assert_eq!(modern_but(&server, |_| (), header), (200, 0), "{header:?}");
    }
}

#[test]
fn an_incomplete_envelope_is_invalid() {
    let server = TestServer::cases();
    let remove = |key: &'static str| {
        move |message: &mut Value| {
            message["params"]["_meta"]
                .as_object_mut()
                .unwrap()
                .remove(key);
        }
    };
    let none = ("", None);
    assert_eq!(modern_but(&server, remove(PROTOCOL), none), (400, -32602));
    assert_eq!(
        modern_but(&server, remove(CAPABILITIES), none),
        (400, -32602)
    );
    assert_eq!(modern_but(&server, remove(CLIENT), none), (200, 0));
    let set = |key: &'static str, value: Value| {
        move |message: &mut Value| message["params"]["_meta"][key] = value
    };
    for value in [json!(null), json!([]), json!("x"), json!(1)] {
        let outcome = modern_but(&server, set(CAPABILITIES, value.clone()), none);
        assert_eq!(outcome, (400, -32602), "clientCapabilities = {value}");
        if value != "x" {
            let outcome = modern_but(&server, set(PROTOCOL, value.clone()), none);
            assert_eq!(outcome, (400, -32602), "protocolVersion = {value}");
        }
    }
    for value in [json!("me"), json!({"name": 1}), json!([])] {
        let outcome = modern_but(&server, set(CLIENT, value.clone()), none);
        assert_eq!(outcome, (400, -32602), "clientInfo = {value}");
    }
}

#[test]
fn header_only_requests_are_served_where_they_are_allowed() {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let strict = TestServer::cases();
    let reply = strict.post(&message).modern_headers().send();
    assert_eq!(
        (reply.status, reply.error_code()),
        (400, -32602),
        "{reply:#?}"
    );
    assert!(
        reply.text().contains(PROTOCOL),
        "it names what is missing: {reply:#?}"
    );

    let lenient = ServerConfig::new("cases")
        .env("HEADER_ONLY_REQUESTS", "allow")
        .start();
    let reply = lenient.post(&message).modern_headers().send();
    assert_eq!(reply.result()["resultType"], "complete", "{reply:#?}");
    // What is there must still be right.
    let reply = lenient
        .post(&message)
        .modern_headers()
        .set_header("Mcp-Method", "tools/call")
        .send();
    assert_eq!(
        (reply.status, reply.error_code()),
        (400, -32020),
        "{reply:#?}"
    );
    let params = json!({"name": "demo_noargs"});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let named = lenient
        .post(&call)
        .version(Version::MODERN)
        .header("Mcp-Name", "demo_read");
    assert_eq!(named.send().error_code(), -32020);
    let reply = lenient.post(&call).version(Version::MODERN).send();
    assert_eq!(reply.result()["resultType"], "complete", "{reply:#?}");
}

#[test]
fn ids_come_back_as_they_were_sent() {
    let server = TestServer::cases();
    let ids = [
        "0",
        "-1",
        "9007199254740993",
        "-9223372036854775808",
        "\"\"",
        "\"a\"",
        "\"é\"",
        "\"\\u0000\"",
    ];
    for id in ids {
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let text = server.post_raw(body).version("2025-11-25").send().text();
        assert!(text.contains(&format!("\"id\":{id}")), "{id}: {text}");
    }
}
