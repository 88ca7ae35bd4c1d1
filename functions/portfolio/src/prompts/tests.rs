//! Tests over all prompts: they carry the résumé, say what was filled in, and nothing more.

use serde_json::{Value, json};

use super::assess_fit::AssessFit;
use super::prepare_interview::PrepareInterview;
use super::write_introduction::WriteIntroduction;
use super::*;
use crate::content::content_of;
use crate::content::{self, Sources};

fn filled_in<T: serde::de::DeserializeOwned>(arguments: &Value) -> T {
    serde_json::from_value(arguments.clone()).unwrap()
}

/// The task of each prompt, with every argument or with those alone that have to be there.
fn tasks(portfolio: &Portfolio, is_full: bool) -> [String; 3] {
    let [fit, interview, introduction] = if is_full {
        [
            json!({"role": "Build\n- a ferry", "company": " Gannet\n Ltd "}),
            json!({"role": "Engineer", "focus": "Rust"}),
            json!({"occasion": "A ferry", "sender": "B", "company": "Gannet"}),
        ]
    } else {
        [
            json!({"role": "R", "company": "  "}),
            json!({"role": "R", "focus": ""}),
            json!({"occasion": "O"}),
        ]
    };
    [
        assess_fit::task(portfolio, &filled_in::<AssessFit>(&fit)),
        prepare_interview::task(portfolio, &filled_in::<PrepareInterview>(&interview)),
        write_introduction::task(portfolio, &filled_in::<WriteIntroduction>(&introduction)),
    ]
}

/// Every text of every prompt.
pub(crate) fn each(portfolio: &Portfolio) -> Vec<(String, String)> {
    let name = |about: About| format!("prompt {}", about.name);
    let all = PROMPTS.into_iter().zip(tasks(portfolio, true));
    all.flat_map(|(about, task)| {
        let messages = messages(portfolio, task.clone());
        let [document, said] = messages.as_slice() else {
            panic!("{messages:?}")
        };
        let document = serde_json::to_value(document).unwrap();
        let said = serde_json::to_value(said).unwrap();
        assert_eq!(
            said,
            json!({"role": "user", "content": {"type": "text", "text": task}})
        );
        let embedded = &document["content"]["resource"]["text"];
        [
            (name(about), embedded.as_str().unwrap().to_owned()),
            (name(about), task),
        ]
    })
    .collect()
}

fn example() -> Portfolio {
    let content = content::load(&Sources::built_in())
        .0
        .unwrap()
        .default_content()
        .clone();
    Portfolio::new(&content, None).unwrap()
}

#[test]
fn every_prompt_carries_the_whole_document_before_the_task() {
    let portfolio = example();
    let message = serde_json::to_value(&messages(&portfolio, "t".to_owned())[0]).unwrap();
    assert_eq!(
        message,
        json!({"role": "user", "content": {
            "type": "resource",
            "resource": {
                "uri": "resume://markdown", "mimeType": "text/markdown",
                "text": &*portfolio.documents.markdown.whole,
            },
            "annotations": {"audience": ["assistant"], "priority": 1.0},
        }})
    );
}

#[test]
fn what_is_filled_in_is_quoted_and_what_is_blank_leaves_no_gap() {
    let portfolio = example();
    let [fit, interview, introduction] = tasks(&portfolio, true);
    assert!(
        fit.contains("this role at Gannet Ltd:\n\n> Build\n> - a ferry\n\n1. "),
        "{fit}"
    );
    assert!(
        interview.contains("> Engineer\n\nFocus on: Rust. "),
        "{interview}"
    );
    assert!(
        introduction
            .contains("to Ottoline Quillfeather from B, for Gannet, about this:\n\n> A ferry\n\n"),
        "{introduction}"
    );
    let [fit, interview, introduction] = tasks(&portfolio, false);
    assert!(fit.contains("fits this role:\n\n> R\n\n1. "), "{fit}");
    assert!(
        interview.contains("for this role:\n\n> R\n\n1. "),
        "{interview}"
    );
    assert!(
        introduction.contains("to Ottoline Quillfeather, about this:\n\n> O\n\n1. "),
        "{introduction}"
    );
    for task in tasks(&portfolio, true)
        .into_iter()
        .chain(tasks(&portfolio, false))
    {
        assert!(!task.contains("  ") && !task.contains("\n\n\n"), "{task}");
    }
}

#[test]
fn every_task_tells_to_stay_with_what_is_written() {
    for task in tasks(&example(), true) {
        for rule in [
            "own account",
            "invent nothing",
            "do not search for it",
            "Do not follow",
        ] {
            assert!(task.contains(rule), "{rule}: {task}");
        }
        assert!(
            task.contains("does not publish a street address, an e-mail address, a phone number")
        );
    }
    let content = content_of(&json!({"basics": {"name": "A"}}), "");
    for task in tasks(&Portfolio::new(&content, None).unwrap(), true) {
        assert!(!task.contains("does not publish"), "{task}");
    }
}

#[test]
fn a_first_message_says_how_it_can_be_sent_or_that_nothing_is_published() {
    let resume = json!({"basics": {"name": "A", "email": "a@example.com"}});
    let rows = [
        ("", "No address is published; say that"),
        (
            "[publish]\nemail = true",
            "It can be sent by: a@example.com.",
        ),
        (
            "[contact]\nurl = \"https://a.example/c\"\npreferred = \"The form\"\nnote = \"Be brief.\"",
            "It can be sent by: https://a.example/c. Preferred: The form. Asked of a message: Be brief.",
        ),
    ];
    for (profile, expected) in rows {
        let portfolio = Portfolio::new(&content_of(&resume, profile), None).unwrap();
        let [_, _, introduction] = tasks(&portfolio, true);
        assert!(introduction.contains(expected), "{introduction}");
    }
}

#[test]
fn completions_are_distinct_and_come_from_the_content() {
    let content = content_of(
        &json!({
            "basics": {"name": "A"}, "skills": [{"name": "S", "keywords": ["Rust", "Go"]}, {"keywords": ["Rust"]}],
            "projects": [{"name": "P"}, {"description": "x"}], "work": [{"name": "W"}, {"name": "P"}]
        }),
        "[capabilities]\nhire_for = [\"x\", \"y\"]\n[availability]\nkinds = [\"y\", \"z\"]",
    );
    let material = Material::new(&content);
    assert_eq!(material.topics, ["S", "Rust", "Go", "P", "W"]);
    assert_eq!(material.occasions, ["x", "y", "z"]);
}
