//! The words for types, lists and names in error messages.

use std::fmt::Write as _;

use super::node::{Type, Types};
use crate::json::{Kind, ValueRef};

/// Maximum number of values or names that one message lists.
const MAX_LISTED: usize = 20;
/// Maximum length of a name that is compared with others, in bytes.
const MAX_COMPARED: usize = 64;

/// The types, as in "a string or null".
pub(super) fn types(types: Types) -> String {
    let is_told =
        |ty: &Type| types.contains(*ty) && !(*ty == Type::Integer && types.contains(Type::Number));
    let names: Vec<&str> = Type::ALL.into_iter().filter(is_told).map(name).collect();
    names.join(" or ")
}

const fn name(ty: Type) -> &'static str {
    match ty {
        Type::Null => "null",
        Type::Boolean => "a boolean",
        Type::Integer => "an integer",
        Type::Number => "a number",
        Type::String => "a string",
        Type::Array => "an array",
        Type::Object => "an object",
    }
}

/// The kind of a value, as in "a string".
pub(super) fn kind(value: ValueRef<'_>) -> &'static str {
    match value.kind() {
        Kind::Null => name(Type::Null),
        Kind::Bool(_) => name(Type::Boolean),
        Kind::Number(number) if super::number::is_integer(&number) => name(Type::Integer),
        Kind::Number(_) => "a fraction",
        Kind::String(_) => name(Type::String),
        Kind::Array(_) => name(Type::Array),
        Kind::Object(_) => name(Type::Object),
    }
}

/// A list of limited length.
pub(super) fn list(entries: &[String]) -> String {
    let shown = entries.get(..MAX_LISTED).unwrap_or(entries);
    let mut text = shown.join(", ");
    if shown.len() < entries.len() {
        let _written = write!(text, " and {} more", entries.len() - shown.len());
    }
    text
}

/// A list of names in quotes.
pub(super) fn names<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    list(&quoted)
}

/// What is wrong with a name that is not one of `known`.
pub(super) fn unknown(name: &str, known: &[&str]) -> String {
    if known.is_empty() {
        return "is not a known field; there are none".to_owned();
    }
    let distance = |known: &&&str| strsim::osa_distance(name, known);
    let nearest = known
        .iter()
        .filter(|_| name.len() <= MAX_COMPARED)
        .min_by_key(distance)
        .filter(|known| distance(known) <= 1 + known.chars().count() / 4);
    match nearest {
        Some(nearest) => format!("is not a known field; did you mean `{nearest}`?"),
        None => {
            let known = names(known.iter().copied());
            format!("is not a known field; known are {known}")
        }
    }
}

pub(super) const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested() {
        let known = ["city", "country", "max_results"];
        let suggested = |name| unknown(name, &known);
        assert!(suggested("ctiy").ends_with("did you mean `city`?"));
        assert!(suggested("maxResults").ends_with("did you mean `max_results`?"));
        assert!(suggested("contry").ends_with("did you mean `country`?"));
        let other = suggested("zip");
        assert!(
            other.ends_with("known are `city`, `country`, `max_results`"),
            "{other}"
        );
        let long = suggested(&"city".repeat(1000));
        assert!(long.contains("known are"), "{long}");
    }

    #[test]
    fn long_lists_are_cut() {
        let many: Vec<String> = (0..25).map(|n| n.to_string()).collect();
        assert!(list(&many).ends_with("18, 19 and 5 more"));
    }
}
