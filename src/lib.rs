//! A stateless Model Context Protocol (MCP) server for AWS Lambda.
//!
//! Write typed async functions, register them on a [`Server`], and [`run`] it. The server speaks
//! both protocol eras — the stateless revision 2026-07-28 and the handshake revisions before it —
//! and every request stands by itself: no session, no stream that stays open, no state between two
//! invocations.
//!
//! ```no_run
#![doc = include_str!("../examples/minimal.rs")]
//! ```
//!
//! # How a request flows
//!
//! ```text
//! Lambda event ─ lambda ─▶ gate ─▶ era ─▶ auth ─▶ methods ─▶ limit ─▶ tool
//!                                                              │
//! HTTP response ◀─ lambda ◀────────────── reply ◀──────────────┘
//! ```
//!
//! The gate decides by path, verb and headers alone; the era is read from the message once; a method
//! decodes its parameters and calls; the reply is the only place that writes responses. See
//! `docs/architecture.md` for a map and two walkthroughs.

pub mod auth;
mod documents;
mod era;
mod error;
mod future;
mod gate;
pub mod handler;
mod https_url;
#[cfg(feature = "lambda")]
pub mod lambda;
pub mod limit;
mod log;
mod methods;
mod pipeline;
mod reply;
mod schema;
pub mod server;
pub mod testing;
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

/// Protocol versions, the capabilities that a client declares, and the answers that it sends.
pub mod protocol {
    pub use crate::wire::capabilities::ClientCapabilities;
    pub use crate::wire::input_required::{CreateMessageResult, ElicitAction, Root};
    pub use crate::wire::logging::LoggingLevel;
    pub use crate::wire::version::{Era, ProtocolVersion, UnsupportedVersion};
}

pub use crate::error::ToolError;
pub use crate::future::BoxFuture;
pub use crate::handler::context::Context;
pub use crate::handler::extract::{Args, State};
pub use crate::handler::output::{Json, ToolOutput};
#[cfg(feature = "lambda")]
pub use crate::lambda::{Error, run};
pub use crate::pipeline::Server;
pub use crate::server::prompt::prompt;
pub use crate::server::resource::{resource, resource_template};
pub use crate::server::tool::tool;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
