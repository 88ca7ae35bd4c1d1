//! Who calls: a verifier of credentials.

use std::collections::HashMap;
use std::time::SystemTime;

use lambda_mcp::BoxFuture;
use lambda_mcp::auth::{ApiKeys, BearerToken, InvalidToken, Principal, Verdict, Verifier};

/// Opaque tokens `desk-…` that expire, by their digests.
#[derive(Debug, Default)]
pub(crate) struct SignIns(pub(crate) HashMap<String, (Principal, SystemTime)>);

impl Verifier for SignIns {
    fn verify<'a>(&'a self, bearer: BearerToken<'a>) -> BoxFuture<'a, Verdict> {
        Box::pin(async move {
            if !bearer.token.starts_with("desk-") {
                return Verdict::Unrecognized;
            }
            match self.0.get(&ApiKeys::digest(bearer.token)) {
                Some((who, until)) if bearer.now < *until => Verdict::Accepted(who.clone()),
                Some(_) => Verdict::Invalid(InvalidToken::Expired),
                None => Verdict::Invalid(InvalidToken::Unknown),
            }
        })
    }
}
