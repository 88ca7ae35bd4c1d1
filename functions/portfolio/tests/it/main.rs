//! The integration tests of the shipped function: one binary, one file per topic.
//!
//! - `content`: the owner's files, good and bad
//! - `tools`, `resources`, `prompts`: what the function offers
//! - `offered`: what the owner's files add to it: languages, search, an icon
//! - `page`: the page for people, the documents beside it, and the commands that write them
//! - `contact`: messages to the owner, and the result for the caller
//! - `secrets`: secrets by reference, in Parameter Store and in the limits table
//! - `metrics`: CloudWatch metrics in the log
//! - `handshake`: sessions without stored state, where they are required
//! - `stdio`: the function as a process that a client starts
//! - `processes`: several processes on one table of limits

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test, a wrong assumption is a failure"
)]
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "what a test does not expect is a failure, whatever it is"
)]
#![expect(
    clippy::needless_pass_by_value,
    reason = "`json!` at the call reads best without `&`"
)]

mod contact;
mod content;
mod handshake;
mod metrics;
mod offered;
mod page;
mod processes;
mod prompts;
mod resources;
mod secrets;
mod stdio;
mod tools;
