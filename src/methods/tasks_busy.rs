//! [`TasksBusy`]: the engine of the tasks accepts no more requests now.

use std::time::Duration;

use http::StatusCode;
use http::header::{HeaderValue, RETRY_AFTER};
use serde_json::json;

use crate::reply::ErrorResponse;

/// The engine of the tasks accepts no more requests now: 429 with `Retry-After`.
///
/// Only the modern era has tasks. The code is outside of the ranges that JSON-RPC and MCP reserve, as
/// that of a rate limit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TasksBusy {
    wait_s: u64,
}

impl TasksBusy {
    const CODE: i32 = 429;

    /// Another attempt may succeed after `wait`.
    pub(super) fn new(wait: Duration) -> Self {
        let wait_s = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        Self {
            wait_s: wait_s.max(1),
        }
    }

    /// The JSON-RPC error code.
    pub(crate) const fn code() -> i32 {
        Self::CODE
    }

    /// The error and the headers that a client gets.
    pub(super) fn response(self) -> ErrorResponse {
        let message = format!(
            "Too many tasks or requests for tasks at this time. This request did nothing. Try again \
             in {} s.",
            self.wait_s
        );
        let mut response = ErrorResponse::new(StatusCode::TOO_MANY_REQUESTS, Self::CODE, message);
        response.data = Some(json!({
            "retryAfterMs": self.wait_s * 1000,
            "retryAfterSeconds": self.wait_s,
        }));
        let seconds = HeaderValue::from(self.wait_s);
        response.headers.insert(RETRY_AFTER, seconds);
        response
    }
}
