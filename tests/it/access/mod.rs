//! Access rules in a whole server: who may call, read and complete, and who sees what in lists.
//!
//! Submodules: `lists`, what callers see; `closed`, a server that serves nobody without a credential;
//! `gateway`, callers that API Gateway verified; `build`, rules that cannot work.

mod build;
mod closed;
mod gateway;
mod lists;

use lambda_mcp::auth::{ApiKeys, Auth};
use lambda_mcp::handler::CompletionRequest;
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::server::ServerBuilder;
use lambda_mcp::testing::{TestClient, TestRequest, TestResponse};
use lambda_mcp::{Args, BoxFuture, Context, Server, prompt, resource, resource_template, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::fixtures::{assert_refused, client};

const READER: &str = "key-of-the-reader";
const CLERK: &str = "key-of-the-clerk";
const CHIEF: &str = "key-of-the-chief";

/// The subject of the caller.
fn name(context: &Context) -> String {
    let principal = context.principal();
    principal
        .map_or("nobody", |principal| principal.subject())
        .to_owned()
}

async fn whoami(context: Context) -> String {
    name(&context)
}

#[derive(Deserialize, JsonSchema)]
struct Number {
    number: String,
}

async fn order(context: Context, Args(Number { number }): Args<Number>) -> String {
    format!("order {number} for {}", name(&context))
}

/// One value: the caller's name and what is typed.
async fn suggest(context: Context, typed: CompletionRequest) -> Vec<String> {
    vec![format!("{} {}", typed.value, name(&context))]
}

/// The keys of a reader without scopes, of a clerk, and of a chief whose scope implies the clerk's.
fn auth() -> Auth {
    let entry =
        |name: &str, key: &str, scopes: &str| format!("{name} {} {scopes}", ApiKeys::digest(key));
    let keys = [
        entry("reader", READER, ""),
        entry("clerk", CLERK, "orders:refund"),
        entry("chief", CHIEF, "orders:admin"),
    ];
    let keys = keys.join(";").parse::<ApiKeys>().unwrap();
    Auth::new()
        .verifier(keys)
        .scope_implies("orders:admin", "orders:refund orders:list")
}

/// A server in which each kind of definition has each kind of rule.
fn builder() -> ServerBuilder<()> {
    Server::builder("orders", "1.0.0")
        .auth(auth())
        .public_url("https://mcp.example.com")
        .tool(tool("open", whoami))
        .tool(tool("greet", whoami).identifies_caller())
        .tool(tool("mine", whoami).requires_credential())
        .tool(tool("refund", whoami).requires_scope("orders:refund"))
        .resource(resource("orders:open", "open", whoami).public_cache())
        .resource(
            resource("orders:greet", "greet", whoami)
                .identifies_caller()
                .public_cache(),
        )
        .resource(
            resource("orders:mine", "mine", whoami)
                .requires_credential()
                .public_cache(),
        )
        .resource(
            resource_template("orders://{number}", "order", order)
                .requires_scope("orders:refund")
                .complete("number", suggest),
        )
        .prompt(prompt("open", whoami))
        .prompt(prompt("greet", whoami).identifies_caller())
        .prompt(prompt("mine", whoami).requires_credential())
        .prompt(
            prompt("letter", order)
                .requires_scope("orders:refund")
                .complete("number", suggest),
        )
}

fn server() -> Server {
    builder().build().unwrap()
}

/// A client of a version, with a key unless it is empty.
fn caller(server: &Server, version: ProtocolVersion, key: &str) -> TestClient {
    let client = client(server, version);
    if key.is_empty() {
        client
    } else {
        client.bearer(key)
    }
}

/// The text of a tool, resource, prompt or completion.
fn text(response: &TestResponse) -> String {
    let result = response.result();
    let places = [
        "/content/0/text",
        "/contents/0/text",
        "/messages/0/content/text",
        "/completion/values/0",
    ];
    let found = places.iter().find_map(|place| result.pointer(place));
    found
        .unwrap_or_else(|| panic!("{response}"))
        .as_str()
        .unwrap()
        .to_owned()
}

/// The tool, resource and prompt of this name, each by its request.
fn requests(client: &TestClient, name: &str) -> [TestRequest; 3] {
    [
        client.call(name, json!({})),
        client.read(&format!("orders:{name}")),
        client.prompt(name, json!({})),
    ]
}

/// What requires `orders:refund`.
fn refunds(client: &TestClient) -> [TestRequest; 5] {
    [
        client.call("refund", json!({})),
        client.read("orders://7"),
        client.prompt("letter", json!({"number": "7"})),
        client.complete_prompt("letter", "number", ""),
        client.complete_resource("orders://{number}", "number", ""),
    ]
}

/// The value of a parameter of the challenge, if it is there.
fn challenge(response: &TestResponse, parameter: &str) -> Option<String> {
    let challenge = response.header("www-authenticate")?;
    let (_, rest) = challenge.split_once(&format!(" {parameter}=\""))?;
    Some(rest.split('"').next()?.to_owned())
}

#[track_caller]
fn assert_challenged(response: &TestResponse, status: u16, scope: Option<&str>) {
    let code = match response.message()["error"]["code"].as_i64() {
        Some(-32000) => -32000,
        _ => i64::from(status),
    };
    assert_refused(response, status, code);
    assert_eq!(challenge(response, "scope").as_deref(), scope, "{response}");
    let error = (status == 403).then_some("insufficient_scope");
    if status == 403 {
        assert_eq!(challenge(response, "error").as_deref(), error, "{response}");
    }
}

#[tokio::test]
async fn whatever_requires_a_scope_is_served_to_callers_with_it_only() {
    let server = server();
    for version in ProtocolVersion::ALL {
        for request in refunds(&caller(&server, version, "")) {
            assert_challenged(&request.await, 401, Some("orders:refund"));
        }
        for request in refunds(&caller(&server, version, "no-such-key")) {
            let response = request.await;
            assert_challenged(&response, 401, Some("orders:refund"));
            assert_eq!(
                challenge(&response, "error").as_deref(),
                Some("invalid_token")
            );
        }
        for request in refunds(&caller(&server, version, READER)) {
            assert_challenged(&request.await, 403, Some("orders:refund"));
        }
        for request in refunds(&caller(&server, version, CLERK)) {
            let response = request.await;
            assert!(text(&response).contains("clerk"), "{response}");
        }
        // A broader scope implies the narrower one.
        for request in refunds(&caller(&server, version, CHIEF)) {
            let response = request.await;
            assert!(text(&response).contains("chief"), "{response}");
        }
    }
}

#[tokio::test]
async fn whatever_requires_a_credential_is_served_to_callers_with_any() {
    let server = server();
    for version in ProtocolVersion::ALL {
        for request in requests(&caller(&server, version, ""), "mine") {
            assert_challenged(&request.await, 401, None);
        }
        for request in requests(&caller(&server, version, READER), "mine") {
            assert_eq!(text(&request.await), "reader");
        }
    }
}

#[tokio::test]
async fn what_identifies_its_caller_is_open_to_everyone() {
    let server = server();
    for version in ProtocolVersion::ALL {
        for request in requests(&caller(&server, version, READER), "greet") {
            assert_eq!(text(&request.await), "reader");
        }
        let authorizations = [
            "Bearer no-such-key",
            "Bearer undefined",
            "Bearer a, Bearer b",
            "Basic dXNlcjpwYXNz",
        ];
        for authorization in authorizations {
            let client = client(&server, version).header("Authorization", authorization);
            for request in requests(&client, "greet") {
                assert_eq!(text(&request.await), "nobody", "{authorization}");
            }
        }
        for request in requests(&caller(&server, version, ""), "greet") {
            assert_eq!(text(&request.await), "nobody");
        }
    }
}

#[tokio::test]
async fn a_caller_is_recognized_by_a_scope_or_one_that_implies_it() {
    let scope = "orders:refund";
    let server = builder()
        .tool(tool("known", whoami).recognizes_scope(scope))
        .resource(resource("orders:known", "known", whoami).recognizes_scope(scope))
        .prompt(prompt("known", whoami).recognizes_scope(scope))
        .build()
        .unwrap();
    for version in ProtocolVersion::ALL {
        let rows = [
            ("", "nobody"),
            ("no-such-key", "nobody"),
            (READER, "nobody"),
            (CLERK, "clerk"),
            (CHIEF, "chief"),
        ];
        for (key, expected) in rows {
            for request in requests(&caller(&server, version, key), "known") {
                assert_eq!(text(&request.await), expected, "{key}");
            }
        }
    }
}

#[tokio::test]
async fn what_has_no_rule_ignores_credentials() {
    let server = server();
    for version in ProtocolVersion::ALL {
        for key in ["", "no-such-key", CHIEF] {
            for request in requests(&caller(&server, version, key), "open") {
                assert_eq!(text(&request.await), "nobody");
            }
        }
    }
}

#[tokio::test]
async fn a_scope_that_is_implied_is_one_of_the_caller() {
    async fn scopes(context: Context) -> String {
        let scopes = context
            .principal()
            .map(|principal| principal.scopes().to_string());
        scopes.unwrap_or_default()
    }
    let server = builder()
        .tool(tool("scopes", scopes).identifies_caller())
        .build()
        .unwrap();
    let client = caller(&server, ProtocolVersion::V2026_07_28, CHIEF);
    let text = client.call("scopes", json!({})).await.text();
    assert_eq!(text, "orders:admin orders:refund orders:list");
}

#[tokio::test]
async fn a_resource_that_looks_at_its_caller_is_never_in_shared_caches() {
    let server = server();
    let reader = caller(&server, ProtocolVersion::V2026_07_28, READER);
    for (uri, scope) in [
        ("orders:open", "public"),
        ("orders:greet", "private"),
        ("orders:mine", "private"),
    ] {
        let response = reader.read(uri).await;
        assert_eq!(response.result()["cacheScope"], scope, "{uri}: {response}");
    }
}

/// Neither accepts nor refuses.
#[derive(Debug)]
struct Silent;

impl lambda_mcp::auth::Verifier for Silent {
    fn verify<'a>(
        &'a self,
        _: lambda_mcp::auth::BearerToken<'a>,
    ) -> BoxFuture<'a, lambda_mcp::auth::Verdict> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test(start_paused = true)]
async fn a_verifier_that_hangs_leaves_the_caller_of_an_open_tool_unknown() {
    let auth = Auth::new()
        .verifier(Silent)
        .verifier_timeout(std::time::Duration::from_millis(200));
    let server = Server::builder("slow", "1.0.0")
        .auth(auth)
        .tool(tool("greet", whoami).identifies_caller())
        .tool(tool("mine", whoami).requires_credential())
        .build()
        .unwrap();
    for version in ProtocolVersion::ALL {
        let client = caller(&server, version, "any-key");
        let started = tokio::time::Instant::now();
        assert_eq!(text(&client.call("greet", json!({})).await), "nobody");
        let response = client.call("mine", json!({})).await;
        assert_eq!(response.status(), 503, "{response}");
        assert!(response.header("retry-after").is_some(), "{response}");
        assert!(started.elapsed().as_millis() <= 402);
    }
}

#[tokio::test]
async fn a_group_of_limits_counts_a_caller_by_its_name_whichever_way_it_reads() {
    use lambda_mcp::limit::{Limits, MemoryLimiter};
    let rules = "orders[greet,resource:orders:*,prompt:greet]=3/365d"
        .parse()
        .unwrap();
    let server = builder()
        .limits(Limits::new(rules, MemoryLimiter::new()))
        .build()
        .unwrap();
    let version = ProtocolVersion::V2025_11_25;
    for key in [READER, CLERK, ""] {
        let client = caller(&server, version, key);
        for request in requests(&client, "greet") {
            assert_eq!(request.await.status(), 200, "{key}");
        }
        for request in requests(&client, "greet") {
            assert_eq!(request.await.status(), 429, "{key}");
        }
    }
}
