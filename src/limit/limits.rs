//! [`Limits`]: checks the limits of one call.

use std::time::{Duration, SystemTime};

use crate::future::{self, Broken};
use crate::limit::caller::CallerKey;
use crate::limit::counter::{Counter, Decision};
use crate::limit::headers::{Quota, Quotas, policy_name};
use crate::limit::limited::Limited;
use crate::limit::limited_cache::LimitedCache;
use crate::limit::limiter::{Limiter, StoreError};
use crate::limit::memory::MemoryLimiter;
use crate::limit::rule::Rule;
use crate::limit::rules::Rules;
use crate::limit::target::Target;
use crate::limit::window::wait_s;

/// The default time that a store has for an answer.
const STORE_TIMEOUT: Duration = Duration::from_secs(2);

/// The limits of a server, and the store that counts calls.
///
/// Pass it to [`ServerBuilder::limits`](crate::server::ServerBuilder::limits). The server then
/// counts each call right before its handler runs: a call that is refused earlier, for example
/// because of its arguments, does not count.
///
/// Call [`check`](Self::check) yourself to apply the same limits elsewhere, such as in an HTTP route
/// beside the server that gives the same data.
///
/// # Examples
///
/// ```
/// use std::time::SystemTime;
///
/// use lambda_mcp::limit::{CallerKey, Limits, MemoryLimiter, Target};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let limits = Limits::new("resume[get_resume,resource:resume://*]=1/1h".parse()?, MemoryLimiter::new());
/// let caller = CallerKey::address(Some("198.51.100.7".parse()?));
/// let now = SystemTime::now();
///
/// let quotas = limits.check(&Target::tool("get_resume"), &caller, now).await?;
/// assert_eq!(quotas.headers()["ratelimit-policy"], r#""resume-1h";q=1;w=3600"#);
///
/// let resource = Target::resource("resume://full");
/// let limited = limits.check(&resource, &caller, now).await.unwrap_err();
/// assert_eq!(limited.http_status(), 429);
/// assert!(limited.retry_after_s() <= 3600);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Limits {
    rules: Rules,
    limiter: Box<dyn Limiter>,
    cache: LimitedCache,
    /// Counts what is allowed while the store does not answer.
    fallback: MemoryLimiter,
    store_timeout: Duration,
}

/// The rules of a call, and their counters.
struct Applied<'r> {
    /// The bucket and the rule of each counter.
    rules: Vec<(&'r str, &'r Rule)>,
    counters: Vec<Counter>,
}

impl Limits {
    /// Applies `rules` by counting in `limiter`.
    #[must_use]
    pub fn new(rules: Rules, limiter: impl Limiter + 'static) -> Self {
        Self {
            rules,
            limiter: Box::new(limiter),
            cache: LimitedCache::new(),
            fallback: MemoryLimiter::new(),
            store_timeout: STORE_TIMEOUT,
        }
    }

    /// Sets the time that the store has for an answer. Defaults to 2 s.
    ///
    /// A store that takes longer counts as failed: the call gets 503, unless its rules [fail
    /// open](Rule::fail_open).
    #[must_use]
    pub const fn store_timeout(mut self, timeout: Duration) -> Self {
        self.store_timeout = timeout;
        self
    }

    /// The rules that are applied.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Counts a call of `target` by `caller` at `now`, if all its limits allow it.
    ///
    /// A limited call counts for nothing, as far as the store can do that; see
    /// [`Limiter`]. An instance remembers limits that are reached, and then
    /// refuses calls without asking the store.
    ///
    /// # Errors
    ///
    /// Returns [`Limited`] if a limit is reached, or if the call could not be counted and one of its
    /// rules does not fail open.
    pub async fn check(
        &self,
        target: &Target<'_>,
        caller: &CallerKey,
        now: SystemTime,
    ) -> Result<Quotas, Limited> {
        let applied = self.applied(target, caller, now);
        if applied.counters.is_empty() {
            return Ok(Quotas::default());
        }
        let counters = &applied.counters;
        if let Some((index, reached)) = self.cache.find(counters, now)
            && let Some(limit) = applied.get(index)
        {
            return Err(Limited::exceeded(target, limit, reached, now));
        }
        match self.count(counters, now).await {
            Ok(Decision::Allowed { counts }) => Ok(applied.quotas(&counts, now)),
            Ok(Decision::Limited { index, until, kind }) => match applied.get(index) {
                Some((rule, counter)) => {
                    self.cache.insert(counter, (until, kind), now);
                    let limit = (rule, counter);
                    Err(Limited::exceeded(target, limit, (until, kind), now))
                }
                None => Err(Limited::unavailable(target)),
            },
            Err(error) => self.uncounted(target, &applied, &error, now).await,
        }
    }

    /// Lets a round of a call pass whose first round was counted, once. `id` names the round, which
    /// expires at `expires_at`; a round that comes again is counted as a call.
    ///
    /// # Errors
    ///
    /// As for [`check`](Self::check).
    pub(crate) async fn check_round(
        &self,
        target: &Target<'_>,
        caller: &CallerKey,
        (id, expires_at): (&str, SystemTime),
        now: SystemTime,
    ) -> Result<Quotas, Limited> {
        let applied = self.applied(target, caller, now);
        if applied.counters.is_empty() {
            return Ok(Quotas::default());
        }
        match self.count(&[Counter::of_round(id, expires_at)], now).await {
            Ok(Decision::Allowed { .. }) => Ok(Quotas::default()),
            Ok(Decision::Limited { .. }) => self.check(target, caller, now).await,
            Err(error) => self.uncounted(target, &applied, &error, now).await,
        }
    }

    /// Decides about a call that could not be counted.
    async fn uncounted(
        &self,
        target: &Target<'_>,
        applied: &Applied<'_>,
        error: &StoreError,
        now: SystemTime,
    ) -> Result<Quotas, Limited> {
        let is_allowed = self.is_allowed_without_store(applied, error, now).await;
        report(target, error, is_allowed);
        if is_allowed {
            Ok(Quotas::default())
        } else {
            Err(Limited::unavailable(target))
        }
    }

    /// Whether calls of `target` are counted for each caller, and not only in total.
    pub(crate) fn counts_by_caller(&self, target: &Target<'_>) -> bool {
        let groups = self.rules.counting(target);
        groups
            .iter()
            .any(|group| group.rules.iter().any(|rule| !rule.is_total()))
    }

    /// Refuses a call that would have to be counted by the caller's address, which the platform does
    /// not tell. One counter for all callers would let one of them use up the limit of all.
    pub(crate) fn refuse_unknown_caller(&self, target: &Target<'_>) -> Limited {
        tracing::error!(
            target_kind = target.kind(),
            target_name = target.name(),
            "limit not counted: the load balancer's event has no address of the client; if it appends \
             one to X-Forwarded-For, call `ServerBuilder::trust_load_balancer_client_address`"
        );
        Limited::unavailable(target)
    }

    /// The rules and counters of a call: per client before total, shorter windows first.
    fn applied<'r>(
        &'r self,
        target: &Target<'_>,
        caller: &CallerKey,
        now: SystemTime,
    ) -> Applied<'r> {
        let groups = self.rules.counting(target).into_iter();
        let rules = groups.flat_map(|group| group.rules.iter().map(|rule| (&*group.bucket, rule)));
        let mut rules: Vec<(&str, &Rule)> = rules.collect();
        rules.sort_by_key(|(_, rule)| (rule.is_total(), rule.window()));
        let mut applied = Applied {
            rules: Vec::with_capacity(rules.len()),
            counters: Vec::with_capacity(rules.len()),
        };
        for (bucket, rule) in rules {
            for counter in Counter::of_rule(bucket, rule, caller, now) {
                applied.rules.push((bucket, rule));
                applied.counters.push(counter);
            }
        }
        applied
    }

    /// Asks the store, which may hang or panic.
    async fn count(&self, counters: &[Counter], now: SystemTime) -> Result<Decision, StoreError> {
        let count = || self.limiter.count(counters, now);
        match future::bounded(self.store_timeout, count).await {
            Ok(decision) => decision,
            Err(Broken::TimedOut) => Err(StoreError::new("no answer in time")),
            Err(Broken::Panicked) => Err(StoreError::new("it panicked")),
        }
    }

    /// Whether a call is allowed that could not be counted: if all its rules fail open, each instance
    /// allows a tenth of each limit.
    async fn is_allowed_without_store(
        &self,
        applied: &Applied<'_>,
        error: &StoreError,
        now: SystemTime,
    ) -> bool {
        if error.is_hot_key() || !applied.rules.iter().all(|(_, rule)| rule.fails_open()) {
            return false;
        }
        let counters: Vec<Counter> = applied
            .counters
            .iter()
            .map(Counter::during_outage)
            .collect();
        let decision = self.fallback.count(&counters, now).await;
        decision.is_ok_and(|decision| decision.is_allowed())
    }
}

impl Applied<'_> {
    fn get(&self, index: usize) -> Option<(&Rule, &Counter)> {
        let (_, rule) = self.rules.get(index)?;
        Some((rule, self.counters.get(index)?))
    }

    /// What a client may know: its own counts.
    fn quotas(&self, counts: &[u64], now: SystemTime) -> Quotas {
        let counted = self.rules.iter().zip(&self.counters).zip(counts);
        let quota =
            |(((bucket, rule), counter), count): ((&(&str, &Rule), &Counter), &u64)| Quota {
                name: policy_name(bucket, rule),
                calls: counter.limit(),
                window_s: counter.window().length().as_secs(),
                remaining: u64::from(counter.limit()).saturating_sub(*count),
                reset_s: wait_s(now, counter.window().end()),
            };
        let own = counted.filter(|((_, counter), _)| !counter.is_shared());
        Quotas(own.map(quota).collect())
    }
}

/// Writes one line that an alarm can count, with what the store reported.
fn report(target: &Target<'_>, error: &StoreError, is_allowed: bool) {
    let source = std::error::Error::source(error).map(ToString::to_string);
    tracing::warn!(
        target_kind = target.kind(),
        target_name = target.name(),
        allowed = is_allowed,
        hot_key = error.is_hot_key(),
        source,
        "limit not counted: {error}"
    );
}
