//! A stateless Model Context Protocol (MCP) server for AWS Lambda.
//!
//! Write typed async functions, register them on a [`Server`], and `run` it. The server speaks
//! revision 2026-07-28, and the older revisions, which begin with a handshake, side by side. Each
//! request is complete in itself: no sessions, no open streams, no state between two invocations.
//!
//! ```no_run
#![doc = include_str!("../examples/minimal.rs")]
//! ```
//!
//! That is a complete Lambda function. `cargo lambda watch` serves it locally at
//! `http://localhost:9000/mcp`.
//!
//! # Handlers
//!
//! A handler is an async function. Its parameters say what it needs, its return type what it
//! returns:
//!
//! ```
//! use std::sync::Arc;
//!
//! use lambda_mcp::{Args, Context, Json, Server, State, ToolError, tool};
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! struct Stock {
//!     apples: u32,
//! }
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Order {
//!     /// How many apples to order.
//!     #[schemars(range(min = 1, max = 100))]
//!     apples: u32,
//! }
//!
//! #[derive(Serialize, JsonSchema)]
//! struct Ordered {
//!     /// How many apples are left.
//!     left: u32,
//! }
//!
//! /// Any of these parameters may be left out.
//! async fn order(
//!     State(stock): State<Arc<Stock>>,
//!     context: Context,
//!     Args(Order { apples }): Args<Order>,
//! ) -> Result<Json<Ordered>, ToolError> {
//!     context.progress(0.5, Some(1.0), Some("Looking into the stock"));
//!     match stock.apples.checked_sub(apples) {
//!         Some(left) => Ok(Json(Ordered { left })),
//!         None => Err(ToolError::new(format!("Only {} apples are left.", stock.apples))),
//!     }
//! }
//!
//! let server = Server::builder("shop", "1.0.0")
//!     .state(Arc::new(Stock { apples: 7 }))
//!     .tool(tool("order", order).description("Orders apples."))
//!     .build();
//! assert!(server.is_ok());
//! ```
//!
//! - Arguments are checked against the JSON Schema of their type before the handler runs.
//! - A [`ToolError`] goes to the model as a result with `isError`. `?` on any other error keeps its
//!   text out of the response and in the log. An error type of your own decides what the model reads
//!   by [`IntoToolError`](handler::IntoToolError).
//! - [`Context`] has the request: headers, caller, and what the platform knows. Parameters of your own
//!   implement [`FromCall`](handler::FromCall).
//! - The module [`auth`] has the rules of who may use a tool, resource or prompt.
//! - A panic or a timeout ends the call, not the process.
//!
//! # Modules
//!
//! | module | contents |
//! | --- | --- |
//! | the root | [`Server`], [`tool()`], [`resource()`], [`resource_template()`], [`prompt()`], parameters and return types |
//! | [`server`] | the builder, the definitions it takes, and its settings |
//! | [`handler`] | the traits of handlers, errors of resources and prompts, input from the user |
//! | [`content`] | content blocks, resource contents, icons, annotations |
//! | [`auth`] | API keys, signed tokens, scopes, verifiers of your own |
//! | [`tasks`] | tools that take longer than a request, and clients that poll for their results |
//! | [`layer`] | code around every call: audit logs, metrics, rules of your own |
//! | [`limit`] | rate limits, counted in memory, in DynamoDB or in a store of your own |
//! | [`protocol`] | protocol versions, log levels, capabilities and answers of the client |
//! | [`testing`] | a client in the process of your tests |
//! | `lambda` | the edge to AWS Lambda |
//! | `lambda_http` | a server as a handler of the crate `lambda_http` |
//! | `aws` | configuration and HTTP client of AWS SDKs |
//!
//! # Features
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `lambda` (default) | `run` and the `lambda` module: AWS Lambda's runtime API. Without it the library is the core alone, an `http::Request` in and an `http::Response` out |
//! | `lambda_http` | the `lambda_http` module: the server beside other routes and behind `tower` layers, on Lambda |
//! | `local` | `serve_local`: a local HTTP server for development |
//! | `stdio` | `serve_stdio`: a server over standard input and output, for clients that start it as a process |
//! | `jwt` | signed tokens (JWT) as credentials |
//! | `jwks-url` | `jwt`, with the keys of the issuer fetched over HTTPS |
//! | `anyhow` | handlers that return `anyhow::Result` |
//! | `aws` | `aws::config` and `aws::http_client`: the environment's configuration for AWS SDKs, and an HTTP client without HTTP/2 |
//! | `dynamodb` | limits counted in a DynamoDB table, so that they hold across instances |
//! | `durable` | `Tasks::durable`: tasks as executions of an AWS Lambda durable function (a preview) |
//!
//! # The path of a request
//!
//! ```text
//! Lambda event ─ lambda ─▶ gate ─▶ era ─▶ auth ─▶ methods ─▶ limit ─▶ handler
//!                                                              │
//! HTTP response ◀─ lambda ◀────────────── reply ◀──────────────┘
//! ```
//!
//! 1. **gate**: path, HTTP method, host, origin, size and media types, by headers alone.
//! 2. **era**: the JSON-RPC message and its protocol version, decided once.
//! 3. **auth**: the caller, if the called tool requires a credential.
//! 4. **methods**: one file for each method of the protocol: it decodes the parameters, checks the
//!    arguments, counts the call against its **limit**, runs the handler and encodes the result for
//!    the version.
//! 5. **reply**: the HTTP response. Refusals of the other stages end here as well.
//!
//! [`Server::handle`] runs all of these stages without AWS: use it in tests and behind other HTTP servers.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod auth;
#[cfg(feature = "aws")]
#[cfg_attr(docsrs, doc(cfg(feature = "aws")))]
pub mod aws;
mod documents;
mod era;
mod error;
mod future;
mod gate;
pub mod handler;
#[cfg(any(feature = "aws", feature = "jwks-url"))]
mod https;
mod https_url;
mod json;
#[cfg(feature = "lambda")]
#[cfg_attr(docsrs, doc(cfg(feature = "lambda")))]
pub mod lambda;
#[cfg(feature = "lambda_http")]
#[cfg_attr(docsrs, doc(cfg(feature = "lambda_http")))]
pub mod lambda_http;
pub mod layer;
pub mod limit;
#[cfg(feature = "local")]
mod local;
mod log;
mod methods;
mod peer;
mod pipeline;
mod platform;
mod reply;
mod request_headers;
mod schema;
mod seal;
pub mod server;
#[cfg(feature = "stdio")]
mod stdio;
pub mod tasks;
pub mod testing;
mod trace_context;
mod wire;

/// Content blocks, icons and annotations: what handlers return and definitions declare.
pub mod content {
    pub use crate::handler::contents::Contents;
    pub use crate::handler::prompt_output::PromptOutput;
    pub use crate::wire::annotations::{Annotations, Icon, Role};
    pub use crate::wire::content::{Content, MediaContent, TextContent};
    pub use crate::wire::prompts::PromptMessage;
    pub use crate::wire::resource_contents::{EmbeddedResource, ResourceContents, ResourceLink};
    pub use crate::wire::tools::ToolAnnotations;
}

/// Protocol versions, log levels, and what a client declares and answers.
pub mod protocol {
    pub use crate::era::client::ClientInfo;
    pub use crate::wire::capabilities::ClientCapabilities;
    pub use crate::wire::input_required::{CreateMessageResult, ElicitAction, Root};
    pub use crate::wire::logging::LoggingLevel;
    pub use crate::wire::version::{Era, ProtocolVersion, UnsupportedVersion};
}

/// The crates whose types are part of the public API, in the versions that it uses.
///
/// A derive of `JsonSchema` with the re-export needs `#[schemars(crate = "lambda_mcp::schemars")]`.
#[doc(no_inline)]
pub use {bytes, http, schemars};

pub use crate::error::ToolError;
pub use crate::future::BoxFuture;
pub use crate::handler::ask::AskingContext;
pub use crate::handler::context::Context;
pub use crate::handler::extract::{Args, State};
pub use crate::handler::output::{Json, ToolOutput};
#[cfg(feature = "lambda")]
#[cfg_attr(docsrs, doc(cfg(feature = "lambda")))]
pub use crate::lambda::{Error, run};
#[cfg(feature = "local")]
#[cfg_attr(docsrs, doc(cfg(feature = "local")))]
pub use crate::local::{ListenOn, serve_local};
pub use crate::pipeline::{McpService, Server};
pub use crate::server::prompt::prompt;
pub use crate::server::resource::{resource, resource_template};
pub use crate::server::task_tool::{prepared_task_tool, task_tool};
pub use crate::server::tool::tool;
#[cfg(feature = "stdio")]
#[cfg_attr(docsrs, doc(cfg(feature = "stdio")))]
pub use crate::stdio::serve_stdio;
pub use crate::tasks::task::Task;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
