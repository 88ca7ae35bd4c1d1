//! A key set at a URL: fetched on the first need, kept, and fetched again when it has to be.
//!
//! Bounded in size and time; one fetch at a time; an issuer that cannot be reached is not asked
//! again at once, and its last keys serve meanwhile. A process that was frozen in between finds
//! its keys old and fetches: nothing runs in the background.

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

/// How long a key set is taken without asking again.
const FRESH_FOR: Duration = Duration::from_secs(10 * 60);
/// How long it serves while a newer one cannot be had.
const STALE_FOR: Duration = Duration::from_secs(24 * 60 * 60);
/// The shortest time between two fetches, while there are keys: for an unknown key id, which
/// anyone can make up, and after a failure.
const BETWEEN_FETCHES: Duration = Duration::from_secs(60);
/// The same while there are none, and no caller can be known.
const BETWEEN_FIRST_FETCHES: Duration = Duration::from_secs(5);
/// How long a fetch may take.
const FETCH_TIMEOUT: Duration = Duration::from_secs(2);

/// Brings a JWK Set. The time it may take is bounded by who calls it.
pub trait FetchJwks: fmt::Debug + Send + Sync {
    /// Fetches the document at a URL.
    fn fetch<'a>(&'a self, url: &'a HttpsUrl) -> BoxFuture<'a, Result<Bytes, FetchFailed>>;
}

/// A document could not be fetched. What is in it is for the log.
#[derive(Debug, thiserror::Error)]
#[error("the key set could not be fetched")]
pub struct FetchFailed(#[source] Box<dyn Error + Send + Sync>);

impl FetchFailed {
    /// A failure with its cause.
    #[must_use]
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(cause.into())
    }
}

#[derive(Debug)]
pub(super) struct Jwks {
    url: HttpsUrl,
    fetch: Box<dyn FetchJwks>,
    known: Mutex<Known>,
    /// Held by the one that fetches.
    fetching: tokio::sync::Mutex<()>,
}

/// What is known of the issuer's keys.
#[derive(Debug, Clone, Default)]
struct Known {
    keys: Option<Kept>,
    tried_at: Option<SystemTime>,
}

#[derive(Debug, Clone)]
struct Kept {
    set: Arc<KeySet>,
    fetched_at: SystemTime,
}

impl Jwks {
    pub(super) fn new(url: HttpsUrl, fetch: impl FetchJwks + 'static) -> Self {
        Self {
            url,
            fetch: Box::new(fetch),
            known: Mutex::default(),
            fetching: tokio::sync::Mutex::new(()),
        }
    }

    /// The key set, fetched if it is old or lacks the key that is asked for; `None` if there is
    /// none that may still serve.
    pub(super) async fn with_key(
        &self,
        algorithm: Algorithm,
        key_id: Option<&str>,
        now: SystemTime,
    ) -> Option<Arc<KeySet>> {
        let has_key = |set: &KeySet| set.fitting(algorithm, key_id).next().is_some();
        let known = self.known();
        if known.is_good(&has_key, now) {
            return known.serving(now);
        }
        let _fetching = match (self.fetching.try_lock(), known.serving(now)) {
            (Ok(guard), _) => guard,
            // Someone fetches already, and the key is there: no need to wait.
            (Err(_), Some(set)) if has_key(&set) => return Some(set),
            (Err(_), _) => self.fetching.lock().await,
        };
        // Whoever fetched while this waited may have brought it.
        let known = self.known();
        if !known.is_good(&has_key, now) && known.may_fetch(now) {
            self.refresh(now).await;
        }
        self.known().serving(now)
    }

    async fn refresh(&self, now: SystemTime) {
        // Noted first: a request that ends while it waits must not make the next one try at once.
        self.change(|known| known.tried_at = Some(now));
        let fetched = tokio::time::timeout(FETCH_TIMEOUT, self.fetch.fetch(&self.url)).await;
        let set = fetched
            .map_err(|_| FetchFailed::new("it took too long"))
            .flatten()
            .and_then(|json| KeySet::parse(&json).map_err(FetchFailed::new));
        match set {
            Ok(set) => self.change(|known| {
                known.keys = Some(Kept {
                    set: Arc::new(set),
                    fetched_at: now,
                });
            }),
            Err(error) => {
                tracing::warn!(url = %self.url, error = chain(&error), "the key set is not renewed");
            }
        }
    }

    fn known(&self) -> Known {
        self.known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn change(&self, change: impl FnOnce(&mut Known)) {
        change(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Known {
    /// Whether the keys are new enough and hold the one that is asked for.
    fn is_good(&self, has_key: &impl Fn(&KeySet) -> bool, now: SystemTime) -> bool {
        let is_fresh = |kept: &Kept| age(kept.fetched_at, now) < FRESH_FOR;
        self.keys
            .as_ref()
            .is_some_and(|kept| is_fresh(kept) && has_key(&kept.set))
    }

    fn may_fetch(&self, now: SystemTime) -> bool {
        let pause = match self.keys {
            Some(_) => BETWEEN_FETCHES,
            None => BETWEEN_FIRST_FETCHES,
        };
        self.tried_at.is_none_or(|tried| age(tried, now) >= pause)
    }

    fn serving(&self, now: SystemTime) -> Option<Arc<KeySet>> {
        let kept = self.keys.as_ref()?;
        (age(kept.fetched_at, now) < STALE_FOR).then(|| Arc::clone(&kept.set))
    }
}

/// How long ago something was. Requests that overlap may see it in the future by a little.
fn age(then: SystemTime, now: SystemTime) -> Duration {
    now.duration_since(then).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_names_the_cause_of_a_failure() {
        let cause = std::io::Error::new(std::io::ErrorKind::TimedOut, "no answer");
        assert_eq!(
            chain(&FetchFailed::new(cause)),
            "the key set could not be fetched: no answer"
        );
    }
}
