//! What the page suggests to ask: questions for an agent, and calls that the page makes itself.

use crate::offers::Offers;

/// A question, and the tool or prompt that answers it.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) text: String,
    pub(super) answered_by: &'static str,
}

/// A call that the page can make.
#[derive(Debug)]
pub(super) struct Example {
    pub(super) text: &'static str,
    pub(super) tool: &'static str,
    /// The arguments as JSON.
    pub(super) arguments: &'static str,
}

/// Returns the questions about a person.
pub(super) fn questions(person: &str, offers: &Offers) -> Vec<Question> {
    let has_contact = offers.tools.iter().any(|tool| tool.name == "contact");
    let rows = [
        (
            format!("Is {person} free for a project, and on which terms?"),
            "check_availability",
        ),
        (
            format!("Which projects of {person} are closest to ours?"),
            "get_projects",
        ),
        (
            format!("Summarize the career of {person} in five sentences."),
            "get_resume",
        ),
        (
            format!("What can we hire {person} for, and what not?"),
            "get_capabilities",
        ),
        (
            "How well does this profile fit our job description?".to_owned(),
            "assess_fit",
        ),
        if has_contact {
            (format!("Ask {person} for a call next week."), "contact")
        } else {
            (
                format!("How can we get in touch with {person}?"),
                "get_manifest",
            )
        },
    ];
    rows.into_iter()
        .map(|(text, answered_by)| Question { text, answered_by })
        .collect()
}

/// The calls.
pub(super) const EXAMPLES: [Example; 5] = [
    Example {
        text: "Availability",
        tool: "check_availability",
        arguments: "{}",
    },
    Example {
        text: "Featured projects",
        tool: "get_projects",
        arguments: r#"{"featured":true}"#,
    },
    Example {
        text: "What to hire for",
        tool: "get_capabilities",
        arguments: "{}",
    },
    Example {
        text: "Work experience",
        tool: "get_resume",
        arguments: r#"{"section":"work"}"#,
    },
    Example {
        text: "How to get in touch",
        tool: "get_manifest",
        arguments: "{}",
    },
];
