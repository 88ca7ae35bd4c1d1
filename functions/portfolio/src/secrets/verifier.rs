//! [`ParameterVerifier`]: credentials that a parameter defines.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use lambda_mcp::BoxFuture;
use lambda_mcp::auth::{BearerToken, Verdict, Verifier};

use super::Secrets;

/// Makes a verifier from the text of a parameter, or says why it cannot be used. The reason is logged
/// and must not repeat the text.
type Build = Box<dyn Fn(&str) -> Result<Arc<dyn Verifier>, String> + Send + Sync>;

/// Verifies tokens by what a parameter holds at present.
///
/// The verifier is built again only when the text of the parameter changes.
pub(crate) struct ParameterVerifier {
    secrets: Arc<Secrets>,
    parameter: String,
    /// What an issuer of the tokens writes before scopes.
    scope_prefix: Option<String>,
    build: Build,
    built: Mutex<Option<Built>>,
}

/// A verifier, and the text that it was made from.
type Built = (Arc<str>, Arc<dyn Verifier>);

impl ParameterVerifier {
    /// Verifies by the verifier that `build` makes from the text of `parameter`.
    pub(crate) fn new(
        secrets: Arc<Secrets>,
        parameter: String,
        build: impl Fn(&str) -> Result<Arc<dyn Verifier>, String> + Send + Sync + 'static,
    ) -> Self {
        Self {
            secrets,
            parameter,
            scope_prefix: None,
            build: Box::new(build),
            built: Mutex::new(None),
        }
    }

    /// Sets what the issuer of the tokens writes before scopes. It is not part of the parameter.
    pub(crate) fn scope_prefix(mut self, prefix: String) -> Self {
        self.scope_prefix = Some(prefix);
        self
    }

    /// Returns the verifier for the parameter's present text.
    fn verifier(&self, text: &Arc<str>) -> Option<Arc<dyn Verifier>> {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, verifier)) = &*built
            && of == text
        {
            return Some(Arc::clone(verifier));
        }
        match (self.build)(text) {
            Ok(verifier) => {
                *built = Some((Arc::clone(text), Arc::clone(&verifier)));
                Some(verifier)
            }
            Err(reason) => {
                tracing::error!(
                    parameter = self.parameter,
                    reason,
                    "the parameter is invalid"
                );
                None
            }
        }
    }
}

impl Verifier for ParameterVerifier {
    fn verify<'a>(&'a self, presented: BearerToken<'a>) -> BoxFuture<'a, Verdict> {
        Box::pin(async move {
            let Ok(text) = self.secrets.get(&self.parameter, presented.now).await else {
                return Verdict::Unavailable;
            };
            match self.verifier(&text) {
                Some(verifier) => verifier.verify(presented).await,
                None => Verdict::Unavailable,
            }
        })
    }

    fn issuer_scope_prefix(&self) -> Option<&str> {
        self.scope_prefix.as_deref()
    }
}

impl fmt::Debug for ParameterVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParameterVerifier")
            .field("parameter", &self.parameter)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use lambda_mcp::auth::ApiKeys;

    use super::*;
    use crate::secrets::tests::{InMemory, State, at};

    const NAME: &str = "/portfolio/api-keys";

    fn verifier(store: &InMemory) -> ParameterVerifier {
        let secrets = Secrets::new(store.clone(), vec![NAME.to_owned()]);
        ParameterVerifier::new(Arc::new(secrets), NAME.to_owned(), |text| {
            let keys = text.parse::<ApiKeys>().map_err(|error| error.to_string())?;
            let keys: Arc<dyn Verifier> = Arc::new(keys);
            Ok(keys)
        })
    }

    fn entry(key: &str) -> String {
        format!("ada {} contact:send", ApiKeys::digest(key))
    }

    async fn verdict(verifier: &ParameterVerifier, key: &str, seconds: u64) -> &'static str {
        match verifier
            .verify(BearerToken::new(key, None, at(seconds)))
            .await
        {
            Verdict::Accepted(_) => "accepted",
            Verdict::Unrecognized => "unrecognized",
            Verdict::Unavailable => "unavailable",
            Verdict::Invalid(_) => "invalid",
            _ => panic!("another verdict"),
        }
    }

    #[tokio::test]
    async fn a_key_that_is_removed_is_refused_within_five_minutes() {
        let store = InMemory::default();
        store.set(
            NAME,
            Some(&format!("{}\n{}", entry("first"), entry("second"))),
        );
        let verifier = verifier(&store);
        assert_eq!(verdict(&verifier, "first", 0).await, "accepted");
        store.set(NAME, Some(&entry("second")));
        assert_eq!(verdict(&verifier, "first", 300).await, "unrecognized");
        assert_eq!(verdict(&verifier, "second", 300).await, "accepted");
    }

    #[tokio::test]
    async fn an_invalid_parameter_and_a_store_that_is_down_are_unavailable() {
        let store = InMemory::default();
        store.set(NAME, Some("lmk_not_an_entry"));
        let verifier = verifier(&store);
        assert_eq!(verdict(&verifier, "first", 0).await, "unavailable");
        store.set(NAME, Some(&entry("first")));
        assert_eq!(verdict(&verifier, "first", 300).await, "accepted");
        store.state(State::Down);
        assert_eq!(verdict(&verifier, "first", 1199).await, "accepted");
        assert_eq!(verdict(&verifier, "first", 1500).await, "unavailable");
    }
}
