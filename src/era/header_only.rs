//! [`HeaderOnlyRequests`]: whether modern requests can omit `_meta`.

use std::str::FromStr;

use thiserror::Error;

/// Whether a modern request without the required `_meta` keys is served.
///
/// Set it with
/// [`ServerBuilder::header_only_requests`](crate::server::ServerBuilder::header_only_requests).
/// Defaults to [`Reject`](Self::Reject). Specification: *Base Protocol, `_meta`*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::server::HeaderOnlyRequests;
///
/// assert_eq!("allow".parse(), Ok(HeaderOnlyRequests::Allow));
/// assert_eq!(HeaderOnlyRequests::default(), HeaderOnlyRequests::Reject);
/// assert!("yes".parse::<HeaderOnlyRequests>().is_err());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HeaderOnlyRequests {
    /// Rejects the request with status 400, as the specification requires.
    #[default]
    Reject,
    /// Serves the request. The version is taken from the `MCP-Protocol-Version` header, and the
    /// client has no capabilities.
    Allow,
}

/// The error for a text that is neither `reject` nor `allow`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a policy for requests without `_meta`; use `reject` or `allow`")]
pub struct InvalidHeaderOnlyRequests(String);

/// Parses `reject` or `allow`.
impl FromStr for HeaderOnlyRequests {
    type Err = InvalidHeaderOnlyRequests;

    fn from_str(text: &str) -> Result<Self, InvalidHeaderOnlyRequests> {
        match text {
            "reject" => Ok(Self::Reject),
            "allow" => Ok(Self::Allow),
            _ => Err(InvalidHeaderOnlyRequests(text.to_owned())),
        }
    }
}
