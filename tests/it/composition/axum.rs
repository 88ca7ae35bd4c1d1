//! The server of the case table in an `axum` router, over HTTP.

use axum::routing::get;
use axum::{Extension, Router};
use harness::{Front, TestServer, background};
use lambda_mcp::server::{Invocation, ResponseLimit};

use crate::cases;
use crate::fixtures::cases_with;

/// Serves a router on a free port until the test process ends, and returns the URL of the endpoint.
fn serve(app: Router) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    background().spawn(async move {
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        axum::serve(listener, app).await
    });
    format!("http://{address}/mcp")
}

#[test]
fn a_router_serves_the_case_table() {
    let origins = "https://app.example.com,http://localhost:*";
    let server = cases_with(|server| server.origins(origins.parse().unwrap()));
    let mut invocation = Invocation::default();
    invocation.response_limit = Some(ResponseLimit::bytes(6_000_000));
    let app = Router::new()
        .route("/other", get(|| async { "another route" }))
        .fallback_service(server.into_service())
        // What the program knows of each request reaches the server.
        .layer(Extension(invocation));
    let server = TestServer::at(&serve(app));
    let (ran, failures) = cases::over(&server, Front::Http);
    assert!(ran > 90, "{ran} cases");
    assert!(
        failures.is_empty(),
        "{} of {ran}:\n\n{}",
        failures.len(),
        failures.join("\n\n")
    );
    let other = server.request("GET", "/other").send();
    assert_eq!(
        (other.status, other.body.as_slice()),
        (200, b"another route".as_slice())
    );
}
