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

mod auth;
mod documents;
mod era;
mod error;
mod gate;
#[cfg(feature = "lambda")]
mod lambda;
mod limit;
mod log;
mod methods;
mod pipeline;
mod reply;
mod server;
mod wire;

#[cfg(feature = "jwks-url")]
pub use crate::auth::HttpsJwks;
pub use crate::auth::{
    ApiKeys, Auth, HttpsUrl, InvalidApiKeys, InvalidHttpsUrl, InvalidScopes, NewApiKey,
    NoRandomness, PendingVerdict, Presented, Principal, Refusal, Scopes, Verdict, Verifier,
};
#[cfg(feature = "jwt")]
pub use crate::auth::{FetchFailed, FetchJwks, InvalidJwtKeys, Jwt, JwtKeys, PendingKeySet};
pub use crate::era::param_headers::InvalidParamHeader;
pub use crate::era::{ClientInfo, HeaderOnlyRequests};
pub use crate::error::{ProtocolError, ToolError};
pub use crate::gate::{Hosts, InvalidHosts, InvalidOrigins, Origins};
#[cfg(feature = "lambda")]
pub use crate::lambda::{Error, InvalidLogLevel, LogLevel, run, run_with_streaming_response};
#[cfg(feature = "dynamodb")]
pub use crate::limit::DynamoDbLimiter;
pub use crate::limit::{
    Allowed, Bound, CallerKey, Decision, InvalidRule, InvalidRules, Limited, Limiter, Limits,
    MemoryLimiter, OnStoreFailure, Per, Rule, Rules, StoreDown, Window,
};
pub use crate::pipeline::Server;
pub use crate::reply::ReplyBody;
pub use crate::server::{
    Args, BoxFuture, BuildError, CallParts, Completing, Contents, Context, Elicited, FromCall,
    Handler, IntoPrompt, IntoResource, IntoToolOutput, InvalidArguments, InvalidStateKey,
    Invocation, Json, NeedsInput, Prompt, PromptOutput, RequestError, Resource, Sampling,
    ServerBuilder, State, StateKey, Tool, ToolOutput, UncheckableSchema, prompt, resource,
    resource_template, tool,
};
pub use crate::wire::annotations::{Annotations, Icon, Role};
pub use crate::wire::capabilities::ClientCapabilities;
pub use crate::wire::content::{Content, ResourceContents, ResourceLink};
pub use crate::wire::input_required::{ElicitAction, Root, Sampled};
pub use crate::wire::logging::LoggingLevel;
pub use crate::wire::prompts::PromptMessage;
pub use crate::wire::tools::ToolAnnotations;
pub use crate::wire::version::{Era, ProtocolVersion};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
