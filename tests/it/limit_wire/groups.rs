//! Limits of several tools, resources and prompts together, and of completions.

use std::sync::Arc;

use lambda_mcp::handler::CompletionRequest;
use lambda_mcp::limit::{Limits, MemoryLimiter};
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::{Server, prompt, resource, resource_template, tool};
use serde_json::json;

use super::{ADDRESS, Recorder, client_at, echo};
use crate::fixtures::{assert_refused, client};

/// The same data as a tool, a resource, a template and a prompt.
#[tokio::test]
async fn a_limit_of_a_group_cannot_be_avoided_by_reading_the_data_another_way() {
    async fn resume() -> &'static str {
        "Everything."
    }
    let rules = "resume[get_resume,resource:resume://*,prompt:assess]=4/365d";
    let recorder = Arc::new(Recorder::default());
    let server = Server::builder("limits", "1.0.0")
        .tool(tool("get_resume", resume).read_only())
        .resource(resource("resume://full", "full", resume))
        .resource(resource_template("resume://part/{text}", "part", echo))
        .prompt(prompt("assess", resume))
        .prompt(prompt("free", resume))
        .limits(Limits::new(rules.parse().unwrap(), Arc::clone(&recorder)))
        .build()
        .unwrap();
    let client = client_at(&server, ADDRESS);
    let responses = async || {
        [
            client.call("get_resume", json!({})).await,
            client.read("resume://full").await,
            client.read("resume://part/x").await,
            client.prompt("assess", json!({})).await,
        ]
    };
    for response in responses().await {
        assert_eq!(response.status(), 200);
        let policy = response.header("ratelimit-policy");
        assert_eq!(policy, Some(r#""resume-365d";q=4;w=31536000"#));
    }
    for response in responses().await {
        assert_refused(&response, 429, -32000);
    }
    // What is not in the group stays open, and so do lists.
    assert_eq!(client.prompt("free", json!({})).await.status(), 200);
    let listed = client.request("resources/list", json!({})).await;
    assert_eq!(listed.status(), 200);
    // An unknown resource is refused before anything is counted.
    recorder.asked();
    let unknown = client.read("resume://none").await;
    assert!(unknown.expect_protocol_error().code < 0);
    assert_eq!(recorder.asked(), [""; 0]);
}

/// Suggestions are data: a template may list the names of all customers.
#[tokio::test]
async fn a_completion_counts_as_a_use_of_its_prompt_or_template_or_by_its_own_limit() {
    async fn names(_: CompletionRequest) -> Vec<String> {
        vec!["ada".to_owned()]
    }
    let server = |rules: &str| {
        let limits = Limits::new(rules.parse().unwrap(), MemoryLimiter::new());
        let template = resource_template("customer://{text}", "customer", echo);
        let greet = prompt("greet", echo).complete("text", names);
        Server::builder("limits", "1.0.0")
            .resource(template.complete("text", names))
            .prompt(greet)
            .limits(limits)
            .build()
    };
    let template = "customer://{text}";
    let of_data = server("data[prompt:greet,resource:customer://*]=2/365d").unwrap();
    for version in ProtocolVersion::ALL {
        let address = format!("198.51.100.{}", version as u8);
        let client = client(&of_data, version).source_ip(address.parse().unwrap());
        for suggested in [
            client.complete_prompt("greet", "text", "a").await,
            client.complete_resource(template, "text", "a").await,
        ] {
            assert_eq!(suggested.completion().values, ["ada"]);
        }
        for limited in [
            client.complete_resource(template, "text", "a").await,
            client.complete_prompt("greet", "text", "a").await,
            client.read("customer://ada").await,
        ] {
            assert_eq!(limited.status(), 429, "{limited}");
        }
        // An argument that nothing completes gives no data.
        let nothing = client.complete_prompt("greet", "other", "a").await;
        assert_eq!(nothing.completion().values, [""; 0]);
    }

    let of_its_own = server("prompt:greet=1/365d; completion:prompt:*=2/365d").unwrap();
    let client = client_at(&of_its_own, ADDRESS);
    for status in [200, 200, 429] {
        let suggested = client.complete_prompt("greet", "text", "a").await;
        assert_eq!(suggested.status(), status, "{suggested}");
    }
    let limited = client.complete_prompt("greet", "text", "a").await;
    let told = &limited.expect_protocol_error().data;
    assert_eq!(told["completion"], "greet", "{limited}");
    for status in [200, 429] {
        let got = client.prompt("greet", json!({"text": "x"})).await;
        assert_eq!(got.status(), status, "{got}");
    }

    // A limit that nothing meets is a typing error.
    let error = server("completion:prompt:great=1/1h").unwrap_err();
    assert!(
        error.to_string().contains("completion:prompt:great"),
        "{error}"
    );
}
