//! The integration tests: one binary, one file per topic.
//!
//! - `harness`: the Lambda Runtime API, the events, the replies, the schemas
//! - `harness_works`, `schema_works`: the harness judged by scripted functions, good and bad
//! - `cases`: the table of requests that broke other servers
//! - `messages`: the messages that more than one topic sends
//! - `content`, `portfolio`: the shipped function, its owner's files and its tools
//! - `gate`, `events`, `hostile`, `eras`, `envelope`, `arguments`, `batches`, `logs`: what the table
//!   does not say, one topic each
//! - `layers`, `docs`: the sources import one way, the documents show what there is

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

mod arguments;
mod batches;
mod cases;
mod contact;
mod content;
mod docs;
mod envelope;
mod eras;
mod events;
mod gate;
mod harness;
mod harness_works;
mod hostile;
mod layers;
mod logs;
mod messages;
mod portfolio;
mod schema_works;
