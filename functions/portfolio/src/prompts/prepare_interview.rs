//! `prepare_interview`: what to ask the person, and why.

use std::sync::Arc;

use lambda_mcp::content::PromptOutput;
use lambda_mcp::{Args, State};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{filled, messages, output, quoted, rules};
use crate::about::About;
use crate::portfolio::Portfolio;

pub(super) const ABOUT: About = About {
    name: "prepare_interview",
    title: "Prepare an interview",
    description: "Prepares an interview with the person for a role: questions that start from \
        what the résumé shows and from what it leaves open. Brings the résumé along.",
};

/// Arguments of `prepare_interview`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PrepareInterview {
    /// The role: its name, or what the work is in a few sentences.
    #[schemars(length(max = 20_000), regex(pattern = r"\S"))]
    role: String,
    /// What the interview should turn on: a skill, a project, an employer, or anything else.
    #[schemars(length(max = 200))]
    focus: Option<String>,
}

/// Gives the prompt.
pub(super) async fn prepare_interview(
    State(portfolio): State<Arc<Portfolio>>,
    Args(arguments): Args<PrepareInterview>,
) -> PromptOutput {
    let task = task(&portfolio, &arguments);
    let description = format!("An interview with {}.", portfolio.material.person);
    output(description, messages(&portfolio, task))
}

pub(super) fn task(
    portfolio: &Portfolio,
    PrepareInterview { role, focus }: &PrepareInterview,
) -> String {
    let material = &portfolio.material;
    let person = &material.person;
    let focus = filled(focus.as_ref()).map(|focus| {
        format!("Focus on: {focus}. If the résumé says nothing about that, say so first.\n\n")
    });
    format!(
        "Prepare an interview with {person} for this role:\n\n\
         {role}\n\n\
         {focus}\
         1. Sum up in three sentences what in the résumé matters for the role.\n\
         2. Write eight questions. Half of them go deeper into what the résumé shows, each about \
            one entry; the other half are about what the role needs and the résumé leaves open. \
            Say for each what a good answer would tell.\n\
         3. List what to clarify about availability and terms.\n\n\
         {rules}",
        role = quoted(role),
        focus = focus.unwrap_or_default(),
        rules = rules(material),
    )
}
