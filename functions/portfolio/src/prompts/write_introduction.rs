//! `write_introduction`: a first message to the person.

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
    name: "write_introduction",
    title: "Write a first message",
    description: "Drafts a short, honest first message to the person about a role or project, \
        and says how it can be sent. Does not send anything. Includes the résumé.",
};

/// Arguments of `write_introduction`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WriteIntroduction {
    /// The subject of the message: the role, project or question.
    #[schemars(length(max = 20_000), regex(pattern = r"\S"))]
    occasion: String,
    /// The sender: name and position.
    #[schemars(length(max = 200))]
    sender: Option<String>,
    /// The company or team that the sender writes for.
    #[schemars(length(max = 200))]
    company: Option<String>,
    /// Language of the résumé.
    language: Option<String>,
}

/// Builds the prompt.
pub(super) fn prompt(data: &Editions) -> Prompt<()> {
    let editions = data.clone();
    let handler = move |Args(arguments): Args<WriteIntroduction>| {
        let output = given(&editions, &arguments);
        async move { output }
    };
    described::<WriteIntroduction, _, _>(ABOUT, data, handler)
        .complete("occasion", data.completed(|data| &data.occasions))
}

fn given(editions: &Editions, arguments: &WriteIntroduction) -> Result<PromptOutput, RequestError> {
    let data = editions.get(arguments.language.as_deref())?;
    let description = format!("A first message to {}.", data.person);
    Ok(output(data, description, task(data, arguments)))
}

fn task(data: &PromptData, arguments: &WriteIntroduction) -> String {
    let WriteIntroduction {
        occasion,
        sender,
        company,
        ..
    } = arguments;
    let person = &data.person;
    let from = filled(sender.as_ref()).map(|sender| format!(" from {sender}"));
    let of = filled(company.as_ref()).map(|company| format!(", for {company}"));
    format!(
        "Draft a first message to {person}{from}{of}, about this:\n\n\
         {occasion}\n\n\
         1. Say in one line whether {person} accepts this kind of work and is available for it, \
            according to the résumé.\n\
         2. Write the draft, in at most 150 words: the subject, the entry of the résumé that led \
            to {person}, and one clear question. Do not flatter, do not claim to know {person}, \
            and do not mention pay or terms that are not quoted above. Put missing details, such \
            as the sender's name, in square brackets.\n\
         3. Say how the message can be sent. {reach}\n\n\
         {rules}",
        from = from.unwrap_or_default(),
        of = of.unwrap_or_default(),
        occasion = quoted(occasion),
        reach = data.reach,
        rules = rules(data),
    )
}
