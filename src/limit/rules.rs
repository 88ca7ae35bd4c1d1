//! The limits of all tools, and the text they are configured by.
//!
//! ```text
//! contact=3/1h,20/1d,total:100/1d; search=60/1m:burst=20:open
//!
//! rules  = tool ";" tool …
//! tool   = name "=" limit "," limit …
//! limit  = [ "total:" ] calls "/" period [ ":burst=" calls ] [ ":open" | ":closed" ]
//! period = [ number ] ( "s" | "m" | "h" | "d" )
//! ```
//!
//! Spaces around the signs do not matter. A limit is for each client unless it says `total:`, and a
//! call that cannot be counted is refused unless it says `:open`.

use std::fmt;
use std::time::Duration;

use thiserror::Error;

use crate::limit::rule::{InvalidRule, OnStoreFailure, Per, Rule};

/// The limits of all tools that have any.
///
/// ```
/// use lambda_mcp::limit::Rules;
///
/// let rules = Rules::parse("contact = 3/1h, 20/1d, total:100/1d; search = 60/1m:open")?;
/// assert_eq!(rules.tools().collect::<Vec<_>>(), ["contact", "search"]);
///
/// let wrong = Rules::parse("contact=3/1w").unwrap_err();
/// assert_eq!(
///     wrong.to_string(),
///     "`3/1w` of `contact`: `1w` is no period; write `30s`, `15m`, `1h` or `1d`"
/// );
/// # Ok::<_, lambda_mcp::limit::InvalidRules>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rules {
    tools: Vec<(String, Vec<Rule>)>,
}

/// Limits that cannot be read or kept: which part, and why.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{part}: {reason}")]
pub struct InvalidRules {
    part: String,
    reason: String,
}

impl Rules {
    /// No limits.
    #[must_use]
    pub const fn new() -> Self {
        Self { tools: Vec::new() }
    }

    /// Reads limits such as `contact=3/1h,20/1d; search=60/1m:open`. An empty text has none.
    ///
    /// # Errors
    ///
    /// The first part that cannot be read or kept.
    pub fn parse(text: &str) -> Result<Self, InvalidRules> {
        let mut rules = Self::new();
        for entry in text.split(';').map(str::trim).filter(|e| !e.is_empty()) {
            let Some((tool, limits)) = entry.split_once('=') else {
                return Err(invalid(entry, None, "write `tool=limit,limit`"));
            };
            let tool = tool.trim();
            if rules.of(tool).is_some() {
                let reason = "the tool is there twice; write its limits in one place";
                return Err(invalid(tool, None, reason));
            }
            for limit in limits.split(',').map(str::trim) {
                let rule =
                    rule(tool, limit).map_err(|reason| invalid(limit, Some(tool), &reason))?;
                rules = rules.rule(tool, rule)?;
            }
        }
        Ok(rules)
    }

    /// Adds a limit to a tool.
    ///
    /// # Errors
    ///
    /// The tool has a limit that would be counted by the same counter.
    pub fn rule(mut self, tool: impl Into<String>, rule: Rule) -> Result<Self, InvalidRules> {
        let tool = tool.into();
        let index = self.tools.iter().position(|(name, _)| *name == tool);
        let counters = |rule: &Rule| (rule.counts_per(), rule.length(), rule.bucket().to_owned());
        match index.and_then(|index| self.tools.get_mut(index)) {
            None => self.tools.push((tool, vec![rule])),
            Some((_, rules)) => {
                if rules.iter().any(|other| counters(other) == counters(&rule)) {
                    let reason =
                        "there is another limit for the same window; one would never count";
                    return Err(invalid(&rule.to_string(), Some(&tool), reason));
                }
                rules.push(rule);
                // The order in which they are asked; see `Limits::check`.
                rules.sort_by_key(counters);
            }
        }
        Ok(self)
    }

    /// The tools that have limits: what is configured can be compared with what there is.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|(tool, _)| tool.as_str())
    }

    /// Whether no tool has a limit.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// The limits of a tool in the order they are asked: each client's before all clients', the
    /// shorter window first.
    #[must_use]
    pub fn of(&self, tool: &str) -> Option<&[Rule]> {
        let found = self.tools.iter().find(|(name, _)| name == tool);
        found.map(|(_, rules)| rules.as_slice())
    }
}

impl fmt::Display for Rules {
    /// The limits as [`parse`](Self::parse) reads them, if each rule's bucket is its tool.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (tool, rules)) in self.tools.iter().enumerate() {
            let and = if index == 0 { "" } else { "; " };
            write!(f, "{and}{tool}=")?;
            for (index, rule) in rules.iter().enumerate() {
                let and = if index == 0 { "" } else { "," };
                write!(f, "{and}{rule}")?;
            }
        }
        Ok(())
    }
}

fn invalid(part: &str, tool: Option<&str>, reason: &str) -> InvalidRules {
    let of = tool.map(|tool| format!(" of `{tool}`"));
    InvalidRules {
        part: format!("`{part}`{}", of.unwrap_or_default()),
        reason: reason.to_owned(),
    }
}

/// Reads one limit of a tool.
fn rule(tool: &str, text: &str) -> Result<Rule, String> {
    let (per, text) = match text.split_once(':') {
        Some((first, rest)) if first.trim() == "total" => (Per::Total, rest),
        _ => (Per::Client, text),
    };
    let mut words = text.split(':').map(str::trim);
    let rate = words.next().unwrap_or_default();
    let Some((calls, window)) = rate.split_once('/') else {
        return Err(format!("`{rate}` is no limit; write it like `3/1h`"));
    };
    let broken = |error: InvalidRule| error.to_string();
    let mut rule = Rule::new(tool, number(calls)?, period(window)?)
        .map_err(broken)?
        .per(per);
    for word in words {
        rule = match word.split_once('=') {
            Some((name, calls)) if name.trim() == "burst" => {
                rule.burst(number(calls)?).map_err(broken)?
            }
            None if word == "open" => rule.on_store_failure(OnStoreFailure::Open),
            None if word == "closed" => rule.on_store_failure(OnStoreFailure::Closed),
            _ => {
                return Err(format!(
                    "`{word}` is none of `burst=N`, `open` and `closed`"
                ));
            }
        };
    }
    Ok(rule)
}

/// Digits alone: `parse` would take a plus sign.
fn number(text: &str) -> Result<u32, String> {
    let text = text.trim();
    let digits = text.bytes().all(|b| b.is_ascii_digit()).then_some(text);
    digits
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| format!("`{text}` is no number of calls"))
}

/// Reads `1h`, `90m` and, as a rate is often written, `h`.
fn period(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let wrong = || format!("`{text}` is no period; write `30s`, `15m`, `1h` or `1d`");
    let units = [('s', 1), ('m', 60), ('h', 3600), ('d', 86_400)];
    let found = units
        .iter()
        .find_map(|(letter, unit_s)| Some((text.strip_suffix(*letter)?, *unit_s)));
    let (count, unit_s) = found.ok_or_else(wrong)?;
    let count = match count.trim_end() {
        "" => 1,
        count => number(count).map_err(|_| wrong())?,
    };
    Ok(Duration::from_secs(u64::from(count) * unit_s))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_shown(rows: &[(&str, &str)]) {
        for (text, expected) in rows {
            assert_eq!(shown(text), format!("! {expected}"), "{text}");
        }
    }

    fn shown(text: &str) -> String {
        match Rules::parse(text) {
            Ok(rules) => rules.to_string(),
            Err(error) => format!("! {error}"),
        }
    }

    #[test]
    fn limits_are_read_in_the_order_they_are_asked() {
        let rows = [
            ("", ""),
            (" ; ;", ""),
            ("contact=3/1h", "contact=3/1h"),
            ("contact=3/h", "contact=3/1h"),
            ("contact=3/60m,20/24h", "contact=3/1h,20/1d"),
            (
                "contact = total : 100/1d , 20/1d:burst=5, 3/1h : closed",
                "contact=3/1h,20/1d:burst=5,total:100/1d",
            ),
            (
                "a=1/90s:open;\n b.c-d_e=2/7d:burst=1:open;",
                "a=1/90s:open; b.c-d_e=2/7d:burst=1:open",
            ),
        ];
        for (text, expected) in rows {
            assert_eq!(shown(text), expected, "{text}");
            assert_eq!(shown(expected), expected);
        }
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_tool() {
        assert_shown(&[
            ("contact", "`contact`: write `tool=limit,limit`"),
            (
                "contact=",
                "`` of `contact`: `` is no limit; write it like `3/1h`",
            ),
            (
                "contact=3/1h,",
                "`` of `contact`: `` is no limit; write it like `3/1h`",
            ),
            (
                "contact=3",
                "`3` of `contact`: `3` is no limit; write it like `3/1h`",
            ),
            (
                "contact=+3/1h",
                "`+3/1h` of `contact`: `+3` is no number of calls",
            ),
            (
                "contact=-1/1h",
                "`-1/1h` of `contact`: `-1` is no number of calls",
            ),
            (
                "contact=/1h",
                "`/1h` of `contact`: `` is no number of calls",
            ),
            (
                "contact=99999999999/1h",
                "`99999999999/1h` of `contact`: `99999999999` is no number of calls",
            ),
            (
                "contact=3/1w",
                "`3/1w` of `contact`: `1w` is no period; write `30s`, `15m`, `1h` or `1d`",
            ),
            (
                "contact=3/x1h",
                "`3/x1h` of `contact`: `x1h` is no period; write `30s`, `15m`, `1h` or `1d`",
            ),
            (
                "contact=3/1h:opne",
                "`3/1h:opne` of `contact`: `opne` is none of `burst=N`, `open` and `closed`",
            ),
            (
                "contact=client:3/1h",
                "`client:3/1h` of `contact`: `client` is no limit; write it like `3/1h`",
            ),
        ]);
    }

    #[test]
    fn what_cannot_be_kept_is_named_with_its_tool() {
        assert_shown(&[
            (
                "contact=0/1h",
                "`0/1h` of `contact`: a limit of 0 calls would switch the tool off; write 1 or more",
            ),
            (
                "contact=3/0s",
                "`3/0s` of `contact`: a window is of whole seconds, from 1s to 366d",
            ),
            (
                "contact=3/999d",
                "`3/999d` of `contact`: a window is of whole seconds, from 1s to 366d",
            ),
            (
                "contact=3/1h:burst=4",
                "`3/1h:burst=4` of `contact`: a burst is at least 1 and at most the limit of 3",
            ),
            (
                "contact=3/1h,4/60m",
                "`4/1h` of `contact`: there is another limit for the same window; one would never \
                 count",
            ),
            (
                "contact=3/1h;contact=4/1d",
                "`contact`: the tool is there twice; write its limits in one place",
            ),
            (
                "=3/1h",
                "`3/1h` of ``: a bucket has 1 to 128 visible ASCII characters, and no quotes or \
                 backslashes",
            ),
        ]);
    }

    #[test]
    fn rules_with_the_bucket_of_another_tool_share_its_counters() {
        let hour = Duration::from_secs(3600);
        let shared = || Rule::new("mail", 3, hour).unwrap();
        let rules = Rules::new().rule("contact", shared()).unwrap();
        let rules = rules.rule("invite", shared()).unwrap();
        assert_eq!(rules.of("contact"), rules.of("invite"));
        assert_eq!(rules.of("other"), None);
    }
}
