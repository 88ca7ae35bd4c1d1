//! Tests of normalizing: what a value becomes, and what is reported.

use serde_json::json;

use super::*;
use crate::finding::{FileReport, Report};
use crate::legacy_fields::modernize;
use crate::resume_shape::RESUME;

fn with_policy(value: &Value, policy: Policy) -> (Value, Vec<String>) {
    let mut report = Report::default();
    let mut file = FileReport::json("r", &mut report);
    let mut resume = value.as_object().unwrap().clone();
    modernize(&mut resume, &mut file);
    let allows = |scheme: &str| scheme == "https";
    let mut context = Context::new(&mut file, policy, &allows, true);
    let normalized = object(resume, &RESUME, Place::Root, &mut context);
    let found = report.sorted().iter().map(|f| f.to_string()).collect();
    (Value::Object(normalized), found)
}

fn normalize(value: &Value) -> (Value, Vec<String>) {
    with_policy(value, Policy::Lenient)
}

#[test]
fn what_people_write_becomes_what_the_schema_says() {
    let rows = [
        (
            json!({"bio": {"picture": "https://e.example/p"}}),
            json!({"basics": {"image": "https://e.example/p"}}),
        ),
        (
            json!({"hobbies": ["Chess", ""]}),
            json!({"interests": [{"name": "Chess"}, {}]}),
        ),
        (
            json!({"work": [{"position": "p", "company": "C", "website": "https://c.example"}]}),
            json!({"work": [{"position": "p", "name": "C", "url": "https://c.example"}]}),
        ),
        (
            json!({"work": [{"name": "", "company": "C"}]}),
            json!({"work": [{"name": "C"}]}),
        ),
        (
            json!({"work": [{"name": "C", "company": "C"}]}),
            json!({"work": [{"name": "C"}]}),
        ),
        (
            json!({"work": [{"startDate": "2020-3", "endDate": "Present", "x": ""}]}),
            json!({"work": [{"startDate": "2020-03", "x": ""}]}),
        ),
        (
            json!({"education": [{"institution": "I", "gpa": " 3.9 "}]}),
            json!({"education": [{"institution": "I", "score": "3.9"}]}),
        ),
        (
            json!({"languages": [{"name": "Welsh"}]}),
            json!({"languages": [{"language": "Welsh"}]}),
        ),
        (json!({"work": null, "skills": ""}), json!({})),
        (
            json!({"skills": [{"keywords": ["a", null, " "]}]}),
            json!({"skills": [{"keywords": ["a"]}]}),
        ),
        (json!({"x": {"y": [null]}}), json!({"x": {"y": [null]}})),
    ];
    for (before, after) in rows {
        let (normalized, found) = normalize(&before);
        assert_eq!(normalized, after, "{before}");
        let errors: Vec<_> = found.iter().filter(|f| f.starts_with("error")).collect();
        assert!(errors.is_empty(), "{before}: {errors:?}");
        assert_eq!(normalize(&normalized).0, normalized, "again: {before}");
    }
}

fn assert_taken(document: &Value, normalized: &Value, message: &str) {
    let (found, findings) = normalize(document);
    assert_eq!(found, *normalized, "{document}");
    assert_eq!(findings, [format!("warning: r: {message}")]);
    assert_eq!(normalize(&found), (found, vec![]), "again: {document}");
}

#[test]
fn values_of_another_type_are_taken_with_a_warning() {
    let rows = [
        (
            json!({"education": [{"institution": "I", "score": 3.5}]}),
            json!({"education": [{"institution": "I", "score": "3.5"}]}),
            "/education/0/score: should be a text, not a number; served as a text",
        ),
        (
            json!({"skills": [{"name": "S", "keywords": "Rust"}]}),
            json!({"skills": [{"name": "S", "keywords": ["Rust"]}]}),
            "/skills/0/keywords: should be a list of texts, not one text; served as a list",
        ),
        (
            json!({"skills": [{"name": "S", "keywords": [{"name": "a"}, "b", {"x": "c"}]}]}),
            json!({"skills": [{"name": "S", "keywords": ["a", "b", "c"]}]}),
            "/skills/0/keywords: should be a list of texts; 2 of its items are objects, and the text of each is used",
        ),
        (
            json!({"education": [{"institution": "I", "courses": [{"name": "Logic", "grade": "A"}]}]}),
            json!({"education": [{"institution": "I", "courses": ["Logic"]}]}),
            "/education/0/courses: should be a list of texts; 1 of its items are objects, and the text of each is used; \
             their other members are not served",
        ),
        (
            json!({"basics": {"summary": ["a", "b"]}}),
            json!({"basics": {"summary": "a\nb"}}),
            "/basics/summary: should be one text, not a list; served as lines of one text",
        ),
        (
            json!({"basics": {"label": {"title": "Developer", "since": "2020"}}}),
            json!({"basics": {"label": "Developer"}}),
            "/basics/label: should be a text, not an object; its `title` is used",
        ),
        (
            json!({"work": [{"name": "W", "location": {"city": "C", "countryCode": "ZZ"}}]}),
            json!({"work": [{"name": "W", "location": "C, ZZ"}]}),
            "/work/0/location: should be a text, not an object; city, region and country are used",
        ),
    ];
    for (document, normalized, message) in rows {
        assert_taken(&document, &normalized, message);
    }
}

#[test]
fn lists_and_entries_of_another_type_are_taken_with_a_warning() {
    let rows = [
        (
            json!({"basics": {"location": "1 High St"}}),
            json!({"basics": {"location": {"address": "1 High St"}}}),
            "/basics/location: should be an object with `city`, `region`, `countryCode`, not a text; used as its `address`",
        ),
        (
            json!({"skills": ["Rust", {"name": "C"}, "Go"]}),
            json!({"skills": [{"name": "Rust"}, {"name": "C"}, {"name": "Go"}]}),
            "/skills: should be a list of objects, each a skill; 2 of its items are texts, and each is used as the `name` of one",
        ),
        (
            json!({"references": "Available upon request"}),
            json!({"references": [{"reference": "Available upon request"}]}),
            "/references: should be a list of objects, each a reference; 1 of its items are texts, and each is used as the `reference` of one",
        ),
        (
            json!({"awards": ["A"]}),
            json!({"awards": [{"title": "A"}]}),
            "/awards: should be a list of objects, each an award; 1 of its items are texts, and each is used as the `title` of one",
        ),
        (
            json!({"work": {"name": "W"}}),
            json!({"work": [{"name": "W"}]}),
            "/work: should be a list, each item a job, not an object; used as its only item",
        ),
        (
            json!({"work": {"first": {"name": "W"}, "second": {"name": "X"}}}),
            json!({"work": [{"name": "W"}, {"name": "X"}]}),
            "/work: should be a list, each item a job, not an object; its values are used",
        ),
    ];
    for (document, normalized, message) in rows {
        assert_taken(&document, &normalized, message);
    }
}

#[test]
fn awards_certificates_publications_and_projects_can_be_texts() {
    let rows = [
        ("certificates", "name"),
        ("publications", "name"),
        ("projects", "name"),
        ("interests", "name"),
        ("languages", "language"),
        ("volunteer", "summary"),
        ("work", "summary"),
    ];
    for (section, field) in rows {
        let (found, findings) = normalize(&json!({ section: ["A", {field: "B"}] }));
        assert_eq!(found, json!({ section: [{field: "A"}, {field: "B"}] }));
        assert_eq!(findings.len(), 1, "{findings:?}");
    }
}

#[test]
fn what_is_served_as_written_or_left_out_is_reported() {
    let rows = [
        (
            json!({"basics": {"url": "e.example"}}),
            "/basics/url: is not an absolute URL; it must start with `https://`; served as written: \"e.example\"",
        ),
        (
            json!({"basics": {"url": "javascript:alert(1)"}}),
            "/basics/url: is a `javascript:` link, which is not served; left out",
        ),
        (
            json!({"basics": {"email": "me"}}),
            "/basics/email: is not an e-mail address; served as written",
        ),
        (
            json!({"work": [{"name": "A", "company": "B"}]}),
            "/work/0/company: is the old name of `name`, which is present with another value; `name` is used and `company` is not renamed",
        ),
        (
            json!({"work": [{"position": "P"}]}),
            "/work/0: is a job without `name`",
        ),
        (
            json!({"work": [{"name": "W", "higlights": ["x"]}]}),
            "/work/0/higlights: is not a field of JSON Resume; did you mean `highlights`?",
        ),
    ];
    for (document, message) in rows {
        assert_warns(&document, message);
    }
}

#[test]
fn a_text_that_is_no_date_is_reported() {
    let rows = [
        (
            json!({"work": [{"name": "W", "endDate": "Summer 2019"}]}),
            "/work/0/endDate: is not a date of the form YYYY, YYYY-MM or YYYY-MM-DD; served as written: \"Summer 2019\"",
        ),
        (
            json!({"work": [{"name": "W", "startDate": "2024-09-31"}]}),
            "/work/0/startDate: has a day or month that does not exist; served as written: \"2024-09-31\"",
        ),
        (
            json!({"work": [{"name": "W", "endDate": "actualidad"}]}),
            "/work/0/endDate: is not a date; leave it out if this has not ended; served as written: \"actualidad\"",
        ),
        (
            json!({"work": [{"name": "W", "endDate": "至今"}]}),
            "/work/0/endDate: is not a date; leave it out if this has not ended; served as written: \"至今\"",
        ),
        (
            json!({"work": [{"name": "W", "startDate": "actualidad"}]}),
            "/work/0/startDate: is not a date of the form YYYY, YYYY-MM or YYYY-MM-DD; served as written: \"actualidad\"",
        ),
        (
            json!({"work": [{"name": "W", "startDate": "Present"}]}),
            "/work/0/startDate: is \"Present\", not a date; left out",
        ),
        (
            json!({"work": [{"name": "W", "endDate": "Invalid date"}]}),
            "/work/0/endDate: is \"Invalid date\", not a date; left out",
        ),
        (
            json!({"work": [{"name": "W", "endDate": 2019.1}]}),
            "/work/0/endDate: is the number 2019.1; YAML reads `2019.10` as 2019.1, so put dates in quotes; left out",
        ),
        (
            json!({"work": [{"name": "W", "startDate": "2020", "endDate": "2019-1"}]}),
            "/work/0/endDate: 2019-01 is before the startDate 2020",
        ),
    ];
    for (document, message) in rows {
        assert_warns(&document, message);
    }
}

#[track_caller]
fn assert_warns(document: &Value, message: &str) {
    assert_eq!(normalize(document).1, [format!("warning: r: {message}")]);
}

#[test]
fn what_has_no_plain_meaning_is_left_out_or_an_error() {
    let document = json!({
        "basics": [1],
        "work": 2,
        "education": ["x"],
        "skills": [{"name": true, "keywords": 3}],
        "projects": false,
        "awards": [{"title": {"a": 1}, "date": false}],
    });
    let messages = [
        "/basics: must be an object with the person's name, not a list",
        "/work: must be a list, each item a job, not a number",
        "/education/0: must be an education, not a text",
        "/skills/0/name: must be a text, not true or false",
        "/skills/0/keywords: must be a list of texts, not a number",
        "/projects: must be a list, each item a project, not true or false",
        "/awards/0/title: must be a text, not an object",
        "/awards/0/date: must be a text, not true or false",
    ];
    let (rest, lenient) = normalize(&document);
    assert_eq!(
        rest,
        json!({"education": [{}], "skills": [{}], "awards": [{}]})
    );
    let expected = messages.map(|message| format!("warning: r: {message}; left out"));
    assert_eq!(lenient, expected);
    let (_, strict) = with_policy(&document, Policy::Strict);
    assert_eq!(
        strict,
        messages.map(|message| format!("error: r: {message}"))
    );
}

#[test]
fn private_values_are_not_quoted() {
    let (_, found) = normalize(&json!({"basics": {
        "email": "secret-mailbox", "phone": 5_550_100, "location": "7 Secret Street"
    }}));
    assert_eq!(found.len(), 3, "{found:?}");
    for finding in found {
        assert!(
            !finding.to_lowercase().contains("secret") && !finding.contains("5550100"),
            "{finding}"
        );
    }
}

#[test]
fn placeholders_go_away_only_when_pruned() {
    let (normalized, _) = normalize(&json!({
        "work": [{"name": "", "x": null}, {"name": "A"}, null],
        "basics": {"profiles": [{"network": ""}]}
    }));
    let mut normalized = normalized.as_object().unwrap().clone();
    assert_eq!(normalized["work"], json!([{"x": null}, {"name": "A"}, {}]));
    prune(&mut normalized, &RESUME);
    assert_eq!(normalized["work"], json!([{"name": "A"}]));
    assert_eq!(normalized["basics"], json!({"profiles": []}));
}
