//! URI templates: RFC 6570, level 1 (`{name}`) and the reserved form of level 2 (`{+path}`).
//!
//! A template is matched against a URI and returns the values of its variables. The other forms of
//! RFC 6570 cannot be matched without ambiguity.

use crate::wire::percent;
use serde_json::{Map, Value};
use thiserror::Error;

/// A compiled template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UriTemplate {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Literal(String),
    Variable { name: String, reserved: bool },
}

/// Why a template is not supported.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum InvalidUriTemplate {
    /// A brace without its partner.
    #[error("a brace in it has no partner")]
    Brace,
    /// An expression other than `{name}` and `{+name}`.
    #[error("`{{{0}}}` is not supported; write `{{name}}` or `{{+name}}`")]
    Expression(String),
    /// Two variables with the same name.
    #[error("variable `{0}` occurs twice")]
    Repeated(String),
    /// Two variables with nothing between them.
    #[error("variable `{0}` follows another one directly; put text between them")]
    Adjacent(String),
    /// No variable.
    #[error("it has no variable; use `resource` for it")]
    NoVariable,
}

impl UriTemplate {
    /// Compiles a template.
    pub(crate) fn parse(template: &str) -> Result<Self, InvalidUriTemplate> {
        let mut parts: Vec<Part> = Vec::new();
        let mut rest = template;
        while let Some(open) = rest.find(['{', '}']) {
            let (literal, at) = rest.split_at(open);
            let expression = at.strip_prefix('{').ok_or(InvalidUriTemplate::Brace)?;
            let (expression, after) = expression
                .split_once('}')
                .ok_or(InvalidUriTemplate::Brace)?;
            let (reserved, name) = expression
                .strip_prefix('+')
                .map_or((false, expression), |name| (true, name));
            let is_name =
                !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            if !is_name {
                return Err(InvalidUriTemplate::Expression(expression.to_owned()));
            }
            if !literal.is_empty() {
                parts.push(Part::Literal(literal.to_owned()));
            } else if matches!(parts.last(), Some(Part::Variable { .. })) {
                return Err(InvalidUriTemplate::Adjacent(name.to_owned()));
            }
            let known = |part: &Part| matches!(part, Part::Variable { name: n, .. } if n == name);
            if parts.iter().any(known) {
                return Err(InvalidUriTemplate::Repeated(name.to_owned()));
            }
            parts.push(Part::Variable {
                name: name.to_owned(),
                reserved,
            });
            rest = after;
        }
        if !parts
            .iter()
            .any(|part| matches!(part, Part::Variable { .. }))
        {
            return Err(InvalidUriTemplate::NoVariable);
        }
        if !rest.is_empty() {
            parts.push(Part::Literal(rest.to_owned()));
        }
        Ok(Self { parts })
    }

    /// The names of the variables.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Variable { name, .. } => Some(name.as_str()),
            Part::Literal(_) => None,
        })
    }

    /// The names of the variables of a resource, which has none without a template.
    pub(crate) fn names(template: Option<&Self>) -> Vec<&str> {
        let variables = template.into_iter().flat_map(Self::variables);
        variables.collect()
    }

    /// Returns the percent-decoded values of the variables, or `None` if `uri` does not match.
    pub(crate) fn matches(&self, uri: &str) -> Option<Map<String, Value>> {
        let mut variables = Map::new();
        let mut rest = uri;
        let mut parts = self.parts.iter().peekable();
        while let Some(part) = parts.next() {
            match part {
                Part::Literal(literal) => rest = rest.strip_prefix(literal.as_str())?,
                Part::Variable { name, reserved } => {
                    let end = match parts.peek() {
                        // The last variable takes the rest. Any other ends at the first occurrence of
                        // the next literal, or at the last one if it may contain anything.
                        None => rest.len(),
                        Some(Part::Literal(next)) if *reserved => rest.rfind(next.as_str())?,
                        Some(Part::Literal(next)) => rest.find(next.as_str())?,
                        Some(Part::Variable { .. }) => return None,
                    };
                    let (text, after) = rest.split_at_checked(end)?;
                    if text.is_empty() || (!reserved && text.contains(['/', '?', '#'])) {
                        return None;
                    }
                    variables.insert(name.clone(), Value::String(percent::decode(text)?));
                    rest = after;
                }
            }
        }
        rest.is_empty().then_some(variables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn matched(template: &str, uri: &str) -> Option<Value> {
        UriTemplate::parse(template)
            .unwrap()
            .matches(uri)
            .map(Value::Object)
    }

    #[test]
    fn variables_are_read_out_of_uris() {
        let cases = [
            ("a://{x}", "a://b", Some(json!({"x": "b"}))),
            ("a://{x}/data", "a://1%2F2/data", Some(json!({"x": "1/2"}))),
            ("a://{x}/{y}", "a://b/c", Some(json!({"x": "b", "y": "c"}))),
            ("a://{x}/{y}", "a://b/c/d", None),
            ("a://{+path}", "a://b/c?d", Some(json!({"path": "b/c?d"}))),
            (
                "a://{+path}/end",
                "a://b/end/c/end",
                Some(json!({"path": "b/end/c"})),
            ),
            ("a://{x}", "a://", None),
            ("a://{x}", "b://b", None),
            ("a://{x}/data", "a://b/dat", None),
            ("a://{x}", "a://%zz", None),
            ("a://{x}", "a://%ff", None),
            ("a://{x}", "a://%C3%A9", Some(json!({"x": "é"}))),
        ];
        for (template, uri, expected) in cases {
            assert_eq!(matched(template, uri), expected, "{template} {uri}");
        }
    }

    #[test]
    fn other_expressions_are_refused() {
        use InvalidUriTemplate::{Adjacent, Brace, Expression, NoVariable, Repeated};
        let cases = [
            ("a://{x", Brace),
            ("a://x}", Brace),
            ("a://{?q}", Expression("?q".into())),
            ("a://{x*}", Expression("x*".into())),
            ("a://{}", Expression(String::new())),
            ("a://{x}/{x}", Repeated("x".into())),
            ("a://{x}{y}", Adjacent("y".into())),
            ("a://x", NoVariable),
        ];
        for (template, expected) in cases {
            assert_eq!(UriTemplate::parse(template), Err(expected), "{template}");
        }
    }

    proptest! {
        #[test]
        fn encoded_values_are_read_back(x in ".{1,20}", y in ".{1,20}") {
            let encode = |text: &str| text.bytes().map(|b| format!("%{b:02X}")).collect::<String>();
            let uri = format!("a://{}/b/{}", encode(&x), encode(&y));
            prop_assert_eq!(matched("a://{x}/b/{y}", &uri), Some(json!({"x": x, "y": y})));
        }

        #[test]
        fn no_input_panics(template in ".{0,30}", uri in ".{0,30}") {
            if let Ok(template) = UriTemplate::parse(&template) {
                let _ = template.matches(&uri);
            }
        }
    }
}
