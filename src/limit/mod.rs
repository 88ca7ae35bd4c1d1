//! Rate limits for tools, resources, prompts and completions, per client and in total.
//!
//! A limit is a fixed window with an optional burst: at most so many calls in each hour that starts
//! at a full hour, and at most so many in each tenth of it. [`Rules`] say what is limited,
//! [`Limits`] applies them, and a [`Limiter`] stores the counters: [`MemoryLimiter`] for one
//! process, [`DynamoDbLimiter`] for all instances of a function, or one of your own.
//!
//! Pass the limits to [`ServerBuilder::limits`](crate::server::ServerBuilder::limits). Calls without
//! a limit cost nothing. Lists, `initialize`, `ping` and `server/discover` are never limited: many
//! clients fail if they are.
//!
//! Specification: *Tools, Security Considerations*: servers MUST rate limit tool invocations.
//!
//! # Examples
//!
//! ```
//! use lambda_mcp::limit::{Limits, MemoryLimiter};
//! use lambda_mcp::{Server, tool};
//!
//! async fn search() -> &'static str {
//!     "nothing found"
//! }
//!
//! let limits = Limits::new("search=60/1m,1000/1d".parse()?, MemoryLimiter::new());
//! let server = Server::builder("library", "1.0.0")
//!     .tool(tool("search", search))
//!     .limits(limits)
//!     .build()?;
//! # let _: Server = server;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How a caller is counted
//!
//! A call that requires or recognizes a credential counts for the credential's subject, all others for
//! the address that the platform reports. See [`CallerKey`].
//!
//! A call whose handler asks the client counts once: the rounds after the first one pass, each one
//! time, up to 16. A round that is sent again counts as a call of its own.

// | file | what it holds |
// | --- | --- |
// | `window.rs`, `period.rs` | the arithmetic of windows; periods as text |
// | `rule.rs`, `target.rs`, `rules.rs` | one limit; what it applies to; all limits of a server |
// | `caller.rs`, `counter.rs` | whose calls are counted; what a store counts and decides |
// | `limiter.rs`, `memory.rs`, `dynamodb.rs` | the trait for stores, and two stores |
// | `limits.rs`, `limited_cache.rs` | the check of one call; what an instance remembers |
// | `limited.rs`, `headers.rs` | what a client gets |
// | `expiring_map.rs` | a bounded map, for `memory.rs` and `limited_cache.rs` |

mod caller;
mod counter;
#[cfg(feature = "dynamodb")]
mod dynamodb;
mod expiring_map;
mod headers;
mod limited;
mod limited_cache;
mod limiter;
mod limits;
mod memory;
mod period;
mod rule;
mod rules;
mod target;
mod window;

pub use caller::CallerKey;
pub use counter::{Count, Counter, Decision, LimitKind};
#[cfg(feature = "dynamodb")]
pub use dynamodb::DynamoDbLimiter;
pub use headers::Quotas;
pub use limited::Limited;
pub use limiter::{Limiter, StoreError};
pub use limits::Limits;
pub use memory::MemoryLimiter;
pub use rule::{InvalidRule, Rule};
pub use rules::{InvalidRules, Rules};
pub use target::{InvalidTarget, Target};
pub use window::Window;
