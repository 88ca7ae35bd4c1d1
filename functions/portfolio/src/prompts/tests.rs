//! Tests over all prompts: they include the résumé, quote the arguments, and state the rules.

use lambda_mcp::Server;
use lambda_mcp::server::ServerBuilder;
use serde_json::{Value, json};

use super::*;
use std::sync::Arc;

use crate::content::{self, Localized, localized_of};
use crate::resources::documents_of;
use crate::test_client::TestClient;

struct Given {
    document: Value,
    task: String,
}

fn editions(content: &Arc<Localized>) -> Editions {
    Editions::new(content, &documents_of(content))
}

fn client(content: &Arc<Localized>) -> TestClient {
    let prompts = prompts(&editions(content));
    let server = Server::builder("test", "1");
    let server = prompts.into_iter().fold(server, ServerBuilder::prompt);
    TestClient::new(server.build().unwrap())
}

fn give(client: &TestClient, name: &str, arguments: &Value) -> Given {
    let params = json!({"name": name, "arguments": arguments});
    let result = client.ask("prompts/get", &params);
    let [document, task] = result["messages"].as_array().unwrap().as_slice() else {
        panic!("{result}")
    };
    assert_eq!(
        (&task["role"], &task["content"]["type"]),
        (&json!("user"), &json!("text"))
    );
    Given {
        document: document.clone(),
        task: task["content"]["text"].as_str().unwrap().to_owned(),
    }
}

/// The task of each prompt, with all arguments or with only the required ones.
fn tasks(content: &Arc<Localized>, is_full: bool) -> [String; 3] {
    let arguments = if is_full {
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
    let client = client(content);
    let [fit, interview, introduction] = PROMPTS.map(|about| about.name);
    let [a, b, c] = arguments;
    [(fit, a), (interview, b), (introduction, c)]
        .map(|(name, arguments)| give(&client, name, &arguments).task)
}

fn example() -> Arc<Localized> {
    content::load(&crate::built_in::sources()).0.unwrap().into()
}

#[test]
fn every_prompt_includes_the_whole_resume_before_the_task() {
    let content = example();
    let editions = editions(&content);
    let document = &editions.get(None).unwrap().document;
    let client = client(&content);
    let arguments = [
        json!({"role": "r"}),
        json!({"role": "r"}),
        json!({"occasion": "o"}),
    ];
    for (about, arguments) in PROMPTS.iter().zip(&arguments) {
        assert_eq!(
            give(&client, about.name, arguments).document,
            json!({"role": "user", "content": {
                "type": "text", "text": &**document,
                "annotations": {"audience": ["assistant"], "priority": 1.0},
            }})
        );
    }
}

#[test]
fn arguments_are_quoted_and_blank_ones_leave_no_gap() {
    let content = example();
    let [fit, interview, introduction] = tasks(&content, true);
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
    let [fit, interview, introduction] = tasks(&content, false);
    assert!(fit.contains("fits this role:\n\n> R\n\n1. "), "{fit}");
    assert!(
        interview.contains("for this role:\n\n> R\n\n1. "),
        "{interview}"
    );
    assert!(
        introduction.contains("to Ottoline Quillfeather, about this:\n\n> O\n\n1. "),
        "{introduction}"
    );
    for task in tasks(&content, true)
        .into_iter()
        .chain(tasks(&content, false))
    {
        assert!(!task.contains("  ") && !task.contains("\n\n\n"), "{task}");
    }
}

#[test]
fn every_task_keeps_to_what_the_resume_states() {
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
    let content = localized_of(&json!({"basics": {"name": "A"}}), "");
    for task in tasks(&content, true) {
        assert!(!task.contains("does not publish"), "{task}");
    }
}

#[test]
fn an_introduction_states_how_to_send_it_or_that_no_contact_details_are_published() {
    let resume = json!({"basics": {"name": "A", "email": "a@example.com"}});
    let rows = [
        ("", "No contact details are published: say that"),
        (
            "[publish]\nemail = true",
            "The message can be sent to: a@example.com.",
        ),
        (
            "[contact]\nurl = \"https://a.example/c\"\npreferred = \"The form\"\nnote = \"Be brief.\"",
            "The message can be sent to: https://a.example/c. Preferred way: The form. What a \
             message should contain: Be brief.",
        ),
    ];
    for (profile, expected) in rows {
        let [_, _, introduction] = tasks(&localized_of(&resume, profile), true);
        assert!(introduction.contains(expected), "{introduction}");
    }
}

#[test]
fn completions_are_distinct_and_come_from_the_content() {
    let content = localized_of(
        &json!({
            "basics": {"name": "A"}, "skills": [{"name": "S", "keywords": ["Rust", "Go"]}, {"keywords": ["Rust"]}],
            "projects": [{"name": "P"}, {"description": "x"}], "work": [{"name": "W"}, {"name": "P"}]
        }),
        "[capabilities]\nhire_for = [\"x\", \"y\"]\n[availability]\nkinds = [\"y\", \"z\"]",
    );
    let editions = editions(&content);
    let data = editions.get(None).unwrap();
    assert_eq!(data.topics, ["S", "Rust", "Go", "P", "W"]);
    assert_eq!(data.occasions, ["x", "y", "z"]);
}

#[test]
fn a_prompt_is_given_in_the_language_that_is_asked_for() {
    let label = json!({"en": "Developer", "de": "Entwicklerin"});
    let content = localized_of(&json!({"basics": {"name": "A", "label": label}}), "");
    let client = client(&content);
    for listed in client.list("prompts/list", "prompts") {
        let arguments = listed["arguments"].as_array().unwrap();
        let language = arguments.last().unwrap();
        assert_eq!(language["name"], "language");
        assert_eq!(language["required"], false, "{language}");
        let name = listed["name"].as_str().unwrap();
        let required = arguments[0]["name"].as_str().unwrap();
        for (language, word) in [
            (json!("de-CH"), "Entwicklerin"),
            (json!("fr"), "Developer"),
            (Value::Null, "Developer"),
        ] {
            let arguments = json!({required: "r", "language": language});
            let document = give(&client, name, &arguments).document.to_string();
            assert!(document.contains(word), "{name} {language}: {document}");
        }
        let reference = json!({"type": "ref/prompt", "name": name});
        let typed = json!({"name": "language", "value": "d"});
        let params = json!({"ref": reference, "argument": typed});
        let completed = client.ask("completion/complete", &params);
        assert_eq!(completed["completion"]["values"], json!(["de"]));
    }
    let single = localized_of(&json!({"basics": {"name": "A"}}), "language = \"en\"");
    for listed in self::client(&single).list("prompts/list", "prompts") {
        assert!(!listed.to_string().contains("language"), "{listed}");
    }
}
