//! A server under the crate `lambda_http`: beside other routes, in an `axum` router,
//! and behind `tower` layers, in one Lambda function.
//!
//! [`handler`] makes the handler, and [`run`] serves it. Use [`lambda_mcp::run`](crate::run) for a
//! function that serves MCP only: it decodes events itself, which is faster.
//!
//! | | [`lambda_mcp::run`](crate::run) | [`run`] | `lambda_http::run` |
//! | --- | --- | --- | --- |
//! | serves | a server | any service of `lambda_http` requests | the same |
//! | an event that is not a valid HTTP request | 400 | 400 | a function error; API Gateway answers 502 |
//! | repeated headers with payload version 1 | all | the last | the last |
//! | path of a request | without the stage | without the stage | with the stage; [`handler`] removes it |
//!
//! # Examples
//!
//! ```no_run
//! use axum::Router;
//! use axum::routing::get;
//! use lambda_mcp::{Server, lambda_http, tool};
//!
//! async fn hello() -> &'static str {
//!     "Hello."
//! }
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<(), lambda_mcp::Error> {
//!     let mcp = Server::builder("greeter", "1.0.0").tool(tool("hello", hello)).build()?;
//!     let app: Router = Router::new()
//!         .route("/", get(|| async { "The home page." }))
//!         .fallback_service(lambda_http::handler(mcp)?);
//!     lambda_http::run(app).await
//! }
//! ```

mod event;
mod handler;

use std::error::Error as StdError;
use std::future::poll_fn;
use std::pin::pin;

use ::lambda_http::Request;
use bytes::{BufMut as _, Bytes, BytesMut};
use http::Response;
use http_body::Body;
use lambda_runtime::{LambdaEvent, service_fn};
use serde_json::value::RawValue;
use tower_service::Service;

pub use self::handler::{Handler, handler};
use crate::lambda::{Error, LambdaResponse, LogLevel};

/// Serves Lambda invocations with any service of `lambda_http` requests, as `lambda_http::run` does,
/// and answers every event.
///
/// `lambda_http` panics or fails for events that are not valid HTTP requests, such as one with an
/// invalid Base64 body; their senders get 502 from API Gateway. This function answers 400 instead. It
/// also removes the stage of the API from the path, so that routes need not name it, and starts the
/// log, as [`lambda_mcp::run`](crate::run) does. A panic of the service itself stays a function error.
///
/// A body that is not UTF-8 is sent as Base64.
///
/// # Errors
///
/// The Runtime API cannot be reached.
pub async fn run<S, B>(service: S) -> Result<(), Error>
where
    S: Service<Request, Response = Response<B>> + Clone + Send + 'static,
    S::Error: Into<Box<dyn StdError + Send + Sync>>,
    S::Future: Send,
    B: Body + Send,
    B::Data: Send,
    B::Error: Into<Box<dyn StdError + Send + Sync>>,
{
    LogLevel::default().init();
    let handler = service_fn(move |event: LambdaEvent<Box<RawValue>>| {
        let service = service.clone();
        async move { answer(service, event).await }
    });
    lambda_runtime::run(handler).await.map_err(Error::Runtime)
}

/// Answers an event, whatever it is.
async fn answer<S, B>(
    mut service: S,
    event: LambdaEvent<Box<RawValue>>,
) -> Result<LambdaResponse, Box<dyn StdError + Send + Sync>>
where
    S: Service<Request, Response = Response<B>>,
    S::Error: Into<Box<dyn StdError + Send + Sync>>,
    B: Body,
    B::Error: Into<Box<dyn StdError + Send + Sync>>,
{
    let LambdaEvent { payload, context } = event;
    let (request, front) = match event::read(&payload, context) {
        Ok(read) => read,
        Err(not_http) => return Ok(not_http.refuse()),
    };
    poll_fn(|cx| service.poll_ready(cx))
        .await
        .map_err(Into::into)?;
    let (parts, body) = service
        .call(request)
        .await
        .map_err(Into::into)?
        .into_parts();
    let body = collect(body).await.map_err(Into::into)?;
    Ok(LambdaResponse::of_any(front, &parts, &body))
}

/// Reads the body of a response.
async fn collect<B: Body>(body: B) -> Result<Bytes, B::Error> {
    let mut body = pin!(body);
    let mut pieces = BytesMut::new();
    while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
        if let Ok(data) = frame?.into_data() {
            pieces.put(data);
        }
    }
    Ok(pieces.freeze())
}
