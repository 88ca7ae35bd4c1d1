//! Log levels and log notifications to the client. Specification: *Logging*.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How severe a log notification is, after RFC 5424.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoggingLevel {
    /// Details for finding a fault.
    Debug,
    /// What happens in the ordinary course.
    Info,
    /// Ordinary, but worth a look.
    Notice,
    /// Something to mend.
    Warning,
    /// Something failed.
    Error,
    /// A part of the system failed.
    Critical,
    /// Someone must act at once.
    Alert,
    /// Nothing works.
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
