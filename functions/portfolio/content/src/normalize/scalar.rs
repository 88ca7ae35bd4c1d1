//! Values without fields: texts, dates, links, numbers and lists of texts.

use serde_json::{Map, Value};

use super::context::Context;
use crate::blank::is_blank;
use crate::dates::{self, Date};
use crate::finding::quoted;
use crate::links::{self, Link};
use crate::place::Place;

/// Members that hold the text of an object that is in the place of a text.
const TEXT_MEMBERS: [&str; 7] = [
    "name",
    "title",
    "text",
    "value",
    "label",
    "description",
    "summary",
];

/// Members of a place, in the order in which they are written.
const PLACE_MEMBERS: [&str; 4] = ["city", "region", "country", "countryCode"];

/// Returns a text. Numbers become texts, and lists of texts become lines.
pub(super) fn text(found: Value, at: Place<'_>, context: &mut Context<'_, '_>) -> Option<String> {
    match found {
        Value::String(text) => Some(trimmed(text)),
        Value::Number(number) => {
            context.warning(at, "should be a text, not a number; served as a text");
            Some(number.to_string())
        }
        Value::Array(ref lines) if !lines.is_empty() && lines.iter().all(Value::is_string) => {
            context.warning(
                at,
                "should be one text, not a list; served as lines of one text",
            );
            let lines = lines.iter().filter_map(Value::as_str).map(str::trim);
            let text = lines.collect::<Vec<_>>().join("\n");
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        }
        Value::Object(ref object) => match text_of(object) {
            Some((name, text)) => {
                let message = format!("should be a text, not an object; its `{name}` is used");
                context.warning(at, message);
                Some(text)
            }
            None => context.unusable(at, "a text", &found),
        },
        Value::Null | Value::Bool(_) | Value::Array(_) => context.unusable(at, "a text", &found),
    }
}

fn trimmed(text: String) -> String {
    let trimmed = text.trim();
    if trimmed.len() == text.len() {
        text
    } else {
        trimmed.to_owned()
    }
}

/// Returns the text of an object: that of a usual member, or the only one.
fn text_of(object: &Map<String, Value>) -> Option<(&str, String)> {
    let mut texts = object.iter().filter_map(|(name, value)| {
        let text = value.as_str()?.trim();
        (!text.is_empty()).then_some((name.as_str(), text))
    });
    let usual = TEXT_MEMBERS
        .iter()
        .find_map(|name| texts.clone().find(|(known, _)| known == name));
    let found = usual.or_else(|| texts.next().filter(|_| object.len() == 1));
    found.map(|(name, text)| (name, text.to_owned()))
}

/// Returns a place as one text. An object with a city, region and country is joined.
pub(super) fn location(
    found: Value,
    at: Place<'_>,
    context: &mut Context<'_, '_>,
) -> Option<String> {
    if let Value::Object(object) = &found {
        let parts = PLACE_MEMBERS
            .iter()
            .filter_map(|name| object.get(*name)?.as_str());
        let parts: Vec<&str> = parts
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .collect();
        if !parts.is_empty() {
            context.warning(
                at,
                "should be a text, not an object; city, region and country are used",
            );
            return Some(parts.join(", "));
        }
    }
    text(found, at, context)
}

/// Returns a list of texts. One text becomes a list, and objects become their texts.
pub(super) fn texts(found: Value, at: Place<'_>, context: &mut Context<'_, '_>) -> Option<Value> {
    let items = match found {
        Value::Array(items) => items,
        Value::String(_) => {
            context.warning(
                at,
                "should be a list of texts, not one text; served as a list",
            );
            vec![found]
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            return context.unusable(at, "a list of texts", &found);
        }
    };
    let mut objects = 0;
    let mut has_more = false;
    let mut texts = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        if is_blank(Some(&item)) {
            continue;
        }
        let object = item.as_object();
        let found = match object.and_then(text_of) {
            Some((_, text)) => {
                objects += 1;
                has_more |= object.is_some_and(|object| object.len() > 1);
                Some(text)
            }
            None => text(item, at.item(index), context),
        };
        texts.extend(found.map(Value::String));
    }
    if objects > 0 {
        let rest = if has_more {
            "; their other members are not served"
        } else {
            ""
        };
        let message = format!(
            "should be a list of texts; {objects} of its items are objects, and the text of each \
             is used{rest}"
        );
        context.warning(at, message);
    }
    Some(Value::Array(texts))
}

/// Returns a link, if its scheme is served. A text that is not a URL is served as it is.
pub(super) fn link(found: Value, at: Place<'_>, context: &mut Context<'_, '_>) -> Option<String> {
    let text = text(found, at, context)?;
    match links::read(&text) {
        Link::Web => {}
        Link::Malformed(reason) => {
            let message = format!("is {reason}; served as written: {}", quoted(&text));
            context.warning(at, message);
        }
        Link::Scheme(scheme) if context.allows_scheme(scheme) => {}
        Link::Scheme(scheme) => {
            let message = format!("is a `{scheme}:` link, which is not served; left out");
            context.warning(at, message);
            return None;
        }
    }
    Some(text)
}

/// Returns an e-mail address.
pub(super) fn email(found: Value, at: Place<'_>, context: &mut Context<'_, '_>) -> Option<String> {
    let text = text(found, at, context)?;
    if !links::is_email(&text) {
        context.warning(at, "is not an e-mail address; served as written");
    }
    Some(text)
}

/// Returns a date in the standard form, or as written if it is unclear.
pub(super) fn date(
    found: Value,
    may_be_open: bool,
    at: Place<'_>,
    context: &mut Context<'_, '_>,
) -> Option<String> {
    if let Value::Number(number) = &found
        && !number.is_u64()
    {
        let message = format!(
            "is the number {number}; YAML reads `2019.10` as 2019.1, so put dates in quotes; \
                 left out"
        );
        context.warning(at, message);
        return None;
    }
    let text = text(found, at, context)?;
    if dates::is_standard(&text) {
        return Some(text);
    }
    let mut as_written = |fault: &str, text: String| {
        context.warning(at, format!("{fault}; served as written: {}", quoted(&text)));
        Some(text)
    };
    let message = match dates::read(&text) {
        Date::Known(date) => return Some(date),
        Date::Open if may_be_open => return None,
        Date::Open | Date::Failed => format!("is {}, not a date; left out", quoted(&text)),
        Date::Impossible => return as_written("has a day or month that does not exist", text),
        // Words for "until now" have no list: there is one in each language.
        Date::Unclear if may_be_open && !text.contains(char::is_numeric) => {
            return as_written("is not a date; leave it out if this has not ended", text);
        }
        Date::Unclear => {
            return as_written(
                "is not a date of the form YYYY, YYYY-MM or YYYY-MM-DD",
                text,
            );
        }
    };
    context.warning(at, message);
    None
}

/// Returns a whole number above zero.
pub(super) fn count(found: Value, at: Place<'_>, context: &mut Context<'_, '_>) -> Option<Value> {
    match found.as_u64() {
        Some(1..) => Some(found),
        _ => context.unusable(at, "a whole number above zero", &found),
    }
}

/// Returns `true` or `false`.
pub(super) fn flag(found: Value, at: Place<'_>, context: &mut Context<'_, '_>) -> Option<Value> {
    if found.is_boolean() {
        Some(found)
    } else {
        context.unusable(at, "`true` or `false`", &found)
    }
}

/// Returns one of a few words, in lower case.
pub(super) fn word(
    found: &Value,
    words: &[&str],
    at: Place<'_>,
    context: &mut Context<'_, '_>,
) -> Option<Value> {
    let Some(text) = found.as_str().map(|text| text.trim().to_lowercase()) else {
        return context.unusable(at, "a text", found);
    };
    if words.contains(&text.as_str()) {
        return Some(Value::String(text));
    }
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    let words = words.join(", ");
    context.refuse(at, format!("must be one of {words}, not {}", quoted(&text)))
}
