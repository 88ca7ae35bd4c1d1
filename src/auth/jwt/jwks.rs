//! A key set at a URL: fetched on the first need, cached, and fetched again when it is needed.
//!
//! The document is bounded in size, the fetch in time, and there is one fetch at a time. After a
//! failed fetch the last key set is used, and the issuer is not asked again at once. Nothing runs in
//! the background: a process that was frozen finds its keys outdated and fetches.

use std::error::Error;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use jsonwebtoken::Algorithm;

use super::key::KeySet;
use crate::auth::HttpsUrl;
use crate::error::chain;
use crate::future::BoxFuture;

/// How long a key set is used before it is fetched again.
const FRESH_FOR: Duration = Duration::from_secs(10 * 60);
/// How long a key set is used if it cannot be fetched again.
const STALE_FOR: Duration = Duration::from_secs(24 * 60 * 60);
/// The shortest time between two fetches while a key set is cached. Anyone can send an unknown key
/// id.
const FETCH_INTERVAL: Duration = Duration::from_secs(60);
/// The shortest time between two fetches while no key set is cached, and no token can be checked.
const FIRST_FETCH_INTERVAL: Duration = Duration::from_secs(5);
/// The timeout of a fetch.
const FETCH_TIMEOUT: Duration = Duration::from_secs(2);

/// Fetches JWK Sets.
///
/// [`HttpsJwks`](super::HttpsJwks) (feature `jwks-url`) does it over HTTPS. Implement the trait to
/// use another HTTP client, a file or a test document. The caller stops a fetch after 2 s.
///
/// # Examples
///
/// ```
/// use lambda_mcp::BoxFuture;
/// use lambda_mcp::auth::{FetchError, FetchJwks, HttpsUrl, Jwt, JwtKeys};
///
/// #[derive(Debug)]
/// struct Fixed(&'static str);
///
/// impl FetchJwks for Fixed {
///     fn fetch<'a>(
///         &'a self,
///         url: &'a HttpsUrl,
///     ) -> BoxFuture<'a, Result<bytes::Bytes, FetchError>> {
///         Box::pin(async move {
///             match url.as_str() {
///                 "https://login.example.com/jwks" => Ok(self.0.into()),
///                 other => Err(FetchError::new(format!("unknown URL {other}"))),
///             }
///         })
///     }
/// }
///
/// let url = "https://login.example.com/jwks".parse()?;
/// let keys = JwtKeys::jwks_url(url, Fixed(r#"{"keys": []}"#));
/// let jwt = Jwt::new("https://login.example.com", keys);
/// # let _ = jwt;
/// # Ok::<(), lambda_mcp::auth::InvalidHttpsUrl>(())
/// ```
pub trait FetchJwks: fmt::Debug + Send + Sync {
    /// Fetches the document at `url`.
    fn fetch<'a>(&'a self, url: &'a HttpsUrl) -> BoxFuture<'a, Result<Bytes, FetchError>>;
}

/// A JWK Set that could not be fetched. The cause goes to the log, never to a client.
#[derive(Debug, thiserror::Error)]
#[error("the key set could not be fetched")]
pub struct FetchError(#[source] Box<dyn Error + Send + Sync>);

impl FetchError {
    /// Makes an error with its cause.
    #[must_use]
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(cause.into())
    }
}

/// A key set at a URL, with its cache.
#[derive(Debug)]
pub(super) struct Jwks {
    url: HttpsUrl,
    fetch: Box<dyn FetchJwks>,
    cache: Mutex<Cache>,
    /// Locked during a fetch.
    fetching: tokio::sync::Mutex<()>,
}

#[derive(Debug, Clone, Default)]
struct Cache {
    keys: Option<CachedKeys>,
    last_attempt: Option<SystemTime>,
}

#[derive(Debug, Clone)]
struct CachedKeys {
    set: Arc<KeySet>,
    fetched_at: SystemTime,
}

impl Jwks {
    pub(super) fn new(url: HttpsUrl, fetch: impl FetchJwks + 'static) -> Self {
        Self {
            url,
            fetch: Box::new(fetch),
            cache: Mutex::default(),
            fetching: tokio::sync::Mutex::new(()),
        }
    }

    /// Returns the key set, after a fetch if it is outdated or lacks the key that is asked for.
    /// Returns `None` if there is no usable key set.
    pub(super) async fn with_key(
        &self,
        algorithm: Algorithm,
        key_id: Option<&str>,
        now: SystemTime,
    ) -> Option<Arc<KeySet>> {
        let has_key = |set: &KeySet| set.candidates(algorithm, key_id).next().is_some();
        let cache = self.cache();
        if cache.is_current(&has_key, now) {
            return cache.usable(now);
        }
        let _fetching = match (self.fetching.try_lock(), cache.usable(now)) {
            (Ok(guard), _) => guard,
            // Another request fetches, and the key is here: do not wait.
            (Err(_), Some(set)) if has_key(&set) => return Some(set),
            (Err(_), _) => self.fetching.lock().await,
        };
        // Another request may have fetched the key meanwhile.
        let cache = self.cache();
        if !cache.is_current(&has_key, now) && cache.may_fetch(now) {
            self.refresh(now).await;
        }
        self.cache().usable(now)
    }

    async fn refresh(&self, now: SystemTime) {
        // Set first: a request that is cancelled must not make the next one fetch at once.
        self.change(|cache| cache.last_attempt = Some(now));
        let fetched = tokio::time::timeout(FETCH_TIMEOUT, self.fetch.fetch(&self.url)).await;
        let set = fetched
            .map_err(|_| FetchError::new("timed out"))
            .flatten()
            .and_then(|json| KeySet::parse(&json).map_err(FetchError::new));
        match set {
            Ok(set) => self.change(|cache| {
                cache.keys = Some(CachedKeys {
                    set: Arc::new(set),
                    fetched_at: now,
                });
            }),
            Err(error) => {
                tracing::warn!(url = %self.url, error = chain(&error), "the key set is not renewed");
            }
        }
    }

    fn cache(&self) -> Cache {
        self.cache
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn change(&self, change: impl FnOnce(&mut Cache)) {
        change(&mut self.cache.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Cache {
    /// Whether the keys are recent enough and contain the one that is asked for.
    fn is_current(&self, has_key: &impl Fn(&KeySet) -> bool, now: SystemTime) -> bool {
        let is_fresh = |keys: &CachedKeys| age(keys.fetched_at, now) < FRESH_FOR;
        self.keys
            .as_ref()
            .is_some_and(|keys| is_fresh(keys) && has_key(&keys.set))
    }

    fn may_fetch(&self, now: SystemTime) -> bool {
        let interval = match self.keys {
            Some(_) => FETCH_INTERVAL,
            None => FIRST_FETCH_INTERVAL,
        };
        self.last_attempt
            .is_none_or(|attempt| age(attempt, now) >= interval)
    }

    fn usable(&self, now: SystemTime) -> Option<Arc<KeySet>> {
        let keys = self.keys.as_ref()?;
        (age(keys.fetched_at, now) < STALE_FOR).then(|| Arc::clone(&keys.set))
    }
}

/// The time since `then`. Requests that overlap may see it slightly in the future.
fn age(then: SystemTime, now: SystemTime) -> Duration {
    now.duration_since(then).unwrap_or_default()
}
