//! What the server's CPU time is compared with: a bare `lambda_http` function that sends back the
//! body it was sent, as JSON.
//!
//! It is the least that a function on that crate does: decode the event, encode the response. Built
//! and driven by `make bench`.

use lambda_http::http::header::CONTENT_TYPE;
use lambda_http::{Body, Error, Request, Response, run, service_fn};

async fn echo(request: Request) -> Result<Response<Body>, Error> {
    let response = Response::builder().header(CONTENT_TYPE, "application/json");
    Ok(response.body(request.into_body())?)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    run(service_fn(echo)).await
}
