//! The integration tests of the library: one binary, one file per topic. The shipped function has its
//! own beside it (`functions/portfolio/tests/it`); both run programs by `tests/harness`.
//!
//! - `harness_works`, `schema_works`: the harness judged by scripted functions, good and bad
//! - `cases`: the table of requests that broke other servers
//! - `gate`, `folded_headers`, `events`, `hostile`, `ids`, `client_notifications`, `eras`, `envelope`,
//!   `arguments`, `batches`, `logs`: what the table does not cover, one topic each
//! - `lists`, `resources`, `prompts`, `completion`, `rounds`, `notifications`, `param_headers`: what
//!   the servers of the examples offer, one topic each
//! - `limit`: counts, rules and refusals, against memory and a DynamoDB in this process
//! - `auth`: signed tokens, good and forged, and their keys at a URL
//! - `auth_wire`, `limit_wire`: both of them in a whole server
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
mod auth;
mod auth_wire;
mod batches;
mod cases;
mod client_notifications;
mod completion;
mod docs;
mod envelope;
mod eras;
mod events;
mod folded_headers;
mod gate;
mod harness_works;
mod hostile;
mod ids;
mod layers;
mod limit;
mod limit_wire;
mod lists;
mod logs;
mod notifications;
mod param_headers;
mod prompts;
mod resources;
mod rounds;
mod schema_works;
