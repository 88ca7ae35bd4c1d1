//! Forms of the drafts before 1.0 (and of files in the wild) that a new field name alone does not
//! express: split names, contact data and profiles as objects, skills grouped under their category.
//!
//! Rewrites what it recognises and leaves everything else to the check by shape.

use serde_json::{Map, Value, json};

/// Rewrites the old forms of a document whose top-level names are already the current ones.
pub(crate) fn rewrite(resume: &mut Map<String, Value>) {
    if let Some(Value::Object(basics)) = resume.get_mut("basics") {
        join_name(basics);
        first_of_many(basics, "email", "otherEmails");
        first_of_many(basics, "phone", "otherPhones");
        first_website(basics);
        list_profiles(basics);
    }
    if let Some(skills) = resume.get_mut("skills") {
        list_skills(skills);
    }
}

/// `firstName` and `lastName` become `name`.
fn join_name(basics: &mut Map<String, Value>) {
    if !is_blank(basics.get("name")) {
        return;
    }
    let parts: Vec<&str> = ["firstName", "lastName"]
        .iter()
        .filter_map(|name| basics.get(*name)?.as_str())
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let name = parts.join(" ");
    if !name.is_empty() {
        basics.shift_remove("firstName");
        basics.shift_remove("lastName");
        basics.insert("name".to_owned(), Value::String(name));
    }
}

/// `{"work": "a@…", "personal": "b@…"}` or a list of texts: the first is the field, the others are
/// kept under a name of their own.
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

/// The non-empty texts, if all values are texts or nothing.
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

/// `websites: {"blog": "https://…"}`: the first is the `url`; the object is kept if it says more.
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

/// `skills: {"Languages": ["Rust", "C"]}` becomes a list of skills with keywords.
fn list_skills(skills: &mut Value) {
    let Value::Object(by_category) = skills else {
        return;
    };
    let is_grouped = by_category
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
        *skills = Value::Array(list);
    }
}

/// Whether a value says nothing: absent, `null`, an empty text, list or object.
pub(crate) fn is_blank(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.trim().is_empty(),
        Some(Value::Array(list)) => list.is_empty(),
        Some(Value::Object(object)) => object.is_empty(),
        Some(Value::Bool(_) | Value::Number(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_forms_become_current_ones_and_stay_so() {
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
            (
                json!({"skills": {"Languages": ["Rust"], "Other": null}}),
                json!({"skills": [{"name": "Languages", "keywords": ["Rust"]}, {"name": "Other"}]}),
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
            let mut resume = before.as_object().unwrap().clone();
            rewrite(&mut resume);
            assert_eq!(Value::Object(resume.clone()), after, "{before}");
            rewrite(&mut resume);
            assert_eq!(Value::Object(resume), after, "again: {before}");
        }
    }
}
