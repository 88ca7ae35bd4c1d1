//! Access tokens without `aud`, in the documented shape of Amazon Cognito.

use bytes::Bytes;
use lambda_mcp::auth::{ApiKeys, Auth, Jwt, JwtKeys, Scopes, Verdict};
use lambda_mcp::testing::{TestClient, TestResponse};
use lambda_mcp::{Server, tool};
use serde_json::{Value, json};

use super::mint::{Signer, published, token};
use super::{ISSUER, NOW_S, check, outcome};

const POOL: &str = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_EXAMPLE";
const CLIENT: &str = "1example23456789";
const PREFIX: &str = "https://mcp.example.com/";

/// *Amazon Cognito, Understanding the access token*.
fn access_token() -> Value {
    json!({
        "sub": "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
        "device_key": "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
        "iss": POOL,
        "version": 2,
        "client_id": CLIENT,
        "event_id": "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
        "token_use": "access",
        "scope": "https://mcp.example.com/contact:send openid https://other.example.com/orders",
        "auth_time": NOW_S,
        "exp": NOW_S + 3600,
        "iat": NOW_S,
        "jti": "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
        "username": "ada",
    })
}

fn verifier() -> Jwt {
    Jwt::new(POOL, JwtKeys::jwks(published().to_string()).unwrap())
        .client_id(CLIENT)
        .scope_prefix(PREFIX)
}

async fn verdict(verifier: &Jwt, change: impl FnOnce(&mut Value)) -> Verdict {
    let mut claims = access_token();
    change(&mut claims);
    let token = token(
        &json!({"alg": "RS256", "kid": "rsa"}),
        &claims,
        Signer::Rs256,
    );
    check(verifier, &token).await
}

#[tokio::test]
async fn a_token_without_an_audience_is_accepted_by_its_client() {
    let Verdict::Accepted(principal) = verdict(&verifier(), |_| {}).await else {
        panic!("the documented token is not accepted");
    };
    assert_eq!(
        principal.scopes(),
        &"contact:send".parse::<Scopes>().unwrap()
    );
}

#[tokio::test]
async fn other_clients_identity_tokens_and_other_audiences_are_not_accepted() {
    let verifier = verifier();
    let another = verdict(&verifier, |claims| claims["client_id"] = json!("another")).await;
    assert_eq!(outcome(&another), "audience");
    let none = verdict(&verifier, |claims| {
        claims.as_object_mut().unwrap().remove("client_id");
    });
    assert_eq!(outcome(&none.await), "audience");
    let identity = verdict(&verifier, |claims| claims["token_use"] = json!("id")).await;
    assert_eq!(outcome(&identity), "claims");
    // A token that has an audience is checked by it, whatever its client.
    let elsewhere = verdict(&verifier, |claims| {
        claims["aud"] = json!("https://a.example")
    })
    .await;
    assert_eq!(outcome(&elsewhere), "audience");
}

#[tokio::test]
async fn without_the_setting_a_token_without_an_audience_is_not_accepted() {
    let plain = Jwt::new(POOL, JwtKeys::jwks(published().to_string()).unwrap());
    assert_eq!(outcome(&verdict(&plain, |_| {}).await), "claims");
}

const KEY: &str = "test-key-without-the-scope";
const ASKED: &str = "https://mcp.example.com/contact:send";

/// A server that accepts API keys, tokens of the pool, and tokens of an issuer without a prefix.
fn server() -> Server {
    async fn contact() -> &'static str {
        "sent"
    }
    let keys = format!("ada {} contact:read", ApiKeys::digest(KEY));
    let another =
        Jwt::new(ISSUER, JwtKeys::jwks(published().to_string()).unwrap()).client_id(CLIENT);
    let auth = Auth::new()
        .verifier(keys.parse::<ApiKeys>().unwrap())
        .verifier(verifier())
        .verifier(another)
        .authorization_server(POOL.parse().unwrap());
    let contact = tool("contact", contact).requires_scope("contact:send");
    let server = Server::builder("x", "1").public_url("https://mcp.example.com");
    server.auth(auth).tool(contact).build().unwrap()
}

/// A token that does not expire while the test runs.
fn token_of(issuer: &str, scope: &str, expires_at_s: u64) -> String {
    let mut claims = access_token();
    claims["iss"] = json!(issuer);
    claims["scope"] = json!(scope);
    claims["exp"] = json!(expires_at_s);
    let header = json!({"alg": "RS256", "kid": "rsa"});
    token(&header, &claims, Signer::Rs256)
}

/// The status of a response, and the scopes that its challenge names.
fn challenge(response: &TestResponse) -> (u16, String) {
    let challenge = response.header("www-authenticate").unwrap();
    let (_, rest) = challenge.split_once(" scope=\"").unwrap();
    let scopes = rest.split('"').next().unwrap().to_owned();
    (response.status(), scopes)
}

/// A client asks the issuer for the scopes that a challenge names.
#[tokio::test]
async fn a_challenge_names_scopes_as_the_issuer_of_the_token_does() {
    const FUTURE_S: u64 = 4_000_000_000;
    let client = TestClient::new(server());
    let call = async |credential: Option<&str>| {
        let client = credential.map_or(client.clone(), |token| client.clone().bearer(token));
        client.call("contact", json!({})).await
    };
    let granted = token_of(POOL, ASKED, FUTURE_S);
    assert_eq!(call(Some(&granted)).await.text(), "sent");
    let rows = [
        (None, 401, ASKED),
        (Some("a-key-that-nobody-knows".to_owned()), 401, ASKED),
        (Some(KEY.to_owned()), 403, ASKED),
        (Some(token_of(POOL, "openid", FUTURE_S)), 403, ASKED),
        (Some(token_of(POOL, ASKED, 1)), 401, ASKED),
        (
            Some(token_of(ISSUER, "openid", FUTURE_S)),
            403,
            "contact:send",
        ),
        (
            Some(token_of(ISSUER, "contact:send", 1)),
            401,
            "contact:send",
        ),
    ];
    for (credential, status, scopes) in rows {
        let response = call(credential.as_deref()).await;
        assert_eq!(
            challenge(&response),
            (status, scopes.to_owned()),
            "{response}"
        );
        // The message is for people, who know the scope by the name that the server has for it.
        let message = response.expect_protocol_error().message;
        assert!(!message.contains(ASKED), "{message}");
    }
}

#[tokio::test]
async fn the_metadata_name_scopes_as_the_first_issuer_does() {
    let request = http::Request::get("/.well-known/oauth-protected-resource/mcp");
    let request = request.body(Bytes::new()).unwrap();
    let response = TestClient::new(server()).send(request).await;
    let document: Value = serde_json::from_str(&response.body_text()).unwrap();
    assert_eq!(document["scopes_supported"], json!([ASKED]));
}
