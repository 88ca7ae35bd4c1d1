//! The servers of `tests/fixtures` in the process of the tests, and clients of them whose messages the
//! official schemas judge.

use std::sync::{Arc, Mutex};

use lambda_mcp::Server;
use lambda_mcp::protocol::{Era, ProtocolVersion};
use lambda_mcp::server::ServerBuilder;
use lambda_mcp::testing::{ProtocolFailure, TestClient, TestResponse};

#[path = "../fixtures/cases/server.rs"]
mod cases;
#[path = "../fixtures/conformance/server.rs"]
mod conformance;

/// The server that has everything the official suite asks for, with settings of the test.
pub(crate) fn conformance_with(
    settings: impl FnOnce(ServerBuilder<()>) -> ServerBuilder<()>,
) -> Server {
    settings(conformance::builder()).build().unwrap()
}

/// The server that has everything the official suite asks for.
pub(crate) fn conformance() -> Server {
    conformance_with(|server| server)
}

/// The server that the case table is written for, with settings of the test.
pub(crate) fn cases_with(
    settings: impl FnOnce(
        ServerBuilder<Arc<Mutex<cases::Notes>>>,
    ) -> ServerBuilder<Arc<Mutex<cases::Notes>>>,
) -> Server {
    settings(cases::builder().unwrap()).build().unwrap()
}

/// The server that the case table is written for.
pub(crate) fn cases() -> Server {
    cases_with(|server| server)
}

/// A client of a version. Every response must have the form that the official schemas say.
pub(crate) fn client(server: &Server, version: ProtocolVersion) -> TestClient {
    TestClient::new(server.clone())
        .version(version)
        .inspect(harness::assert_conforms)
}

/// The versions before the envelope, oldest first.
pub(crate) fn legacy_versions() -> impl Iterator<Item = ProtocolVersion> {
    let versions = ProtocolVersion::ALL.into_iter().rev();
    versions.filter(|version| version.era() == Era::Legacy)
}

/// Fails unless the request was refused with this HTTP status and this code.
#[track_caller]
pub(crate) fn assert_refused(response: &TestResponse, status: u16, code: i64) -> ProtocolFailure {
    let error = response.expect_protocol_error();
    assert_eq!((error.status, error.code), (status, code), "{response}");
    error
}
