//! [`Rules`]: the limits of tools, resources and prompts, and the text that configures them.
//!
//! ```text
//! contact=3/1h,20/1d,total:100/1d; resume[get_resume,resource:resume://*]=60/1m:burst=20:open
//!
//! rules  = group *( ";" group )
//! group  = ( target / name "[" target *( "," target ) "]" ) "=" limit *( "," limit )
//! target = [ "tool:" ] name / [ "completion:" ] ( "resource:" uri / "prompt:" name )
//! limit  = [ "total:" ] calls "/" period [ ":burst=" calls ] [ ":reserve=" calls ] [ ":open" / ":closed" ]
//! period = [ number ] ( "s" / "m" / "h" / "d" )
//! ```
//!
//! Spaces around the punctuation are ignored, and so are empty groups.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::limit::rule::Rule;
use crate::limit::target::Target;

const MAX_NAME_LEN: usize = 128;

/// The limits of a server.
///
/// A limit applies to one target, such as the tool `contact`, or to a group of targets that share
/// its counters. Use a group for targets that give the same data, so that a limit cannot be avoided
/// by reading the data another way.
///
/// As text, targets or groups are separated by `;`, and the [limits](Rule) of each by `,`:
///
/// ```text
/// contact=3/1h,20/1d,total:100/1d; resume[get_resume,resource:resume://*,prompt:assess_fit]=60/1h
/// ```
///
/// A call that several groups include is counted in all of them.
///
/// # Examples
///
/// ```
/// use lambda_mcp::limit::{Rules, Target};
///
/// let rules: Rules = "contact=3/1h,20/1d; resume[get_resume, resource:resume://*]=60/1h".parse()?;
/// let same = Rules::new()
///     .target(Target::tool("contact"), ["3/1h".parse()?, "20/1d".parse()?])?
///     .group(
///         "resume",
///         [Target::tool("get_resume"), Target::resource("resume://*")],
///         ["60/1h".parse()?],
///     )?;
/// assert_eq!(rules, same);
///
/// let error = "contact=3/1w".parse::<Rules>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`3/1w` of `contact`: `1w` is not a period; write it like `30s`, `15m`, `1h` or `1d`"
/// );
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rules {
    groups: Vec<Group>,
}

/// Targets that share counters, and their limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The name of the group, or the only target as text. Counters are found by it.
    pub(super) bucket: String,
    targets: Vec<Target<'static>>,
    /// Limits per client before totals, shorter windows before longer ones.
    pub(super) rules: Vec<Rule>,
}

/// Limits that cannot be read or applied: which part, and why.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{part}: {reason}")]
pub struct InvalidRules {
    part: String,
    reason: String,
}

impl InvalidRules {
    fn new(part: impl fmt::Display, reason: impl fmt::Display) -> Self {
        Self {
            part: format!("`{part}`"),
            reason: reason.to_string(),
        }
    }

    fn of_limit(limit: impl fmt::Display, bucket: &str, reason: impl fmt::Display) -> Self {
        Self {
            part: format!("`{limit}` of `{bucket}`"),
            reason: reason.to_string(),
        }
    }
}

impl Rules {
    /// Has no limits.
    #[must_use]
    pub const fn new() -> Self {
        Self { groups: Vec::new() }
    }

    /// Adds limits for one target.
    ///
    /// # Errors
    ///
    /// As for [`group`](Self::group).
    pub fn target(
        self,
        target: Target<'static>,
        rules: impl IntoIterator<Item = Rule>,
    ) -> Result<Self, InvalidRules> {
        self.group(target.to_string(), [target], rules)
    }

    /// Adds limits that several targets share: a call of any of them counts for all.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is used already, is not 1 to 128 printable ASCII characters
    /// without quotes and backslashes, or if two limits of the group count the same.
    pub fn group(
        mut self,
        name: impl Into<String>,
        targets: impl IntoIterator<Item = Target<'static>>,
        rules: impl IntoIterator<Item = Rule>,
    ) -> Result<Self, InvalidRules> {
        let bucket = name.into();
        let is_plain = |b: u8| b.is_ascii_graphic() && b != b'"' && b != b'\\';
        if bucket.is_empty() || bucket.len() > MAX_NAME_LEN || !bucket.bytes().all(is_plain) {
            let reason = "a name must have 1 to 128 printable ASCII characters, without quotes and \
                          backslashes";
            return Err(InvalidRules::new(bucket, reason));
        }
        if self.groups.iter().any(|group| group.bucket == bucket) {
            let reason = "the name is used twice; write its limits in one place";
            return Err(InvalidRules::new(bucket, reason));
        }
        let counter = |rule: &Rule| (rule.is_total(), rule.window());
        let mut sorted: Vec<Rule> = Vec::new();
        for rule in rules {
            if sorted.iter().any(|other| counter(other) == counter(&rule)) {
                let reason = "another limit has the same window";
                return Err(InvalidRules::of_limit(rule, &bucket, reason));
            }
            sorted.push(rule);
        }
        sorted.sort_by_key(counter);
        self.groups.push(Group {
            bucket,
            targets: targets.into_iter().collect(),
            rules: sorted,
        });
        Ok(self)
    }

    /// Adds the groups of `defaults` whose targets have no limit here.
    ///
    /// # Errors
    ///
    /// Returns an error if a group that is added has the name of a group here.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::limit::Rules;
    ///
    /// let defaults: Rules = "contact=3/1h; search=60/1m".parse()?;
    /// let configured: Rules = "contact=10/1h".parse()?;
    /// let rules = configured.with_defaults(&defaults)?;
    /// assert_eq!(rules.to_string(), "contact=10/1h; search=60/1m");
    /// # Ok::<_, lambda_mcp::limit::InvalidRules>(())
    /// ```
    pub fn with_defaults(mut self, defaults: &Self) -> Result<Self, InvalidRules> {
        for Group {
            bucket,
            targets,
            rules,
        } in &defaults.groups
        {
            let is_limited = |target| self.matching(target).next().is_some();
            if !targets.iter().any(is_limited) {
                self = self.group(bucket, targets.iter().cloned(), rules.iter().cloned())?;
            }
        }
        Ok(self)
    }

    /// The targets that have limits, with their wildcards.
    pub fn targets(&self) -> impl Iterator<Item = &Target<'static>> {
        self.groups.iter().flat_map(|group| &group.targets)
    }

    /// Whether there are no limits.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The groups that count a call of a target. A completion that no group includes counts as a use
    /// of what it completes: its values are data as well.
    pub(super) fn counting(&self, target: &Target<'_>) -> Vec<&Group> {
        let groups: Vec<&Group> = self.matching(target).collect();
        match target.completed() {
            Some(completed) if groups.is_empty() => self.matching(&completed).collect(),
            _ => groups,
        }
    }

    /// The groups that include a target.
    fn matching<'r>(&'r self, target: &Target<'_>) -> impl Iterator<Item = &'r Group> {
        let includes = move |group: &&Group| group.targets.iter().any(|own| own.matches(target));
        self.groups.iter().filter(includes)
    }
}

impl FromStr for Rules {
    type Err = InvalidRules;

    /// Reads limits. The empty text has none.
    fn from_str(text: &str) -> Result<Self, InvalidRules> {
        let mut rules = Self::new();
        for text in split(text, ';').map(str::trim).filter(|t| !t.is_empty()) {
            let (name, targets, limits) = group(text)?;
            let limits = limits.split(',').map(str::trim).map(|limit| {
                let rule = limit.parse::<Rule>();
                rule.map_err(|error| InvalidRules::of_limit(limit, &name, error))
            });
            let limits = limits.collect::<Result<Vec<Rule>, _>>()?;
            rules = rules.group(name, targets, limits)?;
        }
        Ok(rules)
    }
}

/// Reads the targets of a group. Returns its name, its targets, and the text of its limits.
fn group(text: &str) -> Result<(String, Vec<Target<'static>>, &str), InvalidRules> {
    let form = |text| {
        InvalidRules::new(
            text,
            "write `TARGET=LIMIT,LIMIT` or `NAME[TARGET,TARGET]=LIMIT`",
        )
    };
    let target = |text: &str| {
        let target = text.parse::<Target<'static>>();
        target.map_err(|error| InvalidRules::new(text.trim(), error))
    };
    let mut halves = split(text, '=');
    let head = halves.next().unwrap_or_default();
    let limits = text.get(head.len() + 1..).ok_or_else(|| form(text))?;
    let Some((name, targets)) = head.split_once('[') else {
        let target = target(head)?;
        return Ok((target.to_string(), vec![target], limits));
    };
    let targets = targets
        .trim_end()
        .strip_suffix(']')
        .ok_or_else(|| form(text))?;
    let targets = targets.split(',').map(target).collect::<Result<_, _>>()?;
    Ok((name.trim().to_owned(), targets, limits))
}

/// Splits text at a separator outside of brackets.
fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut is_inside = false;
    text.split(move |c| {
        match c {
            '[' => is_inside = true,
            ']' => is_inside = false,
            _ => {}
        }
        c == separator && !is_inside
    })
}

impl fmt::Display for Rules {
    /// Writes the limits in the form that [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, group) in self.groups.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{group}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.bucket)?;
        let targets: Vec<String> = self.targets.iter().map(Target::to_string).collect();
        if targets != [self.bucket.as_str()] {
            write!(f, "[{}]", targets.join(","))?;
        }
        let rules: Vec<String> = self.rules.iter().map(Rule::to_string).collect();
        write!(f, "={}", rules.join(","))
    }
}

#[cfg(test)]
mod tests;
