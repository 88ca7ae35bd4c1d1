//! Access tokens without `aud`, in the documented shape of Amazon Cognito.

use lambda_mcp::auth::{Jwt, JwtKeys, Scopes, Verdict};
use serde_json::{Value, json};

use super::mint::{Signer, published, token};
use super::{NOW_S, check, outcome};

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
