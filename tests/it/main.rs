//! The integration tests of the library: one binary, one module per topic. The shipped function has
//! its own in `functions/portfolio/tests/it`.
//!
//! Tests of the protocol call a server in this process, by `lambda_mcp::testing` and `fixtures`. Tests
//! of events, logs, deadlines and concurrency start a program by `tests/harness`. Both check every
//! message against the official schemas.
//!
//! - `harness_works`, `schema_works`: the harness itself, on scripted functions
//! - `testing`: the test client of the library
//! - `fixtures`: the servers and clients that several topics share
//! - `cases`: the table of requests that broke other servers
//! - `gate`, `origins`, `documents`, `folded_headers`, `events`, `hostile`, `ids`, `client_notifications`, `eras`, `envelope`,
//!   `arguments`, `batches`, `logs`: requests that the table does not cover
//! - `lists`, `resources`, `prompts`, `completion`, `rounds`, `notifications`, `param_headers`: the
//!   features of the protocol
//! - `response_size`: one limit for whatever one request answers
//! - `limit`: counts, rules and refusals, in memory and in a DynamoDB of this process
//! - `auth`: signed tokens and their keys
//! - `aws_http`: the HTTP client for AWS SDKs
//! - `generated`: what holds for the answer to any request
//! - `load_balancer`: the client's address behind a load balancer
//! - `views`: views of tools, for clients that support MCP Apps
//! - `tasks`: tools that clients poll for their results
//! - `extraction`: handler parameters of another crate
//! - `errors`: the error types of handlers
//! - `request_context`: the HTTP request and the platform, as handlers and verifiers see them
//! - `access`: who may use what, who sees what, and a server that is closed
//! - `input_schemas`, `build_errors`: what is derived from the types of arguments, and what `build` refuses
//! - `concurrency`: several invocations at once in one process
//! - `auth_wire`, `limit_wire`: credentials and limits in a whole server
//! - `examples`: the programs of `examples/`
//! - `composition`: a server in other programs, and one made of several builders
//! - `call_layers`, `spans`, `cancellation`: layers around calls, the spans of requests, calls that are
//!   cancelled
//! - `handshake`: session ids, for servers that require them
//! - `stdio`: connections over standard input and output
//! - `stored`: outputs that are written once
//! - `layers`, `docs`, `profiles`: the direction of imports, what the documents name, how programs are built

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

mod access;
mod arguments;
mod auth;
mod auth_wire;
mod aws_http;
mod batches;
mod build_errors;
mod call_layers;
mod cancellation;
mod cases;
mod client_notifications;
mod completion;
mod composition;
mod concurrency;
mod docs;
mod documents;
mod envelope;
mod eras;
mod errors;
mod events;
mod examples;
mod extraction;
mod fixtures;
mod folded_headers;
mod gate;
mod generated;
mod handshake;
mod harness_works;
mod hostile;
mod ids;
mod input_schemas;
mod layers;
mod limit;
mod limit_wire;
mod lists;
mod load_balancer;
mod logs;
mod notifications;
mod origins;
mod param_headers;
mod profiles;
mod prompts;
mod request_context;
mod resources;
mod response_size;
mod rounds;
mod schema_works;
mod spans;
mod stdio;
mod stored;
mod tasks;
mod testing;
mod views;
