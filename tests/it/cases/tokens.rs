//! Creates the tokens that cases describe: valid ones for the issuer of `tests/fixtures/cases`, and
//! forged ones.

use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD as BASE64, URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::signature::{KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair};
use serde_json::{Value, json};

/// The private key of the public key in `rsa-2048-for-tests.jwks.json`.
static KEY: LazyLock<RsaKeyPair> = LazyLock::new(|| {
    RsaKeyPair::from_pkcs8(include_bytes!("../../data/rsa-2048-for-tests.pk8")).unwrap()
});

/// Replaces `<jwt …>` in a header value with a signed token.
pub(crate) fn signed(value: &str) -> Result<String, String> {
    let Some((before, rest)) = value.split_once("<jwt ") else {
        return Ok(value.to_owned());
    };
    let (description, after) = rest
        .split_once('>')
        .ok_or_else(|| format!("{value:?} does not end"))?;
    Ok(format!("{before}{}{after}", token(description)?))
}

/// Creates a token that is valid apart from the differences in the description.
fn token(description: &str) -> Result<String, String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let now_s = i64::try_from(now.as_secs()).unwrap();
    let mut header = json!({"alg": "RS256", "kid": "rsa", "typ": "at+jwt"});
    let mut claims = json!({
        "iss": "https://login.example.com",
        "sub": "ada",
        "aud": "https://mcp.example.com/mcp",
        "iat": now_s,
        "exp": now_s + 300,
        "scope": "demo:write",
    });
    let mut secret = None;
    for part in description.split_ascii_whitespace() {
        match part.split_once('=') {
            Some(("alg", algorithm @ ("none" | "HS256"))) => header["alg"] = json!(algorithm),
            Some(("key", "public-pem")) => secret = Some(public_pem()),
            Some(("kid", id)) => header["kid"] = json!(id),
            Some(("crit", names)) => header["crit"] = one_or_all(names),
            Some(("aud", "(none)")) => {
                claims.as_object_mut().unwrap().remove("aud");
            }
            Some(("aud", audience)) => claims["aud"] = one_or_all(audience),
            Some(("exp", when)) => {
                let offset = when.strip_prefix("now").and_then(|text| text.parse().ok());
                let offset: i64 = offset.ok_or_else(|| format!("{when:?} is no time"))?;
                claims["exp"] = json!(now_s + offset);
            }
            _ => return Err(format!("the runner knows no token with {part:?}")),
        }
    }
    let [header_text, claims] =
        [&header, &claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
    let message = format!("{header_text}.{claims}");
    let signature = match (header["alg"].as_str(), secret) {
        (Some("none"), None) => Vec::new(),
        (Some("HS256"), Some(secret)) => {
            let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, secret.as_bytes());
            ring::hmac::sign(&key, message.as_bytes()).as_ref().to_vec()
        }
        (Some("RS256"), None) => {
            let mut signature = vec![0; KEY.public().modulus_len()];
            let random = SystemRandom::new();
            KEY.sign(
                &RSA_PKCS1_SHA256,
                &random,
                message.as_bytes(),
                &mut signature,
            )
            .map_err(|error| error.to_string())?;
            signature
        }
        _ => return Err(format!("the runner cannot sign {description:?}")),
    };
    Ok(format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature)))
}

/// Parses `[a,b]` as a list and any other text as a string.
fn one_or_all(text: &str) -> Value {
    match text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
    {
        Some(list) => list.split(',').collect(),
        None => json!(text),
    }
}

/// Returns the public key in PEM, which an attacker could use as an HMAC secret.
fn public_pem() -> String {
    let base64 = BASE64.encode(KEY.public_key().as_ref());
    let lines: Vec<&str> = base64
        .as_bytes()
        .chunks(64)
        .map(|line| std::str::from_utf8(line).unwrap())
        .collect();
    let lines = lines.join("\n");
    format!("-----BEGIN RSA PUBLIC KEY-----\n{lines}\n-----END RSA PUBLIC KEY-----\n")
}
