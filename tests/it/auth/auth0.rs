//! Access tokens with several audiences, in the documented shape of Auth0.

use lambda_mcp::auth::{Jwt, JwtKeys, Scopes, Verdict};
use serde_json::{Value, json};

use super::mint::{Signer, published, token};
use super::{NOW_S, check, outcome};

const TENANT: &str = "https://example.eu.auth0.com/";
const API: &str = "https://mcp.example.com/mcp";

/// *Auth0, Access token profiles*: `aud` is a list when the client also asked for `openid`.
fn access_token() -> Value {
    json!({
        "iss": TENANT,
        "sub": "auth0|aaaaaaaaaaaaaaaaaaaaaaaa",
        "aud": [API, "https://example.eu.auth0.com/userinfo"],
        "azp": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
        "scope": "openid profile contact:send",
        "permissions": ["contact:send"],
        "iat": NOW_S,
        "exp": NOW_S + 86_400,
    })
}

async fn verdict(issuer: &str, audience: &str, change: impl FnOnce(&mut Value)) -> Verdict {
    let keys = JwtKeys::jwks(published().to_string()).unwrap();
    let verifier = Jwt::new(issuer, keys).audience(audience);
    let mut claims = access_token();
    change(&mut claims);
    let header = json!({"alg": "RS256", "typ": "JWT", "kid": "rsa"});
    check(&verifier, &token(&header, &claims, Signer::Rs256)).await
}

#[tokio::test]
async fn a_token_of_the_api_is_accepted_with_its_scopes() {
    let Verdict::Accepted(principal) = verdict(TENANT, API, |_| {}).await else {
        panic!("the documented token is not accepted");
    };
    let granted = principal.scopes();
    let expected = "openid profile contact:send".parse::<Scopes>().unwrap();
    assert_eq!(granted, &expected);
    // Without `openid`, the audience is one text.
    let one = verdict(TENANT, API, |claims| claims["aud"] = json!(API)).await;
    assert!(matches!(one, Verdict::Accepted(_)));
}

#[tokio::test]
async fn the_issuer_ends_with_a_slash_and_other_apis_are_not_accepted() {
    let without_slash = TENANT.trim_end_matches('/');
    let other_issuer = verdict(without_slash, API, |_| {}).await;
    assert_eq!(outcome(&other_issuer), "unrecognized");
    let elsewhere = "https://other.example.com/mcp";
    assert_eq!(
        outcome(&verdict(TENANT, elsewhere, |_| {}).await),
        "audience"
    );
}
