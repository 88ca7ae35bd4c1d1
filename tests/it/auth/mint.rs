//! An issuer of tokens, honest or not: header, claims and signature are what a test asks for.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::rsa::PublicKeyComponents;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair,
    EcdsaSigningAlgorithm, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256, RSA_PSS_SHA256,
    RsaKeyPair,
};
use serde_json::{Value, json};

use super::{ENDPOINT, ISSUER, NOW_S};

pub(super) const SECRET: &str = "a secret of this test, long enough for HS256";

/// Made for these tests and used nowhere else.
static RSA: LazyLock<RsaKeyPair> = LazyLock::new(|| {
    RsaKeyPair::from_pkcs8(include_bytes!("../../data/rsa-2048-for-tests.pk8")).unwrap()
});
static P256: LazyLock<EcdsaKeyPair> = LazyLock::new(|| ecdsa(&ECDSA_P256_SHA256_FIXED_SIGNING));
static P384: LazyLock<EcdsaKeyPair> = LazyLock::new(|| ecdsa(&ECDSA_P384_SHA384_FIXED_SIGNING));
static OTHER: LazyLock<EcdsaKeyPair> = LazyLock::new(|| ecdsa(&ECDSA_P256_SHA256_FIXED_SIGNING));
static ED25519: LazyLock<Ed25519KeyPair> = LazyLock::new(|| {
    let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
    Ed25519KeyPair::from_pkcs8(document.as_ref()).unwrap()
});

fn ecdsa(algorithm: &'static EcdsaSigningAlgorithm) -> EcdsaKeyPair {
    let random = SystemRandom::new();
    let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
    EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random).unwrap()
}

/// What a token is signed with, whatever its header says.
#[derive(Debug, Clone, Copy)]
pub(super) enum Signer {
    Rs256,
    Ps256,
    Es256,
    Es384,
    EdDsa,
    /// A key that no document publishes.
    OtherEs256,
    Hs256(&'static [u8]),
    /// An empty signature.
    Nothing,
}

impl Signer {
    fn sign(self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        let rsa = |scheme| {
            let mut signature = vec![0; RSA.public().modulus_len()];
            RSA.sign(scheme, &random, message, &mut signature).unwrap();
            signature
        };
        match self {
            Self::Rs256 => rsa(&RSA_PKCS1_SHA256),
            Self::Ps256 => rsa(&RSA_PSS_SHA256),
            Self::Es256 => P256.sign(&random, message).unwrap().as_ref().to_vec(),
            Self::Es384 => P384.sign(&random, message).unwrap().as_ref().to_vec(),
            Self::OtherEs256 => OTHER.sign(&random, message).unwrap().as_ref().to_vec(),
            Self::EdDsa => ED25519.sign(message).as_ref().to_vec(),
            Self::Hs256(secret) => {
                let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, secret);
                ring::hmac::sign(&key, message).as_ref().to_vec()
            }
            Self::Nothing => Vec::new(),
        }
    }
}

/// A token of these parts.
pub(super) fn token(header: &Value, claims: &Value, signer: Signer) -> String {
    raw_token(&header.to_string(), &claims.to_string(), signer)
}

/// A token of these texts, which may be no JSON.
pub(super) fn raw_token(header: &str, claims: &str, signer: Signer) -> String {
    let [header, claims] = [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part));
    let message = format!("{header}.{claims}");
    let signature = URL_SAFE_NO_PAD.encode(signer.sign(message.as_bytes()));
    format!("{message}.{signature}")
}

/// Claims that are good for five minutes.
pub(super) fn claims() -> Value {
    json!({
        "iss": ISSUER,
        "sub": "ada",
        "aud": ENDPOINT,
        "iat": NOW_S,
        "exp": NOW_S + 300,
        "scope": "contact:send read",
    })
}

/// The same with one claim set to something else.
pub(super) fn claims_with(name: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[name] = value;
    claims
}

/// The same without one claim.
pub(super) fn claims_without(name: &str) -> Value {
    let mut claims = claims();
    claims.as_object_mut().unwrap().remove(name);
    claims
}

/// A good token, signed by the P-256 key.
pub(super) fn good() -> String {
    token(
        &json!({"alg": "ES256", "kid": "p256"}),
        &claims(),
        Signer::Es256,
    )
}

/// The public keys, as the issuer publishes them.
pub(super) fn published() -> Value {
    json!({"keys": [rsa_jwk(), p256_jwk(), p384_jwk(), ed25519_jwk()]})
}

pub(super) fn rsa_jwk() -> Value {
    let PublicKeyComponents { n, e } = PublicKeyComponents::<Vec<u8>>::from(RSA.public());
    json!({"kty": "RSA", "kid": "rsa", "use": "sig", "n": base64(&n), "e": base64(&e)})
}

pub(super) fn p256_jwk() -> Value {
    let point = P256.public_key().as_ref();
    let (x, y) = (base64(&point[1..33]), base64(&point[33..]));
    json!({"kty": "EC", "kid": "p256", "crv": "P-256", "alg": "ES256", "x": x, "y": y})
}

pub(super) fn p384_jwk() -> Value {
    let point = P384.public_key().as_ref();
    let (x, y) = (base64(&point[1..49]), base64(&point[49..]));
    json!({"kty": "EC", "kid": "p384", "crv": "P-384", "x": x, "y": y, "key_ops": ["verify"]})
}

pub(super) fn ed25519_jwk() -> Value {
    let x = base64(ED25519.public_key().as_ref());
    json!({"kty": "OKP", "kid": "ed", "crv": "Ed25519", "alg": "EdDSA", "x": x})
}

/// The public RSA key as a text that an attacker can have, to be used as a secret.
pub(super) fn rsa_modulus_text() -> &'static [u8] {
    static TEXT: LazyLock<String> = LazyLock::new(|| rsa_jwk()["n"].as_str().unwrap().to_owned());
    TEXT.as_bytes()
}

/// The public RSA key in the form of a file, to be used as a secret.
pub(super) fn rsa_der() -> &'static [u8] {
    static DER: LazyLock<Vec<u8>> = LazyLock::new(|| RSA.public().as_ref().to_vec());
    &DER
}

pub(super) fn base64(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
