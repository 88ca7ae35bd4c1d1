//! Who can be asked for what.

use serde_json::json;

use super::{Asking, CAPABILITIES, accept, assert_invalid, conformance, text};
use harness::messages::{legacy, request_with, send};

#[test]
fn what_a_client_would_have_to_be_able_to_do_is_named() {
    let server = conformance();
    let form = json!({"elicitation": {"form": {}}});
    let page = json!({"elicitation": {"url": {}}});
    let missing = [
        ("elicitation", json!({}), form.clone()),
        (
            "elicitation",
            json!({"sampling": {}, "roots": {}}),
            form.clone(),
        ),
        ("elicitation", page.clone(), form.clone()),
        ("url", json!({}), page.clone()),
        ("url", json!({"elicitation": {}}), page.clone()),
        ("url", form.clone(), page.clone()),
        (
            "sampling",
            json!({"elicitation": {}}),
            json!({"sampling": {}}),
        ),
        ("list_roots", json!({}), json!({"roots": {}})),
        (
            "multiple_inputs",
            json!({"sampling": {}}),
            json!({"elicitation": {"form": {}}, "roots": {}}),
        ),
    ];
    for (tool, capabilities, required) in missing {
        let reply = Asking::tool(&server, tool)
            .capable_of(capabilities.clone())
            .send(json!({}));
        assert_eq!(
            (reply.status, reply.error_code()),
            (400, -32021),
            "{reply:#?}"
        );
        let data = &reply.message()["error"]["data"];
        assert_eq!(
            data["requiredCapabilities"], required,
            "{tool} {capabilities}"
        );
    }
}

#[test]
fn a_client_is_asked_only_for_what_it_can_do() {
    let server = conformance();
    let form = json!({"elicitation": {"form": {}}});
    let page = json!({"elicitation": {"url": {}}});
    // An empty `elicitation` means forms.
    let can = [
        ("elicitation", json!({"elicitation": {}})),
        ("elicitation", form),
        ("url", page),
        ("capabilities", json!({"elicitation": {}})),
        ("capabilities", json!({"sampling": {}})),
    ];
    for (tool, capabilities) in can {
        let asked = Asking::tool(&server, tool)
            .capable_of(capabilities.clone())
            .begin();
        let method = asked.requests.values().next().unwrap()["method"].clone();
        let key = method.as_str().unwrap().split('/').next().unwrap();
        assert!(
            capabilities.get(key).is_some(),
            "{method} of {capabilities}"
        );
    }
    let alone = Asking::tool(&server, "capabilities")
        .capable_of(json!({}))
        .send(json!({}));
    assert_eq!(text(&alone), "There is nobody to ask.");
}

#[test]
fn a_legacy_client_cannot_be_asked_and_is_told_so() {
    let server = conformance();
    let everything = json!({CAPABILITIES: {"elicitation": {}, "sampling": {}, "roots": {}}});
    for version in legacy() {
        for name in [
            "elicitation",
            "sampling",
            "list_roots",
            "url",
            "multi_round",
        ] {
            let params = json!({"name": format!("test_input_required_result_{name}"), "arguments": {},
                "inputResponses": {"user_name": accept(json!({"name": "Ada"}))}, "requestState": "x"});
            let message = request_with(version, "tools/call", params, everything.clone());
            let result = send(&server, version, &message).result();
            assert_eq!(result["isError"], true, "{result}");
            let words = result["content"][0]["text"].as_str().unwrap();
            assert!(words.contains("2026-07-28"), "{words}");
            assert_eq!(result.get("resultType"), None, "{result}");
        }
        let others = [
            (
                "prompts/get",
                json!({"name": "test_input_required_result_prompt"}),
            ),
            ("resources/read", json!({"uri": "test://asking"})),
        ];
        for (method, params) in others {
            let message = request_with(version, method, params, everything.clone());
            assert_invalid(&send(&server, version, &message), "2026-07-28");
        }
    }
}
