//! Brings a document to its shape: older field names to current ones, dates to their standard
//! form, empty texts and nulls away; and says what does not fit.
//!
//! What can be served anyway is a warning, a wrong type is an error. Settling a settled document
//! changes nothing. Unknown fields stay as they are.

use serde_json::{Map, Value};

use super::dates::{self, Date};
use super::finding::{FileReport, Pointer, quoted};
use super::legacy_fields::is_blank;
use super::shape::{Field, Kind, Shape};
use super::values;

/// Settles an object.
pub(crate) fn object(
    mut object: Map<String, Value>,
    shape: &Shape,
    at: &Pointer,
    report: &mut FileReport<'_>,
) -> Map<String, Value> {
    rename(&mut object, shape, at, report);
    let mut settled = Map::with_capacity(object.len());
    for (name, found) in object {
        match shape.field(&name) {
            Some(field) => {
                if let Some(found) = value(found, field.kind, &at.join(&name), report) {
                    settled.insert(name, found);
                }
            }
            None => {
                settled.insert(name, found);
            }
        }
    }
    fall_back(&mut settled, shape, at, report);
    check_period(&settled, at, report);
    settled
}

/// A field that came to nothing leaves its place to the older name that stood beside it.
fn fall_back(
    settled: &mut Map<String, Value>,
    shape: &Shape,
    at: &Pointer,
    report: &mut FileReport<'_>,
) {
    for field in shape.fields {
        for older in field.legacy_names {
            if settled.contains_key(field.name) {
                break;
            }
            let found = settled.shift_remove(*older);
            if let Some(found) =
                found.and_then(|old| value(old, field.kind, &at.join(older), report))
            {
                settled.insert(field.name.to_owned(), found);
            }
        }
    }
}

/// Gives fields that still have an older name their current one, in the same position.
pub(crate) fn rename(
    object: &mut Map<String, Value>,
    shape: &Shape,
    at: &Pointer,
    report: &mut FileReport<'_>,
) {
    for field in shape.fields {
        for older in field.legacy_names {
            rename_one(object, field, older, at, report);
        }
    }
}

fn rename_one(
    object: &mut Map<String, Value>,
    field: &Field,
    older: &str,
    at: &Pointer,
    report: &mut FileReport<'_>,
) {
    let Some(old) = object.get(older) else { return };
    let current = object.get(field.name);
    if is_blank(Some(old)) || current == Some(old) {
        object.shift_remove(older);
    } else if is_blank(current) {
        object.shift_remove(field.name);
        let renamed = std::mem::take(object)
            .into_iter()
            .map(|(name, value)| {
                if name == older {
                    (field.name.to_owned(), value)
                } else {
                    (name, value)
                }
            })
            .collect();
        *object = renamed;
    } else {
        let rule = format!(
            "is the older name of `{}`, which is there too and says something else; \
             `{}` is used, `{older}` is served as it is",
            field.name, field.name
        );
        report.warning(&at.join(older), rule);
    }
}

fn value(found: Value, kind: Kind, at: &Pointer, report: &mut FileReport<'_>) -> Option<Value> {
    if found.is_null() || found.as_str().is_some_and(|text| text.trim().is_empty()) {
        return None;
    }
    match kind {
        Kind::Text | Kind::Private | Kind::Url | Kind::Email => {
            let text = text(found, at, report)?;
            check_text(&text, kind, at, report);
            Some(Value::String(text))
        }
        Kind::Date | Kind::EndDate => {
            let text = text(found, at, report)?;
            date(text, matches!(kind, Kind::EndDate), at, report).map(Value::String)
        }
        Kind::Texts => texts(found, at, report),
        Kind::Count => match found.as_u64() {
            Some(count) if count > 0 => Some(found),
            _ => mismatch("a whole number above zero", &found, at, report),
        },
        Kind::Flag if found.is_boolean() => Some(found),
        Kind::Flag => mismatch("`true` or `false`", &found, at, report),
        Kind::Word(words) => word(&found, words, at, report),
        Kind::Object(shape) => one(found, shape, at, report),
        Kind::List(shape) => list(found, shape, at, report),
    }
}

fn mismatch<T>(
    wanted: &str,
    found: &Value,
    at: &Pointer,
    report: &mut FileReport<'_>,
) -> Option<T> {
    report.error(at, format!("must be {wanted}; found {}", named(found)));
    None
}

/// What a value is, in an owner's words.
fn named(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn text(found: Value, at: &Pointer, report: &mut FileReport<'_>) -> Option<String> {
    match found {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => {
            report.warning(at, "should be a text, found a number; served as a text");
            Some(number.to_string())
        }
        Value::Array(ref lines) if !lines.is_empty() && lines.iter().all(Value::is_string) => {
            report.warning(
                at,
                "should be one text, found a list; served as lines of one text",
            );
            let lines: Vec<&str> = lines
                .iter()
                .filter_map(Value::as_str)
                .map(str::trim)
                .collect();
            Some(lines.join("\n").trim().to_owned()).filter(|text| !text.is_empty())
        }
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            mismatch("a text", &found, at, report)
        }
    }
}

fn check_text(text: &str, kind: Kind, at: &Pointer, report: &mut FileReport<'_>) {
    if let Kind::Url = kind
        && let Some(fault) = values::url_fault(text)
    {
        report.warning(
            at,
            format!("is {fault}; served as written: {}", quoted(text)),
        );
    }
    if let Kind::Email = kind
        && !values::is_email(text)
    {
        report.warning(at, "is not an e-mail address");
    }
}

fn date(
    text: String,
    may_be_open: bool,
    at: &Pointer,
    report: &mut FileReport<'_>,
) -> Option<String> {
    match dates::read(&text) {
        Date::Known(date) => Some(date),
        Date::Open => {
            if !may_be_open {
                let rule = format!("is not a date but {}; left out", quoted(&text));
                report.warning(at, rule);
            }
            None
        }
        Date::Unclear => {
            let rule = format!(
                "is not a date of the form YYYY, YYYY-MM or YYYY-MM-DD; served as written: {}",
                quoted(&text)
            );
            report.warning(at, rule);
            Some(text)
        }
    }
}

fn texts(found: Value, at: &Pointer, report: &mut FileReport<'_>) -> Option<Value> {
    match found {
        Value::Array(items) => {
            let settled = items
                .into_iter()
                .enumerate()
                .filter_map(|(i, item)| value(item, Kind::Text, &at.join(i), report))
                .collect();
            Some(Value::Array(settled))
        }
        Value::String(text) => {
            report.warning(
                at,
                "should be a list of texts, found one text; served as a list",
            );
            Some(Value::Array(vec![Value::String(text.trim().to_owned())]))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            mismatch("a list of texts", &found, at, report)
        }
    }
}

fn word(found: &Value, words: &[&str], at: &Pointer, report: &mut FileReport<'_>) -> Option<Value> {
    let known = found.as_str().map(|text| text.trim().to_lowercase());
    match known {
        Some(text) if words.contains(&text.as_str()) => Some(Value::String(text)),
        Some(text) => {
            let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            let rule = format!(
                "must be one of {}; found {}",
                words.join(", "),
                quoted(&text)
            );
            report.error(at, rule);
            None
        }
        None => mismatch("a text", found, at, report),
    }
}

fn one(found: Value, shape: &Shape, at: &Pointer, report: &mut FileReport<'_>) -> Option<Value> {
    match (found, shape.bare) {
        (Value::Object(found), _) => Some(Value::Object(object(found, shape, at, report))),
        (Value::String(text), Some(field)) => {
            let rule = format!(
                "should be {}; the text is taken as its `{field}`",
                shape.one
            );
            report.warning(at, rule);
            Some(of_text(text, field, shape, at, report))
        }
        (other, _) => mismatch(shape.one, &other, at, report),
    }
}

fn of_text(
    text: String,
    field: &str,
    shape: &Shape,
    at: &Pointer,
    report: &mut FileReport<'_>,
) -> Value {
    let found = Map::from_iter([(field.to_owned(), Value::String(text))]);
    Value::Object(object(found, shape, at, report))
}

/// Settles a list of objects. An item that says nothing, such as a template's placeholder, stays
/// as an empty object, so that places in the file keep their numbers, until [`prune`].
fn list(found: Value, shape: &Shape, at: &Pointer, report: &mut FileReport<'_>) -> Option<Value> {
    let Value::Array(items) = found else {
        return mismatch(
            &format!("a list, each item {}", shape.one),
            &found,
            at,
            report,
        );
    };
    let mut texts = 0;
    let settled = items
        .into_iter()
        .enumerate()
        .map(|(i, item)| match (item, shape.bare) {
            (blank, _) if is_blank(Some(&blank)) => Value::Object(Map::new()),
            (Value::String(text), Some(field)) => {
                texts += 1;
                of_text(text, field, shape, &at.join(i), report)
            }
            (item, _) => one(item, shape, &at.join(i), report).unwrap_or_else(|| Map::new().into()),
        })
        .collect();
    if let (1.., Some(field)) = (texts, shape.bare) {
        let rule = format!(
            "should be a list of objects, each {}; {texts} texts are taken as the `{field}` of one",
            shape.one
        );
        report.warning(at, rule);
    }
    Some(Value::Array(settled))
}

/// Removes the items of lists of objects that say nothing.
pub(crate) fn prune(object: &mut Map<String, Value>, shape: &Shape) {
    for field in shape.fields {
        match (field.kind, object.get_mut(field.name)) {
            (Kind::List(_), Some(Value::Array(items))) => items.retain(|item| !says_nothing(item)),
            (Kind::Object(shape), Some(Value::Object(inner))) => prune(inner, shape),
            _ => {}
        }
    }
}

fn says_nothing(item: &Value) -> bool {
    item.as_object()
        .is_some_and(|object| object.values().all(|value| is_blank(Some(value))))
}

fn check_period(object: &Map<String, Value>, at: &Pointer, report: &mut FileReport<'_>) {
    let date = |name| match dates::read(object.get(name)?.as_str()?) {
        Date::Known(date) => Some(date),
        Date::Open | Date::Unclear => None,
    };
    if let (Some(start), Some(end)) = (date("startDate"), date("endDate"))
        && dates::is_reversed(&start, &end)
    {
        report.warning(
            &at.join("endDate"),
            format!("{end} is before the startDate {start}"),
        );
    }
}

#[cfg(test)]
mod tests;
