//! The harness: the built binary, run as AWS Lambda runs it.
//!
//! [`RuntimeApi`] is a small Lambda Runtime API on a loopback port. [`TestServer`] starts a program of
//! the workspace against it, turns the description of an HTTP request into the event a front
//! (API Gateway v1 or v2, a Function URL, a load balancer) would send, and reads the function's answer
//! the way that front does, to its very end and under a deadline. Every JSON-RPC message that comes
//! back is judged by the official schema of the request's version (`schema`).
//!
//! Tests are plain blocking functions; one runtime in the background does the waiting.

#![expect(
    clippy::wildcard_enum_match_arm,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    clippy::missing_errors_doc,
    clippy::needless_pass_by_value,
    reason = "the harness is read by its tests alone"
)]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test, a wrong assumption is a failure"
)]

mod child;
pub mod dynamodb;
mod event;
mod http_server;
mod logs;
pub mod messages;
mod reply;
mod request;
mod runtime_api;
mod schema;
mod server;
mod sse;

use std::sync::OnceLock;

pub use event::{Front, event};
pub use logs::Logs;
pub use reply::{Outcome, Reply};
pub use request::HttpRequest;
pub use runtime_api::{Answer, RuntimeApi};
pub use schema::{SERVED_VERSIONS, Version, assert_conforms, official_schemas, typed_check};
pub use server::{RequestBuilder, ServerConfig, TestServer};

/// The runtime behind every harness object.
///
/// One for the whole test process, never shut down: a test's own runtime would take the sockets of
/// other tests with it.
pub fn background() -> &'static tokio::runtime::Runtime {
    static RUNTIME: OnceLock<tokio::runtime::Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a tokio runtime")
    })
}

/// Says something even when the test passes: libtest captures `println!`, not the file descriptor.
pub fn aloud(words: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "\n*** {words}");
}

/// The folder of the project.
pub fn workspace() -> &'static std::path::Path {
    std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
