//! `assess_fit`: does the person fit a role, and what is open?

use std::sync::Arc;

use lambda_mcp::content::PromptOutput;
use lambda_mcp::{Args, State};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{filled, messages, output, quoted, rules};
use crate::about::About;
use crate::portfolio::Portfolio;

pub(super) const ABOUT: About = About {
    name: "assess_fit",
    title: "Assess the fit for a role",
    description: "Compares the résumé with a role, point by point: what it shows, what it shows \
        in part, what stays open. Brings the résumé along.",
};

/// Arguments of `assess_fit`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AssessFit {
    /// The role: a job advertisement, or what the work is in a few sentences.
    #[schemars(length(max = 20_000), regex(pattern = r"\S"))]
    role: String,
    /// The company or team that offers it.
    #[schemars(length(max = 200))]
    company: Option<String>,
}

/// Gives the prompt.
pub(super) async fn assess_fit(
    State(portfolio): State<Arc<Portfolio>>,
    Args(arguments): Args<AssessFit>,
) -> PromptOutput {
    let task = task(&portfolio, &arguments);
    let description = format!("How {} fits a role.", portfolio.material.person);
    output(description, messages(&portfolio, task))
}

pub(super) fn task(portfolio: &Portfolio, AssessFit { role, company }: &AssessFit) -> String {
    let material = &portfolio.material;
    let person = &material.person;
    let at = filled(company.as_ref()).map(|company| format!(" at {company}"));
    format!(
        "Assess how well {person} fits this role{at}:\n\n\
         {role}\n\n\
         1. List what the role asks for. For each point say whether the résumé shows it, shows \
            something close to it, or does not show it.\n\
         2. Compare the terms: availability, place, kind of work, and what {person} does not take \
            on.\n\
         3. Conclude in two or three sentences: a strong, partial or weak fit, and why. Say \
            what to ask {person} before deciding.\n\n\
         {rules}",
        at = at.unwrap_or_default(),
        role = quoted(role),
        rules = rules(material),
    )
}
