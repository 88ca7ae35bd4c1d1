//! `prepare_interview`: questions for an interview with the person.

use lambda_mcp::Args;
use lambda_mcp::content::PromptOutput;
use lambda_mcp::handler::RequestError;
use lambda_mcp::server::Prompt;
use schemars::JsonSchema;
use serde::Deserialize;

use super::compose::{described, filled, output, quoted, rules};
use super::data::{Editions, PromptData};
use crate::about::About;

pub(super) const ABOUT: About = About {
    name: "prepare_interview",
    title: "Prepare an interview",
    description: "Prepares an interview with the person for a role: questions about what the \
        résumé shows and about what it does not show. Includes the résumé.",
};

/// Arguments of `prepare_interview`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PrepareInterview {
    /// The role: its name, or a description of the work in a few sentences.
    #[schemars(length(max = 20_000), regex(pattern = r"\S"))]
    role: String,
    /// The main topic of the interview: a skill, a project, an employer, or anything else.
    #[schemars(length(max = 200))]
    focus: Option<String>,
    /// Language of the résumé.
    language: Option<String>,
}

/// Builds the prompt.
pub(super) fn prompt(data: &Editions) -> Prompt<()> {
    let editions = data.clone();
    let handler = move |Args(arguments): Args<PrepareInterview>| {
        let output = given(&editions, &arguments);
        async move { output }
    };
    described::<PrepareInterview, _, _>(ABOUT, data, handler)
        .complete("focus", data.completed(|data| &data.topics))
}

fn given(editions: &Editions, arguments: &PrepareInterview) -> Result<PromptOutput, RequestError> {
    let data = editions.get(arguments.language.as_deref())?;
    let description = format!("An interview with {}.", data.person);
    Ok(output(data, description, task(data, arguments)))
}

fn task(data: &PromptData, PrepareInterview { role, focus, .. }: &PrepareInterview) -> String {
    let person = &data.person;
    let focus = filled(focus.as_ref()).map(|focus| {
        format!("Focus on: {focus}. If the résumé does not mention this, say so first.\n\n")
    });
    format!(
        "Prepare an interview with {person} for this role:\n\n\
         {role}\n\n\
         {focus}\
         1. Summarize in three sentences what in the résumé is relevant to the role.\n\
         2. Write eight questions. Four of them explore what the résumé shows, each about one \
            entry. The other four are about what the role needs and the résumé does not show. \
            For each question, say what a good answer would show.\n\
         3. List what to clarify about availability and terms.\n\n\
         {rules}",
        role = quoted(role),
        focus = focus.unwrap_or_default(),
        rules = rules(data),
    )
}
