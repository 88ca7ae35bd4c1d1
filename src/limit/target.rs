//! [`Target`]: what a limit applies to.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// What a limit applies to, and what a call is counted as: a tool, a resource, a prompt, or the
/// completion of the arguments of one of the last two.
///
/// As text: `NAME` or `tool:NAME`, `resource:URI`, `prompt:NAME`, `completion:resource:URI`,
/// `completion:prompt:NAME`. A resource is named by the URI or the URI template it is registered with.
/// In a limit, `*` stands for any number of characters: `resource:resume://*`.
///
/// Clients complete while the user types, so one use takes many completions. A completion that no
/// limit names counts as a use of its resource or prompt, so that a limit of the data cannot be
/// avoided; name it to give it a limit of its own.
///
/// # Examples
///
/// ```
/// use lambda_mcp::limit::Target;
///
/// let pattern: Target = "resource:resume://*".parse()?;
/// assert!(pattern.matches(&Target::resource("resume://work/{index}")));
/// assert!(!pattern.matches(&Target::tool("get_resume")));
///
/// assert_eq!("get_resume".parse(), Ok(Target::tool("get_resume")));
/// # Ok::<(), lambda_mcp::limit::InvalidTarget>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Target<'a> {
    kind: Kind,
    name: Cow<'a, str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Tool,
    Resource,
    Prompt,
    ResourceCompletion,
    PromptCompletion,
}

/// Text that is not a [`Target`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not a target; write `NAME`, `resource:URI`, `prompt:NAME`, `completion:resource:URI` or \
     `completion:prompt:NAME`"
)]
pub struct InvalidTarget(String);

impl<'a> Target<'a> {
    /// A tool, by its name.
    #[must_use]
    pub fn tool(name: impl Into<Cow<'a, str>>) -> Self {
        let (kind, name) = (Kind::Tool, name.into());
        Self { kind, name }
    }

    /// A resource or a resource template, by the URI or URI template it is registered with.
    #[must_use]
    pub fn resource(uri: impl Into<Cow<'a, str>>) -> Self {
        let (kind, name) = (Kind::Resource, uri.into());
        Self { kind, name }
    }

    /// A prompt, by its name.
    #[must_use]
    pub fn prompt(name: impl Into<Cow<'a, str>>) -> Self {
        let (kind, name) = (Kind::Prompt, name.into());
        Self { kind, name }
    }

    /// The completion of the variables of a resource template, by the URI template.
    #[must_use]
    pub fn resource_completion(uri: impl Into<Cow<'a, str>>) -> Self {
        let (kind, name) = (Kind::ResourceCompletion, uri.into());
        Self { kind, name }
    }

    /// The completion of the arguments of a prompt, by the prompt's name.
    #[must_use]
    pub fn prompt_completion(name: impl Into<Cow<'a, str>>) -> Self {
        let (kind, name) = (Kind::PromptCompletion, name.into());
        Self { kind, name }
    }

    /// What is completed, if this is a completion.
    pub(super) fn completed(&self) -> Option<Target<'_>> {
        match self.kind {
            Kind::Tool | Kind::Resource | Kind::Prompt => None,
            Kind::ResourceCompletion => Some(Target::resource(&*self.name)),
            Kind::PromptCompletion => Some(Target::prompt(&*self.name)),
        }
    }

    /// Returns the target with its own copy of the name.
    #[must_use]
    pub fn into_owned(self) -> Target<'static> {
        Target {
            kind: self.kind,
            name: Cow::Owned(self.name.into_owned()),
        }
    }

    /// `tool`, `resource`, `prompt` or `completion`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self.kind {
            Kind::Tool => "tool",
            Kind::Resource => "resource",
            Kind::Prompt => "prompt",
            Kind::ResourceCompletion | Kind::PromptCompletion => "completion",
        }
    }

    /// The name or URI, without the kind.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether this target, as a pattern, includes `other`. `*` stands for any number of characters;
    /// everything else is compared byte for byte.
    #[must_use]
    pub fn matches(&self, other: &Target<'_>) -> bool {
        self.kind == other.kind && wildcard_matches(&self.name, &other.name)
    }
}

impl FromStr for Target<'static> {
    type Err = InvalidTarget;

    fn from_str(text: &str) -> Result<Self, InvalidTarget> {
        let text = text.trim();
        let (kind, name) = match text.split_once(':').map(|(kind, name)| (kind, name.trim())) {
            None => (Kind::Tool, text),
            Some(("tool", name)) => (Kind::Tool, name),
            Some(("resource", uri)) => (Kind::Resource, uri),
            Some(("prompt", name)) => (Kind::Prompt, name),
            Some(("completion", of)) => match of.split_once(':') {
                Some(("resource", uri)) => (Kind::ResourceCompletion, uri),
                Some(("prompt", name)) => (Kind::PromptCompletion, name),
                _ => return Err(InvalidTarget(text.to_owned())),
            },
            Some(_) => return Err(InvalidTarget(text.to_owned())),
        };
        let name = name.trim();
        let is_plain = |b: u8| b.is_ascii_graphic() && !matches!(b, b'"' | b'\\');
        if name.is_empty() || !name.bytes().all(is_plain) {
            return Err(InvalidTarget(text.to_owned()));
        }
        Ok(Self {
            kind,
            name: Cow::Owned(name.to_owned()),
        })
    }
}

impl fmt::Display for Target<'_> {
    /// Writes a tool as its name, and anything else with its kind in front.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Tool => return f.write_str(&self.name),
            Kind::Resource => "resource",
            Kind::Prompt => "prompt",
            Kind::ResourceCompletion => "completion:resource",
            Kind::PromptCompletion => "completion:prompt",
        };
        write!(f, "{kind}:{}", self.name)
    }
}

/// Whether `text` matches `pattern`, in which `*` stands for any number of characters.
fn wildcard_matches(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let Some(last) = pieces.next_back() else {
        // There is no `*`.
        return rest.is_empty();
    };
    // Taking the first place where a piece fits leaves the most for the pieces after it.
    for piece in pieces {
        match rest.split_once(piece) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn targets_are_read_with_their_kind() {
        let rows = [
            ("get_resume", Some("get_resume")),
            ("tool:get_resume", Some("get_resume")),
            (" prompt: assess_fit ", Some("prompt:assess_fit")),
            (
                "resource:resume://work/{index}",
                Some("resource:resume://work/{index}"),
            ),
            ("resource:*", Some("resource:*")),
            (
                "completion: prompt:assess_fit",
                Some("completion:prompt:assess_fit"),
            ),
            (
                "completion:resource:resume://*",
                Some("completion:resource:resume://*"),
            ),
            ("completion:tool:contact", None),
            ("completion:assess_fit", None),
            ("resume://work", None),
            ("prompt:", None),
            ("", None),
            ("two words", None),
            ("quo\"te", None),
        ];
        for (text, expected) in rows {
            let target = text.parse::<Target<'_>>().ok();
            let shown = target.map(|target| target.to_string());
            assert_eq!(shown.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn an_asterisk_stands_for_any_characters() {
        let rows = [
            ("a", "a", true),
            ("a", "ab", false),
            ("", "", true),
            ("*", "", true),
            ("*", "abc", true),
            ("a*", "a", true),
            ("a*", "abc", true),
            ("a*", "ba", false),
            ("*c", "abc", true),
            ("*c", "abcd", false),
            ("a*c", "ac", true),
            ("a*c", "abbc", true),
            ("a*a", "a", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("**", "x", true),
            ("resume://*", "resume://work/{index}", true),
            ("resume://*", "resume:/x", false),
        ];
        for (pattern, text, expected) in rows {
            assert_eq!(
                wildcard_matches(pattern, text),
                expected,
                "{pattern} {text}"
            );
        }
    }

    proptest! {
        #[test]
        fn wildcards_agree_with_a_regular_expression(
            pattern in "[ab*]{0,6}",
            text in "[ab]{0,8}",
        ) {
            let expression = format!("^{}$", pattern.replace('*', ".*"));
            let expected = regex_lite::Regex::new(&expression).unwrap().is_match(&text);
            prop_assert_eq!(wildcard_matches(&pattern, &text), expected);
        }
    }
}
