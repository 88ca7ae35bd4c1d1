//! Tests of settling: what becomes of a value, and what is said about it.

use serde_json::json;

use super::*;
use crate::content::finding::Report;
use crate::content::legacy_fields;
use crate::content::shape::RESUME;

fn normalize(value: &Value) -> (Value, Vec<String>) {
    let mut report = Report::default();
    let mut file = FileReport::json("r", &mut report);
    let mut resume = value.as_object().unwrap().clone();
    rename(&mut resume, &RESUME, &Pointer::root(), &mut file);
    legacy_fields::rewrite(&mut resume);
    let settled = object(resume, &RESUME, &Pointer::root(), &mut file);
    (
        Value::Object(settled),
        report.sorted().iter().map(|f| f.to_string()).collect(),
    )
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
            json!({"education": [{"gpa": " 3.9 "}]}),
            json!({"education": [{"score": "3.9"}]}),
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
        let (settled, found) = normalize(&before);
        assert_eq!(settled, after, "{before}");
        let errors: Vec<_> = found.iter().filter(|f| f.starts_with("error")).collect();
        assert!(errors.is_empty(), "{before}: {errors:?}");
        assert_eq!(normalize(&settled).0, settled, "settled again: {before}");
    }
}

#[test]
fn what_can_be_served_is_warned_about() {
    let rows = [
        (
            json!({"education": [{"score": 3.5}]}),
            "/education/0/score: should be a text, found a number; served as a text",
        ),
        (
            json!({"skills": [{"keywords": "Rust"}]}),
            "/skills/0/keywords: should be a list of texts, found one text; served as a list",
        ),
        (
            json!({"basics": {"summary": ["a", "b"]}}),
            "/basics/summary: should be one text, found a list; served as lines of one text",
        ),
        (
            json!({"basics": {"url": "e.example"}}),
            "/basics/url: is not an absolute URL: it should start with `https://`; served as written: \"e.example\"",
        ),
        (
            json!({"basics": {"email": "me"}}),
            "/basics/email: is not an e-mail address",
        ),
        (
            json!({"basics": {"location": "1 High St"}}),
            "/basics/location: should be an object with `city`, `region`, `countryCode`; the text is taken as its `address`",
        ),
        (
            json!({"skills": ["Rust", {"name": "C"}, "Go"]}),
            "/skills: should be a list of objects, each a skill; 2 texts are taken as the `name` of one",
        ),
        (
            json!({"work": [{"endDate": "Summer 2019"}]}),
            "/work/0/endDate: is not a date of the form YYYY, YYYY-MM or YYYY-MM-DD; served as written: \"Summer 2019\"",
        ),
        (
            json!({"work": [{"startDate": "Present"}]}),
            "/work/0/startDate: is not a date but \"Present\"; left out",
        ),
        (
            json!({"work": [{"startDate": "2020", "endDate": "2019-1"}]}),
            "/work/0/endDate: 2019-01 is before the startDate 2020",
        ),
        (
            json!({"work": [{"name": "A", "company": "B"}]}),
            "/work/0/company: is the older name of `name`, which is there too and says something else; `name` is used, `company` is served as it is",
        ),
    ];
    for (document, rule) in rows {
        assert_eq!(normalize(&document).1, [format!("warning: r: {rule}")]);
    }
}

#[test]
fn wrong_types_are_errors_and_all_are_reported() {
    let (_, found) = normalize(&json!({
        "basics": [],
        "work": {"name": "A"},
        "education": ["x"],
        "skills": [{"name": true, "keywords": 3}],
        "projects": "none",
        "awards": [{"title": {"a": 1}, "date": false}],
    }));
    assert_eq!(
        found,
        [
            "error: r: /basics: must be an object with the person's name; found a list",
            "error: r: /work: must be a list, each item a job; found an object",
            "error: r: /education/0: must be an education; found a text",
            "error: r: /skills/0/name: must be a text; found true or false",
            "error: r: /skills/0/keywords: must be a list of texts; found a number",
            "error: r: /projects: must be a list, each item a project; found a text",
            "error: r: /awards/0/title: must be a text; found an object",
            "error: r: /awards/0/date: must be a text; found true or false",
        ]
    );
}

#[test]
fn private_values_are_not_quoted() {
    let (_, found) = normalize(&json!({"basics": {
        "email": "secret-mailbox", "phone": 5_550_100, "location": "7 Secret Street"
    }}));
    assert_eq!(found.len(), 3);
    for finding in found {
        assert!(
            !finding.to_lowercase().contains("secret") && !finding.contains("5550100"),
            "{finding}"
        );
    }
}

#[test]
fn placeholders_go_away_only_when_pruned() {
    let (settled, _) = normalize(&json!({
        "work": [{"name": "", "x": null}, {"name": "A"}, null],
        "basics": {"profiles": [{"network": ""}]}
    }));
    let mut settled = settled.as_object().unwrap().clone();
    assert_eq!(settled["work"], json!([{"x": null}, {"name": "A"}, {}]));
    prune(&mut settled, &RESUME);
    assert_eq!(settled["work"], json!([{"name": "A"}]));
    assert_eq!(settled["basics"], json!({"profiles": []}));
}
