//! The arithmetic of fixed windows. No clock is read here: every function is told the time.
//!
//! Windows are counted from 1970 on, so all instances agree on them without a word. Two clocks that
//! differ by seconds put calls near an edge into different windows; each window still holds exactly
//! its limit.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::limit::rule::Rule;
use crate::limit::{Bound, Decision};

/// A burst is counted in each of these parts of a window.
pub(crate) const PARTS: u8 = 10;
/// Counters are kept this long after their window at least, for whoever wants to look.
const KEPT_S: u64 = 3600;

/// The window of a rule that a moment lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    number: u64,
    part: u8,
    length_s: u64,
}

impl Window {
    pub(crate) fn at(length: Duration, now: SystemTime) -> Self {
        let length_s = length.as_secs().max(1);
        let length_ms = length_s * 1000;
        let now_ms = since_1970_ms(now);
        let part = now_ms % length_ms * u64::from(PARTS) / length_ms;
        Self {
            number: now_ms / length_ms,
            part: u8::try_from(part).unwrap_or(PARTS - 1),
            length_s,
        }
    }

    /// How many windows of this length went before it since 1970.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Which tenth of the window the moment lies in: 0 to 9.
    #[must_use]
    pub const fn part(&self) -> u8 {
        self.part
    }

    /// When the next window begins.
    #[must_use]
    pub fn end(&self) -> SystemTime {
        moment(self.end_s().saturating_mul(1000))
    }

    /// When the next tenth begins.
    #[must_use]
    pub fn part_end(&self) -> SystemTime {
        let part_ms = self.length_s * 1000 / u64::from(PARTS);
        let start_ms = (self.number * self.length_s).saturating_mul(1000);
        moment(start_ms.saturating_add(part_ms * (u64::from(self.part) + 1)))
    }

    /// When a store may forget the counter, in seconds since 1970.
    ///
    /// Nothing depends on it: a counter of a window that has ended is never asked again.
    #[must_use]
    pub fn expires_at_s(&self) -> u64 {
        self.end_s().saturating_add(self.length_s.max(KEPT_S))
    }

    /// What `rule` says of one more call, after `hits` in the window and `part_hits` in its tenth.
    #[must_use]
    pub fn decide(&self, rule: &Rule, hits: u64, part_hits: u64) -> Decision {
        if hits >= u64::from(rule.limit()) {
            Decision::Denied {
                until: self.end(),
                bound: Bound::Limit,
            }
        } else if part_hits >= u64::from(rule.burst_limit()) {
            Decision::Denied {
                until: self.part_end(),
                bound: Bound::Burst,
            }
        } else {
            Decision::Admitted { hits: hits + 1 }
        }
    }

    const fn end_s(&self) -> u64 {
        (self.number * self.length_s).saturating_add(self.length_s)
    }
}

/// Milliseconds since 1970; before it, 0.
fn since_1970_ms(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn moment(ms: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(ms)
}

/// Whole seconds to wait until `until`: after them a call is no longer too early. At least 1, as
/// 0 would invite a loop.
pub(crate) fn wait_s(now: SystemTime, until: SystemTime) -> u64 {
    let wait = until.duration_since(now).unwrap_or_default();
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    seconds.max(1)
}

#[cfg(test)]
mod tests;
