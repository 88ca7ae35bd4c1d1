//! [`Counter`]: what a store counts, and [`Decision`]: what it decides.

use std::time::{Duration, SystemTime};

use crate::limit::caller::CallerKey;
use crate::limit::rule::Rule;
use crate::limit::window::Window;

/// A counter that a call is counted in: a rule, the caller it counts, and a window.
///
/// A [`Limiter`](crate::limit::Limiter) stores two numbers per counter, found by its
/// [`key`](Self::key): the calls in the window, and the calls in each tenth of it. See [`Count`].
///
/// # Examples
///
/// ```
/// use std::time::SystemTime;
///
/// use lambda_mcp::limit::{CallerKey, Counter};
///
/// let (rule, caller) = ("3/1h".parse()?, CallerKey::credential("0:ada"));
/// let counters = Counter::of_rule("contact", &rule, &caller, SystemTime::now());
/// assert_eq!(counters.len(), 1);
/// assert_eq!(counters[0].limit(), 3);
/// assert!(counters[0].key().starts_with("rl#7:contact#"));
/// # Ok::<(), lambda_mcp::limit::InvalidRule>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    bucket: String,
    owner: String,
    scope: Scope,
    limit: u32,
    burst_limit: u32,
    window: Window,
}

/// Whose calls a counter counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Scope {
    /// Those of one client.
    Client,
    /// Those of all clients of one network.
    Network,
    /// Those of all clients together.
    Total,
}

/// The owner of the counters of all clients together.
const TOTAL: &str = "total";
/// The bucket of the counters that let a round of a counted call pass once.
const ROUND: &str = "round";
/// The window of such a counter. It only has to end after the round expires.
const ROUND_WINDOW: Duration = Duration::from_secs(60);

impl Counter {
    /// Returns the counters of a rule for a call of `caller` at `now`.
    ///
    /// The bucket is the name of the group that the rule limits. [`Limits`](crate::limit::Limits)
    /// calls this for every rule; call it to test a store. A rule has one counter, and for a caller
    /// with an IPv6 address three: see [`CallerKey::address`].
    #[must_use]
    pub fn of_rule(bucket: &str, rule: &Rule, caller: &CallerKey, now: SystemTime) -> Vec<Self> {
        let counter = |scope: Scope, owner: String, limit: u32, burst_limit: u32| Self {
            bucket: bucket.to_owned(),
            owner,
            scope,
            limit,
            burst_limit,
            window: Window::at(rule.window(), now),
        };
        let (limit, burst) = (rule.limit(), rule.burst_limit());
        if rule.is_total() {
            let reserved = if caller.has_credential() {
                0
            } else {
                rule.reserved()
            };
            let limit = limit.saturating_sub(reserved);
            return vec![counter(
                Scope::Total,
                TOTAL.to_owned(),
                limit,
                burst.min(limit),
            )];
        }
        let mut counters = vec![counter(Scope::Client, caller.to_string(), limit, burst)];
        counters.extend(caller.networks().map(|(network, factor)| {
            let (limit, burst) = (limit.saturating_mul(factor), burst.saturating_mul(factor));
            counter(Scope::Network, network.to_string(), limit, burst)
        }));
        counters
    }

    /// Returns the counter that lets one round pass: `id` names the round, which expires at
    /// `expires_at`.
    pub(super) fn of_round(id: &str, expires_at: SystemTime) -> Self {
        Self {
            bucket: ROUND.to_owned(),
            owner: id.to_owned(),
            scope: Scope::Client,
            limit: 1,
            burst_limit: 1,
            window: Window::at(ROUND_WINDOW, expires_at),
        }
    }

    /// The key of the counter: unique for its bucket, owner and window.
    ///
    /// The window is part of it, so a counter is never reset; the next window has another one.
    #[must_use]
    pub fn key(&self) -> String {
        // The length of the bucket keeps buckets that contain `#` apart.
        let (length, bucket, owner) = (self.bucket.len(), &self.bucket, &self.owner);
        let (window_s, number) = (self.window.length().as_secs(), self.window.number());
        format!("rl#{length}:{bucket}#{owner}#{window_s}#{number}")
    }

    /// The name of the group that is limited, such as `contact`.
    #[must_use]
    pub fn bucket(&self) -> &str {
        &self.bucket
    }

    /// Whose calls are counted: the digest of a caller or of a network, or `total`.
    #[must_use]
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Whether the calls of all clients are counted together.
    #[must_use]
    pub const fn is_total(&self) -> bool {
        matches!(self.scope, Scope::Total)
    }

    /// Whose calls are counted.
    pub(super) const fn scope(&self) -> Scope {
        self.scope
    }

    /// Whether the calls of several clients are counted together.
    pub(super) const fn is_shared(&self) -> bool {
        !matches!(self.scope, Scope::Client)
    }

    /// The calls allowed in the window.
    #[must_use]
    pub const fn limit(&self) -> u32 {
        self.limit
    }

    /// The calls allowed in each tenth of the window. Equals the limit if the rule has no burst.
    #[must_use]
    pub const fn burst_limit(&self) -> u32 {
        self.burst_limit
    }

    /// The window, and the tenth of it that the call falls into.
    #[must_use]
    pub const fn window(&self) -> &Window {
        &self.window
    }

    /// The counter that allows what an instance may allow while the store does not answer: a tenth.
    pub(super) fn during_outage(&self) -> Self {
        let limit = self.limit.div_ceil(10);
        Self {
            limit,
            burst_limit: self.burst_limit.min(limit),
            ..self.clone()
        }
    }

    /// Returns when and why one more call is limited, or `None` if it is allowed.
    fn limited(&self, count: Count) -> Option<(SystemTime, LimitKind)> {
        if count.window >= u64::from(self.limit) {
            Some((self.window.end(), LimitKind::Window))
        } else if count.part >= u64::from(self.burst_limit) {
            Some((self.window.part_end(), LimitKind::Burst))
        } else {
            None
        }
    }
}

/// The calls that a counter has counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// The calls in the window.
    pub window: u64,
    /// The calls in the current tenth of the window.
    pub part: u64,
}

/// The decision about one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The call is allowed.
    Allowed {
        /// For each counter, the calls in its window, this one included.
        counts: Vec<u64>,
    },
    /// The call is limited. So is every call of this owner until `until`.
    Limited {
        /// The index of the counter that limits the call.
        index: usize,
        /// The time from which a call may be allowed again.
        until: SystemTime,
        /// The limit that is reached.
        kind: LimitKind,
    },
}

/// A limit of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LimitKind {
    /// The calls in a window.
    Window,
    /// The calls in a tenth of a window.
    Burst,
}

impl Decision {
    /// Decides about one more call, from the calls that each counter has counted so far.
    ///
    /// If several counters limit the call, the decision names the one with the longest wait. A
    /// counter without a count has counted nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::SystemTime;
    ///
    /// use lambda_mcp::limit::{CallerKey, Count, Counter, Decision};
    ///
    /// let (rule, caller) = ("3/1h".parse()?, CallerKey::credential("0:ada"));
    /// let counters = Counter::of_rule("contact", &rule, &caller, SystemTime::now());
    ///
    /// let decide = |calls| Decision::new(&counters, &[Count { window: calls, part: calls }]);
    /// assert_eq!(decide(2), Decision::Allowed { counts: vec![3] });
    /// assert!(matches!(decide(3), Decision::Limited { index: 0, .. }));
    /// # Ok::<(), lambda_mcp::limit::InvalidRule>(())
    /// ```
    #[must_use]
    pub fn new(counters: &[Counter], counts: &[Count]) -> Self {
        let counted = |index: usize| counts.get(index).copied().unwrap_or_default();
        let limited = counters.iter().enumerate().filter_map(|(index, counter)| {
            let (until, kind) = counter.limited(counted(index))?;
            Some((index, until, kind))
        });
        match limited.max_by_key(|(_, until, _)| *until) {
            Some((index, until, kind)) => Self::Limited { index, until, kind },
            None => Self::Allowed {
                counts: (0..counters.len())
                    .map(|index| counted(index).window + 1)
                    .collect(),
            },
        }
    }

    /// Whether the call is allowed.
    #[must_use]
    pub const fn is_allowed(&self) -> bool {
        matches!(self, Self::Allowed { .. })
    }
}

#[cfg(test)]
mod tests;
