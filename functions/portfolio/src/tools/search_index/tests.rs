//! Tests of the ranking.

use serde_json::{Value, json};

use super::*;
use crate::content::localized_of;
use crate::resources::documents_of;

fn index(resume: &Value, profile: &str, public_url: Option<&str>) -> SearchIndex {
    let content = localized_of(resume, profile);
    let documents = documents_of(&content);
    SearchIndex::new(&content, &documents, public_url.map(str::to_owned))
}

fn ids<'i>(index: &'i SearchIndex, query: &str) -> Vec<&'i str> {
    let found = index.search(query).unwrap();
    found.iter().map(|entry| entry.id.as_str()).collect()
}

fn example() -> SearchIndex {
    index(
        &json!({
            "basics": {"name": "Zoë", "summary": "Builds calm systems."},
            "work": [{"name": "Ferries", "summary": "Rust services for ferries"}],
            "skills": [{"name": "C++"}, {"name": "Rust", "keywords": ["async", "設計書"]}],
            "projects": [
                {"name": "Rust Belt", "url": "https://belt.example/"},
                {"name": "Crème", "description": "A rusty dessert"},
            ]
        }),
        "",
        None,
    )
}

#[test]
fn a_title_comes_before_a_text_and_a_word_before_a_longer_one() {
    let index = example();
    let found = ids(&index, "RUST");
    assert_eq!(found.first(), Some(&"project/Rust Belt"));
    assert_eq!(found.last(), Some(&"project/Crème"));
    assert_eq!(found.len(), 5, "{found:?}");
    assert_eq!(ids(&index, "creme")[0], "project/Crème");
    assert_eq!(ids(&index, "c++")[0], "section/skills");
    assert_eq!(ids(&index, "設計"), ["section/skills"]);
}

#[test]
fn a_project_comes_before_the_section_that_contains_it() {
    let found = index(
        &json!({
            "basics": {"name": "A"},
            "projects": [
                {"name": "P", "description": "Measures water levels"},
                {"name": "Q", "description": "Something else entirely"},
            ]
        }),
        "",
        None,
    );
    assert_eq!(ids(&found, "water"), ["project/P", "section/projects"]);
}

#[test]
fn a_rare_word_counts_more_than_a_common_one() {
    // Every document names the person.
    assert_eq!(ids(&example(), "zoe dessert")[0], "project/Crème");
}

#[test]
fn a_query_without_a_known_word_finds_nothing() {
    let index = example();
    for query in ["", " \n", "!?", "cobol", "ru"] {
        assert_eq!(ids(&index, query), Vec::<&str>::new(), "{query}");
    }
}

#[test]
fn a_long_query_is_looked_up_in_part() {
    let index = example();
    let many: String = (0..100_000).map(|n| format!("w{n} ")).collect();
    assert_eq!(ids(&index, &format!("rust {many}")), ids(&index, "rust"));
    assert_eq!(ids(&index, &format!("{many} rust")), Vec::<&str>::new());
}

#[test]
fn a_document_cites_its_own_page_or_that_of_the_person_or_of_the_server() {
    let rows = [
        (json!({"name": "A"}), json!({}), None, ""),
        (
            json!({"name": "A"}),
            json!({}),
            Some("https://mcp.example"),
            "https://mcp.example/mcp/server-card",
        ),
        (
            json!({"name": "A"}),
            json!({"canonical": "https://a.example/resume.json"}),
            Some("https://mcp.example"),
            "https://a.example/resume.json",
        ),
        (
            json!({"name": "A", "url": "https://a.example/"}),
            json!({"canonical": "https://a.example/resume.json"}),
            None,
            "https://a.example/",
        ),
    ];
    for (basics, meta, public_url, expected) in rows {
        let resume = json!({
            "basics": basics, "meta": meta,
            "projects": [{"name": "P", "url": "https://p.example/"}, {"name": "Q", "url": "q"}]
        });
        let index = index(&resume, "", public_url);
        let url = |id| index.get(id).unwrap().unwrap().url.as_str();
        assert_eq!(url("section/projects"), expected);
        assert_eq!(url("project/Q"), expected);
        assert_eq!(url("project/P"), "https://p.example/");
    }
}

#[test]
fn documents_are_found_in_every_language() {
    let resume = json!({
        "basics": {"name": "A", "label": {"en": "Developer", "de": "Entwicklerin"}}
    });
    let index = index(&resume, "", None);
    assert_eq!(ids(&index, "developer"), ["section/basics"]);
    assert_eq!(ids(&index, "entwicklerin"), ["de/section/basics"]);
    let entry = index.get("de/section/basics").unwrap().unwrap();
    assert_eq!(entry.language.as_deref(), Some("de"));
}
