//! [`ResponseLimit`]: the largest response body that an edge can send, and what is left of it.

use std::fmt;

use crate::wire::text::escaped_len;

/// The largest response body that an edge can send.
///
/// The edge sets it in the [`Invocation`](crate::server::Invocation) of a request. A result that
/// would make the body larger is replaced by advice to ask for less: a tool error for tools, a
/// protocol error for everything else. Without a limit, results of any size are sent.
///
/// [`lambda`](crate::lambda) sets the limit of the front that the event came from. Set one for an
/// edge of your own if its platform has a limit.
///
/// # Examples
///
/// ```
/// use bytes::Bytes;
/// use lambda_mcp::server::{Invocation, ResponseLimit};
/// use lambda_mcp::{Server, tool};
///
/// async fn digits() -> String {
///     "0123456789".repeat(1000)
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("digits", "1.0.0").tool(tool("digits", digits)).build()?;
///
/// let mut invocation = Invocation::default();
/// invocation.response_limit = Some(ResponseLimit::bytes(5_000));
/// let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"digits"}}"#;
/// let mut request = http::Request::post("/mcp")
///     .header("Content-Type", "application/json")
///     .body(Bytes::from(call))?;
/// request.extensions_mut().insert(invocation);
///
/// let body = server.handle(request).await.into_body().into_bytes().unwrap_or_default();
/// assert!(String::from_utf8_lossy(&body).contains("larger than 5 KB"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResponseLimit {
    bytes: usize,
    is_escaped: bool,
}

/// The most bytes that one byte of a JSON text becomes in a JSON string. Within texts, quotes, backslashes and
/// control characters are escaped already, so only their backslashes and quotes are escaped again. Between
/// values, there are line ends and tabs at most.
const MAX_ESCAPED: usize = 2;

impl ResponseLimit {
    /// A limit in bytes of the body.
    #[must_use]
    pub const fn bytes(bytes: usize) -> Self {
        Self {
            bytes,
            is_escaped: false,
        }
    }

    /// A limit in bytes of the body as a JSON string: quotes, backslashes and line breaks count
    /// twice, since they are escaped.
    ///
    /// This is how a platform counts that takes the whole response as one JSON document, such as
    /// AWS Lambda.
    #[must_use]
    pub const fn escaped_bytes(bytes: usize) -> Self {
        Self {
            bytes,
            is_escaped: true,
        }
    }

    /// Lowers the limit to that of `other`. Bytes are counted as before.
    #[must_use]
    pub(crate) const fn at_most(self, other: Self) -> Self {
        Self {
            bytes: if other.bytes < self.bytes {
                other.bytes
            } else {
                self.bytes
            },
            is_escaped: self.is_escaped,
        }
    }

    /// The number of bytes that `body` counts as.
    fn cost(self, body: &[u8]) -> usize {
        if !self.is_escaped {
            return body.len();
        }
        escaped_len(body)
    }
}

/// The size in words, such as `6 MB`.
impl fmt::Display for ResponseLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bytes {
            0..1_000 => write!(f, "{} bytes", self.bytes),
            1_000..1_000_000 => write!(f, "{} KB", self.bytes / 1_000),
            _ => write!(f, "{} MB", self.bytes / 1_000_000),
        }
    }
}

/// What is left of a [`ResponseLimit`] while a body is put together.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    limit: Option<ResponseLimit>,
    left: usize,
    is_batch: bool,
    is_exceeded: bool,
}

impl Budget {
    /// A budget for one response.
    #[must_use]
    pub(crate) const fn new(limit: Option<ResponseLimit>) -> Self {
        let left = match limit {
            Some(limit) => limit.bytes,
            None => usize::MAX,
        };
        Self {
            limit,
            left,
            is_batch: false,
            is_exceeded: false,
        }
    }

    /// A budget that the responses of a batch share.
    #[must_use]
    pub(crate) const fn of_batch(limit: ResponseLimit) -> Self {
        Self {
            is_batch: true,
            ..Self::new(Some(limit))
        }
    }

    /// The limit in words, or `None` if there is none.
    #[must_use]
    pub(crate) const fn limit(&self) -> Option<ResponseLimit> {
        self.limit
    }

    /// Whether several responses share the budget.
    #[must_use]
    pub(crate) const fn is_batch(&self) -> bool {
        self.is_batch
    }

    /// Whether a part of the body did not fit.
    #[must_use]
    pub(crate) const fn is_exceeded(&self) -> bool {
        self.is_exceeded
    }

    /// Keeps bytes free for a later part of the body.
    pub(crate) const fn reserve(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes);
    }

    /// Gives back bytes that were reserved.
    pub(crate) const fn release(&mut self, bytes: usize) {
        self.left = self.left.saturating_add(bytes);
    }

    /// Takes the bytes of a refusal, which is sent in any case: its room was reserved before.
    pub(crate) fn spend(&mut self, part: &[u8]) {
        if let Some(limit) = self.limit {
            self.reserve(limit.cost(part));
        }
    }

    /// Whether a body, a JSON text, fits that is the only part of its response, whatever it counts as. Most
    /// are so small that they need not be counted.
    #[must_use]
    pub(crate) const fn surely_fits(&self, body_len: usize) -> bool {
        !self.is_batch && body_len <= self.left / MAX_ESCAPED
    }

    /// Takes the bytes of a part of the body. Takes nothing and returns `false` if they are more
    /// than what is left.
    #[must_use]
    pub(crate) fn take(&mut self, part: &[u8]) -> bool {
        match self
            .limit
            .map(|limit| self.left.checked_sub(limit.cost(part)))
        {
            None => true,
            Some(Some(left)) => {
                self.left = left;
                true
            }
            Some(None) => {
                self.is_exceeded = true;
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_bytes_are_those_of_the_body_as_a_json_string() {
        let bodies = [
            "",
            "plain é 日本",
            r#"{"a":"b\"}"#,
            "event: message\ndata: {}\n\n",
            "\u{0}\u{1f}\t\r\u{7f}",
        ];
        for body in bodies {
            let written = serde_json::to_string(body).unwrap();
            let cost = ResponseLimit::escaped_bytes(0).cost(body.as_bytes());
            assert_eq!(cost, written.len() - 2, "{body:?}");
            assert_eq!(ResponseLimit::bytes(0).cost(body.as_bytes()), body.len());
        }
    }

    #[test]
    fn what_surely_fits_does_fit() {
        let quotes = serde_json::to_string(&"\"\\\n\u{1}".repeat(100)).unwrap();
        for body in [quotes.as_str(), "[ \n\t\r\n1 ]", "{\"a\":\"b\"}"] {
            let limit = ResponseLimit::escaped_bytes(2 * body.len());
            let mut budget = Budget::new(Some(limit));
            assert!(budget.surely_fits(body.len()), "{body}");
            assert!(!budget.surely_fits(body.len() + 1), "{body}");
            assert!(budget.take(body.as_bytes()), "{body}");
        }
    }

    #[test]
    fn a_part_is_taken_whole_or_not_at_all() {
        let mut budget = Budget::of_batch(ResponseLimit::bytes(10));
        budget.reserve(3);
        assert!(!budget.take(b"12345678"));
        assert!(budget.is_exceeded());
        assert!(budget.take(b"1234567"));
        assert!(!budget.take(b"1"));
        budget.release(3);
        assert!(budget.take(b"123"));
        assert!(Budget::new(None).take(b"anything"));
    }

    #[test]
    fn a_limit_is_a_size_in_words() {
        let rows = [
            (999, "999 bytes"),
            (5_000, "5 KB"),
            (950_000, "950 KB"),
            (6_000_000, "6 MB"),
        ];
        for (bytes, words) in rows {
            assert_eq!(ResponseLimit::bytes(bytes).to_string(), words);
        }
    }
}
