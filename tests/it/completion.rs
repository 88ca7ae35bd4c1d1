//! Completion: which values are suggested, in which order, and how many.

use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::TestClient;
use serde_json::{Value, json};

use crate::fixtures::{assert_refused, cases, client, conformance};

const PROMPT: &str = "test_prompt_with_arguments";
const TEMPLATE: &str = "test://template/{id}/data";

#[tokio::test]
async fn values_that_begin_with_the_text_come_before_those_that_contain_it() {
    let server = conformance();
    let cases = [
        ("test", vec!["Testimony", "test", "latest"]),
        ("TEST", vec!["Testimony", "test", "latest"]),
        ("o", vec!["other", "Testimony"]),
        ("", vec!["latest", "Testimony", "test", "other"]),
        ("nothing", vec![]),
    ];
    for version in ProtocolVersion::ALL {
        for (typed, expected) in &cases {
            let client = client(&server, version);
            let response = client.complete_prompt(PROMPT, "arg1", typed).await;
            let completion = &response.result()["completion"];
            assert_eq!(completion["values"], json!(expected), "{typed}");
            assert_eq!(completion["total"], expected.len(), "{typed}");
            assert_eq!(completion["hasMore"], false, "{typed}");
        }
    }
}

#[tokio::test]
async fn a_hundred_values_are_sent_and_the_rest_is_counted() {
    let server = conformance();
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        let completion = client
            .complete_prompt(PROMPT, "arg2", "")
            .await
            .completion();
        assert_eq!(completion.values.len(), 100);
        assert_eq!(completion.values[99], "any 100");
        assert_eq!((completion.total, completion.has_more), (Some(150), true));

        // 99, 990 to 999, then all others with `99` in them.
        let response = client.complete_resource(TEMPLATE, "id", "99").await;
        let values = response.completion().values;
        assert_eq!([&values[0], &values[10], &values[11]], ["99", "999", "199"]);
        assert_eq!(values.len(), 19, "{response}");
    }
}

#[tokio::test]
async fn a_completer_sees_the_arguments_that_are_filled_in() {
    let server = conformance();
    for version in ProtocolVersion::ALL {
        let filled_in = json!({"arguments": {"arg1": "mine"}});
        let request = client(&server, version).complete_prompt(PROMPT, "arg2", "150");
        let completion = request.param("context", filled_in).await.completion();
        assert_eq!(completion.values, ["mine 150"]);
    }
}

#[tokio::test]
async fn an_argument_without_a_completer_has_no_values_and_an_unknown_reference_is_invalid() {
    let server = conformance();
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        let with_resource = "test_prompt_with_embedded_resource";
        for request in [
            client.complete_prompt(with_resource, "resourceUri", "x"),
            client.complete_prompt(PROMPT, "arg3", "x"),
            client.complete_resource(TEMPLATE, "number", "x"),
        ] {
            let response = request.await;
            assert_eq!(response.result()["completion"]["values"], json!([]));
        }
        for reference in [
            json!({"type": "ref/prompt", "name": "no_such_prompt"}),
            json!({"type": "ref/resource", "uri": "test://nothing/5/data"}),
            json!({"type": "ref/resource", "uri": "test://template/5/6/data"}),
            json!({"type": "ref/tool", "name": "test_simple_text"}),
            json!({"type": "ref/prompt"}),
            json!("test_prompt_with_arguments"),
        ] {
            let request = client.complete_prompt(PROMPT, "arg1", "");
            let response = request.param("ref", reference).await;
            assert_refused(&response, 200, -32602);
        }
    }
}

#[tokio::test]
async fn completion_is_offered_only_where_there_is_a_completer() {
    let (some, none) = (conformance(), cases());
    for version in ProtocolVersion::ALL {
        let response = client(&none, version)
            .complete_prompt("cook", "name", "")
            .await;
        assert_eq!(response.expect_protocol_error().code, -32601);
    }
    for (server, offered) in [(&some, Some(&json!({}))), (&none, None)] {
        let response = TestClient::new(server.clone()).discover().await;
        let capabilities: &Value = &response.result()["capabilities"];
        assert_eq!(capabilities.get("completions"), offered, "{response}");
    }
}

#[tokio::test]
async fn a_uri_of_a_template_completes_as_the_template_does() {
    let server = conformance();
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        let uri = "test://template/5/data";
        let by_uri = client.complete_resource(uri, "id", "99").await;
        let by_template = client.complete_resource(TEMPLATE, "id", "99").await;
        assert_eq!(by_uri.completion().values, by_template.completion().values);
        assert_eq!(by_uri.completion().values[0], "99");
    }
}

#[tokio::test]
async fn null_in_the_context_is_the_same_as_absent() {
    let server = conformance();
    for version in ProtocolVersion::ALL {
        for context in [
            json!(null),
            json!({"arguments": null}),
            json!({"arguments": {"arg1": null}}),
        ] {
            let request = client(&server, version).complete_prompt(PROMPT, "arg2", "150");
            let completion = request.param("context", context).await.completion();
            assert_eq!(completion.values, ["any 150"]);
        }
    }
}
