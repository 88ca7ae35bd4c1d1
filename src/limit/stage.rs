//! The stage: the rules of a tool one after the other, and what happens without a store.

use std::sync::Arc;
use std::time::SystemTime;

use http::HeaderMap;

use crate::limit::caller::CallerKey;
use crate::limit::denials::{Denial, Denials};
use crate::limit::headers::{self, Quota};
use crate::limit::memory::MemoryLimiter;
use crate::limit::refusal::Limited;
use crate::limit::rule::{Per, Rule};
use crate::limit::rules::Rules;
use crate::limit::window::wait_s;
use crate::limit::{Decision, Limiter, StoreDown};

/// The limits of a server's tools, and where they are counted.
///
/// A call costs one decision of the [`Limiter`] for each rule of its tool; a tool without rules, or
/// a caller that is known to be denied, costs none.
#[derive(Debug)]
pub struct Limits {
    rules: Rules,
    limiter: Arc<dyn Limiter>,
    denials: Denials,
    /// Counts what is admitted while the store is down.
    spare: MemoryLimiter,
}

/// A call that may go on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Allowed {
    quotas: Vec<Quota>,
}

impl Allowed {
    /// `RateLimit-Policy` and `RateLimit`, for what the caller has left by itself; empty where it
    /// has no such limit. How all clients together stand is not told.
    #[must_use]
    pub fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers::write(&self.quotas, &mut headers);
        headers
    }
}

impl Limits {
    /// Keeps `rules` by counting with `limiter`.
    #[must_use]
    pub fn new(rules: Rules, limiter: Arc<dyn Limiter>) -> Self {
        Self {
            rules,
            limiter,
            denials: Denials::default(),
            spare: MemoryLimiter::new(),
        }
    }

    /// The rules that are kept.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Counts a call of `tool` by `caller` at `now`, if all the tool's rules admit it.
    ///
    /// The rules are asked in order: each client's before all clients', the shorter window first;
    /// the first that denies ends it. What the rules before it counted stays counted, since taking
    /// it back would be a second write that can fail. So a refusal by a longer window, or by all
    /// clients' limit, uses up a call of the shorter window; a refusal by a client's own limit uses
    /// up nothing of the limit of all. An instance that remembers any denial asks no rule at all.
    ///
    /// # Errors
    ///
    /// Too many calls, or the call could not be counted and its rule is closed then.
    pub async fn check(
        &self,
        tool: &str,
        caller: &CallerKey,
        now: SystemTime,
    ) -> Result<Allowed, Limited> {
        let mut allowed = Allowed::default();
        let Some(rules) = self.rules.of(tool) else {
            return Ok(allowed);
        };
        let known = rules.iter().filter_map(|rule| {
            let denial = self.denials.find(rule, caller, now)?;
            Some((rule, denial))
        });
        if let Some((rule, denial)) = known.max_by_key(|(_, denial)| denial.until) {
            return Err(Limited::exceeded(tool, rule, denial, now));
        }
        for rule in rules {
            match self.limiter.hit(rule, caller, now).await {
                Ok(Decision::Admitted { hits }) => allowed.quotas.extend(quota(rule, hits, now)),
                Ok(Decision::Denied { until, bound }) => {
                    let denial = Denial { until, bound };
                    self.denials.remember(rule, caller, denial, now);
                    return Err(Limited::exceeded(tool, rule, denial, now));
                }
                Err(down) => {
                    let admits = self.admits_without_store(rule, caller, now, &down).await;
                    report(tool, rule, &down, admits);
                    if !admits {
                        return Err(Limited::unavailable(tool));
                    }
                }
            }
        }
        Ok(allowed)
    }

    /// An open rule lets a tenth of its limit pass on each instance.
    async fn admits_without_store(
        &self,
        rule: &Rule,
        caller: &CallerKey,
        now: SystemTime,
        down: &StoreDown,
    ) -> bool {
        if !rule.fails_open() || down.is_hot() {
            return false;
        }
        let spare = self.spare.hit(&rule.tenth(), caller, now).await;
        matches!(spare, Ok(Decision::Admitted { .. }))
    }
}

/// What a client may know of its own count.
fn quota(rule: &Rule, hits: u64, now: SystemTime) -> Option<Quota> {
    (rule.counts_per() == Per::Client).then(|| Quota {
        name: rule.name(),
        calls: rule.limit(),
        window_s: rule.length().as_secs(),
        remaining: u64::from(rule.limit()).saturating_sub(hits),
        reset_s: wait_s(now, rule.window(now).end()),
    })
}

/// One line for an alarm to count, with what the store said.
fn report(tool: &str, rule: &Rule, down: &StoreDown, admits: bool) {
    let source = std::error::Error::source(down).map(ToString::to_string);
    tracing::warn!(
        tool,
        rule = %rule,
        admitted = admits,
        hot = down.is_hot(),
        source,
        "limit not counted: {down}"
    );
}
