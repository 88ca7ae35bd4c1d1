//! Callers that the gateway verified.

use lambda_mcp::Server;
use lambda_mcp::auth::{ApiKeys, Auth, Claims, Principal, Scopes};
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::server::{Authorizer, IamIdentity, Invocation};
use lambda_mcp::testing::TestClient;
use lambda_mcp::tool;
use serde_json::{Value, json};

use super::whoami;
use crate::fixtures::client;

const KEY: &str = "key-of-the-clerk";

fn server(auth: Auth) -> Server {
    let key = format!("clerk {} orders:refund", ApiKeys::digest(KEY));
    Server::builder("orders", "1.0.0")
        .auth(auth.verifier(key.parse::<ApiKeys>().unwrap()))
        .tool(tool("greet", whoami).identifies_caller())
        .tool(tool("mine", whoami).requires_credential())
        .tool(tool("refund", whoami).requires_scope("orders:refund"))
        .build()
        .unwrap()
}

/// A client whose requests come through a gateway with this verdict.
fn through(server: &Server, version: ProtocolVersion, verdict: Authorizer) -> TestClient {
    let mut invocation = Invocation::default();
    invocation.authorizer = Some(verdict);
    client(server, version).invocation(invocation)
}

fn claims(scope: &str) -> Claims {
    let claims = json!({"iss": "https://login.example.com", "sub": "ada", "scope": scope});
    let Value::Object(claims) = claims else {
        unreachable!()
    };
    claims.into()
}

/// The HTTP status of a call, and whom the tool saw.
async fn called(client: &TestClient, tool: &str) -> (u16, String) {
    let response = client.call(tool, json!({})).await;
    let seen = if response.status() == 200 {
        response.text()
    } else {
        String::new()
    };
    (response.status(), seen)
}

fn seen(name: &str) -> (u16, String) {
    (200, name.to_owned())
}

const REFUSED: (u16, String) = (401, String::new());

#[tokio::test]
async fn by_default_what_a_gateway_verified_is_no_credential() {
    let server = server(Auth::new());
    for version in ProtocolVersion::ALL {
        let client = through(
            &server,
            version,
            Authorizer::Claims(claims("orders:refund")),
        );
        assert_eq!(called(&client, "greet").await, seen("nobody"));
        assert_eq!(called(&client, "mine").await, REFUSED);
        assert_eq!(called(&client, "refund").await, REFUSED);
    }
}

#[tokio::test]
async fn access_rules_hold_for_callers_that_the_gateway_verified() {
    let auth = Auth::new().scope_implies("orders:admin", "orders:refund");
    let server = server(auth.gateway(Authorizer::principal));
    let none = (403, String::new());
    for version in ProtocolVersion::ALL {
        for (scope, refund) in [
            ("", &none),
            ("orders:read", &none),
            ("orders:refund", &seen("ada")),
            ("[orders:read orders:admin]", &seen("ada")),
        ] {
            let client = through(&server, version, Authorizer::Claims(claims(scope)));
            assert_eq!(called(&client, "greet").await, seen("ada"), "{scope}");
            assert_eq!(called(&client, "mine").await, seen("ada"), "{scope}");
            assert_eq!(&called(&client, "refund").await, refund, "{scope}");
        }
        let arn = "arn:aws:iam::123456789012:user/ada";
        let signed = Authorizer::Iam(IamIdentity::new(arn));
        let client = through(&server, version, signed);
        assert_eq!(called(&client, "mine").await, seen(arn));

        // The context of a Lambda authorizer means what its author says, and nothing by itself. So the
        // verifiers are asked.
        let client = through(
            &server,
            version,
            Authorizer::Lambda(claims("orders:refund")),
        );
        assert_eq!(called(&client, "refund").await, REFUSED);
        let with_key = client.bearer(KEY);
        assert_eq!(called(&with_key, "refund").await, seen("clerk"));
    }
    // Requests that reached the function around the gateway.
    for version in ProtocolVersion::ALL {
        let around = client(&server, version);
        assert_eq!(called(&around, "mine").await, REFUSED);
        assert_eq!(called(&around.bearer(KEY), "mine").await, seen("clerk"));
    }
}

#[tokio::test]
async fn the_context_of_a_lambda_authorizer_is_read_by_a_function_of_the_author() {
    let naming = |authorizer: &Authorizer| match authorizer {
        Authorizer::Lambda(_) => Some(Principal::new("ada", Scopes::none())),
        _ => panic!("SENTINEL"),
    };
    let server = server(Auth::new().gateway(naming));
    for version in ProtocolVersion::ALL {
        let client = through(&server, version, Authorizer::Lambda(Claims::default()));
        assert_eq!(called(&client, "mine").await, seen("ada"));
        // A panic is an answer, not the end of the process.
        let client = through(&server, version, Authorizer::Claims(claims("")));
        let response = client.call("mine", json!({})).await;
        assert_eq!(response.status(), 503, "{response}");
        assert!(!response.body_text().contains("SENTINEL"), "{response}");
        assert_eq!(called(&client, "greet").await, seen("nobody"));
    }
}
