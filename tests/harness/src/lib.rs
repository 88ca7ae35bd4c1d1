//! The test harness: runs built programs as AWS Lambda runs them.
//!
//! [`RuntimeApi`] is a Lambda Runtime API on a loopback port. [`TestServer`] starts a program of the
//! workspace with it, turns an HTTP request into the event that a [`Front`] sends (API Gateway REST or
//! HTTP API, Function URL, load balancer), and reads the function's response as that front does: to its
//! end, within a deadline. Each JSON-RPC message of the response is checked against the official schema
//! of the request's version; [`assert_conforms`] does that for responses that come from no process.
//!
//! Tests are blocking functions. One Tokio runtime in the background does the waiting.

#![expect(
    clippy::wildcard_enum_match_arm,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    clippy::missing_errors_doc,
    clippy::needless_pass_by_value,
    reason = "only tests use the harness"
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
mod process;
mod reply;
mod request;
mod runtime_api;
mod schema;
mod server;
mod sse;

use std::sync::{LazyLock, OnceLock};
use std::time::{Duration, Instant};

pub use event::{Front, event};
pub use logs::Logs;
pub use process::Process;
pub use reply::{Outcome, Reply};
pub use request::HttpRequest;
pub use runtime_api::{Answer, RuntimeApi};
pub use schema::{SERVED_VERSIONS, Version, assert_conforms, official_schemas, typed_check};
pub use server::{RequestBuilder, ServerConfig, TestServer};

/// The Tokio runtime of all harness objects.
///
/// There is one for the whole test process, and it is never shut down: the runtime of a single test
/// would close the sockets of other tests.
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

/// The CPU time of this thread, which other work on the machine does not affect. Where it cannot be
/// read, the time since the first call.
pub fn cpu_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat");
    let nanoseconds = schedstat
        .ok()
        .and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// Prints a line even if the test passes: libtest captures `println!`, not the file descriptor.
pub fn aloud(words: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "\n*** {words}");
}

/// The root folder of the workspace.
pub fn workspace() -> &'static std::path::Path {
    std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
