//! Log levels and log notifications to the client. Specification: *Logging*.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The severity of a log notification, as in RFC 5424. Levels compare by severity.
///
/// [`Context::log`](crate::Context::log) takes it. Specification: *Logging, Log Levels*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::protocol::LoggingLevel;
///
/// assert!(LoggingLevel::Error > LoggingLevel::Info);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoggingLevel {
    /// Detailed debugging information.
    Debug,
    /// General information.
    Info,
    /// Normal but significant events.
    Notice,
    /// Warning conditions.
    Warning,
    /// Error conditions.
    Error,
    /// Critical conditions, such as the failure of a component.
    Critical,
    /// Conditions that require immediate action.
    Alert,
    /// The system is unusable.
    Emergency,
}

/// The parameters of `notifications/message`.
#[derive(Debug, Serialize)]
pub(crate) struct LogMessage<'a> {
    pub(crate) level: LoggingLevel,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) logger: Option<&'a str>,
    pub(crate) data: &'a Value,
}
