//! The HTTP request and the platform, as handlers and verifiers see them.

use std::net::IpAddr;

use harness::messages::request as message;
use harness::{Front, HttpRequest, Outcome, ServerConfig, TestServer, Version};
use lambda_mcp::BoxFuture;
use lambda_mcp::auth::{Auth, BearerToken, InvalidToken, Principal, Scopes, Verdict, Verifier};
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::server::Invocation;
use lambda_mcp::testing::TestClient;
use lambda_mcp::{Context, Server, tool};
use serde_json::{Value, json};

use crate::fixtures::client;

/// Sends a call of `gateway` with an event whose `requestContext` has `authorizer` and `identity`.
#[track_caller]
fn gateway(server: &TestServer, front: Front, authorizer: &Value, identity: &Value) -> String {
    let call = message(
        Version::V2025_11_25,
        "tools/call",
        json!({"name": "gateway"}),
    );
    let mut request = HttpRequest::post(call.to_string());
    request.stage = "prod".to_owned();
    let mut event = harness::event(front, &request);
    let context = event["requestContext"].as_object_mut().unwrap();
    if !authorizer.is_null() {
        context.insert("authorizer".to_owned(), authorizer.clone());
    }
    if let Some(members) = identity.as_object() {
        let identity = context["identity"].as_object_mut().unwrap();
        identity.extend(members.clone());
    }
    match server.invoke(front, &event) {
        Outcome::Reply(reply) => {
            let result = reply.result();
            assert_ne!(result["isError"], true, "{reply:#?}");
            result["content"][0]["text"].as_str().unwrap().to_owned()
        }
        other => panic!("{other:#?}"),
    }
}

const ARN: &str = "arn:aws:iam::123456789012:user/ada";

/// The claims of a token, as API Gateway writes them.
fn claims() -> Value {
    json!({"sub": "ada", "exp": "1785576656", "email": "ada@example.com"})
}

#[test]
fn a_handler_sees_what_an_authorizer_of_a_rest_api_found_out() {
    let server = ServerConfig::new("request").start();
    let none = Value::Null;
    let context = json!({
        "principalId": "user|1", "plan": "gold", "claims": "a text", "integrationLatency": 3,
    });
    let iam = json!({
        "userArn": ARN, "accountId": "123456789012", "user": "AIDA", "caller": "AIDA",
    });
    let rows = [
        (json!({"claims": claims()}), none.clone(), "ada"),
        (context, none.clone(), "a gold user"),
        (none.clone(), iam, ARN),
        (none.clone(), json!({"userArn": null}), "anyone"),
        (none.clone(), none.clone(), "anyone"),
        // What a gateway never sends is no fault of the client.
        (json!([1, 2]), none.clone(), "anyone"),
    ];
    for (authorizer, identity, expected) in rows {
        let text = gateway(&server, Front::Rest, &authorizer, &identity);
        assert_eq!(text, format!("{expected} in prod"), "{authorizer}");
    }
    let text = gateway(&server, Front::Alb, &none, &none);
    assert_eq!(text, "anyone in no stage");
}

#[test]
fn a_handler_sees_what_an_authorizer_of_an_http_api_found_out() {
    let server = ServerConfig::new("request").start();
    let iam = json!({
        "userArn": ARN, "userId": "AIDA", "callerId": "AIDA", "accessKey": "AKIA",
        "accountId": "123456789012", "principalOrgId": "o-1", "cognitoIdentity": null,
    });
    let rows = [
        (json!({"jwt": {"claims": claims(), "scopes": null}}), "ada"),
        (
            json!({"lambda": {"plan": "gold", "nested": {"a": [1]}}}),
            "a gold user",
        ),
        (json!({"lambda": null}), "anyone"),
        (json!({"iam": iam}), ARN),
        (Value::Null, "anyone"),
        // What a gateway never sends is no fault of the client.
        (json!("a text"), "anyone"),
        (json!({"jwt": 1, "lambda": 2}), "anyone"),
    ];
    for (authorizer, expected) in rows {
        let text = gateway(&server, Front::Http, &authorizer, &Value::Null);
        assert_eq!(text, format!("{expected} in prod"), "{authorizer}");
    }
    let signed = json!({"iam": {"userArn": ARN}});
    let text = gateway(&server, Front::FunctionUrl, &signed, &Value::Null);
    assert_eq!(text, format!("{ARN} in $default"));
}

#[tokio::test]
async fn all_messages_of_a_batch_see_the_same_request() {
    async fn tenant(context: Context) -> String {
        let tenant = context.headers()["x-tenant"].to_str().unwrap_or_default();
        let Some(number) = context.extensions().get::<u32>() else {
            return "no extension".to_owned();
        };
        format!("{tenant} {number} {:?}", context.invocation().stage)
    }
    let server = Server::builder("batch", "1.0.0")
        .tool(tool("tenant", tenant))
        .build()
        .unwrap();
    let mut invocation = Invocation::default();
    invocation.stage = Some("prod".to_owned());
    let call = |id: u32| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "tenant"}});
    let response = TestClient::new(server)
        .legacy(ProtocolVersion::V2025_03_26)
        .header("X-Tenant", "acme")
        .extension(7_u32)
        .invocation(invocation)
        .post(json!([call(1), call(2)]).to_string())
        .await;
    let body: Value = serde_json::from_str(&response.body_text()).unwrap();
    for reply in body.as_array().unwrap() {
        let text = &reply["result"]["content"][0]["text"];
        assert_eq!(text, "acme 7 Some(\"prod\")", "{body}");
    }
}

#[tokio::test]
async fn debug_output_of_the_context_hides_credentials() {
    async fn shown(context: Context) -> String {
        format!("{context:?} {:?}", context.headers())
    }
    let server = Server::builder("debug", "1.0.0")
        .tool(tool("shown", shown))
        .build()
        .unwrap();
    for version in ProtocolVersion::ALL {
        let client = client(&server, version).header("Cookie", "session=SENTINEL-1");
        let response = client.bearer("SENTINEL-2").call("shown", json!({})).await;
        let text = response.text();
        assert!(text.contains("content-type"), "{text}");
        assert!(!text.contains("SENTINEL"), "{text}");
    }
}

/// Accepts the token of a tenant from the network of that tenant, for one tool.
#[derive(Debug)]
struct Tenants;

impl Verifier for Tenants {
    fn verify<'a>(&'a self, bearer: BearerToken<'a>) -> BoxFuture<'a, Verdict> {
        let tenant = bearer.header("x-tenant").unwrap_or_default();
        let network = bearer
            .request
            .and_then(|parts| parts.extensions.get::<IpAddr>());
        let is_post = bearer.request.is_some_and(|parts| parts.method == "POST");
        let is_at_home = bearer.source_ip.is_some() && bearer.source_ip.as_ref() == network;
        let verdict = if is_post && is_at_home && bearer.token == format!("token-of-{tenant}") {
            Verdict::Accepted(Principal::new(tenant, Scopes::none()))
        } else {
            Verdict::Invalid(InvalidToken::Unknown)
        };
        Box::pin(std::future::ready(verdict))
    }
}

#[tokio::test]
async fn a_verifier_sees_headers_extensions_and_source_address() {
    async fn whoami(context: Context) -> String {
        let principal = context.principal();
        principal
            .map_or("nobody", |principal| principal.subject())
            .to_owned()
    }
    let server = Server::builder("tenants", "1.0.0")
        .auth(Auth::new().verifier(Tenants))
        .tool(tool("whoami", whoami).requires_credential())
        .build()
        .unwrap();
    let home: IpAddr = "198.51.100.7".parse().unwrap();
    for version in ProtocolVersion::ALL {
        let at_home = client(&server, version)
            .header("X-Tenant", "acme")
            .source_ip(home)
            .extension(home)
            .bearer("token-of-acme");
        assert_eq!(at_home.call("whoami", json!({})).await.text(), "acme");
        let other = at_home.clone().header("X-Tenant", "other");
        assert_eq!(other.call("whoami", json!({})).await.status(), 401);
        let away = at_home.source_ip("203.0.113.1".parse().unwrap());
        assert_eq!(away.call("whoami", json!({})).await.status(), 401);
    }
}
