//! Tests of whole pages: rich documents, nearly empty ones, and texts that would break a page.

use pulldown_cmark::{Event, Parser};
use serde_json::{Value, json};

use super::*;
use crate::content::{self, content_of};

fn whole(resume: &Value, profile: &str) -> String {
    let content = content_of(resume, profile);
    document(&content, &content.listed_projects())
}

fn page(which: Part, resume: &Value, profile: &str) -> Option<String> {
    let content = content_of(resume, profile);
    part(which, &content, &content.listed_projects())
}

#[test]
fn the_shipped_content_reads_well() {
    let content = content::load(&crate::built_in::sources())
        .0
        .unwrap()
        .default_content()
        .clone();
    let projects = content.listed_projects();
    insta::assert_snapshot!(document(&content, &projects));
}

#[test]
fn every_name_of_a_section_is_the_schema_s_or_the_profile_s() {
    let known: Vec<_> = content::sections().collect();
    for part in Part::ALL {
        let is_profile = matches!(
            part,
            Part::Capabilities | Part::Availability | Part::Contact
        );
        assert_eq!(known.contains(&part.name()), !is_profile, "{part:?}");
    }
    let missing = known
        .iter()
        .filter(|name| Part::ALL.iter().all(|part| part.name() != **name));
    assert_eq!(missing.collect::<Vec<_>>(), [&"$schema", &"meta"]);
}

/// A résumé with these entries in each list.
fn with_entries(entries: &Value) -> Value {
    let mut resume = json!({"basics": {"name": "A"}});
    for name in content::sections().filter(|name| !["basics", "meta", "$schema"].contains(name)) {
        resume[name] = entries.clone();
    }
    resume
}

#[test]
fn a_part_is_written_if_it_has_text() {
    let shipped = content::load(&crate::built_in::sources()).0.unwrap();
    let mut contents = vec![shipped.default_content().clone()];
    let profile = "[capabilities]\nhire_for = [\"h\"]\n[availability]\nnotice = \"n\"";
    for (entries, profile) in [
        (json!([]), ""),
        (json!([{}]), ""),
        (json!([{"x": ""}]), profile),
        (json!([{"name": " "}, {"keywords": []}]), ""),
        (json!([{"name": "n"}]), profile),
        (
            json!([{"language": "l"}]),
            "[contact]\nurl = \"https://example.com\"",
        ),
    ] {
        contents.push(content_of(&with_entries(&entries), profile));
    }
    let mut written = 0;
    for content in &contents {
        for which in Part::ALL {
            let text = part(which, content, &content.listed_projects());
            assert_eq!(which.is_written(content), text.is_some(), "{which:?}");
            written += usize::from(text.is_some());
        }
    }
    assert!((30..75).contains(&written), "{written}");
}

#[test]
fn a_nearly_empty_document_has_no_empty_parts() {
    let rows = [
        (json!({"basics": {"name": "A"}}), "", "# A\n"),
        (
            json!({"basics": {"name": "A", "location": {"city": "C"}}, "work": [], "skills": [{}]}),
            "[availability]\nkinds = []",
            "# A\n\nC\n",
        ),
        (
            json!({"basics": {"name": "A"}, "work": [{}, {"name": "W"}], "projects": [{"url": "https://p.example"}]}),
            "",
            "# A\n\n## Work\n\n### W\n\n## Projects\n\n### A project\n\n<https://p.example>\n",
        ),
        (
            json!({"basics": {"name": "A", "phone": "+1 202-555-0142"}}),
            "",
            "# A\n\n## Contact\n\n- **Not published:** phone number\n",
        ),
    ];
    for (resume, profile, expected) in rows {
        assert_eq!(whole(&resume, profile), expected, "{resume}");
    }
}

/// A résumé with a little of most things.
fn varied() -> (Value, &'static str) {
    let resume = json!({
        "basics": {"name": "A", "label": "L", "profiles": [{"network": "N", "username": "_u_"}]},
        "volunteer": [{"organization": "O", "startDate": "2019-01", "highlights": ["h"]}],
        "education": [{"institution": "U", "area": "M", "studyType": "BSc", "score": "1.3", "courses": ["c", "d"]}],
        "awards": [{"title": "T", "date": "2020", "awarder": "G", "summary": "s"}],
        "certificates": [{"name": "C", "issuer": "I"}],
        "publications": [{"name": "P", "publisher": "J", "url": "https://p.example", "summary": "s"}],
        "skills": [{"name": "S", "level": "Expert", "keywords": ["k"]}, {"keywords": ["x", "y"], "years": 3}, {"name": "T"}],
        "languages": [{"language": "E", "fluency": "F"}],
        "references": [{"name": "R", "reference": "Good.\nVery."}]
    });
    let profile = "[capabilities]\nsummary = \"s\"\nnot_for = [\"n\"]\n[availability]\nstatus = \"limited\"\n\
        hours_per_week = 5\ntravel = \"t\"\n[contact]\nurl = \"https://c.example\"";
    (resume, profile)
}

#[test]
fn each_part_is_a_page_of_its_own_or_not_there() {
    let (resume, profile) = varied();
    let rows = [
        (Part::Basics, Some("# A\n\n**L**\n\n- N: \\_u\\_\n")),
        (
            Part::Capabilities,
            Some("# What to hire for – A\n\ns\n\nDoes not take on:\n\n- n\n"),
        ),
        (
            Part::Availability,
            Some(
                "# Availability – A\n\n- **Status:** limited: some work fits in\n- **Hours a week:** 5\n- **Travel:** t\n",
            ),
        ),
        (
            Part::Volunteer,
            Some("# Volunteering – A\n\n## O\n\nsince 2019-01\n\n- h\n"),
        ),
        (
            Part::Education,
            Some("# Education – A\n\n## BSc, M, U\n\n- **Grade:** 1.3\n- **Courses:** c, d\n"),
        ),
        (
            Part::Awards,
            Some("# Awards – A\n\n## T\n\n2020 · G\n\ns\n"),
        ),
        (
            Part::Certificates,
            Some("# Certificates – A\n\n## C\n\nI\n"),
        ),
        (
            Part::Publications,
            Some("# Publications – A\n\n## P\n\nJ · <https://p.example>\n\ns\n"),
        ),
        (
            Part::Skills,
            Some("# Skills – A\n\n- **S** (Expert): k\n- x, y; Years: 3\n- **T**\n"),
        ),
        (Part::Languages, Some("# Languages – A\n\n- **E** (F)\n")),
        (
            Part::References,
            Some("# References – A\n\n## R\n\nGood.\nVery.\n"),
        ),
        (
            Part::Contact,
            Some("# Contact – A\n\n- **Page:** <https://c.example>\n"),
        ),
        (Part::Work, None),
        (Part::Projects, None),
        (Part::Interests, None),
    ];
    assert_eq!(rows.len(), Part::ALL.len());
    for (which, expected) in rows {
        assert_eq!(
            page(which, &resume, profile).as_deref(),
            expected,
            "{which:?}"
        );
    }
}

#[test]
fn a_project_alone_says_whose_it_is() {
    let content = content_of(
        &json!({"basics": {"name": "A"}, "projects": [{"name": "P [x]", "roles": ["Author"], "keywords": ["Rust", "C#"],
            "startDate": "2020", "entity": "E", "description": "d", "highlights": ["h"], "stars": 5}]}),
        "[projects]\nfeatured = [\"P [x]\"]",
    );
    let listed = &content.listed_projects()[0];
    assert_eq!(
        project(&content, listed),
        "# P \\[x\\]\n\nA project of A\n\nfeatured · since 2020\n\nd\n\n- h\n\n* **Roles:** Author\n\
         * **For:** E\n* **Technologies and topics:** Rust, C#\n* **Stars:** 5\n"
    );
}

/// What a reader makes of a page, without its texts.
fn structure(page: &str) -> Vec<String> {
    let read = Parser::new_ext(page, text::tests::reader())
        .filter(|event| !matches!(event, Event::Text(_)));
    read.map(|event| format!("{event:?}")).collect()
}

/// Texts that begin or look like markup.
const MARKUP: [&str; 20] = [
    "# heading",
    "- item",
    "1. item",
    "> quote",
    "---",
    "===",
    "```",
    "~~~",
    "<!-- hide",
    "<script>x",
    "| a | b |",
    "[a]: https://b.example",
    "*",
    "**b",
    "_",
    "+ x",
    "\\",
    "a\\",
    "&#35; x",
    "![i](j)",
];

/// A page with a short text in every field for names and `prose` in every field to read.
fn page_of(short: &str, prose: &str) -> String {
    let resume = json!({
        "basics": {"name": short, "label": short, "summary": prose, "location": {"city": short},
            "profiles": [{"network": short, "username": short}]},
        "work": [{"name": short, "position": short, "summary": prose, "description": short,
            "location": short, "highlights": [prose, prose], "x": [short]}],
        "projects": [{"name": short, "description": prose, "highlights": [prose], "keywords": [short]}],
        "education": [{"institution": short, "score": short, "courses": [short]}],
        "skills": [{"name": short, "level": short, "keywords": [short]}],
        "references": [{"name": short, "reference": prose}],
        "x": {"y": short}
    });
    let (short, prose) = (Value::from(short), Value::from(prose));
    let profile = format!(
        "[publish]\nalso = [\"x\"]\n[capabilities]\nsummary = {prose}\nhire_for = [{prose}]\n\
         [availability]\nnote = {short}\n[contact]\nnote = {short}"
    );
    whole(&resume, &profile)
}

#[test]
fn no_short_text_changes_the_structure_of_the_page() {
    let plain = page_of("plain", "plain");
    for text in MARKUP {
        let page = page_of(text, "plain");
        assert_eq!(structure(&page), structure(&plain), "{text}: {page}");
    }
}

#[test]
fn no_text_to_read_changes_what_is_around_it() {
    let is_outline = |event: &String| event.contains("Heading") || event.contains("Html");
    let outline =
        |page: &str| -> Vec<String> { structure(page).into_iter().filter(is_outline).collect() };
    let plain = outline(&page_of("plain", "plain"));
    for text in MARKUP {
        let page = page_of("plain", text);
        // Text that is no text, such as a script, is left out, and an empty section with it.
        if text != "<script>x" {
            assert_eq!(outline(&page), plain, "{text}: {page}");
        }
    }
}
