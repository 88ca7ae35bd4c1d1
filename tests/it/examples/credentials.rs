//! The examples that read signed tokens: `auth` and `request`.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use serde_json::{Value, json};

use harness::messages::{call, request, with_headers};
use harness::{Reply, SERVED_VERSIONS, ServerConfig};

/// A token signed with a shared secret.
fn hs256(secret: &str, claims: &Value) -> String {
    let header = json!({"alg": "HS256", "typ": "JWT"});
    let [header, claims] = [&header, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let message = format!("{header}.{claims}");
    let signature = hmac::sign(&key, message.as_bytes());
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
}

#[test]
fn auth_accepts_a_key_and_a_token_for_its_protected_tool() {
    let secret = "a secret of at least thirty-two bytes";
    let server = ServerConfig::new("auth").env("JWT_SECRET", secret).start();
    let token = hs256(
        secret,
        &json!({
            "iss": "https://login.example.com",
            "aud": "https://mcp.example.com/mcp",
            "sub": "grace",
            "scope": "notes:write",
            "exp": 4_102_444_800_u64,
        }),
    );
    for version in SERVED_VERSIONS {
        let result = call(&server, version, "read", json!({})).result();
        assert_eq!(result["content"][0]["text"], "There are no notes.");
        let params = json!({"name": "write", "arguments": {"text": "Hi."}});
        let message = request(version, "tools/call", params);
        let write = |token: &str| {
            let authorization = format!("Bearer {token}");
            with_headers(&server, version, &message)
                .header("Authorization", &authorization)
                .send()
        };
        let text = |reply: Reply| reply.result()["content"][0]["text"].clone();
        assert_eq!(text(write("demo-key")), "ada wrote 3 characters.");
        assert_eq!(text(write(&token)), "grace wrote 3 characters.");
        assert_eq!(write("another-key").status, 401);
        let refused = call(&server, version, "write", json!({"text": "Hi."}));
        assert_eq!(refused.status, 401);
        let challenge = refused.header("www-authenticate").unwrap();
        assert!(challenge.contains("resource_metadata"), "{challenge}");
    }
}

#[test]
fn request_reads_a_header_and_the_claims_of_a_token() {
    let secret = "a secret of at least thirty-two bytes";
    let server = ServerConfig::new("request")
        .env("JWT_SECRET", secret)
        .start();
    let token = |claims: Value| {
        let mut all = json!({
            "iss": "https://login.example.com", "aud": "https://mcp.example.com/mcp",
            "sub": "grace", "exp": 4_102_444_800_u64,
        });
        all.as_object_mut()
            .unwrap()
            .extend(claims.as_object().unwrap().clone());
        format!("Bearer {}", hs256(secret, &all))
    };
    for version in SERVED_VERSIONS {
        let call = |name: &str, header: (&str, &str)| {
            let message = request(version, "tools/call", json!({"name": name}));
            let request = with_headers(&server, version, &message);
            let result = request.header(header.0, header.1).send().result();
            let text = result["content"][0]["text"].as_str().unwrap().to_owned();
            (text, result["isError"] == true)
        };
        let (text, failed) = call("tenant", ("X-Tenant", "acme"));
        assert_eq!(
            (text.as_str(), failed),
            ("This is the data of acme.", false)
        );
        let (text, failed) = call("tenant", ("X-Other", "acme"));
        assert!(failed && text.contains("`X-Tenant`"), "{text}");

        let known = token(json!({"email": "grace@example.com", "groups": ["a", "b"]}));
        let (text, failed) = call("profile", ("Authorization", &known));
        let expected = "You are grace@example.com, in 2 groups.";
        assert_eq!((text.as_str(), failed), (expected, false));
        for claims in [json!({}), json!({"email": 4711})] {
            let (text, failed) = call("profile", ("Authorization", &token(claims)));
            assert!(failed && text.contains("e-mail address"), "{text}");
        }
    }
}
