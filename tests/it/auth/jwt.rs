//! Good tokens, and the ways to forge one. RFC 8725; RFC 7515, section 4.1.11; RFC 7519.

use lambda_mcp::auth::{BearerToken, InvalidJwtKeys, Jwt, JwtKeys, Verdict, Verifier as _};
use serde_json::{Value, json};

use super::mint::{
    SECRET, Signer, claims, claims_with, claims_without, good, published, raw_token, rsa_der,
    rsa_modulus_text, token,
};
use super::{ENDPOINT, ISSUER, NOW_S, at, check, check_at, outcome};

fn by_document() -> Jwt {
    Jwt::new(ISSUER, JwtKeys::jwks(published().to_string()).unwrap())
}

fn by_secret() -> Jwt {
    Jwt::new(ISSUER, JwtKeys::secret(SECRET).unwrap())
}

#[tokio::test]
async fn a_token_of_each_kind_of_key_is_known() {
    let rows = [
        ("RS256", "rsa", Signer::Rs256),
        ("PS256", "rsa", Signer::Ps256),
        ("ES256", "p256", Signer::Es256),
        ("ES384", "p384", Signer::Es384),
        ("EdDSA", "ed", Signer::EdDsa),
    ];
    for (alg, kid, signer) in rows {
        for header in [json!({"alg": alg, "kid": kid}), json!({"alg": alg})] {
            let token = token(&header, &claims(), signer);
            let verdict = check(&by_document(), &token).await;
            assert_eq!(outcome(&verdict), "ada", "{header}");
        }
    }
    let token = token(
        &json!({"alg": "HS256"}),
        &claims(),
        Signer::Hs256(SECRET.as_bytes()),
    );
    assert_eq!(outcome(&check(&by_secret(), &token).await), "ada");
}

#[tokio::test]
async fn a_principal_carries_subject_issuer_and_scopes() {
    let scopes = |verdict: &Verdict| match verdict {
        Verdict::Accepted(principal) => principal.scopes().to_string(),
        other => panic!("{other:?}"),
    };
    let forms = [
        ("scope", json!("contact:send read"), "contact:send read"),
        (
            "scope",
            json!(["contact:send", "read"]),
            "contact:send read",
        ),
        ("scope", json!("ok quo\"te"), "ok"),
        ("scope", json!(""), ""),
        ("scp", json!("a b"), "a b"),
        ("scp", json!(["a", "b"]), "a b"),
    ];
    for (name, value, expected) in forms {
        let mut claims = claims_without("scope");
        claims[name] = value;
        let token = token(&json!({"alg": "ES256"}), &claims, Signer::Es256);
        assert_eq!(
            scopes(&check(&by_document(), &token).await),
            expected,
            "{claims}"
        );
    }
    let Verdict::Accepted(principal) = check(&by_document(), &good()).await else {
        panic!("the token is good");
    };
    assert_eq!(principal.id(), "25:https://login.example.comada");
}

/// Each row: header, claims, what signs, and the verdict that is due.
#[tokio::test]
async fn forged_tokens_are_refused() {
    let es256 = |extra: Value| {
        let mut header = json!({"alg": "ES256", "kid": "p256"});
        header
            .as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        header
    };
    let own_key = json!({"kty": "oct", "k": "AAAA"});
    let rows = [
        (json!({"alg": "none"}), Signer::Nothing),
        (json!({"alg": "None"}), Signer::Nothing),
        (json!({"alg": ""}), Signer::Nothing),
        (json!({"alg": "ES256", "kid": "p256"}), Signer::Nothing),
        (json!({"alg": "HS256"}), Signer::Hs256(rsa_der())),
        (
            json!({"alg": "HS256", "kid": "rsa"}),
            Signer::Hs256(rsa_der()),
        ),
        (
            json!({"alg": "HS256", "kid": "rsa"}),
            Signer::Hs256(rsa_modulus_text()),
        ),
        (json!({"alg": "HS256"}), Signer::Hs256(b"")),
        // A key of another type than the algorithm's, and of another curve.
        (json!({"alg": "RS256", "kid": "p256"}), Signer::Es256),
        (json!({"alg": "ES256", "kid": "rsa"}), Signer::Rs256),
        (json!({"alg": "ES384", "kid": "p256"}), Signer::Es256),
        (json!({"alg": "RS256", "kid": "rsa"}), Signer::Ps256),
        (json!({"alg": "ES512"}), Signer::Es256),
        // Keys that are not published.
        (json!({"alg": "ES256", "kid": "p256"}), Signer::OtherEs256),
        (json!({"alg": "ES256"}), Signer::OtherEs256),
        (json!({"alg": "ES256", "kid": "other"}), Signer::Es256),
        (json!({"alg": "ES256", "kid": "../../x"}), Signer::Es256),
        (json!({"alg": "ES256", "kid": ""}), Signer::Es256),
        // Demands that are not understood, or make the signature mean something else.
        (es256(json!({"crit": ["b64"], "b64": true})), Signer::Es256),
        (es256(json!({"crit": ["b64"], "b64": false})), Signer::Es256),
        (es256(json!({"crit": ["exp"]})), Signer::Es256),
        (es256(json!({"crit": []})), Signer::Es256),
        (es256(json!({"crit": null})), Signer::Es256),
        (es256(json!({"b64": false})), Signer::Es256),
        // Tokens made for another purpose.
        (es256(json!({"typ": "logout+jwt"})), Signer::Es256),
        (es256(json!({"typ": "dpop+jwt"})), Signer::Es256),
        (es256(json!({"typ": "JWE"})), Signer::Es256),
        // A key of its own, which is never read.
        (
            es256(json!({"jwk": own_key, "jku": "https://evil.example"})),
            Signer::OtherEs256,
        ),
    ];
    for (header, signer) in rows {
        let token = token(&header, &claims(), signer);
        let verdict = check(&by_document(), &token).await;
        assert_eq!(outcome(&verdict), "signature", "{header} {signer:?}");
    }
}

#[tokio::test]
async fn a_secret_serves_for_hs256_alone() {
    for alg in ["none", "HS384", "HS512", "RS256", "ES256"] {
        let token = token(
            &json!({"alg": alg}),
            &claims(),
            Signer::Hs256(SECRET.as_bytes()),
        );
        let verdict = check(&by_secret(), &token).await;
        assert_eq!(outcome(&verdict), "signature", "{alg} by the secret");
    }
}

#[tokio::test]
async fn kinds_of_access_tokens_are_told_by_their_type() {
    for typ in ["JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt"] {
        let token = token(
            &json!({"alg": "ES256", "typ": typ}),
            &claims(),
            Signer::Es256,
        );
        assert_eq!(
            outcome(&check(&by_document(), &token).await),
            "ada",
            "{typ}"
        );
    }
}

/// What is said of claims that are genuine. Whatever they say, without the signature they are not
/// even verdict.
async fn assert_verdict(claims: &Value, expected: &str) {
    let header = json!({"alg": "ES256", "kid": "p256"});
    let genuine = token(&header, claims, Signer::Es256);
    let verdict = check(&by_document(), &genuine).await;
    assert_eq!(outcome(&verdict), expected, "{claims}");
    let forged = token(&header, claims, Signer::OtherEs256);
    let verdict = check(&by_document(), &forged).await;
    let due = match expected {
        "unrecognized" => expected,
        _ => "signature",
    };
    assert_eq!(outcome(&verdict), due, "{claims}");
}

#[tokio::test]
async fn a_token_has_its_time() {
    let rows = [
        (claims_with("exp", json!(NOW_S - 3600)), "expired"),
        (claims_with("exp", json!(NOW_S - 60)), "expired"),
        (claims_with("exp", json!(NOW_S - 59)), "ada"),
        (claims_with("exp", json!(NOW_S as f64 + 0.5)), "ada"),
        (claims_with("exp", json!(-1)), "expired"),
        (claims_with("exp", json!("2099-01-01")), "claims"),
        (claims_with("exp", json!(null)), "claims"),
        (claims_without("exp"), "claims"),
        (claims_with("nbf", json!(NOW_S + 61)), "not_yet_valid"),
        (claims_with("nbf", json!(NOW_S + 60)), "ada"),
        (claims_with("nbf", json!("soon")), "claims"),
    ];
    for (claims, expected) in rows {
        assert_verdict(&claims, expected).await;
    }
}

#[tokio::test]
async fn a_token_is_from_the_issuer_for_this_server_and_about_someone() {
    let other = "https://other.example.com";
    let rows = [
        (claims_with("aud", json!(other)), "audience"),
        (claims_with("aud", json!([other, ENDPOINT])), "ada"),
        (claims_with("aud", json!([other])), "audience"),
        (claims_with("aud", json!([])), "audience"),
        (claims_with("aud", json!("")), "audience"),
        (
            claims_with("aud", json!("https://mcp.example.com")),
            "audience",
        ),
        (
            claims_with("aud", json!(format!("{ENDPOINT}/"))),
            "audience",
        ),
        (
            claims_with("aud", json!(format!("{ENDPOINT}x"))),
            "audience",
        ),
        (
            claims_with("aud", json!("HTTPS://mcp.example.com/mcp")),
            "audience",
        ),
        (claims_with("aud", json!({"a": ENDPOINT})), "claims"),
        (claims_without("aud"), "claims"),
        (claims_with("sub", json!("")), "claims"),
        (claims_with("sub", json!(["ada"])), "claims"),
        (claims_without("sub"), "claims"),
        (claims_with("iss", json!(other)), "unrecognized"),
        (
            claims_with("iss", json!(format!("{ISSUER}/"))),
            "unrecognized",
        ),
        (claims_with("iss", json!([ISSUER])), "unrecognized"),
        (claims_without("iss"), "unrecognized"),
    ];
    for (claims, expected) in rows {
        assert_verdict(&claims, expected).await;
    }
}

#[tokio::test]
async fn a_claim_that_stands_twice_is_refused() {
    let twice = claims().to_string().replacen('{', r#"{"sub":"root","#, 1);
    let token = raw_token(r#"{"alg":"ES256"}"#, &twice, Signer::Es256);
    assert_eq!(outcome(&check(&by_document(), &token).await), "claims");
    let header = r#"{"alg":"none","alg":"ES256"}"#;
    let token = raw_token(header, &claims().to_string(), Signer::Es256);
    assert_eq!(
        outcome(&check(&by_document(), &token).await),
        "unrecognized"
    );
}

#[tokio::test]
async fn a_token_cannot_be_altered() {
    let good = good();
    let parts: Vec<&str> = good.split('.').collect();
    let root = super::mint::base64(claims_with("sub", json!("root")).to_string().as_bytes());
    let altered = [
        format!("{}.{root}.{}", parts[0], parts[2]),
        format!("{}.{}.", parts[0], parts[1]),
        format!("{}.{}.{}", parts[0], parts[1], "AAAA"),
        format!("{}A", good),
        format!("{}=", good),
    ];
    for token in altered {
        assert_eq!(
            outcome(&check(&by_document(), &token).await),
            "signature",
            "{token}"
        );
    }
}

#[tokio::test]
async fn what_is_no_token_of_this_kind_is_left_to_others() {
    let good = good();
    let no_json = raw_token("no json", "no json", Signer::Es256);
    let deep = raw_token(&"[".repeat(4000), &claims().to_string(), Signer::Nothing);
    let encrypted = format!("{good}.x.x");
    for text in [
        "lmk_key", "", ".", "..", "...", "a.b", "a.b.c", "e30.e30.", &no_json, &deep, &encrypted,
    ] {
        assert_eq!(
            outcome(&check(&by_document(), text).await),
            "unrecognized",
            "{text}"
        );
    }
}

#[tokio::test]
async fn time_is_told_by_who_asks() {
    let (tokens, good) = (by_document(), good());
    for (seconds, expected) in [(0, "ada"), (359, "ada"), (360, "expired")] {
        let verdict = check_at(&tokens, &good, at(seconds)).await;
        assert_eq!(outcome(&verdict), expected, "{seconds}");
    }
}

#[tokio::test]
async fn an_audience_that_is_set_stands_in_for_the_endpoint() {
    let set = by_document().audience("api://portfolio").audience("second");
    for (aud, expected) in [
        (json!("api://portfolio"), "ada"),
        (json!(["x", "second"]), "ada"),
        (json!(ENDPOINT), "audience"),
    ] {
        let claims = claims_with("aud", aud);
        let token = token(&json!({"alg": "ES256"}), &claims, Signer::Es256);
        assert_eq!(outcome(&check(&set, &token).await), expected, "{claims}");
    }
    // Where nobody knows the endpoint's URL, no token is for it.
    let good = good();
    let nowhere = BearerToken::new(&good, None, at(0));
    assert_eq!(outcome(&by_document().verify(nowhere).await), "audience");
}

#[test]
fn a_secret_is_long_and_never_shown() {
    assert_eq!(
        JwtKeys::secret("x".repeat(31)).unwrap_err(),
        InvalidJwtKeys::ShortSecret
    );
    let shown = format!("{:?}", by_secret());
    assert!(
        !shown.contains("secret of") && shown.contains("[redacted]"),
        "{shown}"
    );
}
