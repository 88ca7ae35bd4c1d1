//! The prompts: how a recruiter or a client starts a conversation about the person.
//!
//! Each prompt includes the résumé, so that it works without a further call. It tells the model to
//! keep to what the résumé states, to list what the résumé does not state, and to invent nothing.

mod assess_fit;
mod compose;
mod data;
mod prepare_interview;
mod write_introduction;

use lambda_mcp::server::Prompt;

use crate::about::About;

pub(crate) use data::Editions;

/// The prompts, in the order in which clients see them.
pub(crate) const PROMPTS: [About; 3] = [
    assess_fit::ABOUT,
    prepare_interview::ABOUT,
    write_introduction::ABOUT,
];

/// Builds the prompts, in the order of [`PROMPTS`].
pub(crate) fn prompts(editions: &Editions) -> Vec<Prompt<()>> {
    vec![
        assess_fit::prompt(editions),
        prepare_interview::prompt(editions),
        write_introduction::prompt(editions),
    ]
}

#[cfg(test)]
mod tests;
