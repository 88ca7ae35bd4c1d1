//! One limit of one tool.

use std::fmt;
use std::time::{Duration, SystemTime};

use thiserror::Error;

use crate::limit::caller::CallerKey;
use crate::limit::window::Window;

/// A year: longer windows are a slip of the pen.
const LONGEST_S: u64 = 366 * 24 * 3600;
const LONGEST_BUCKET: usize = 128;

/// Whose calls are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Per {
    /// Each client's for itself.
    #[default]
    Client,
    /// All clients' together.
    Total,
}

/// What happens to a call when it cannot be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OnStoreFailure {
    /// A tenth of the limit is admitted by each instance, counted in its memory.
    Open,
    /// It is refused with 503.
    #[default]
    Closed,
}

/// A limit: so many calls in a window, and so many in a tenth of it.
///
/// Windows are fixed: they begin at full multiples of their length since 1970, and a client can
/// spend one limit at the end of a window and the next right after. What it can do in one go is
/// bounded by [`burst`](Self::burst).
///
/// ```
/// use std::time::Duration;
/// use lambda_mcp::limit::{Per, Rule};
///
/// let rule = Rule::new("contact", 20, Duration::from_secs(86_400))?.burst(5)?.per(Per::Client);
/// assert_eq!(rule.to_string(), "20/1d:burst=5");
/// # Ok::<_, lambda_mcp::limit::InvalidRule>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    bucket: String,
    limit: u32,
    burst: Option<u32>,
    window: Duration,
    per: Per,
    on_store_failure: OnStoreFailure,
}

/// A limit that cannot be kept.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidRule {
    /// Nobody could call the tool.
    #[error("a limit of 0 calls would switch the tool off; write 1 or more")]
    NoCalls,
    /// The window is no number of whole seconds from one second to a year.
    #[error("a window is of whole seconds, from 1s to 366d")]
    Window,
    /// The burst is none, or more than the limit.
    #[error("a burst is at least 1 and at most the limit of {limit}")]
    Burst {
        /// The limit it goes with.
        limit: u32,
    },
    /// The bucket is empty, too long, or has characters that have no place in a header.
    #[error("a bucket has 1 to 128 visible ASCII characters, and no quotes or backslashes")]
    Bucket,
}

impl Rule {
    /// At most `limit` calls of each client in every `window`; refused when they cannot be counted.
    ///
    /// Rules with the same `bucket`, window and [`Per`] share their counters, whatever tool they
    /// are of.
    ///
    /// # Errors
    ///
    /// A limit that cannot be kept.
    pub fn new(
        bucket: impl Into<String>,
        limit: u32,
        window: Duration,
    ) -> Result<Self, InvalidRule> {
        let bucket = bucket.into();
        let is_plain = |b: u8| b.is_ascii_graphic() && b != b'"' && b != b'\\';
        if bucket.is_empty() || bucket.len() > LONGEST_BUCKET || !bucket.bytes().all(is_plain) {
            return Err(InvalidRule::Bucket);
        }
        if limit == 0 {
            return Err(InvalidRule::NoCalls);
        }
        if window.subsec_nanos() != 0 || !(1..=LONGEST_S).contains(&window.as_secs()) {
            return Err(InvalidRule::Window);
        }
        Ok(Self {
            bucket,
            limit,
            burst: None,
            window,
            per: Per::default(),
            on_store_failure: OnStoreFailure::default(),
        })
    }

    /// Allows at most `calls` in each tenth of the window. Without it, the whole limit may be used
    /// at once.
    ///
    /// # Errors
    ///
    /// A burst of none, or of more than the limit.
    pub fn burst(mut self, calls: u32) -> Result<Self, InvalidRule> {
        if calls == 0 || calls > self.limit {
            return Err(InvalidRule::Burst { limit: self.limit });
        }
        self.burst = Some(calls);
        Ok(self)
    }

    /// Sets whose calls are counted together.
    #[must_use]
    pub const fn per(mut self, per: Per) -> Self {
        self.per = per;
        self
    }

    /// Sets what happens to a call that cannot be counted.
    #[must_use]
    pub const fn on_store_failure(mut self, on_store_failure: OnStoreFailure) -> Self {
        self.on_store_failure = on_store_failure;
        self
    }

    /// The name its counters go by.
    #[must_use]
    pub fn bucket(&self) -> &str {
        &self.bucket
    }

    /// The calls allowed in a window.
    #[must_use]
    pub const fn limit(&self) -> u32 {
        self.limit
    }

    /// The calls allowed in a tenth of a window: the whole limit, unless a burst is set.
    #[must_use]
    pub fn burst_limit(&self) -> u32 {
        self.burst.unwrap_or(self.limit)
    }

    /// The length of a window.
    #[must_use]
    pub const fn length(&self) -> Duration {
        self.window
    }

    /// Whose calls are counted together.
    #[must_use]
    pub const fn counts_per(&self) -> Per {
        self.per
    }

    /// Whether calls that cannot be counted are admitted, a few at least.
    #[must_use]
    pub const fn fails_open(&self) -> bool {
        matches!(self.on_store_failure, OnStoreFailure::Open)
    }

    /// The window that `now` lies in.
    #[must_use]
    pub fn window(&self, now: SystemTime) -> Window {
        Window::at(self.window, now)
    }

    /// The key of the counter for calls of `caller` in `window`.
    ///
    /// The window is part of it, so a counter is never reset: another one is used. The bucket's
    /// length stands before it, so no bucket can look like another with more parts.
    #[must_use]
    pub fn counter_key(&self, caller: &CallerKey, window: &Window) -> String {
        let (length, bucket) = (self.bucket.len(), &self.bucket);
        let (window_s, number) = (self.window.as_secs(), window.number());
        match self.per {
            Per::Client => format!("rl#{length}:{bucket}#{caller}#{window_s}#{number}"),
            Per::Total => format!("rl#{length}:{bucket}#total#{window_s}#{number}"),
        }
    }

    /// What an instance may admit by itself while the store is down.
    pub(crate) fn tenth(&self) -> Self {
        let limit = self.limit.div_ceil(10);
        Self {
            limit,
            burst: self.burst.map(|burst| burst.min(limit)),
            ..self.clone()
        }
    }

    /// A name that no other rule of the tool has, such as `contact-1h`.
    pub(crate) fn name(&self) -> String {
        let total = match self.per {
            Per::Client => "",
            Per::Total => "total-",
        };
        format!("{}-{total}{}", self.bucket, short(self.window))
    }
}

impl fmt::Display for Rule {
    /// The rule as [`Rules::parse`](crate::limit::Rules::parse) reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.per == Per::Total {
            f.write_str("total:")?;
        }
        write!(f, "{}/{}", self.limit, short(self.window))?;
        if let Some(burst) = self.burst {
            write!(f, ":burst={burst}")?;
        }
        if self.fails_open() {
            f.write_str(":open")?;
        }
        Ok(())
    }
}

/// The units of a period, from the longest down.
const UNITS: [(u64, &str, &str); 4] = [
    (86_400, "d", "day"),
    (3600, "h", "hour"),
    (60, "m", "minute"),
    (1, "s", "second"),
];

/// A period in its longest whole unit, such as `90m`.
fn short(period: Duration) -> String {
    let seconds = period.as_secs();
    let unit = UNITS
        .iter()
        .find(|(unit_s, ..)| seconds.is_multiple_of(*unit_s));
    unit.map_or_else(String::new, |(unit_s, letter, _)| {
        format!("{}{letter}", seconds / unit_s)
    })
}

/// A period in words, such as `90 minutes`; it is never less than what it stands for.
pub(crate) fn in_words(period_s: u64) -> String {
    // Ten of a unit at least: `3 hours` for two hours and a second would be far off.
    let unit = UNITS
        .iter()
        .find(|(unit_s, ..)| period_s.is_multiple_of(*unit_s) || period_s >= 10 * unit_s);
    let (unit_s, _, word) = unit.unwrap_or(&(1, "s", "second"));
    let count = period_s.div_ceil(*unit_s);
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {word}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(limit: u32, window_s: u64) -> Result<Rule, InvalidRule> {
        Rule::new("contact", limit, Duration::from_secs(window_s))
    }

    #[test]
    fn a_rule_that_cannot_be_kept_is_refused() {
        assert_eq!(rule(0, 60), Err(InvalidRule::NoCalls));
        assert_eq!(rule(1, 0), Err(InvalidRule::Window));
        assert_eq!(rule(1, LONGEST_S + 1), Err(InvalidRule::Window));
        let half = Duration::from_millis(1500);
        assert_eq!(Rule::new("a", 1, half), Err(InvalidRule::Window));
        for bucket in ["", "two words", "quo\"te", "back\\slash", "ü"] {
            let refused = Rule::new(bucket, 1, Duration::from_secs(1));
            assert_eq!(refused, Err(InvalidRule::Bucket), "{bucket}");
        }
        let three = rule(3, 60).unwrap();
        assert_eq!(three.clone().burst(0), Err(InvalidRule::Burst { limit: 3 }));
        assert_eq!(three.clone().burst(4), Err(InvalidRule::Burst { limit: 3 }));
        assert_eq!(three.clone().burst(2).unwrap().burst_limit(), 2);
        assert_eq!(three.burst_limit(), 3);
    }

    #[test]
    fn keys_differ_wherever_the_counters_must() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let minute = Duration::from_secs(60);
        let key = |bucket: &str, window, per, caller: &str| {
            let rule = Rule::new(bucket, 1, window).unwrap().per(per);
            rule.counter_key(&CallerKey::subject(caller), &rule.window(now))
        };
        let keys = [
            key("tool", minute, Per::Client, "a#b"),
            key("tool#a", minute, Per::Client, "b"),
            key("tool", minute, Per::Client, "total"),
            key("tool", minute, Per::Total, "a#b"),
            key("tool", minute * 60, Per::Client, "a#b"),
            key("4:tool", minute, Per::Client, "a#b"),
        ];
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[index + 1..].contains(key), "{key}");
            assert!(!key.contains("a#b#"), "{key}");
        }
        let total = key("tool", minute, Per::Total, "anyone");
        assert_eq!(total, "rl#4:tool#total#60#16666");
    }

    #[test]
    fn periods_are_read_out() {
        let rows = [
            (1, "1s", "1 second"),
            (90, "90s", "90 seconds"),
            (61, "61s", "61 seconds"),
            (599, "599s", "599 seconds"),
            (601, "601s", "11 minutes"),
            (3600, "1h", "1 hour"),
            (3601, "3601s", "61 minutes"),
            (5400, "90m", "90 minutes"),
            (86_400, "1d", "1 day"),
            (7201, "7201s", "121 minutes"),
            (40_000, "40000s", "12 hours"),
            (7 * 86_400, "7d", "7 days"),
        ];
        for (seconds, written, spoken) in rows {
            assert_eq!(short(Duration::from_secs(seconds)), written);
            assert_eq!(in_words(seconds), spoken);
        }
    }
}
