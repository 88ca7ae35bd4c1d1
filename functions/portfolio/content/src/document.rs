//! Reads `resume.json`, and names a file that is something else.

use serde_json::{Map, Value};

use super::blank::is_blank;
use super::finding::FileReport;
use super::json;
use super::place::Place;
use super::resume_shape::RESUME;
use super::shape::Kind;
use super::suggestion::closest;

/// Reads a file. Returns `None` and reports the reason if it is not a JSON Resume.
pub(crate) fn read(bytes: &[u8], report: &mut FileReport<'_>) -> Option<Map<String, Value>> {
    let text = json::decode(bytes, report)?;
    let resume = match json::parse(text, report)? {
        Value::Object(resume) => resume,
        other @ (Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)) => {
            let found = if other.is_array() {
                "a list"
            } else {
                "a single value"
            };
            let message =
                format!("is JSON, but not a JSON Resume: it must be an object, not {found}");
            report.error(Place::Root, message);
            return None;
        }
    };
    if let Some(message) = other_format(&resume) {
        report.error(Place::Root, message);
        return None;
    }
    Some(resume)
}

/// Names the format of a document that is not a JSON Resume.
fn other_format(resume: &Map<String, Value>) -> Option<String> {
    let has = |name: &str| resume.contains_key(name);
    let is_object = |name: &str| resume.get(name).is_some_and(Value::is_object);
    if is_object("sections") && (has("basics") || has("metadata")) {
        let message = "is an export of Reactive Resume, not a JSON Resume; move its `sections` to \
            the names of https://docs.jsonresume.org/schema, or convert it with a tool that writes \
            JSON Resume";
        return Some(message.to_owned());
    }
    let has_basics = resume.keys().any(|name| is_field(name, "basics"));
    if has_basics || sections(resume) >= 2 || has_resumes(resume) {
        return None;
    }
    let guess = if has("require") && has("autoload") {
        "it looks like a composer.json".to_owned()
    } else if has("scripts") || has("dependencies") || has("devDependencies") {
        "it looks like a package.json of npm".to_owned()
    } else if has("properties") || has("definitions") || has("$defs") {
        "it looks like a JSON Schema".to_owned()
    } else if has("responsibilities") || has("qualifications") {
        "it looks like a job description".to_owned()
    } else if let Some(found) = closest("basics", resume.keys().map(String::as_str)) {
        format!("did you mean `basics` instead of `{found}`?")
    } else {
        "see https://docs.jsonresume.org/schema for the format".to_owned()
    };
    Some(format!(
        "is JSON, but not a JSON Resume: it has no `basics`; {guess}"
    ))
}

fn is_field(name: &str, field: &str) -> bool {
    RESUME
        .field_by_any_name(name)
        .is_some_and(|known| known.name == field)
}

fn sections(resume: &Map<String, Value>) -> usize {
    let is_section = |name: &&String| {
        let field = RESUME.field_by_any_name(name);
        field.is_some_and(|field| matches!(field.kind, Kind::List(_)))
    };
    resume.keys().filter(is_section).count()
}

/// Whether the members are résumés by language.
fn has_resumes(resume: &Map<String, Value>) -> bool {
    let mut members = resume.values().filter_map(Value::as_object);
    members.any(|member| member.keys().any(|name| is_field(name, "basics")))
}

/// Reports a résumé without the person's name: nobody would be represented.
pub(crate) fn check_name(resume: &Map<String, Value>, report: &mut FileReport<'_>) {
    let at = Place::Root.member("basics");
    match resume.get("basics") {
        Some(Value::Object(basics)) if is_blank(basics.get("name")) => {
            let message = "is missing; the person's name is required";
            report.error(at.member("name"), message);
        }
        Some(Value::Object(_)) => {}
        _ => {
            let message = "is missing; it holds the person's name, which is required";
            report.error(at, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::finding::Report;

    fn findings(text: &str) -> Vec<String> {
        let mut report = Report::default();
        read(text.as_bytes(), &mut FileReport::json("r", &mut report));
        report.sorted().iter().map(|f| f.to_string()).collect()
    }

    #[test]
    fn a_file_in_another_format_is_named() {
        let not = "error: r: is JSON, but not a JSON Resume:";
        let rows = [
            (r#"[{"name": "A"}]"#, "it must be an object, not a list"),
            (r#""basics""#, "it must be an object, not a single value"),
            (
                r#"{"name": "x", "scripts": {}}"#,
                "it has no `basics`; it looks like a package.json of npm",
            ),
            (
                r#"{"require": {}, "autoload": {}}"#,
                "it has no `basics`; it looks like a composer.json",
            ),
            (
                r#"{"$schema": "x", "properties": {}}"#,
                "it has no `basics`; it looks like a JSON Schema",
            ),
            (
                r#"{"skills": [], "qualifications": []}"#,
                "it has no `basics`; it looks like a job description",
            ),
            (
                r#"{"basic": {"name": "A"}}"#,
                "it has no `basics`; did you mean `basics` instead of `basic`?",
            ),
            (
                r#"{"educationList": [], "skill": []}"#,
                "it has no `basics`; see https://docs.jsonresume.org/schema for the format",
            ),
            (
                "{}",
                "it has no `basics`; see https://docs.jsonresume.org/schema for the format",
            ),
        ];
        for (text, words) in rows {
            assert_eq!(findings(text), [format!("{not} {words}")], "{text}");
        }
    }

    #[test]
    fn an_export_of_reactive_resume_is_named() {
        let text =
            r#"{"basics": {"name": "A"}, "sections": {"work": {"items": []}}, "metadata": {}}"#;
        let found = findings(text);
        assert!(
            found.len() == 1 && found[0].contains("is an export of Reactive Resume"),
            "{found:?}"
        );
    }

    #[test]
    fn a_resume_is_recognized_by_its_basics_or_two_sections() {
        for text in [
            r#"{"basics": {}}"#,
            r#"{"bio": {}}"#,
            r#"{"work": [], "hobbies": []}"#,
            r#"{"en": {"basics": {}}, "fr": {"basics": {}}}"#,
        ] {
            assert_eq!(findings(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_resume_needs_the_name_of_its_person() {
        let name = "error: r: /basics/name: is missing; the person's name is required";
        let basics = "error: r: /basics: is missing; it holds the person's name, which is required";
        let rows = [
            (json!({"basics": {"label": "x"}}), Some(name)),
            (json!({"basics": {}}), Some(name)),
            (json!({"basics": null}), Some(basics)),
            (json!({"work": []}), Some(basics)),
            (json!({"basics": {"name": "A"}}), None),
        ];
        for (resume, missing) in rows {
            let mut report = Report::default();
            check_name(
                resume.as_object().unwrap(),
                &mut FileReport::json("r", &mut report),
            );
            let found: Vec<String> = report.sorted().iter().map(|f| f.to_string()).collect();
            assert_eq!(found, Vec::from_iter(missing), "{resume}");
        }
    }
}
