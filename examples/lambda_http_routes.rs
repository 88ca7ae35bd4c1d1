//! A server as a handler of the crate `lambda_http`, beside a route of another kind.
//!
//! Run it with `make run-example EXAMPLE=lambda_http_routes`:
//!
//! ```sh
//! curl -s http://127.0.0.1:9000/hours
//! curl -s http://127.0.0.1:9000/mcp -H 'Content-Type: application/json' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"opening_hours"}}'
//! ```

use std::convert::Infallible;

use bytes::Bytes;
use lambda_http::http::header::CONTENT_TYPE;
use lambda_http::http::{HeaderValue, Method, Response};
use lambda_http::{Request, Service as _, service_fn};
use lambda_mcp::lambda_http::{Handler, handler, run};
use lambda_mcp::server::ReplyBody;
use lambda_mcp::{Server, tool};

const HOURS: &str = "Open from 8:00 to 18:00.";

async fn opening_hours() -> &'static str {
    HOURS
}

/// The route of a web page; everything else is for the server.
async fn route(mut mcp: Handler, request: Request) -> Result<Response<ReplyBody>, Infallible> {
    if (request.method(), request.uri().path()) == (&Method::GET, "/hours") {
        let mut page = Response::new(ReplyBody::from(Bytes::from_static(HOURS.as_bytes())));
        let text = HeaderValue::from_static("text/plain; charset=utf-8");
        page.headers_mut().insert(CONTENT_TYPE, text);
        return Ok(page);
    }
    mcp.call(request).await
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_mcp::Error> {
    let hours = tool("opening_hours", opening_hours).description("Returns the opening hours.");
    let mcp = handler(Server::builder("shop", "1.0.0").tool(hours).build()?)?;
    run(service_fn(move |request| route(mcp.clone(), request))).await
}
