//! Which keys of a document are taken. RFC 7517; RFC 7518.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use lambda_mcp::auth::{InvalidJwtKeys, Jwt, JwtKeys};
use serde_json::{Value, json};

use super::mint::{Signer, claims, p256_jwk, rsa_jwk, token};
use super::{ISSUER, check, outcome};

fn with(mut jwk: Value, name: &str, value: Value) -> Value {
    jwk[name] = value;
    jwk
}

#[test]
fn keys_that_cannot_verify_are_left_out() {
    let private = json!({"kty": "oct", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA"});
    let rows = [
        private,
        json!({"kty": "RSA", "n": "AQAB", "e": "AQAB"}),
        json!({"kty": "EC", "crv": "P-521", "x": "AA", "y": "AA"}),
        json!({"kty": "OKP", "crv": "X25519", "x": "AA"}),
        json!({"kty": "AKP"}),
        json!({}),
        json!("key"),
        with(rsa_jwk(), "use", json!("enc")),
        with(rsa_jwk(), "key_ops", json!(["encrypt"])),
        with(rsa_jwk(), "alg", json!("RSA-OAEP")),
        with(rsa_jwk(), "alg", json!("HS256")),
        with(rsa_jwk(), "n", json!("not base64!")),
        with(p256_jwk(), "crv", json!("P-384")),
        with(p256_jwk(), "x", json!("AAAA")),
    ];
    for jwk in rows {
        let document = json!({"keys": [jwk]}).to_string();
        let found = JwtKeys::jwks(&document).unwrap_err();
        assert_eq!(found, InvalidJwtKeys::NoUsableKey, "{document}");
        // Beside a key that can be used they do no harm.
        let document = json!({"keys": [jwk, rsa_jwk()]}).to_string();
        assert!(JwtKeys::jwks(&document).is_ok(), "{document}");
    }
}

#[test]
fn what_is_no_key_set_is_refused() {
    let large = format!(r#"{{"keys":[]{}}}"#, " ".repeat(64 * 1024));
    for document in ["", "[]", "{}", r#"{"keys":{}}"#, "<html>", &large] {
        let error = JwtKeys::jwks(document).unwrap_err();
        assert!(matches!(error, InvalidJwtKeys::Unreadable(_)), "{document}");
    }
}

#[tokio::test]
async fn a_key_serves_for_the_algorithm_it_names_alone() {
    let rs512 = with(rsa_jwk(), "alg", json!("RS512"));
    let document = json!({"keys": [rs512]}).to_string();
    let tokens = Jwt::new(ISSUER, JwtKeys::jwks(document).unwrap());
    let token = token(&json!({"alg": "RS256"}), &claims(), Signer::Rs256);
    assert_eq!(outcome(&check(&tokens, &token).await), "signature");
}

#[tokio::test]
async fn a_modulus_may_have_a_sign_byte() {
    let jwk = rsa_jwk();
    let mut n = URL_SAFE_NO_PAD.decode(jwk["n"].as_str().unwrap()).unwrap();
    n.insert(0, 0);
    let jwk = with(jwk, "n", json!(URL_SAFE_NO_PAD.encode(n)));
    let document = json!({"keys": [jwk]}).to_string();
    let tokens = Jwt::new(ISSUER, JwtKeys::jwks(document).unwrap());
    let token = token(&json!({"alg": "RS256"}), &claims(), Signer::Rs256);
    assert_eq!(outcome(&check(&tokens, &token).await), "ada");
}

#[tokio::test]
async fn two_keys_of_one_name_are_both_tried() {
    let other_type = with(p256_jwk(), "kid", json!("same"));
    let document = json!({"keys": [other_type, with(rsa_jwk(), "kid", json!("same"))]});
    let tokens = Jwt::new(ISSUER, JwtKeys::jwks(document.to_string()).unwrap());
    for (alg, signer) in [("RS256", Signer::Rs256), ("ES256", Signer::Es256)] {
        let token = token(&json!({"alg": alg, "kid": "same"}), &claims(), signer);
        assert_eq!(outcome(&check(&tokens, &token).await), "ada", "{alg}");
    }
}
