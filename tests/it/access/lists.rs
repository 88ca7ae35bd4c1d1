//! Lists that depend on the caller.

use lambda_mcp::auth::Auth;
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::TestClient;
use lambda_mcp::{Server, prompt, resource, resource_template, tool};
use serde_json::json;

use super::{CHIEF, CLERK, READER, Silent, assert_challenged, auth, caller, order, text, whoami};
use crate::fixtures::{assert_refused, client};

const METHODS: [&str; 4] = [
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
];

/// Three entries in each list: one for everyone, one for clerks and one for chiefs.
fn server(page_size: usize) -> Server {
    Server::builder("orders", "1.0.0")
        .auth(auth())
        .page_size(page_size)
        .tool(tool("all", whoami))
        .tool(tool("clerks", whoami).visible_to("orders:refund"))
        .tool(tool("chiefs", whoami).visible_to("orders:admin"))
        .resource(resource("orders:all", "all", whoami))
        .resource(resource("orders:clerks", "clerks", whoami).visible_to("orders:refund"))
        .resource(resource("orders:chiefs", "chiefs", whoami).visible_to("orders:admin"))
        .resource(resource_template("all://{number}", "all", order))
        .resource(
            resource_template("clerks://{number}", "clerks", order).visible_to("orders:refund"),
        )
        .resource(
            resource_template("chiefs://{number}", "chiefs", order).visible_to("orders:admin"),
        )
        .prompt(prompt("all", whoami))
        .prompt(prompt("clerks", whoami).visible_to("orders:refund"))
        .prompt(prompt("chiefs", whoami).visible_to("orders:admin"))
        .build()
        .unwrap()
}

/// The programmatic names in all four lists.
async fn names(client: &TestClient) -> Vec<Vec<String>> {
    let lists = [
        client.tools().await,
        client.resources().await,
        client.resource_templates().await,
        client.prompts().await,
    ];
    let name = |entry: &serde_json::Value| entry["name"].as_str().unwrap().to_owned();
    lists
        .iter()
        .map(|list| list.iter().map(name).collect())
        .collect()
}

#[tokio::test]
async fn each_caller_sees_what_it_may_use_on_any_number_of_pages() {
    for page_size in [1, 2, 100] {
        let server = server(page_size);
        for version in ProtocolVersion::ALL {
            let rows = [
                ("", vec!["all"]),
                (READER, vec!["all"]),
                (CLERK, vec!["all", "clerks"]),
                (CHIEF, vec!["all", "clerks", "chiefs"]),
            ];
            for (key, expected) in rows {
                let seen = names(&caller(&server, version, key)).await;
                assert_eq!(seen, vec![expected.clone(); 4], "{version} {key}");
            }
        }
    }
}

#[tokio::test]
async fn a_list_that_depends_on_the_caller_is_private_on_all_pages_and_others_are_public() {
    let personal = server(1);
    let shared = super::server();
    for method in METHODS {
        for key in ["", CHIEF] {
            let client = caller(&personal, ProtocolVersion::V2026_07_28, key);
            let mut cursor = None;
            loop {
                let params = cursor.map_or(json!({}), |cursor| json!({"cursor": cursor}));
                let response = client.request(method, params).await;
                assert_eq!(response.result()["cacheScope"], "private", "{response}");
                cursor = response.result().get("nextCursor").cloned();
                if cursor.is_none() {
                    break;
                }
            }
            let client = caller(&shared, ProtocolVersion::V2026_07_28, key);
            let response = client.request(method, json!({})).await;
            assert_eq!(response.result()["cacheScope"], "public", "{response}");
        }
    }
    let discovered = client(&personal, ProtocolVersion::V2026_07_28)
        .discover()
        .await;
    assert_eq!(discovered.result()["cacheScope"], "public", "{discovered}");
}

#[tokio::test]
async fn a_cursor_of_one_caller_is_none_of_another() {
    let server = server(1);
    for version in ProtocolVersion::ALL {
        let (clerk, chief) = (
            caller(&server, version, CLERK),
            caller(&server, version, CHIEF),
        );
        for method in METHODS {
            let first = clerk.request(method, json!({})).await;
            let next = json!({"cursor": first.result()["nextCursor"]});
            let second = clerk.request(method, next.clone()).await;
            assert!(second.result().get("nextCursor").is_none(), "{second}");
            assert_refused(&chief.request(method, next).await, 200, -32602);
        }
    }
}

#[tokio::test]
async fn an_invalid_credential_is_told_so_where_the_list_depends_on_it() {
    let (personal, shared) = (server(100), super::server());
    for version in ProtocolVersion::ALL {
        for method in METHODS {
            let response = caller(&personal, version, "no-such-key")
                .request(method, json!({}))
                .await;
            assert_challenged(&response, 401, None);
            let response = caller(&shared, version, "no-such-key")
                .request(method, json!({}))
                .await;
            assert_eq!(response.status(), 200, "{response}");
            // No Bearer token: another scheme is for a gateway, and a placeholder is an empty variable.
            for value in ["Basic dXNlcjpwYXNz", "Bearer undefined"] {
                let request = client(&personal, version).request(method, json!({}));
                let response = request.header("Authorization", value).await;
                assert_eq!(response.status(), 200, "{response}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_that_depends_on_the_caller_is_unavailable_with_its_verifier() {
    let server = Server::builder("slow", "1.0.0")
        .auth(Auth::new().verifier(Silent))
        .tool(tool("all", whoami))
        .tool(tool("some", whoami).visible_to(""))
        .build()
        .unwrap();
    let client = caller(&server, ProtocolVersion::V2026_07_28, "any-key");
    let response = client.request("tools/list", json!({})).await;
    assert_eq!(response.status(), 503, "{response}");
}

#[tokio::test]
async fn what_is_hidden_is_challenged_like_what_is_not_so_that_clients_can_ask_for_the_scope() {
    let server = server(100);
    for version in ProtocolVersion::ALL {
        let chiefs = |key: &str| {
            let client = caller(&server, version, key);
            [
                client.call("chiefs", json!({})),
                client.read("orders:chiefs"),
                client.read("chiefs://7"),
                client.prompt("chiefs", json!({})),
            ]
        };
        for request in chiefs("") {
            assert_challenged(&request.await, 401, Some("orders:admin"));
        }
        for request in chiefs(CLERK) {
            assert_challenged(&request.await, 403, Some("orders:admin"));
        }
        for request in chiefs(CHIEF) {
            assert!(text(&request.await).contains("chief"));
        }
        let unknown = caller(&server, version, CLERK)
            .call("unknown", json!({}))
            .await;
        assert_eq!(unknown.expect_protocol_error().code, -32602, "{unknown}");
    }
}
