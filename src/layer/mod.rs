//! Layers: code around every call, for audit logs, metrics and rules of your own.
//!
//! A [`CallLayer`] sees a request after the caller is authorized and before its parameters are checked
//! against the schema, and sees how it ended. It may refuse it. Layers are for the requests of the
//! protocol; for HTTP, use `tower` layers around [`Server::into_service`].
//!
//! [`Server::into_service`]: crate::Server::into_service
//!
//! # Examples
//!
//! An audit log of everything that may change something:
//!
//! ```
//! use lambda_mcp::layer::{CallEnd, CallInfo, CallLayer, Next};
//! use lambda_mcp::{BoxFuture, Server, tool};
//!
//! struct AuditLog;
//!
//! impl CallLayer for AuditLog {
//!     fn call<'a>(&'a self, call: CallInfo<'a>, next: Next<'a>) -> BoxFuture<'a, CallEnd> {
//!         Box::pin(async move {
//!             let end = next.run().await;
//!             let is_read_only = call.annotations().is_some_and(|hints| hints.read_only_hint == Some(true));
//!             if call.method() == "tools/call" && !is_read_only {
//!                 let who = call.principal().map_or("anyone", |principal| principal.subject());
//!                 tracing::info!(who, tool = call.name(), outcome = end.outcome().as_str(), "audit");
//!             }
//!             end
//!         })
//!     }
//! }
//!
//! async fn refund() -> &'static str {
//!     "Refunded."
//! }
//!
//! let server = Server::builder("orders", "1.0.0")
//!     .layer(AuditLog)
//!     .tool(tool("refund", refund))
//!     .build();
//! assert!(server.is_ok());
//! ```

mod call_info;
mod call_layer;
mod end;

pub use self::call_info::{CallInfo, TargetKind};
pub use self::call_layer::{CallLayer, Next};
pub(crate) use self::call_layer::{Layers, Step};
pub use self::end::{CallEnd, Outcome};
