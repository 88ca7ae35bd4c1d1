//! `assess_fit`: whether the person fits a role, and what is unknown.

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
    name: "assess_fit",
    title: "Assess the fit for a role",
    description: "Compares the résumé with a role, point by point: what the résumé shows, what it \
        shows partly, and what it does not show. Includes the résumé.",
};

/// Arguments of `assess_fit`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AssessFit {
    /// The role: a job advertisement, or a description of the work in a few sentences.
    #[schemars(length(max = 20_000), regex(pattern = r"\S"))]
    role: String,
    /// The company or team that offers the role.
    #[schemars(length(max = 200))]
    company: Option<String>,
    /// Language of the résumé.
    language: Option<String>,
}

/// Builds the prompt.
pub(super) fn prompt(data: &Editions) -> Prompt<()> {
    let editions = data.clone();
    let handler = move |Args(arguments): Args<AssessFit>| {
        let output = given(&editions, &arguments);
        async move { output }
    };
    described::<AssessFit, _, _>(ABOUT, data, handler)
}

fn given(editions: &Editions, arguments: &AssessFit) -> Result<PromptOutput, RequestError> {
    let data = editions.get(arguments.language.as_deref())?;
    let description = format!("Whether {} fits a role.", data.person);
    Ok(output(data, description, task(data, arguments)))
}

fn task(data: &PromptData, AssessFit { role, company, .. }: &AssessFit) -> String {
    let person = &data.person;
    let at = filled(company.as_ref()).map(|company| format!(" at {company}"));
    format!(
        "Assess how well {person} fits this role{at}:\n\n\
         {role}\n\n\
         1. List the requirements of the role. For each one, say whether the résumé shows it, \
            shows something similar, or does not show it.\n\
         2. Compare the terms: availability, location, kind of work, and what {person} declines.\n\
         3. Conclude in two or three sentences: a strong, partial or weak fit, and why. Say what \
            to ask {person} before a decision.\n\n\
         {rules}",
        at = at.unwrap_or_default(),
        role = quoted(role),
        rules = rules(data),
    )
}
