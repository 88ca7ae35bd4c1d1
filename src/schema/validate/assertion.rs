//! The keywords without a schema of their own.

use serde_json::Value;

use super::hash;
use super::invalid_schema::Fault;
use super::node::{Enumeration, Limit, Node, Type, Types};
use super::pattern::Pattern;
use crate::json::Document;
use crate::schema::format::Format;

/// Reads a keyword into a node.
pub(super) fn read(node: &mut Node, keyword: &str, value: &Value) -> Result<(), Fault> {
    let invalid = || Fault::Value(keyword.to_owned());
    match keyword {
        "pattern" => {
            let text = value.as_str().ok_or_else(invalid)?;
            let pattern = Pattern::new(text).map_err(|reason| Fault::Pattern {
                pattern: text.to_owned(),
                reason,
            })?;
            node.pattern = Some(pattern);
            Ok(())
        }
        // These describe and assert nothing. What is in `$defs` is compiled where something refers to
        // it.
        "title" | "description" | "default" | "examples" | "deprecated" | "readOnly"
        | "writeOnly" | "$comment" | "$id" | "contentEncoding" | "contentMediaType"
        | "contentSchema" => Ok(()),
        _ if keyword.starts_with("x-") => Ok(()),
        _ => match simple(node, keyword, value) {
            Some(Some(())) => Ok(()),
            Some(None) => Err(invalid()),
            None => Err(Fault::Keyword(keyword.to_owned())),
        },
    }
}

/// Reads a keyword whose value needs no more than a look. `None`: the keyword is not one of them;
/// `Some(None)`: the value is invalid.
fn simple(node: &mut Node, keyword: &str, value: &Value) -> Option<Option<()>> {
    let (object, array) = (&mut node.object, &mut node.array);
    Some(match keyword {
        "type" => types(value).map(|types| node.types = types),
        "enum" => value.as_array().map(|values| one_of(node, values)),
        "const" => {
            one_of(node, std::slice::from_ref(value));
            Some(())
        }
        "required" => strings(value).map(|names| object.required = names),
        "dependentRequired" => dependent(value).map(|names| object.dependent_required = names),
        "minProperties" => bound(value).map(|n| object.count.min = Some(n)),
        "maxProperties" => bound(value).map(|n| object.count.max = Some(n)),
        "minItems" => bound(value).map(|n| array.count.min = Some(n)),
        "maxItems" => bound(value).map(|n| array.count.max = Some(n)),
        "minContains" => bound(value).map(|n| array.contained.min = Some(n)),
        "maxContains" => bound(value).map(|n| array.contained.max = Some(n)),
        "uniqueItems" => value.as_bool().map(|unique| array.unique = unique),
        "minLength" => bound(value).map(|n| node.length.min = Some(n)),
        "maxLength" => bound(value).map(|n| node.length.max = Some(n)),
        "minimum" => limit(value, false).map(|limit| node.minimum.push(limit)),
        "maximum" => limit(value, false).map(|limit| node.maximum.push(limit)),
        "exclusiveMinimum" => limit(value, true).map(|limit| node.minimum.push(limit)),
        "exclusiveMaximum" => limit(value, true).map(|limit| node.maximum.push(limit)),
        "multipleOf" => value
            .as_number()
            .filter(|step| step.as_f64().is_some_and(|step| step > 0.0))
            .map(|step| node.multiple_of = Some(step.clone())),
        "format" => value
            .as_str()
            .map(|format| node.format = Format::named(format)),
        "$defs" => value.is_object().then_some(()),
        "$anchor" => value.is_string().then_some(()),
        _ => return None,
    })
}

/// `enum` and `const` side by side both hold.
fn one_of(node: &mut Node, values: &[Value]) {
    let mut values = values.to_vec();
    if let Some(known) = &node.values {
        values.retain(|value| {
            let value = Document::of(value);
            known.values().any(|known| hash::equal(known, value.root()))
        });
    }
    node.values = Some(Enumeration::new(values));
}

fn types(value: &Value) -> Option<Types> {
    let one = |value: &Value| {
        Some(match value.as_str()? {
            "null" => Type::Null,
            "boolean" => Type::Boolean,
            "integer" => Type::Integer,
            "number" => Type::Number,
            "string" => Type::String,
            "array" => Type::Array,
            "object" => Type::Object,
            _ => return None,
        })
    };
    let types: Vec<Type> = match value.as_array() {
        Some(types) => types.iter().map(one).collect::<Option<_>>()?,
        None => vec![one(value)?],
    };
    Some(Types::new(&types))
}

fn strings(value: &Value) -> Option<Vec<String>> {
    value
        .as_array()?
        .iter()
        .map(|name| name.as_str().map(str::to_owned))
        .collect()
}

fn dependent(value: &Value) -> Option<Vec<(String, Vec<String>)>> {
    let named = value.as_object()?.iter();
    named
        .map(|(name, names)| Some((name.clone(), strings(names)?)))
        .collect()
}

/// A count: a whole number, which may be written as `2.0`.
fn bound(value: &Value) -> Option<usize> {
    let number = value.as_number()?;
    let whole = super::number::as_integer(number);
    let count = whole.as_ref().unwrap_or(number).as_u64()?;
    usize::try_from(count).ok()
}

fn limit(value: &Value, exclusive: bool) -> Option<Limit> {
    value.as_number().map(|value| Limit {
        value: value.clone(),
        exclusive,
    })
}
