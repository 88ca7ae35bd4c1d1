//! [`Limiter`]: where calls are counted.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use thiserror::Error;

use crate::future::BoxFuture;
use crate::limit::counter::{Counter, Decision};

/// A store of counters.
///
/// The library has two: [`MemoryLimiter`](crate::limit::MemoryLimiter), and
/// [`DynamoDbLimiter`](crate::limit::DynamoDbLimiter) (feature `dynamodb`). Implement the trait for
/// other stores. The arithmetic is in [`Decision::new`]; a store only reads and writes numbers.
///
/// A store must look and count in one atomic step per counter, so that parallel calls never exceed a
/// limit. A limited call must not be counted in the counter that limits it. It should not be counted
/// in the others either; a store without transactions over several keys may count it there.
///
/// A store that does not answer within the [timeout](crate::limit::Limits::store_timeout) or panics
/// counts as failed.
///
/// # Examples
///
/// A map stands for the store here. In Redis, the same steps are one Lua script with `HINCRBY` and
/// `EXPIREAT`.
///
/// ```
/// use std::collections::HashMap;
/// use std::sync::Mutex;
/// use std::time::SystemTime;
///
/// use lambda_mcp::BoxFuture;
/// use lambda_mcp::limit::{
///     CallerKey, Count, Counter, Decision, Limiter, Limits, Rules, StoreError, Target,
/// };
///
/// #[derive(Debug, Default)]
/// struct MapLimiter(Mutex<HashMap<String, u64>>);
///
/// impl Limiter for MapLimiter {
///     fn count<'a>(
///         &'a self,
///         counters: &'a [Counter],
///         _now: SystemTime,
///     ) -> BoxFuture<'a, Result<Decision, StoreError>> {
///         Box::pin(async move {
///             let mut map = self.0.lock().map_err(|_| StoreError::new("the lock is poisoned"))?;
///             let part_key = |counter: &Counter| {
///                 format!("{}#{}", counter.key(), counter.window().part())
///             };
///             // Look.
///             let read = |key: String| map.get(&key).copied().unwrap_or_default();
///             let counts: Vec<Count> = counters
///                 .iter()
///                 .map(|counter| Count {
///                     window: read(counter.key()),
///                     part: read(part_key(counter)),
///                 })
///                 .collect();
///             let decision = Decision::new(counters, &counts);
///             // Count, in every counter or in none.
///             if decision.is_allowed() {
///                 for counter in counters {
///                     *map.entry(counter.key()).or_default() += 1;
///                     *map.entry(part_key(counter)).or_default() += 1;
///                 }
///             }
///             Ok(decision)
///         })
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let limits = Limits::new("search=2/1h".parse()?, MapLimiter::default());
/// let (search, caller) = (Target::tool("search"), CallerKey::credential("0:ada"));
/// let now = SystemTime::now();
/// assert!(limits.check(&search, &caller, now).await.is_ok());
/// assert!(limits.check(&search, &caller, now).await.is_ok());
/// let limited = limits.check(&search, &caller, now).await.unwrap_err();
/// assert_eq!(limited.http_status(), 429);
/// # Ok(())
/// # }
/// ```
pub trait Limiter: Send + Sync + fmt::Debug {
    /// Counts a call at `now` in every counter, if all of them allow it.
    fn count<'a>(
        &'a self,
        counters: &'a [Counter],
        now: SystemTime,
    ) -> BoxFuture<'a, Result<Decision, StoreError>>;
}

/// A shared store, for example to inspect it in a test.
impl<L: Limiter + ?Sized> Limiter for Arc<L> {
    fn count<'a>(
        &'a self,
        counters: &'a [Counter],
        now: SystemTime,
    ) -> BoxFuture<'a, Result<Decision, StoreError>> {
        (**self).count(counters, now)
    }
}

/// A store could not count a call.
///
/// Reason and source go to the log, never to a client.
#[derive(Debug, Error)]
#[error("the store of the limits failed: {reason}")]
pub struct StoreError {
    reason: &'static str,
    is_hot_key: bool,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl StoreError {
    /// Makes an error with the reason for the log.
    #[must_use]
    pub const fn new(reason: &'static str) -> Self {
        Self {
            reason,
            is_hot_key: false,
            source: None,
        }
    }

    /// Sets the error that the store reported.
    #[must_use]
    pub fn source(self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self {
            source: Some(source.into()),
            ..self
        }
    }

    /// Marks that the store rejects writes because this counter is written too often.
    ///
    /// A rule that [fails open](crate::limit::Rule::fail_open) stays closed then: a client that
    /// floods a counter must not get past it.
    #[must_use]
    pub fn hot_key(self) -> Self {
        Self {
            is_hot_key: true,
            ..self
        }
    }

    /// Whether the counter is written too often.
    #[must_use]
    pub const fn is_hot_key(&self) -> bool {
        self.is_hot_key
    }
}
