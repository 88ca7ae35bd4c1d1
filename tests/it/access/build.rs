//! Access rules that cannot work are found when the server is built.

use lambda_mcp::auth::{ApiKeys, Auth};
use lambda_mcp::server::{BuildError, ServerBuilder};
use lambda_mcp::{Server, prompt, resource, tool};

use super::{auth, builder, whoami};

fn empty() -> ServerBuilder<()> {
    Server::builder("orders", "1.0.0")
}

#[test]
fn a_rule_needs_a_verifier() {
    let rows = [
        (
            empty().tool(tool("a", whoami).requires_scope("x")),
            "tool `a`",
        ),
        (empty().tool(tool("a", whoami).visible_to("x")), "tool `a`"),
        (
            empty().resource(resource("a:b", "b", whoami).requires_credential()),
            "resource `a:b`",
        ),
        (
            empty().prompt(prompt("p", whoami).requires_credential()),
            "prompt `p`",
        ),
        (empty().auth(Auth::new().required()), "the server"),
    ];
    for (builder, expected) in rows {
        match builder.build().unwrap_err() {
            BuildError::NoVerifier { definition } => assert_eq!(definition, expected),
            other => panic!("{other}"),
        }
    }
    // Nobody is identified without a verifier, and nobody is refused.
    assert!(
        empty()
            .tool(tool("a", whoami).identifies_caller())
            .build()
            .is_ok()
    );
}

#[test]
fn what_is_not_a_scope_is_named() {
    let rows = [
        (
            builder().tool(tool("a", whoami).requires_scope("x\"")),
            "tool `a`: `x\"`",
        ),
        (
            builder().tool(tool("a", whoami).visible_to("ä")),
            "tool `a`: `ä`",
        ),
        (
            builder().resource(resource("a:b", "b", whoami).requires_scope("x y\\z")),
            "resource `a:b`: `y\\z`",
        ),
        (
            builder().prompt(prompt("p", whoami).visible_to("\"")),
            "prompt `p`: `\"`",
        ),
        (
            builder().auth(auth().scope_implies("a", "b\"")),
            "`Auth::scope_implies`: `b\"`",
        ),
        (
            builder().auth(auth().scope_implies("é", "b")),
            "`Auth::scope_implies`: `é`",
        ),
    ];
    for (builder, expected) in rows {
        let error = builder.build().unwrap_err();
        assert!(matches!(error, BuildError::Scopes { .. }), "{error}");
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}

#[tokio::test]
async fn the_metadata_names_the_scopes_of_all_definitions() {
    let keys = format!("ada {}", ApiKeys::digest("a-key"))
        .parse::<ApiKeys>()
        .unwrap();
    let login = "https://login.example.com".parse().unwrap();
    let server = empty()
        .auth(Auth::new().verifier(keys).authorization_server(login))
        .tool(tool("a", whoami).requires_scope("tools:a"))
        .tool(tool("b", whoami).visible_to("tools:b"))
        .resource(resource("a:b", "b", whoami).requires_scope("resources:b"))
        .prompt(prompt("p", whoami).requires_scope("prompts:p tools:a"))
        .build()
        .unwrap();
    let request = http::Request::get("/.well-known/oauth-protected-resource/mcp");
    let response = server
        .handle(request.body(bytes::Bytes::new()).unwrap())
        .await;
    let body = response.into_body().into_bytes().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&body).unwrap();
    let expected = ["tools:a", "tools:b", "resources:b", "prompts:p"];
    assert_eq!(document["scopes_supported"], serde_json::json!(expected));
}
