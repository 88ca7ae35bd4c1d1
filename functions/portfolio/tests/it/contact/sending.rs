//! A message that is sent.

use serde_json::{Value, json};

use super::provider::{Provider, Step};
use super::{API_KEY, FROM, OWNER, arguments, send, sent, start};
use harness::messages::{ask, call};
use harness::{SERVED_VERSIONS, ServerConfig, Version};

#[test]
fn a_message_reaches_the_service_as_its_api_wants_it() {
    let provider = Provider::start([]);
    let server = start(&provider);
    let answer = sent(&send(&server, arguments()));
    let received = provider.received();
    assert_eq!(received.len(), 1);
    let request = &received[0];
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/emails")
    );
    assert_eq!(request.header("authorization"), format!("Bearer {API_KEY}"));
    assert_eq!(request.header("content-type"), "application/json");
    assert!(
        request
            .header("user-agent")
            .starts_with("lambda-mcp-portfolio/")
    );
    let key = request.header("idempotency-key");
    assert!((20..=256).contains(&key.len()), "{key}");
    let reference = answer["reference"].as_str().unwrap();
    let from = FROM.replace("Portfolio", "\"Portfolio\"");
    assert_eq!(answer["replyTo"], "ada-SENTINEL@example.org");
    let text = format!(
        "From your portfolio server:\n\
         Credential: none: anybody could send this message\n\
         Reply:      a reply goes to ada-SENTINEL@example.org, as the sender gave it\n\
         Reference:  {reference}\n\n\
         Written by the sender, not verified. Each line of it starts with \">\":\n\n\
         > Name: Ada SENTINEL\n> Contact: ada-SENTINEL@example.org\n>\n\
         > SENTINEL brief:\n> are you free in May?\n"
    );
    let mut body = request.body.clone();
    let html = body.as_object_mut().unwrap().remove("html").unwrap();
    let html = html.as_str().unwrap();
    for part in [
        reference,
        "Name: Ada SENTINEL\n",
        "are you free in May?</div></blockquote>",
    ] {
        assert!(html.contains(part), "{html}");
    }
    assert_eq!(
        body,
        json!({
            "from": from,
            "to": [OWNER],
            "reply_to": "ada-SENTINEL@example.org",
            "subject": "Message from Ada SENTINEL",
            "text": text,
        })
    );
}

#[test]
fn it_is_sent_in_every_version() {
    let provider = Provider::start([]);
    let server = start(&provider);
    for version in SERVED_VERSIONS {
        let reply = call(&server, version, "contact", arguments());
        let text = reply.result()["content"][0]["text"].clone();
        let answer: Value = serde_json::from_str(text.as_str().unwrap()).unwrap();
        assert_eq!(answer["status"], "sent", "{version:?}");
        assert!(
            answer["note"]
                .as_str()
                .unwrap()
                .contains("accepted for delivery"),
            "{answer}"
        );
    }
    assert_eq!(provider.received().len(), SERVED_VERSIONS.len());
}

#[test]
fn a_repeat_has_the_same_key_and_body_on_another_instance_as_well() {
    let provider = Provider::start([]);
    let first = sent(&send(&start(&provider), arguments()));
    let again = sent(&send(&start(&provider), arguments()));
    assert_eq!(first["reference"], again["reference"]);
    let mut other = arguments();
    other["brief"] = json!("another");
    let other = sent(&send(&start(&provider), other));
    assert_ne!(first["reference"], other["reference"]);
    let received = provider.received();
    let key = |index: usize| received[index].header("idempotency-key").to_owned();
    assert_eq!((key(0), &received[0].body), (key(1), &received[1].body));
    assert_ne!(key(0), key(2));
}

#[test]
fn without_a_provider_the_tool_does_not_exist() {
    let server = ServerConfig::new("portfolio").start();
    let tools = ask(&server, Version::V2025_11_25, "tools/list", json!({})).result();
    let names = tools["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].clone());
    assert!(!names.collect::<Vec<_>>().contains(&json!("contact")));
    assert_eq!(send(&server, arguments()).error_code(), -32602);
}

#[test]
fn it_is_listed_with_its_bounds_and_honest_hints() {
    let provider = Provider::start([]);
    let server = start(&provider);
    let listed = ask(&server, Version::V2025_11_25, "tools/list", json!({})).result();
    let tools = listed["tools"].as_array().unwrap();
    let tool = tools.iter().find(|tool| tool["name"] == "contact").unwrap();
    assert_eq!(
        tool["annotations"],
        json!({"readOnlyHint": false, "destructiveHint": false, "idempotentHint": false,
               "openWorldHint": true})
    );
    let input = &tool["inputSchema"];
    assert_eq!(input["required"], json!(["brief", "contact"]));
    let bounds = |field: &str| {
        let field = &input["properties"][field];
        (field["minLength"].as_u64(), field["maxLength"].as_u64())
    };
    assert_eq!(bounds("brief"), (Some(1), Some(4000)));
    assert_eq!(bounds("contact"), (Some(1), Some(160)));
    assert_eq!(bounds("name"), (None, Some(100)));
    assert_eq!(tool["outputSchema"]["required"], json!(["status", "note"]));
}

#[test]
fn what_only_reads_connects_to_nothing() {
    let provider = Provider::start([Step::Hang]);
    let server = start(&provider);
    let version = Version::V2026_07_28;
    for method in ["server/discover", "tools/list"] {
        assert_eq!(ask(&server, version, method, json!({})).status, 200);
    }
    let tools = ask(&server, version, "tools/list", json!({})).result();
    let mut called = 0;
    for tool in tools["tools"].as_array().unwrap() {
        if tool["annotations"]["readOnlyHint"] == true {
            let name = tool["name"].as_str().unwrap();
            assert_ne!(
                call(&server, version, name, json!({})).result()["isError"],
                true
            );
            called += 1;
        }
    }
    assert!(called >= 5);
    server.finish();
    assert_eq!(provider.connections(), 0);
}
