//! Reads `resume.json` to a settled document, and tells a faulty JSON Resume from a file that is
//! something else.

use serde_json::{Map, Value};

use super::close::closest;
use super::finding::{FileReport, Pointer};
use super::json;
use super::legacy_fields::{self, is_blank};
use super::normalize;
use super::shape::{Kind, RESUME};

/// Reads the file's bytes. Gives `None` when they are no JSON Resume at all.
pub(crate) fn read(bytes: &[u8], report: &mut FileReport<'_>) -> Option<Map<String, Value>> {
    let text = json::decode(bytes, report)?;
    let root = Pointer::root();
    let mut resume = match json::parse(text, report)? {
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
            let rule =
                format!("is JSON, but not a JSON Resume: it must be an object; found {found}");
            report.error(&root, rule);
            return None;
        }
    };
    normalize::rename(&mut resume, &RESUME, &root, report);
    if let Some(rule) = stranger(&resume) {
        report.error(&root, rule);
        return None;
    }
    warn_of_likely_slips(&resume, report);
    legacy_fields::rewrite(&mut resume);
    check_whose(&resume, report);
    Some(normalize::object(resume, &RESUME, &root, report))
}

/// Says what the document is instead, when it has no `basics` and hardly a section.
fn stranger(resume: &Map<String, Value>) -> Option<String> {
    if resume.contains_key("basics") || sections(resume).count() >= 2 {
        return None;
    }
    let has = |name: &str| resume.contains_key(name);
    let guess = if has("require") && has("autoload") {
        "it looks like a composer.json".to_owned()
    } else if has("scripts") || has("dependencies") || has("devDependencies") {
        "it looks like a package.json of npm".to_owned()
    } else if has("properties") || has("definitions") || has("$defs") {
        "it looks like a JSON Schema".to_owned()
    } else if has("responsibilities") || has("qualifications") {
        "it looks like a job description".to_owned()
    } else if let Some(found) = closest("basics", resume.keys().map(String::as_str)) {
        format!("did you mean `basics` where it says `{found}`?")
    } else {
        "see https://docs.jsonresume.org/schema for the format".to_owned()
    };
    Some(format!(
        "is JSON, but not a JSON Resume: it has no `basics`; {guess}"
    ))
}

fn sections(resume: &Map<String, Value>) -> impl Iterator<Item = &str> {
    RESUME
        .fields
        .iter()
        .filter(|field| matches!(field.kind, Kind::List(_)))
        .map(|field| field.name)
        .filter(|name| resume.contains_key(*name))
}

/// Unknown top-level names that are nearly a section's, with that section.
fn slips(resume: &Map<String, Value>) -> impl Iterator<Item = (&str, &'static str)> {
    resume
        .keys()
        .filter(|name| RESUME.field(name).is_none())
        .filter_map(|name| {
            let is_disabled = !name.starts_with(|c: char| c.is_alphanumeric() || c == '$');
            let meant = closest(name, RESUME.names()).filter(|_| !is_disabled)?;
            (!resume.contains_key(meant)).then_some((name.as_str(), meant))
        })
}

fn warn_of_likely_slips(resume: &Map<String, Value>, report: &mut FileReport<'_>) {
    for (found, meant) in slips(resume) {
        let rule = format!("is not a section of JSON Resume; did you mean `{meant}`?");
        report.warning(&Pointer::root().join(found), rule);
    }
}

/// The document must say whose it is: without a name the server speaks for nobody. Values of a
/// wrong type have their own error.
fn check_whose(resume: &Map<String, Value>, report: &mut FileReport<'_>) {
    let at = Pointer::root().join("basics");
    match resume.get("basics") {
        Some(Value::Object(basics)) if is_blank(basics.get("name")) => {
            report.error(
                &at.join("name"),
                "is missing; the person's name is required",
            );
        }
        basics if is_blank(basics) => {
            let rule = "is missing; JSON Resume keeps the person's name there, which is required";
            report.error(&at, rule);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::finding::Report;

    fn findings(text: &str) -> Vec<String> {
        let mut report = Report::default();
        read(text.as_bytes(), &mut FileReport::json("r", &mut report));
        report.sorted().iter().map(|f| f.to_string()).collect()
    }

    #[test]
    fn a_stranger_is_told_from_a_faulty_resume() {
        let not = "error: r: is JSON, but not a JSON Resume:";
        let rows = [
            (r#"[{"name": "A"}]"#, "it must be an object; found a list"),
            (r#""basics""#, "it must be an object; found a single value"),
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
                "it has no `basics`; did you mean `basics` where it says `basic`?",
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
    fn a_resume_needs_the_name_of_its_person() {
        let name = "error: r: /basics/name: is missing; the person's name is required";
        let basics = "error: r: /basics: is missing; JSON Resume keeps the person's name there, which is required";
        let rows = [
            (r#"{"basics": {"label": "x"}}"#, name),
            (r#"{"basics": {"name": " "}}"#, name),
            (r#"{"basics": {}}"#, name),
            (r#"{"basics": null}"#, basics),
            (r#"{"work": [], "skills": []}"#, basics),
        ];
        for (text, missing) in rows {
            assert_eq!(findings(text), [missing], "{text}");
        }
        assert!(findings(r#"{"basics": {"name": "A"}}"#).is_empty());
        assert!(findings(r#"{"bio": {"firstName": "A"}}"#).is_empty());
    }

    #[test]
    fn a_misspelt_section_is_pointed_out() {
        let rows = [
            ("educaton", Some("education")),
            ("Work", Some("work")),
            ("-languages", None),
            ("peerFeedback", None),
        ];
        for (name, meant) in rows {
            let text = format!(r#"{{"basics": {{"name": "A"}}, "{name}": []}}"#);
            let expected: Vec<String> = meant
                .map(|meant| {
                    format!("warning: r: /{name}: is not a section of JSON Resume; did you mean `{meant}`?")
                })
                .into_iter()
                .collect();
            assert_eq!(findings(&text), expected);
        }
    }
}
