//! `write_introduction`: a first message to the person.

use std::sync::Arc;

use lambda_mcp::content::PromptOutput;
use lambda_mcp::{Args, State};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{filled, messages, output, quoted, rules};
use crate::about::About;
use crate::portfolio::Portfolio;

pub(super) const ABOUT: About = About {
    name: "write_introduction",
    title: "Write a first message",
    description: "Drafts a short, honest first message to the person about a role or project, \
        and says how it can be sent. Sends nothing. Brings the résumé along.",
};

/// Arguments of `write_introduction`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WriteIntroduction {
    /// What the message is about: the role, project or question.
    #[schemars(length(max = 20_000), regex(pattern = r"\S"))]
    occasion: String,
    /// Who writes: name and position.
    #[schemars(length(max = 200))]
    sender: Option<String>,
    /// The company or team behind it.
    #[schemars(length(max = 200))]
    company: Option<String>,
}

/// Gives the prompt.
pub(super) async fn write_introduction(
    State(portfolio): State<Arc<Portfolio>>,
    Args(arguments): Args<WriteIntroduction>,
) -> PromptOutput {
    let task = task(&portfolio, &arguments);
    let description = format!("A first message to {}.", portfolio.material.person);
    output(description, messages(&portfolio, task))
}

pub(super) fn task(portfolio: &Portfolio, arguments: &WriteIntroduction) -> String {
    let WriteIntroduction {
        occasion,
        sender,
        company,
    } = arguments;
    let material = &portfolio.material;
    let person = &material.person;
    let from = filled(sender.as_ref()).map(|sender| format!(" from {sender}"));
    let of = filled(company.as_ref()).map(|company| format!(", for {company}"));
    format!(
        "Draft a first message to {person}{from}{of}, about this:\n\n\
         {occasion}\n\n\
         1. Say in a line whether this is something that {person} takes on and has time for, as \
            far as the résumé tells.\n\
         2. Then the draft, of at most 150 words: what it is about, which entry of the résumé led \
            to {person}, and one clear question. No flattery, no claim of an acquaintance, nothing \
            about pay or terms that is not quoted above. Put what is missing, such as the \
            sender's name, in square brackets.\n\
         3. Say how it can be sent. {reach}\n\n\
         {rules}",
        from = from.unwrap_or_default(),
        of = of.unwrap_or_default(),
        occasion = quoted(occasion),
        reach = material.reach,
        rules = rules(material),
    )
}
