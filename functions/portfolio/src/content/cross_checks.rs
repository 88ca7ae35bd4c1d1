//! Checks that need more than one field: project names against each other and against `featured`,
//! personal facts that are served to everyone, the size of the largest answer.

use serde_json::{Map, Value};

use super::close::closest;
use super::finding::{FileReport, Pointer, quoted};
use super::resume::Resume;

/// The most bytes that the largest tool result may take on the wire, below Lambda's 6 MB.
pub(crate) const MAX_RESULT_BYTES: usize = 4_500_000;

/// Words of field names that hold personal facts few want to publish.
const PERSONAL: &[&str] = &[
    "birth",
    "birthday",
    "birthdate",
    "dateofbirth",
    "dob",
    "ssn",
    "socialsecurity",
    "passport",
    "marital",
    "maritalstatus",
    "religion",
];

/// The names of the projects, by their place in the file.
pub(crate) fn project_names(resume: &Map<String, Value>) -> Vec<Option<&str>> {
    let projects = resume.get("projects").and_then(Value::as_array);
    projects
        .into_iter()
        .flatten()
        .map(|project| project.get("name")?.as_str())
        .collect()
}

/// Projects that share a name, or have none.
pub(crate) fn check_projects(resume: &Map<String, Value>, report: &mut FileReport<'_>) {
    let names = project_names(resume);
    let is_blank = |index: usize| {
        let project = resume
            .get("projects")
            .and_then(|projects| projects.get(index));
        project.and_then(Value::as_object).is_none_or(Map::is_empty)
    };
    for (index, name) in names.iter().enumerate() {
        let at = Pointer::root().join("projects").join(index);
        let Some(name) = name else {
            if !is_blank(index) {
                report.warning(&at, "has no name; it cannot be featured");
            }
            continue;
        };
        let first = names.iter().position(|other| *other == Some(name));
        if let Some(first) = first.filter(|first| *first < index) {
            let rule = format!("is also the name of /projects/{first}: {}", quoted(name));
            report.warning(&at.join("name"), rule);
        }
    }
}

/// Featured projects that are not there, or not told apart.
pub(crate) fn check_featured(
    resume: &Map<String, Value>,
    profile: &Map<String, Value>,
    report: &mut FileReport<'_>,
) {
    let names: Vec<&str> = project_names(resume).into_iter().flatten().collect();
    let featured = profile
        .get("projects")
        .and_then(|projects| projects.get("featured"));
    let featured: Vec<&str> = featured
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (index, name) in featured.iter().enumerate() {
        let at = Pointer::root()
            .join("projects")
            .join("featured")
            .join(index);
        let count = names.iter().filter(|other| *other == name).count();
        if count == 0 {
            let meant = closest(name, names.iter().copied())
                .map(|meant| format!("; did you mean {}?", quoted(meant)))
                .unwrap_or_default();
            report.error(
                &at,
                format!("resume.json has no project {}{meant}", quoted(name)),
            );
        } else if count > 1 {
            let rule = format!(
                "resume.json has {count} projects {}; name one of them differently",
                quoted(name)
            );
            report.error(&at, rule);
        } else if featured.iter().take(index).any(|other| other == name) {
            report.warning(&at, format!("is featured twice: {}", quoted(name)));
        }
    }
}

/// Facts about the person that are served, though few want that.
pub(crate) fn check_personal(resume: &Map<String, Value>, report: &mut FileReport<'_>) {
    let basics = resume.get("basics").and_then(Value::as_object);
    for name in basics.into_iter().flatten().map(|(name, _)| name) {
        let folded: String = name.chars().filter(|c| c.is_alphabetic()).collect();
        let folded = folded.to_lowercase();
        if PERSONAL
            .iter()
            .any(|word| folded == *word || (word.len() > 4 && folded.contains(word)))
        {
            let at = Pointer::root().join("basics").join(name);
            report.warning(&at, "is served to everyone; remove it unless you want that");
        }
    }
}

/// The largest result: the whole résumé, as structured content and again as text.
pub(crate) fn check_size(resume: &Resume, report: &mut FileReport<'_>) {
    let size = serde_json::to_string(resume)
        .and_then(|text| Ok(text.len() + serde_json::to_string(&text)?.len()))
        .unwrap_or(usize::MAX);
    if size > MAX_RESULT_BYTES {
        let rule = format!(
            "is too long: its largest answer takes {size} bytes, at most {MAX_RESULT_BYTES} are \
             possible; embedded images are the usual cause, link to them instead"
        );
        report.error(&Pointer::root(), rule);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::content::finding::Report;

    fn map(value: &Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    fn found(check: impl FnOnce(&mut FileReport<'_>)) -> Vec<String> {
        let mut report = Report::default();
        check(&mut FileReport::json("r", &mut report));
        report.sorted().iter().map(|f| f.to_string()).collect()
    }

    #[test]
    fn projects_that_share_a_name_or_have_none_are_pointed_out() {
        let resume = map(&json!({"projects": [
            {"name": "A"}, {}, {"description": "x"}, {"name": "A"}, {"name": "B"}
        ]}));
        assert_eq!(
            found(|report| check_projects(&resume, report)),
            [
                "warning: r: /projects/2: has no name; it cannot be featured",
                "warning: r: /projects/3/name: is also the name of /projects/0: \"A\"",
            ]
        );
    }

    #[test]
    fn a_featured_project_must_be_one_that_is_there() {
        let resume = map(&json!({"projects": [
            {"name": "Tidewatch"}, {"name": "Twin"}, {"name": "Twin"}
        ]}));
        let featured = ["Tidewatch", "Tidewach", "Zeppelin", "Twin", "Tidewatch"];
        let profile = map(&json!({"projects": {"featured": featured}}));
        assert_eq!(
            found(|report| check_featured(&resume, &profile, report)),
            [
                "error: r: /projects/featured/1: resume.json has no project \"Tidewach\"; did you mean \"Tidewatch\"?",
                "error: r: /projects/featured/2: resume.json has no project \"Zeppelin\"",
                "error: r: /projects/featured/3: resume.json has 2 projects \"Twin\"; name one of them differently",
                "warning: r: /projects/featured/4: is featured twice: \"Tidewatch\"",
            ]
        );
        assert!(
            found(|report| check_featured(&map(&json!({})), &map(&json!({})), report)).is_empty()
        );
    }

    #[test]
    fn personal_facts_are_pointed_out_without_quoting_them() {
        let resume = map(&json!({"basics": {"name": "A", "dateOfBirth": "1990", "label": "x"}}));
        assert_eq!(
            found(|report| check_personal(&resume, report)),
            [
                "warning: r: /basics/dateOfBirth: is served to everyone; remove it unless you want that"
            ]
        );
    }

    #[test]
    fn a_document_that_no_answer_can_hold_is_an_error() {
        let with = |length: usize| {
            let summary = Some("x".repeat(length));
            let basics = super::super::resume::Basics {
                summary,
                ..Default::default()
            };
            Resume {
                basics: Some(basics),
                ..Default::default()
            }
        };
        let fits = with(MAX_RESULT_BYTES / 2 - 100);
        assert!(found(|report| check_size(&fits, report)).is_empty());
        let report = found(|report| check_size(&with(MAX_RESULT_BYTES / 2), report));
        assert!(
            report.len() == 1 && report[0].contains("too long"),
            "{report:?}"
        );
    }
}
