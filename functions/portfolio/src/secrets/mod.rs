//! Secrets that are kept in AWS Systems Manager Parameter Store.
//!
//! The environment of a function holds only the names of the parameters. Their values are read when a
//! request first needs one, all in one call, and read again after a time to live: a key that is removed
//! from its parameter is refused by every version of the function a few minutes later, without a
//! deployment. A request that needs no secret causes no call.

#[cfg(feature = "ssm")]
mod ssm;
#[cfg(feature = "dynamodb")]
mod state_key;
mod verifier;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use lambda_mcp::BoxFuture;
use thiserror::Error;
use tokio::sync::Mutex;

#[cfg(feature = "ssm")]
pub(crate) use ssm::Ssm;
#[cfg(feature = "dynamodb")]
pub(crate) use state_key::request_state_key;
pub(crate) use verifier::ParameterVerifier;

/// Default time to live of a value: five minutes.
pub(crate) const DEFAULT_TTL: Duration = Duration::from_secs(300);

/// How long a value is used after its time to live while it cannot be read again.
const STALE: Duration = Duration::from_secs(900);

/// The least time between two failed attempts, so that a flood of requests does not become a flood of
/// calls.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The time limit of one read.
const READ_TIMEOUT: Duration = Duration::from_secs(2);

/// A store of parameters.
pub(crate) trait ReadParameters: fmt::Debug + Send + Sync {
    /// Reads parameters by name. A parameter that does not exist is not in the result.
    ///
    /// # Errors
    ///
    /// The store did not answer, or it refused.
    fn read<'a>(
        &'a self,
        names: &'a [String],
    ) -> BoxFuture<'a, Result<HashMap<String, String>, ReadFailed>>;
}

/// The store did not answer, or it refused. The text is for the log.
#[derive(Debug, Error)]
#[error("{0}")]
pub(crate) struct ReadFailed(pub(crate) String);

/// A secret cannot be had at present. The log has the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the secret cannot be read at present")]
pub(crate) struct Unavailable;

/// The secrets of the function, read at first need and cached.
pub(crate) struct Secrets {
    store: Box<dyn ReadParameters>,
    names: Vec<String>,
    ttl: Duration,
    /// Held during a read, so that requests at the same time cause one read.
    cache: Mutex<Cache>,
}

#[derive(Default)]
struct Cache {
    values: HashMap<String, Arc<str>>,
    read_at: Option<SystemTime>,
    failed_at: Option<SystemTime>,
}

impl Secrets {
    /// Secrets that `store` keeps under `names`.
    #[cfg(any(feature = "ssm", test))]
    pub(crate) fn new(store: impl ReadParameters + 'static, names: Vec<String>) -> Self {
        Self {
            store: Box::new(store),
            names,
            ttl: DEFAULT_TTL,
            cache: Mutex::default(),
        }
    }

    /// Sets the time to live of values.
    #[cfg(feature = "ssm")]
    pub(crate) const fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = ttl;
        self
    }

    /// Returns the value of a parameter.
    ///
    /// # Errors
    ///
    /// It was never read and cannot be, it is too old, or the parameter does not exist.
    pub(crate) async fn get(&self, name: &str, now: SystemTime) -> Result<Arc<str>, Unavailable> {
        let mut cache = self.cache.lock().await;
        if !cache.is_younger_than(self.ttl, now) && !cache.failed_within(RETRY_AFTER, now) {
            self.refresh(&mut cache, now).await;
        }
        if !cache.is_younger_than(self.ttl + STALE, now) {
            return Err(Unavailable);
        }
        cache.values.get(name).cloned().ok_or_else(|| {
            tracing::error!(parameter = name, "the parameter does not exist");
            Unavailable
        })
    }

    async fn refresh(&self, cache: &mut Cache, now: SystemTime) {
        let read = tokio::time::timeout(READ_TIMEOUT, self.store.read(&self.names)).await;
        let failed = match read {
            Ok(Ok(values)) => {
                let values = values.into_iter();
                cache.values = values.map(|(name, value)| (name, value.into())).collect();
                cache.read_at = Some(now);
                cache.failed_at = None;
                return;
            }
            Ok(Err(failed)) => failed.to_string(),
            Err(_elapsed) => "no answer in time".to_owned(),
        };
        cache.failed_at = Some(now);
        tracing::warn!(reason = failed, "parameters cannot be read");
    }
}

impl Cache {
    fn is_younger_than(&self, age: Duration, now: SystemTime) -> bool {
        self.read_at.is_some_and(|then| is_within(then, age, now))
    }

    fn failed_within(&self, age: Duration, now: SystemTime) -> bool {
        self.failed_at.is_some_and(|then| is_within(then, age, now))
    }
}

/// Returns whether `now` is less than `age` after `then`. A clock that was set back ends the period.
fn is_within(then: SystemTime, age: Duration, now: SystemTime) -> bool {
    now.duration_since(then).is_ok_and(|elapsed| elapsed < age)
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets")
            .field("names", &self.names)
            .field("ttl", &self.ttl)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Mutex as StdMutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A store in memory that counts its reads and can be taken down.
    #[derive(Debug, Clone, Default)]
    pub(crate) struct InMemory(Arc<Inner>);

    #[derive(Debug, Default)]
    struct Inner {
        values: StdMutex<HashMap<String, String>>,
        reads: AtomicUsize,
        state: StdMutex<State>,
    }

    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(crate) enum State {
        #[default]
        Up,
        Down,
        Hanging,
    }

    impl InMemory {
        pub(crate) fn set(&self, name: &str, value: Option<&str>) {
            let mut values = self.0.values.lock().unwrap();
            match value {
                Some(value) => values.insert(name.to_owned(), value.to_owned()),
                None => values.remove(name),
            };
        }

        pub(crate) fn state(&self, state: State) {
            *self.0.state.lock().unwrap() = state;
        }

        pub(crate) fn reads(&self) -> usize {
            self.0.reads.load(Ordering::Relaxed)
        }
    }

    impl ReadParameters for InMemory {
        fn read<'a>(
            &'a self,
            names: &'a [String],
        ) -> BoxFuture<'a, Result<HashMap<String, String>, ReadFailed>> {
            Box::pin(async move {
                self.0.reads.fetch_add(1, Ordering::Relaxed);
                let state = *self.0.state.lock().unwrap();
                match state {
                    State::Up => {}
                    State::Down => return Err(ReadFailed("planted".to_owned())),
                    State::Hanging => std::future::pending().await,
                }
                let values = self.0.values.lock().unwrap();
                let found = names.iter().filter_map(|name| values.get_key_value(name));
                Ok(found.map(|(n, v)| (n.clone(), v.clone())).collect())
            })
        }
    }

    pub(crate) fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + seconds)
    }

    fn secrets(names: &[&str]) -> (InMemory, Secrets) {
        let store = InMemory::default();
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        (store.clone(), Secrets::new(store, names))
    }

    async fn get(secrets: &Secrets, name: &str, seconds: u64) -> Option<String> {
        let value = secrets.get(name, at(seconds)).await.ok()?;
        Some(value.to_string())
    }

    #[tokio::test]
    async fn all_parameters_are_read_at_once_at_first_need_and_again_after_their_time() {
        let (store, secrets) = secrets(&["a", "b"]);
        store.set("a", Some("1"));
        store.set("b", Some("2"));
        assert_eq!(store.reads(), 0);
        assert_eq!(get(&secrets, "a", 0).await.as_deref(), Some("1"));
        store.set("b", Some("3"));
        assert_eq!(get(&secrets, "b", 299).await.as_deref(), Some("2"));
        assert_eq!(store.reads(), 1);
        assert_eq!(get(&secrets, "b", 300).await.as_deref(), Some("3"));
        assert_eq!(store.reads(), 2);
    }

    #[tokio::test]
    async fn requests_at_the_same_time_cause_one_read() {
        let (store, secrets) = secrets(&["a"]);
        store.set("a", Some("1"));
        let all = (0..50).map(|_| secrets.get("a", at(0)));
        let values = futures_util::future::join_all(all).await;
        assert!(values.iter().all(Result::is_ok));
        assert_eq!(store.reads(), 1);
    }

    #[tokio::test]
    async fn an_old_value_is_used_while_the_store_is_down_but_not_for_ever() {
        let (store, secrets) = secrets(&["a"]);
        store.set("a", Some("1"));
        assert!(get(&secrets, "a", 0).await.is_some());
        store.state(State::Down);
        assert_eq!(get(&secrets, "a", 301).await.as_deref(), Some("1"));
        assert_eq!(get(&secrets, "a", 1199).await.as_deref(), Some("1"));
        assert_eq!(get(&secrets, "a", 1200).await, None);
        store.state(State::Up);
        assert_eq!(get(&secrets, "a", 1206).await.as_deref(), Some("1"));
    }

    #[tokio::test]
    async fn a_store_that_is_down_is_asked_every_five_seconds_at_most() {
        let (store, secrets) = secrets(&["a"]);
        store.state(State::Down);
        for seconds in 0..10 {
            assert_eq!(get(&secrets, "a", seconds).await, None);
        }
        assert_eq!(store.reads(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_store_that_hangs_is_given_up() {
        let (store, secrets) = secrets(&["a"]);
        store.state(State::Hanging);
        let started = tokio::time::Instant::now();
        assert_eq!(get(&secrets, "a", 0).await, None);
        assert_eq!(started.elapsed(), READ_TIMEOUT);
    }

    #[tokio::test]
    async fn a_parameter_that_does_not_exist_is_unavailable() {
        let (store, secrets) = secrets(&["a"]);
        assert_eq!(get(&secrets, "a", 0).await, None);
        store.set("a", Some("1"));
        assert_eq!(get(&secrets, "a", 300).await.as_deref(), Some("1"));
    }

    #[tokio::test]
    async fn values_are_never_printed() {
        let (store, secrets) = secrets(&["a"]);
        store.set("a", Some("SENTINEL"));
        get(&secrets, "a", 0).await;
        assert!(!format!("{secrets:?}").contains("SENTINEL"));
    }
}
