//! Brings a document to its shape: values of the right type, dates in their standard form, no
//! empty texts and no nulls.
//!
//! Whatever has a plain meaning is taken, with a warning. What has none is left out or is an error,
//! as [`Policy`] says. Unknown members stay as they are. A second time changes nothing.

mod context;
mod scalar;

use serde_json::{Map, Value};

use super::blank::is_blank;
use super::dates::{self, Date};
use super::place::Place;
use super::shape::{Kind, Shape};

pub(crate) use context::{Context, Policy};

/// Normalizes an object.
pub(crate) fn object(
    mut object: Map<String, Value>,
    shape: &'static Shape,
    at: Place<'_>,
    context: &mut Context<'_, '_>,
) -> Map<String, Value> {
    if context.suggests() {
        suggest_fields(&object, shape, at, context);
    }
    let mut has_unknown = false;
    // In place: the names stay, and need not be hashed again.
    object.retain(|name, found| {
        let Some(field) = shape.field(name) else {
            has_unknown = true;
            return true;
        };
        let normalized = value(found.take(), field.kind, at.member(name), context);
        let stays = normalized.is_some();
        *found = normalized.unwrap_or_default();
        stays
    });
    // A legacy name is not a current one.
    if has_unknown {
        use_legacy_values(&mut object, shape, at, context);
    }
    check_period(&object, at, context);
    object
}

/// Warns about unknown names that are close to a field that is absent.
fn suggest_fields(
    object: &Map<String, Value>,
    shape: &'static Shape,
    at: Place<'_>,
    context: &mut Context<'_, '_>,
) {
    for (name, found) in object
        .iter()
        .filter(|(name, _)| shape.field(name).is_none())
    {
        let is_meant = |field: &str| {
            let kind = shape.field(field).map(|field| field.kind);
            !object.contains_key(field) && kind.is_some_and(|kind| may_be(found, kind))
        };
        let meant = context.suggestion(name, shape, is_meant);
        if !meant.is_empty() {
            let message = format!("is not a field of JSON Resume{meant}");
            context.warning(at.member(name), message);
        }
    }
}

/// Whether a field of this kind could hold the value: under another name, a list of objects would be
/// left out where a text is expected.
fn may_be(found: &Value, kind: Kind) -> bool {
    match found {
        Value::Array(items) if items.iter().any(Value::is_object) => matches!(kind, Kind::List(_)),
        Value::Array(_) => matches!(kind, Kind::List(_) | Kind::Texts | Kind::Points),
        Value::Object(_) => matches!(kind, Kind::Object(_) | Kind::Location),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

/// Uses the value of a legacy name if the value of the current name was left out.
fn use_legacy_values(
    normalized: &mut Map<String, Value>,
    shape: &'static Shape,
    at: Place<'_>,
    context: &mut Context<'_, '_>,
) {
    for field in shape.fields {
        for legacy in field.legacy_names {
            if normalized.contains_key(field.name) {
                break;
            }
            let found = normalized.shift_remove(*legacy);
            let found =
                found.and_then(|found| value(found, field.kind, at.member(legacy), context));
            if let Some(found) = found {
                normalized.insert(field.name.to_owned(), found);
            }
        }
    }
}

fn value(found: Value, kind: Kind, at: Place<'_>, context: &mut Context<'_, '_>) -> Option<Value> {
    if is_empty(&found, kind) {
        return None;
    }
    match kind {
        Kind::Text | Kind::Prose | Kind::Private => {
            scalar::text(found, at, context).map(Value::String)
        }
        Kind::Url => scalar::link(found, at, context).map(Value::String),
        Kind::Email => scalar::email(found, at, context).map(Value::String),
        Kind::Location => scalar::location(found, at, context).map(Value::String),
        Kind::Date => scalar::date(found, false, at, context).map(Value::String),
        Kind::EndDate => scalar::date(found, true, at, context).map(Value::String),
        Kind::Texts | Kind::Points => scalar::texts(found, at, context),
        Kind::Count => scalar::count(found, at, context),
        Kind::Flag => scalar::flag(found, at, context),
        Kind::Word(words) => scalar::word(&found, words, at, context),
        Kind::Object(shape) => one(found, shape, at, context),
        Kind::List(shape) => list(found, shape, at, context),
    }
}

/// Whether a value says nothing. An empty list or object counts if it is in the place of another
/// kind of value.
fn is_empty(found: &Value, kind: Kind) -> bool {
    match (found, kind) {
        (Value::Array(_), Kind::List(_) | Kind::Texts | Kind::Points)
        | (Value::Object(_), Kind::Object(_)) => false,
        (found, _) => is_blank(Some(found)),
    }
}

/// Normalizes a value in the place of one object. A text is taken as one of its fields.
fn one(
    found: Value,
    shape: &'static Shape,
    at: Place<'_>,
    context: &mut Context<'_, '_>,
) -> Option<Value> {
    match (found, shape.text_as) {
        (Value::Object(found), _) => Some(Value::Object(object(found, shape, at, context))),
        (Value::String(text), Some(field)) => {
            let message = format!("should be {}, not a text; used as its `{field}`", shape.one);
            context.warning(at, message);
            Some(of_text(text, field, shape, at, context))
        }
        (other, _) => context.unusable(at, shape.one, &other),
    }
}

fn of_text(
    text: String,
    field: &str,
    shape: &'static Shape,
    at: Place<'_>,
    context: &mut Context<'_, '_>,
) -> Value {
    let found = Map::from_iter([(field.to_owned(), Value::String(text))]);
    Value::Object(object(found, shape, at, context))
}

/// Normalizes a list of objects. A blank item stays as an empty object until [`prune`], so that
/// findings name the positions in the file.
fn list(
    found: Value,
    shape: &'static Shape,
    at: Place<'_>,
    context: &mut Context<'_, '_>,
) -> Option<Value> {
    let mut items = items(found, shape, at, context)?;
    let mut texts = 0;
    for (index, place) in items.iter_mut().enumerate() {
        let at = at.item(index);
        let item = match (place.take(), shape.text_as) {
            (blank, _) if is_blank(Some(&blank)) => None,
            (Value::String(text), Some(field)) => {
                texts += 1;
                Some(of_text(text, field, shape, at, context))
            }
            (item, _) => one(item, shape, at, context),
        };
        *place = item.unwrap_or_else(|| Map::new().into());
        check_title(place, shape, at, context);
    }
    if let (1.., Some(field)) = (texts, shape.text_as) {
        let message = format!(
            "should be a list of objects, each {}; {texts} of its items are texts, and each is \
             used as the `{field}` of one",
            shape.one
        );
        context.warning(at, message);
    }
    Some(Value::Array(items))
}

/// Returns the items of a value in the place of a list.
fn items(
    mut found: Value,
    shape: &'static Shape,
    at: Place<'_>,
    context: &mut Context<'_, '_>,
) -> Option<Vec<Value>> {
    let wanted = || format!("a list, each item {}", shape.one);
    match found {
        Value::Array(items) => Some(items),
        Value::String(_) if shape.text_as.is_some() => Some(vec![found]),
        Value::Object(ref object) if object.keys().any(|name| shape.field(name).is_some()) => {
            context.warning(
                at,
                format!(
                    "should be {}, not an object; used as its only item",
                    wanted()
                ),
            );
            Some(vec![found])
        }
        Value::Object(ref mut object)
            if !object.is_empty() && object.values().all(Value::is_object) =>
        {
            context.warning(
                at,
                format!("should be {}, not an object; its values are used", wanted()),
            );
            Some(
                std::mem::take(object)
                    .into_iter()
                    .map(|(_, value)| value)
                    .collect(),
            )
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            context.unusable(at, &wanted(), &found)
        }
    }
}

/// Warns about an entry that has fields, but not the one that names it.
fn check_title(item: &Value, shape: &Shape, at: Place<'_>, context: &mut Context<'_, '_>) {
    let Some(title) = shape.title else { return };
    let is_untitled = item.get(title).is_none() && !says_nothing(item);
    let is_text = |item: &Value| {
        let text = shape.text_as.and_then(|field| item.get(field));
        text.is_some() && item.as_object().is_some_and(|item| item.len() == 1)
    };
    if is_untitled && !is_text(item) {
        context.warning(at, format!("is {} without `{title}`", shape.one));
    }
}

fn check_period(object: &Map<String, Value>, at: Place<'_>, context: &mut Context<'_, '_>) {
    let text = |name| object.get(name).and_then(Value::as_str);
    let (Some(start), Some(end)) = (text("startDate"), text("endDate")) else {
        return;
    };
    let date = |text| match dates::read(text) {
        Date::Known(date) => Some(date),
        Date::Open | Date::Failed | Date::Impossible | Date::Unclear => None,
    };
    if let (Some(start), Some(end)) = (date(start), date(end))
        && dates::is_reversed(&start, &end)
    {
        let message = format!("{end} is before the startDate {start}");
        context.warning(at.member("endDate"), message);
    }
}

/// Removes the blank items of lists of objects.
pub(crate) fn prune(object: &mut Map<String, Value>, shape: &Shape) {
    for field in shape.fields.iter().filter(|field| field.kind.has_fields()) {
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

#[cfg(test)]
mod tests;
