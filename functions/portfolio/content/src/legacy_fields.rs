//! Brings a résumé from the drafts before 1.0, or from a common variant, to the current names and
//! forms: renamed fields, split names, contact data and profiles as objects, skills by category.
//!
//! Rewrites what it recognizes and leaves the rest to [`super::normalize`].

use serde_json::{Map, Value, json};

use super::blank::is_blank;
use super::finding::FileReport;
use super::place::Place;
use super::resume_shape::RESUME;
use super::shape::{Field, Kind, Shape};

/// Rewrites a résumé. A second time changes nothing.
pub(crate) fn modernize(resume: &mut Map<String, Value>, report: &mut FileReport<'_>) {
    rename(resume, &RESUME, Place::Root, report);
    if let Some(Value::Object(basics)) = resume.get_mut("basics") {
        join_name(basics);
        first_of_many(basics, "email", "otherEmails");
        first_of_many(basics, "phone", "otherPhones");
        first_website(basics);
        list_profiles(basics);
    }
    for name in ["skills", "interests"] {
        if let Some(entries) = resume.get_mut(name) {
            list_categories(entries);
        }
    }
    if let Some(languages) = resume.get_mut("languages") {
        list_languages(languages);
    }
    rename_inside(resume, &RESUME, Place::Root, report);
}

fn rename_inside(
    object: &mut Map<String, Value>,
    shape: &Shape,
    at: Place<'_>,
    report: &mut FileReport<'_>,
) {
    for field in shape.fields.iter().filter(|field| field.kind.has_fields()) {
        let at = at.member(field.name);
        match (field.kind, object.get_mut(field.name)) {
            (Kind::Object(shape) | Kind::List(shape), Some(Value::Object(inner))) => {
                rename(inner, shape, at, report);
                rename_inside(inner, shape, at, report);
            }
            (Kind::List(shape), Some(Value::Array(items))) => {
                for (index, item) in items.iter_mut().enumerate() {
                    let at = at.item(index);
                    if let Value::Object(inner) = item {
                        rename(inner, shape, at, report);
                        rename_inside(inner, shape, at, report);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Gives fields with a legacy name their current one, in the same position.
fn rename(
    object: &mut Map<String, Value>,
    shape: &Shape,
    at: Place<'_>,
    report: &mut FileReport<'_>,
) {
    // A legacy name is not a current one, and most objects have current ones alone.
    if object.keys().all(|name| shape.field(name).is_some()) {
        return;
    }
    for field in shape.fields {
        for legacy in field.legacy_names {
            if object.contains_key(*legacy) {
                rename_one(object, field, legacy, at, report);
            }
        }
    }
}

fn rename_one(
    object: &mut Map<String, Value>,
    field: &Field,
    legacy: &str,
    at: Place<'_>,
    report: &mut FileReport<'_>,
) {
    let old = object.get(legacy);
    let current = object.get(field.name);
    if is_blank(old) || current == old {
        object.shift_remove(legacy);
    } else if is_blank(current) {
        object.shift_remove(field.name);
        let renamed = std::mem::take(object).into_iter().map(|(name, value)| {
            let name = if name == legacy {
                field.name.to_owned()
            } else {
                name
            };
            (name, value)
        });
        *object = renamed.collect();
    } else {
        let message = format!(
            "is the old name of `{0}`, which is present with another value; `{0}` is used and \
             `{legacy}` is not renamed",
            field.name
        );
        report.warning(at.member(legacy), message);
    }
}

/// `firstName` and `lastName` become `name`, and so do `first` and `last` inside `name`.
fn join_name(basics: &mut Map<String, Value>) {
    let joined = |object: &Map<String, Value>, names: &[&str]| {
        let parts = names.iter().filter_map(|name| object.get(*name)?.as_str());
        let parts: Vec<&str> = parts
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .collect();
        Some(parts.join(" ")).filter(|name| !name.is_empty())
    };
    let name = match basics.get("name") {
        Some(Value::Object(parts)) => joined(
            parts,
            &[
                "first",
                "firstName",
                "given",
                "middle",
                "last",
                "lastName",
                "family",
            ],
        ),
        name if is_blank(name) => joined(basics, &["firstName", "lastName"]).inspect(|_| {
            basics.shift_remove("firstName");
            basics.shift_remove("lastName");
        }),
        _ => None,
    };
    if let Some(name) = name {
        basics.insert("name".to_owned(), Value::String(name));
    }
}

/// `{"work": "a@…", "personal": "b@…"}` or a list of texts: the first becomes the field, the others
/// become the field `others`.
fn first_of_many(basics: &mut Map<String, Value>, field: &str, others: &str) {
    let texts: Option<Vec<Value>> = match basics.get(field) {
        Some(Value::Object(by_kind)) => texts(by_kind.values()),
        Some(Value::Array(list)) => texts(list.iter()),
        _ => None,
    };
    let Some(texts) = texts else { return };
    let mut texts = texts.into_iter();
    basics.insert(field.to_owned(), texts.next().unwrap_or(Value::Null));
    let rest: Vec<Value> = texts.collect();
    if !rest.is_empty() && !basics.contains_key(others) {
        basics.insert(others.to_owned(), Value::Array(rest));
    }
}

/// Returns the non-empty texts, if all values are texts or blank.
fn texts<'v>(values: impl Iterator<Item = &'v Value>) -> Option<Vec<Value>> {
    let mut texts = Vec::new();
    for value in values {
        match value {
            Value::String(_) | Value::Null if is_blank(Some(value)) => {}
            Value::String(_) => texts.push(value.clone()),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_) => return None,
        }
    }
    Some(texts)
}

/// `websites: {"blog": "https://…"}`: the first becomes `url`. The object stays if it has others.
fn first_website(basics: &mut Map<String, Value>) {
    if !is_blank(basics.get("url")) || !is_blank(basics.get("website")) {
        return;
    }
    let Some(Value::Object(websites)) = basics.get("websites") else {
        return;
    };
    let Some(found) = texts(websites.values()) else {
        return;
    };
    let count = found.len();
    let Some(first) = found.into_iter().next() else {
        return;
    };
    if count == 1 {
        basics.shift_remove("websites");
    }
    basics.insert("url".to_owned(), first);
}

/// `profiles: {"github": "name"}` becomes a list of profiles.
fn list_profiles(basics: &mut Map<String, Value>) {
    let Some(Value::Object(by_network)) = basics.get("profiles") else {
        return;
    };
    if texts(by_network.values()).is_none() {
        return;
    }
    let list = by_network
        .iter()
        .filter(|(_, handle)| !is_blank(Some(handle)))
        .map(|(network, handle)| {
            let is_url = handle.as_str().is_some_and(|handle| handle.contains("://"));
            let field = if is_url { "url" } else { "username" };
            json!({"network": network, field: handle})
        })
        .collect();
    basics.insert("profiles".to_owned(), Value::Array(list));
}

/// `languages: {"English": "Native"}` becomes a list of languages with their fluency.
fn list_languages(languages: &mut Value) {
    if let Value::Object(by_name) = languages
        && !by_name.contains_key("language")
        && !by_name.is_empty()
        && by_name.values().all(Value::is_string)
    {
        let list = by_name
            .iter()
            .map(|(name, fluency)| json!({"language": name, "fluency": fluency}))
            .collect();
        *languages = Value::Array(list);
    }
}

/// `skills: {"Languages": ["Rust", "C"]}` becomes a list of skills with keywords.
fn list_categories(entries: &mut Value) {
    let Value::Object(by_category) = entries else {
        return;
    };
    let is_one = by_category.contains_key("name") || by_category.contains_key("keywords");
    let is_grouped = !is_one
        && by_category
            .values()
            .all(|keywords| match keywords.as_array() {
                Some(keywords) => keywords.iter().all(Value::is_string),
                None => is_blank(Some(keywords)),
            });
    if is_grouped {
        let list = by_category
            .iter()
            .map(|(name, keywords)| match keywords.as_array() {
                Some(keywords) => json!({"name": name, "keywords": keywords}),
                None => json!({"name": name}),
            })
            .collect();
        *entries = Value::Array(list);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Report;

    fn assert_becomes(before: &Value, after: &Value) {
        let mut report = Report::default();
        let mut file = FileReport::json("r", &mut report);
        let mut resume = before.as_object().unwrap().clone();
        for again in ["", "again: "] {
            modernize(&mut resume, &mut file);
            assert_eq!(Value::Object(resume.clone()), *after, "{again}{before}");
        }
    }

    #[test]
    fn legacy_forms_of_basics_become_current_ones() {
        let rows = [
            (
                json!({"basics": {"firstName": " Ada ", "lastName": "Quill", "label": "x"}}),
                json!({"basics": {"label": "x", "name": "Ada Quill"}}),
            ),
            (
                json!({"basics": {"firstName": "Ada", "name": "Ada Quill"}}),
                json!({"basics": {"firstName": "Ada", "name": "Ada Quill"}}),
            ),
            (
                json!({"basics": {"email": {"work": "", "personal": "a@b.example"}}}),
                json!({"basics": {"email": "a@b.example"}}),
            ),
            (
                json!({"basics": {"phone": ["1", "2", null]}}),
                json!({"basics": {"phone": "1", "otherPhones": ["2"]}}),
            ),
            (
                json!({"basics": {"phone": [{"x": 1}]}}),
                json!({"basics": {"phone": [{"x": 1}]}}),
            ),
            (
                json!({"basics": {"websites": {"blog": "https://b.example"}}}),
                json!({"basics": {"url": "https://b.example"}}),
            ),
            (
                json!({"basics": {"websites": {"a": "https://a.example", "b": "https://b.example"}}}),
                json!({"basics": {
                    "websites": {"a": "https://a.example", "b": "https://b.example"},
                    "url": "https://a.example"
                }}),
            ),
            (
                json!({"basics": {"profiles": {"github": "q", "x": "", "blog": "https://b.example"}}}),
                json!({"basics": {"profiles": [
                    {"network": "github", "username": "q"},
                    {"network": "blog", "url": "https://b.example"}
                ]}}),
            ),
        ];
        for (before, after) in rows {
            assert_becomes(&before, &after);
        }
    }

    #[test]
    fn legacy_forms_of_sections_become_current_ones() {
        let rows = [
            (
                json!({"skills": {"Languages": ["Rust"], "Other": null}}),
                json!({"skills": [{"name": "Languages", "keywords": ["Rust"]}, {"name": "Other"}]}),
            ),
            (
                json!({"bio": {"name": {"first": "Ada", "last": "Quill"}}}),
                json!({"basics": {"name": "Ada Quill"}}),
            ),
            (
                json!({"languages": {"English": "Native"}, "hobbies": {"Music": ["Piano"]}}),
                json!({
                    "languages": [{"language": "English", "fluency": "Native"}],
                    "interests": [{"name": "Music", "keywords": ["Piano"]}]
                }),
            ),
            (
                json!({"work": [{"website": "https://c.example", "company": "C"}, {"name": "", "company": "D"}]}),
                json!({"work": [{"url": "https://c.example", "name": "C"}, {"name": "D"}]}),
            ),
            (
                json!({"skills": {"Rust": 5}}),
                json!({"skills": {"Rust": 5}}),
            ),
            (
                json!({"basics": [], "skills": 3}),
                json!({"basics": [], "skills": 3}),
            ),
        ];
        for (before, after) in rows {
            assert_becomes(&before, &after);
        }
    }
}
