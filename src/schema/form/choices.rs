//! Choices with titles. Specification: *Elicitation, Requested Schema*; *Schema,
//! `TitledSingleSelectEnumSchema`*; *`TitledMultiSelectEnumSchema`*.
//!
//! An enum whose variants have titles (`#[schemars(title = "…")]`) is described with them: the user reads
//! the titles, and the answer has the values. Before revision 2025-11-25 the titles are in `enumNames`.

use serde_json::{Map, Value, json};

/// A value to choose, and what the user reads.
struct Choice<'a> {
    value: &'a str,
    title: Option<&'a str>,
    description: Option<&'a str>,
}

/// Replaces the choices of a field by choices with titles, if its enum has any.
///
/// `described` is the field as schemars describes it. A variant without a title is shown as its value.
pub(super) fn titled(field: &mut Map<String, Value>, described: &Value) {
    let is_list = field.contains_key("items");
    let of = if is_list {
        described.get("items")
    } else {
        Some(described)
    };
    let mut choices = Vec::new();
    if !of.is_some_and(|schema| collect(schema, &mut choices))
        || choices.iter().all(|choice| choice.title.is_none())
    {
        return;
    }
    let options: Value = choices.iter().map(Choice::option).collect();
    if is_list {
        field.insert("items".to_owned(), json!({ "anyOf": options }));
        return;
    }
    field.shift_remove("enum");
    field.insert("oneOf".to_owned(), options);
    let own = described.get("description").and_then(Value::as_str);
    let told = choices.iter().filter_map(Choice::explained);
    let told = told.collect::<Vec<_>>().join("; ");
    let description = [own.unwrap_or_default(), &told].join(" ");
    if description.trim().is_empty() {
        field.shift_remove("description");
    } else {
        field.insert("description".to_owned(), json!(description.trim()));
    }
}

/// Collects the choices of a schema. Returns whether it has only choices of texts.
fn collect<'a>(schema: &'a Value, choices: &mut Vec<Choice<'a>>) -> bool {
    let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str);
    // An optional field is described with `null` as an alternative.
    if text("type") == Some("null") {
        return true;
    }
    if let Some(value) = text("const") {
        choices.push(Choice {
            value,
            title: text("title"),
            description: text("description"),
        });
        return true;
    }
    let list = |keyword: &str| schema.get(keyword).and_then(Value::as_array);
    if let Some(values) = list("enum") {
        let values = values.iter().filter(|value| !value.is_null());
        let read = values.map(|value| {
            value.as_str().map(|value| Choice {
                value,
                title: None,
                description: None,
            })
        });
        let read: Option<Vec<_>> = read.collect();
        let is_texts = read.is_some();
        choices.extend(read.into_iter().flatten());
        return is_texts;
    }
    let alternatives = list("oneOf").or_else(|| list("anyOf"));
    alternatives.is_some_and(|all| all.iter().all(|one| collect(one, choices)))
}

impl Choice<'_> {
    fn shown(&self) -> &str {
        self.title.unwrap_or(self.value)
    }

    fn option(&self) -> Value {
        json!({ "const": self.value, "title": self.shown() })
    }

    /// The title with its explanation, which an option has no member for.
    fn explained(&self) -> Option<String> {
        let description = self.description?;
        Some(format!("{}: {description}", self.shown()))
    }
}

/// Describes the choices with titles of a form as the revisions before 2025-11-25 do: by `enumNames`.
/// Specification: 2025-06-18, *Schema, `EnumSchema`*.
pub(crate) fn without_titled_choices(form: &mut Value) {
    let Some(Value::Object(fields)) = form.get_mut("properties") else {
        return;
    };
    for field in fields.values_mut().filter_map(Value::as_object_mut) {
        let Some(Value::Array(options)) = field.shift_remove("oneOf") else {
            continue;
        };
        for (keyword, member) in [("enum", "const"), ("enumNames", "title")] {
            let column = options.iter().filter_map(|option| option.get(member));
            field.insert(keyword.to_owned(), column.cloned().collect());
        }
    }
}
