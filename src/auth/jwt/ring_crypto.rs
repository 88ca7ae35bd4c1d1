//! The cryptography of `jsonwebtoken`, implemented with `ring`, which TLS needs as well.
//!
//! It verifies signatures and makes none: this process has no private key.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "every algorithm that is not named is refused, new ones included"
)]

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::signature;
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind, EncodingKey};
use ring::hmac;
use ring::signature as public_key;

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: refuse_to_sign,
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

/// Installs the provider, unless the program has installed one.
pub(super) fn install() {
    if CryptoProvider::try_get_default().is_none() {
        // It fails only if another thread has installed one meanwhile.
        PROVIDER.install_default().ok();
    }
}

fn refuse_to_sign(_: &Algorithm, _: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    Err(ErrorKind::UnsupportedAlgorithm.into())
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    if key.family() != algorithm.family() {
        return Err(ErrorKind::InvalidAlgorithm.into());
    }
    Ok(Box::new(RingVerifier {
        algorithm: *algorithm,
        key: key.clone(),
    }))
}

struct RingVerifier {
    algorithm: Algorithm,
    key: DecodingKey,
}

impl RingVerifier {
    fn check(&self, message: &[u8], signature: &[u8]) -> Option<()> {
        let bytes = || self.key.try_get_as_bytes().ok();
        match self.algorithm.family() {
            AlgorithmFamily::Hmac => {
                let hash = match self.algorithm {
                    Algorithm::HS256 => hmac::HMAC_SHA256,
                    _ => return None,
                };
                let key = hmac::Key::new(hash, bytes()?);
                hmac::verify(&key, message, signature).ok()
            }
            AlgorithmFamily::Rsa => {
                let DecodingKeyKind::RsaModulusExponent { n, e } = self.key.kind() else {
                    return None;
                };
                let key = public_key::RsaPublicKeyComponents { n, e };
                key.verify(rsa(self.algorithm)?, message, signature).ok()
            }
            AlgorithmFamily::Ec | AlgorithmFamily::Ed => {
                let algorithm: &dyn public_key::VerificationAlgorithm = match self.algorithm {
                    Algorithm::ES256 => &public_key::ECDSA_P256_SHA256_FIXED,
                    Algorithm::ES384 => &public_key::ECDSA_P384_SHA384_FIXED,
                    Algorithm::EdDSA => &public_key::ED25519,
                    _ => return None,
                };
                let key = public_key::UnparsedPublicKey::new(algorithm, bytes()?);
                key.verify(message, signature).ok()
            }
        }
    }
}

fn rsa(algorithm: Algorithm) -> Option<&'static public_key::RsaParameters> {
    Some(match algorithm {
        Algorithm::RS256 => &public_key::RSA_PKCS1_2048_8192_SHA256,
        Algorithm::RS384 => &public_key::RSA_PKCS1_2048_8192_SHA384,
        Algorithm::RS512 => &public_key::RSA_PKCS1_2048_8192_SHA512,
        Algorithm::PS256 => &public_key::RSA_PSS_2048_8192_SHA256,
        Algorithm::PS384 => &public_key::RSA_PSS_2048_8192_SHA384,
        Algorithm::PS512 => &public_key::RSA_PSS_2048_8192_SHA512,
        _ => return None,
    })
}

impl signature::Verifier<Vec<u8>> for RingVerifier {
    fn verify(
        &self,
        message: &[u8],
        signature: &Vec<u8>,
    ) -> std::result::Result<(), signature::Error> {
        self.check(message, signature)
            .ok_or_else(signature::Error::new)
    }
}

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}
