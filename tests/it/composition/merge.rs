//! Builders that are merged, and parts of the state.

use std::sync::Arc;

use lambda_mcp::auth::{ApiKeys, Auth};
use lambda_mcp::layer::{CallEnd, CallInfo, Next};
use lambda_mcp::limit::{Limits, MemoryLimiter};
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::server::{BuildError, ServerBuilder};
use lambda_mcp::{BoxFuture, Server, State, prompt, resource, resource_template, tool};
use serde_json::json;

use crate::fixtures::client;

#[path = "../../../examples/merge.rs"]
#[expect(dead_code, reason = "the program has a `main`")]
mod example;

#[tokio::test]
async fn each_part_keeps_its_own_state() {
    let server = example::server().unwrap();
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        assert_eq!(client.tools().await.names(), ["open_orders", "stock"]);
        assert_eq!(
            client.call("open_orders", json!({})).await.text(),
            "3 apples, 1 pear"
        );
        assert_eq!(
            client.call("stock", json!({})).await.text(),
            "7 apples\n2 pears"
        );
        let contents = client.read("orders:currency").await;
        assert_eq!(contents.contents()[0]["text"], "EUR");
        let messages = client.prompt("reorder", json!({})).await;
        let text = &messages.messages()[0]["content"]["text"];
        assert_eq!(text, "Write an order for: pears.");
    }
}

async fn hello() -> &'static str {
    "Hello."
}

async fn names(State(names): State<Arc<str>>) -> Vec<String> {
    vec![names.to_string()]
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Page {
    name: String,
}

async fn page(lambda_mcp::Args(Page { name }): lambda_mcp::Args<Page>) -> String {
    name
}

#[tokio::test]
async fn completions_come_along_with_their_state() {
    let part = Server::builder("book", "1.0.0")
        .state(Arc::<str>::from("preface"))
        .resource(resource_template("book://{name}", "page", page).complete("name", names));
    let server = Server::builder("shelf", "1.0.0")
        .merge(part)
        .build()
        .unwrap();
    let client = client(&server, ProtocolVersion::V2026_07_28);
    let completed = client
        .complete_resource("book://{name}", "name", "pre")
        .await;
    assert_eq!(completed.completion().values, ["preface"]);
}

fn builder(name: &str) -> ServerBuilder<()> {
    Server::builder(name, "1.0.0")
}

#[test]
fn a_name_that_two_parts_have_is_an_error_that_names_both() {
    let orders = || {
        builder("orders")
            .tool(tool("find", hello))
            .resource(resource("text://a", "a", hello))
            .prompt(prompt("ask", hello))
    };
    let rows = [
        (
            builder("shop")
                .merge(orders())
                .merge(builder("stock").tool(tool("find", hello))),
            "orders",
            "stock",
        ),
        (
            builder("shop").tool(tool("find", hello)).merge(orders()),
            "shop",
            "orders",
        ),
        (
            builder("shop").merge(orders()).tool(tool("find", hello)),
            "orders",
            "shop",
        ),
        (
            builder("shop")
                .merge(orders())
                .resource(resource("text://a", "b", hello)),
            "orders",
            "shop",
        ),
        (
            builder("shop").merge(orders()).prompt(prompt("ask", hello)),
            "orders",
            "shop",
        ),
        // The origin of a definition survives a second merge.
        (
            builder("mall")
                .merge(builder("shop").merge(orders()))
                .tool(tool("find", hello)),
            "orders",
            "mall",
        ),
    ];
    for (builder, expected_first, expected_second) in rows {
        let error = builder.build().unwrap_err();
        let message = error.to_string();
        let BuildError::MergedTwice { first, second, .. } = error else {
            panic!("{error:?}");
        };
        assert_eq!(
            (first.as_str(), second.as_str()),
            (expected_first, expected_second),
            "{message}"
        );
        assert!(
            message.contains(expected_first) && message.contains(expected_second),
            "{message}"
        );
    }
}

#[test]
fn a_fault_of_a_part_is_a_fault_of_the_whole() {
    let part = builder("part").tool(tool("not a name", hello));
    let error = builder("whole").merge(part).build().unwrap_err();
    assert!(matches!(error, BuildError::ToolName { .. }), "{error}");
}

fn layer<'a>(_: CallInfo<'a>, next: Next<'a>) -> BoxFuture<'a, CallEnd> {
    next.run()
}

#[test]
fn what_must_hold_for_the_whole_server_cannot_be_lost_in_a_part() {
    let keys = format!(
        "ada {} a",
        ApiKeys::digest("a key of at least 20 characters")
    );
    let auth = Auth::new().verifier(keys.parse::<ApiKeys>().unwrap());
    let limits = Limits::new("hello=1/1h".parse().unwrap(), MemoryLimiter::new());
    let parts = [
        (builder("part").auth(auth), "credentials"),
        (builder("part").limits(limits), "limits"),
        (builder("part").layer(layer), "layers"),
        (
            builder("part").on_request_span(|_, _| {}),
            "functions for spans",
        ),
    ];
    for (part, expected) in parts {
        let error = builder("whole").merge(part).build().unwrap_err();
        let BuildError::MergedSetting { setting, from } = error else {
            panic!("{error:?}");
        };
        assert_eq!((setting, from.as_str()), (expected, "part"));
    }
}
