//! [`Rule`]: one limit, such as `20/1d:burst=5`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use crate::limit::period;

/// The longest window: a year. Longer ones are a typing error.
const MAX_WINDOW_S: u64 = 366 * 24 * 3600;

/// A limit: a number of calls per window, and optionally a number per tenth of the window.
///
/// Windows are fixed: they start at multiples of their length since 1970, so a window of an hour
/// starts at a full hour. A client can therefore spend one limit at the end of a window and the next
/// one right after. [`burst`](Self::burst) bounds that.
///
/// A rule counts each client by itself, unless it is a [`total`](Self::total). Calls that cannot be
/// counted are refused, unless the rule [fails open](Self::fail_open).
///
/// As text, a rule is `[total:]CALLS/PERIOD[:burst=CALLS][:reserve=CALLS][:open|:closed]`. The period
/// is a number and `s`, `m`, `h` or `d`, or the unit alone: `20/1d`, `20/d`, `5/90s`,
/// `total:100/1d:reserve=20`.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use lambda_mcp::limit::Rule;
///
/// let rule: Rule = "20/1d:burst=5".parse()?;
/// assert_eq!(rule, Rule::new(20, Duration::from_secs(86_400))?.burst(5)?);
/// assert_eq!(rule.limit(), 20);
///
/// let error = "20/1w".parse::<Rule>().unwrap_err();
/// assert_eq!(error.to_string(), "`1w` is not a period; write it like `30s`, `15m`, `1h` or `1d`");
/// # Ok::<(), lambda_mcp::limit::InvalidRule>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    limit: u32,
    burst: Option<u32>,
    /// The calls of a total that only callers with a credential can use.
    reserved: u32,
    window: Duration,
    is_total: bool,
    fails_open: bool,
}

/// A limit that cannot be read or applied.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidRule {
    /// The text is not `CALLS/PERIOD`.
    #[error("`{0}` is not a limit; write it like `3/1h`")]
    Rate(String),
    /// The text is not a number of calls.
    #[error("`{0}` is not a number of calls")]
    Calls(String),
    /// The text is not a period.
    #[error("`{0}` is not a period; write it like `30s`, `15m`, `1h` or `1d`")]
    Period(String),
    /// The text after a colon is not an option.
    #[error(
        "`{0}` is not an option; options are `burst=CALLS`, `reserve=CALLS`, `open` and `closed`"
    )]
    UnknownOption(String),
    /// The limit is 0.
    #[error("a limit of 0 calls would disable the tool; write 1 or more")]
    NoCalls,
    /// The window is not a number of whole seconds, or outside of one second to 366 days.
    #[error("a window must have whole seconds and be from `1s` to `366d`")]
    Window,
    /// The rule is not a total, or the reserve is 0 or not less than the limit.
    #[error("a reserve needs `total:`, and must be at least 1 and less than the limit, {limit}")]
    Reserve {
        /// The limit of the rule.
        limit: u32,
    },
    /// The burst is 0 or higher than the limit.
    #[error("a burst must be at least 1 and at most the limit, {limit}")]
    Burst {
        /// The limit of the rule.
        limit: u32,
    },
}

impl Rule {
    /// Allows each client `limit` calls per `window`.
    ///
    /// # Errors
    ///
    /// Returns an error if the limit is 0, or if the window is not a number of whole seconds from
    /// one second to 366 days.
    pub const fn new(limit: u32, window: Duration) -> Result<Self, InvalidRule> {
        if limit == 0 {
            return Err(InvalidRule::NoCalls);
        }
        let window_s = window.as_secs();
        if window.subsec_nanos() != 0 || window_s == 0 || window_s > MAX_WINDOW_S {
            return Err(InvalidRule::Window);
        }
        Ok(Self {
            limit,
            burst: None,
            reserved: 0,
            window,
            is_total: false,
            fails_open: false,
        })
    }

    /// Sets the limit per tenth of the window. Defaults to the limit of the window.
    ///
    /// # Errors
    ///
    /// Returns an error if the burst is 0 or higher than the limit.
    pub fn burst(mut self, calls: u32) -> Result<Self, InvalidRule> {
        if calls == 0 || calls > self.limit {
            return Err(InvalidRule::Burst { limit: self.limit });
        }
        self.burst = Some(calls);
        Ok(self)
    }

    /// Counts the calls of all clients together.
    #[must_use]
    pub const fn total(mut self) -> Self {
        self.is_total = true;
        self
    }

    /// Reserves some of the calls of a [`total`](Self::total) for callers with a credential. Defaults
    /// to 0.
    ///
    /// Without a reserve, anonymous callers can use up the total, and then nobody can call.
    ///
    /// # Errors
    ///
    /// Returns an error if the rule is not a total, or if the reserve is 0 or not less than the limit.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use lambda_mcp::limit::Rule;
    ///
    /// let day = Duration::from_secs(86_400);
    /// let rule = Rule::new(100, day)?.total().reserve(20)?;
    /// assert_eq!(rule, "total:100/1d:reserve=20".parse()?);
    /// # Ok::<(), lambda_mcp::limit::InvalidRule>(())
    /// ```
    pub const fn reserve(mut self, calls: u32) -> Result<Self, InvalidRule> {
        if !self.is_total || calls == 0 || calls >= self.limit {
            return Err(InvalidRule::Reserve { limit: self.limit });
        }
        self.reserved = calls;
        Ok(self)
    }

    /// Allows some calls while the store does not answer: a tenth of the limit per instance, counted
    /// in memory. By default, such calls get 503.
    ///
    /// A [hot key](crate::limit::StoreError::hot_key) stays closed: a client that floods a counter
    /// must not get past it.
    #[must_use]
    pub const fn fail_open(mut self) -> Self {
        self.fails_open = true;
        self
    }

    /// The calls allowed per window.
    #[must_use]
    pub const fn limit(&self) -> u32 {
        self.limit
    }

    /// The calls allowed per tenth of a window. Equals [`limit`](Self::limit) if no burst is set.
    #[must_use]
    pub fn burst_limit(&self) -> u32 {
        self.burst.unwrap_or(self.limit)
    }

    /// The calls of a total that only callers with a credential can use.
    #[must_use]
    pub const fn reserved(&self) -> u32 {
        self.reserved
    }

    /// The length of a window.
    #[must_use]
    pub const fn window(&self) -> Duration {
        self.window
    }

    /// Whether the calls of all clients are counted together.
    #[must_use]
    pub const fn is_total(&self) -> bool {
        self.is_total
    }

    /// Whether some calls are allowed while the store does not answer.
    #[must_use]
    pub const fn fails_open(&self) -> bool {
        self.fails_open
    }
}

impl FromStr for Rule {
    type Err = InvalidRule;

    fn from_str(text: &str) -> Result<Self, InvalidRule> {
        let (is_total, text) = match text.split_once(':') {
            Some((first, rest)) if first.trim() == "total" => (true, rest),
            _ => (false, text),
        };
        let mut words = text.split(':').map(str::trim);
        let rate = words.next().unwrap_or_default();
        let (calls, window) = rate
            .split_once('/')
            .ok_or_else(|| InvalidRule::Rate(rate.to_owned()))?;
        let window =
            period::parse(window).ok_or_else(|| InvalidRule::Period(window.trim().to_owned()))?;
        let mut rule = Self::new(number(calls)?, window)?;
        rule.is_total = is_total;
        for word in words {
            rule = match word.split_once('=') {
                Some((name, calls)) if name.trim() == "burst" => rule.burst(number(calls)?)?,
                Some((name, calls)) if name.trim() == "reserve" => rule.reserve(number(calls)?)?,
                None if word == "open" => rule.fail_open(),
                None if word == "closed" => Self {
                    fails_open: false,
                    ..rule
                },
                _ => return Err(InvalidRule::UnknownOption(word.to_owned())),
            };
        }
        Ok(rule)
    }
}

/// Reads digits. `parse` alone would accept a plus sign.
fn number(text: &str) -> Result<u32, InvalidRule> {
    let text = text.trim();
    let digits = text.bytes().all(|b| b.is_ascii_digit()).then_some(text);
    digits
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| InvalidRule::Calls(text.to_owned()))
}

impl fmt::Display for Rule {
    /// Writes the rule in the form that [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_total {
            f.write_str("total:")?;
        }
        write!(f, "{}/{}", self.limit, period::short(self.window))?;
        if let Some(burst) = self.burst {
            write!(f, ":burst={burst}")?;
        }
        if self.reserved > 0 {
            write!(f, ":reserve={}", self.reserved)?;
        }
        if self.fails_open {
            f.write_str(":open")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rule(limit: u32, window_s: u64) -> Result<Rule, InvalidRule> {
        Rule::new(limit, Duration::from_secs(window_s))
    }

    #[test]
    fn a_rule_that_cannot_be_applied_is_an_error() {
        assert_eq!(rule(0, 60), Err(InvalidRule::NoCalls));
        assert_eq!(rule(1, 0), Err(InvalidRule::Window));
        assert_eq!(rule(1, MAX_WINDOW_S + 1), Err(InvalidRule::Window));
        let half = Duration::from_millis(1500);
        assert_eq!(Rule::new(1, half), Err(InvalidRule::Window));
        let three = rule(3, 60).unwrap();
        assert_eq!(three.clone().burst(0), Err(InvalidRule::Burst { limit: 3 }));
        assert_eq!(three.clone().burst(4), Err(InvalidRule::Burst { limit: 3 }));
        assert_eq!(three.clone().burst(2).unwrap().burst_limit(), 2);
        assert_eq!(three.burst_limit(), 3);
        let reserve = Err(InvalidRule::Reserve { limit: 3 });
        assert_eq!(three.clone().reserve(1), reserve);
        assert_eq!(three.clone().total().reserve(0), reserve);
        assert_eq!(three.clone().total().reserve(3), reserve);
        assert_eq!(three.total().reserve(2).unwrap().reserved(), 2);
    }

    proptest! {
        #[test]
        fn a_rule_is_read_back_from_its_text(
            limit in 1_u32..10_000,
            window_s in 1..=MAX_WINDOW_S,
            burst in proptest::option::of(1_u32..10_000),
            is_total: bool,
            fails_open: bool,
            reserved in 0_u32..10_000,
        ) {
            let mut rule = rule(limit, window_s).unwrap();
            if let Some(burst) = burst {
                rule = rule.burst(burst.min(limit)).unwrap();
            }
            rule.is_total = is_total;
            rule.fails_open = fails_open;
            rule.reserved = if is_total { reserved.min(limit - 1) } else { 0 };
            prop_assert_eq!(rule.to_string().parse(), Ok(rule));
        }

        #[test]
        fn reading_any_text_ends(text in "[-+a-z0-9/:= ]{0,24}|\\PC{0,24}") {
            let _ = text.parse::<Rule>();
        }
    }
}
