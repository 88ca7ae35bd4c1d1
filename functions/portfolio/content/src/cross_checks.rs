//! Checks across members and files: of project names, against each other and against `featured` in
//! `profile.toml`, and of the page that search results cite.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::finding::{FileReport, quoted};
use super::links::is_web_uri;
use super::place::Place;
use super::suggestion::closest;

/// Returns the names of the projects, by their position in the file.
fn project_names(resume: &Map<String, Value>) -> Vec<Option<&str>> {
    let projects = resume.get("projects").and_then(Value::as_array);
    projects
        .into_iter()
        .flatten()
        .map(|project| project.get("name")?.as_str())
        .collect()
}

/// Returns the featured names, in order.
fn featured(profile: &Map<String, Value>) -> Vec<&str> {
    let featured = profile
        .get("projects")
        .and_then(|projects| projects.get("featured"));
    let names = featured.and_then(Value::as_array).into_iter().flatten();
    names.filter_map(Value::as_str).collect()
}

/// Reports projects that have the same name.
pub(crate) fn check_projects(resume: &Map<String, Value>, report: &mut FileReport<'_>) {
    let mut positions: HashMap<&str, usize> = HashMap::new();
    for (index, name) in project_names(resume).into_iter().enumerate() {
        let Some(name) = name else { continue };
        let first = *positions.entry(name).or_insert(index);
        if first < index {
            let message = format!("is also the name of /projects/{first}: {}", quoted(name));
            let projects = Place::Root.member("projects");
            report.warning(projects.item(index).member("name"), message);
        }
    }
}

/// Warns if the results of `search` would cite no page.
pub(crate) fn check_search(
    resume: &Map<String, Value>,
    profile: &Map<String, Value>,
    report: &mut FileReport<'_>,
) {
    let search = profile.get("server").and_then(|table| table.get("search"));
    let is_page = |object: &str, member: &str| {
        let url = resume.get(object).and_then(|object| object.get(member));
        url.and_then(Value::as_str).is_some_and(is_web_uri)
    };
    let has_page = is_page("basics", "url") || is_page("meta", "canonical");
    if search == Some(&Value::Bool(true)) && !has_page {
        let message = "resume.json has no `basics.url`, which the results of the tool `search` would \
            cite; ChatGPT cites no result without a URL";
        report.warning(Place::Root.member("server").member("search"), message);
    }
}

/// Reports featured projects that do not exist, or whose name is not unique.
pub(crate) fn check_featured(
    resume: &Map<String, Value>,
    profile: &Map<String, Value>,
    report: &mut FileReport<'_>,
) {
    let names: Vec<&str> = project_names(resume).into_iter().flatten().collect();
    let featured = featured(profile);
    let projects = Place::Root.member("projects");
    let list = projects.member("featured");
    for (index, name) in featured.iter().enumerate() {
        let at = list.item(index);
        let count = names.iter().filter(|other| *other == name).count();
        if count == 0 {
            let meant = closest(name, names.iter().copied())
                .map(|meant| format!("; did you mean {}?", quoted(meant)))
                .unwrap_or_default();
            let message = format!("resume.json has no project {}{meant}", quoted(name));
            report.error(at, message);
        } else if count > 1 {
            let message = format!(
                "resume.json has {count} projects {}; give each a name of its own",
                quoted(name)
            );
            report.error(at, message);
        } else if featured.iter().take(index).any(|other| other == name) {
            report.warning(at, format!("is featured twice: {}", quoted(name)));
        }
    }
}

/// Writes the featured names as a translation has them, which lists the same projects in the same
/// order.
pub(crate) fn translate_featured(
    profile: &mut Map<String, Value>,
    resume: &Map<String, Value>,
    translation: &Map<String, Value>,
) {
    let (names, translated) = (project_names(resume), project_names(translation));
    if names.len() != translated.len() {
        return;
    }
    let in_translation = |name: &str| {
        let at = names.iter().position(|known| *known == Some(name))?;
        let is_known = translated.contains(&Some(name));
        translated.get(at).copied().flatten().filter(|_| !is_known)
    };
    let featured: Vec<Value> = featured(profile)
        .into_iter()
        .map(|name| Value::from(in_translation(name).unwrap_or(name)))
        .collect();
    if let Some(Value::Object(projects)) = profile.get_mut("projects") {
        projects.insert("featured".to_owned(), Value::Array(featured));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::finding::Report;

    fn map(value: &Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    fn found(check: impl FnOnce(&mut FileReport<'_>)) -> Vec<String> {
        let mut report = Report::default();
        check(&mut FileReport::json("r", &mut report));
        report.sorted().iter().map(|f| f.to_string()).collect()
    }

    #[test]
    fn projects_with_the_same_name_are_reported() {
        let resume = map(&json!({"projects": [
            {"name": "A"}, {}, {"description": "x"}, {"name": "A"}, {"name": "B"}
        ]}));
        assert_eq!(
            found(|report| check_projects(&resume, report)),
            ["warning: r: /projects/3/name: is also the name of /projects/0: \"A\"",]
        );
    }

    #[test]
    fn a_search_without_a_page_to_cite_is_warned_about() {
        let on = map(&json!({"server": {"search": true}}));
        let url = "https://a.example/";
        let rows = [
            (&on, json!({"basics": {"name": "A"}}), 1),
            (&on, json!({"basics": {"url": "a.example"}}), 1),
            (&on, json!({"basics": {"url": url}}), 0),
            (&on, json!({"meta": {"canonical": url}}), 0),
            (&map(&json!({})), json!({"basics": {"name": "A"}}), 0),
        ];
        for (profile, resume, warnings) in rows {
            let resume = map(&resume);
            let found = found(|report| check_search(&resume, profile, report));
            assert_eq!(found.len(), warnings, "{resume:?}: {found:?}");
        }
    }

    #[test]
    fn a_featured_project_must_exist_and_be_unique() {
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
                "error: r: /projects/featured/3: resume.json has 2 projects \"Twin\"; give each a name of its own",
                "warning: r: /projects/featured/4: is featured twice: \"Tidewatch\"",
            ]
        );
        assert!(
            found(|report| check_featured(&map(&json!({})), &map(&json!({})), report)).is_empty()
        );
    }

    #[test]
    fn a_translation_features_the_same_projects_by_its_own_names() {
        let resume =
            map(&json!({"projects": [{"name": "One"}, {"name": "Two"}, {"name": "Rust"}]}));
        let french =
            map(&json!({"projects": [{"name": "Un"}, {"name": "Deux"}, {"name": "Rust"}]}));
        let mut profile = map(&json!({"projects": {"featured": ["Two", "Rust", "Zeppelin"]}}));
        translate_featured(&mut profile, &resume, &french);
        assert_eq!(featured(&profile), ["Deux", "Rust", "Zeppelin"]);
        let shorter = map(&json!({"projects": [{"name": "X"}]}));
        translate_featured(&mut profile, &french, &shorter);
        assert_eq!(featured(&profile), ["Deux", "Rust", "Zeppelin"]);
    }
}
