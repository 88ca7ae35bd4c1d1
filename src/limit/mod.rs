//! Limits: how often a tool may be called, by each client and in total.
//!
//! A limit is a fixed window with a cap on bursts: at most so many calls in each hour that begins at
//! a full hour, and, if wanted, at most so many in each tenth of it. The count lives in a
//! [`Limiter`], one write a decision; nothing is counted that was not asked. Specification:
//! *Tools, Security Considerations*: servers MUST rate limit tool invocations.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `window.rs` | the arithmetic, with the clock passed in |
//! | `rule.rs`, `rules.rs` | one limit; the limits of all tools, and their text |
//! | `caller.rs` | whose calls are counted together |
//! | `memory.rs`, `dynamodb.rs` | where counts live |
//! | `denials.rs` | what is remembered of refusals, so that a flood costs no writes |
//! | `stage.rs` | the rules of a tool one after the other |
//! | `refusal.rs`, `headers.rs` | what a client is told |

mod caller;
mod denials;
#[cfg(feature = "dynamodb")]
mod dynamodb;
mod headers;
mod memory;
mod refusal;
mod rule;
mod rules;
mod stage;
mod window;

use std::error::Error as StdError;
use std::fmt;
use std::time::SystemTime;

use thiserror::Error;

use crate::future::BoxFuture;

pub use caller::CallerKey;
#[cfg(feature = "dynamodb")]
pub use dynamodb::DynamoDbLimiter;
pub use memory::MemoryLimiter;
pub use refusal::Limited;
pub use rule::{InvalidRule, OnStoreFailure, Per, Rule};
pub use rules::{InvalidRules, Rules};
pub use stage::{Allowed, Limits};
pub use window::Window;

/// Where calls are counted.
///
/// One decision is one atomic step: it looks and counts at once, and a call that is denied is not
/// counted. [`Rule::window`], [`Rule::counter_key`] and [`Window::decide`] hold the arithmetic, so
/// that an implementation only has to store three numbers.
pub trait Limiter: Send + Sync + fmt::Debug {
    /// Counts a call by `caller` at `now` if `rule` admits it.
    fn hit<'a>(
        &'a self,
        rule: &'a Rule,
        caller: &'a CallerKey,
        now: SystemTime,
    ) -> BoxFuture<'a, Result<Decision, StoreDown>>;
}

/// What a rule says of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It may go on, and was counted.
    Admitted {
        /// The calls counted in this window, this one included.
        hits: u64,
    },
    /// It may not, and was not counted. Every call is denied until `until`.
    Denied {
        /// When a call may be admitted again.
        until: SystemTime,
        /// Which of the rule's two bounds is reached.
        bound: Bound,
    },
}

/// The two bounds of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The calls in a window.
    Limit,
    /// The calls in a tenth of a window.
    Burst,
}

/// The count could not be read and written.
#[derive(Debug, Error)]
#[error("the store of the limits does not answer: {reason}")]
pub struct StoreDown {
    reason: &'static str,
    is_hot: bool,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl StoreDown {
    /// A store that fails for `reason`, which goes into the log.
    #[must_use]
    pub const fn new(reason: &'static str) -> Self {
        Self {
            reason,
            is_hot: false,
            source: None,
        }
    }

    /// Adds what the store itself said.
    #[must_use]
    pub fn source(self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self {
            source: Some(source.into()),
            ..self
        }
    }

    /// Marks that the store refuses because this very counter is written too often.
    ///
    /// A rule that is [`OnStoreFailure::Open`] stays closed then: who floods a counter must not get
    /// past it.
    #[must_use]
    pub fn hot(self) -> Self {
        Self {
            is_hot: true,
            ..self
        }
    }

    /// Whether this very counter is written too often.
    #[must_use]
    pub const fn is_hot(&self) -> bool {
        self.is_hot
    }
}
