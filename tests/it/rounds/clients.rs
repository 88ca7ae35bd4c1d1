//! Which clients can be asked for what.

use serde_json::json;

use super::{Asking, accept, assert_invalid, text};
use crate::fixtures::{assert_refused, client, conformance, legacy_versions};

#[tokio::test]
async fn what_a_client_would_have_to_be_able_to_do_is_named() {
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
        let response = Asking::tool(&server, tool)
            .capable_of(capabilities.clone())
            .send(json!({}))
            .await;
        let error = assert_refused(&response, 400, -32021);
        assert_eq!(
            error.data["requiredCapabilities"], required,
            "{tool} {capabilities}"
        );
    }
}

#[tokio::test]
async fn a_client_is_asked_only_for_what_it_can_do() {
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
            .begin()
            .await;
        let method = asked.requests.values().next().unwrap()["method"].clone();
        let key = method.as_str().unwrap().split('/').next().unwrap();
        assert!(
            capabilities.get(key).is_some(),
            "{method} of {capabilities}"
        );
    }
    let alone = Asking::tool(&server, "capabilities")
        .capable_of(json!({}))
        .send(json!({}))
        .await;
    assert_eq!(text(&alone), "There is nobody to ask.");
}

#[tokio::test]
async fn a_legacy_client_cannot_be_asked_and_is_told_so() {
    let server = conformance();
    let everything = json!({"elicitation": {}, "sampling": {}, "roots": {}});
    for version in legacy_versions() {
        let client = client(&server, version).meta(
            "io.modelcontextprotocol/clientCapabilities",
            everything.clone(),
        );
        for name in [
            "elicitation",
            "sampling",
            "list_roots",
            "url",
            "multi_round",
        ] {
            let name = format!("test_input_required_result_{name}");
            let response = client
                .call(&name, json!({}))
                .input_responses(json!({"user_name": accept(json!({"name": "Ada"}))}))
                .request_state("x")
                .await;
            assert!(response.is_error(), "{response}");
            let words = response.text();
            assert!(words.contains("2026-07-28"), "{words}");
            assert_eq!(response.result().get("resultType"), None, "{response}");
        }
        for request in [
            client.request(
                "prompts/get",
                json!({"name": "test_input_required_result_prompt"}),
            ),
            client.read("test://asking"),
        ] {
            assert_invalid(&request.await, "2026-07-28");
        }
    }
}
