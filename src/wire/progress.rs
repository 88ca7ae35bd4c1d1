//! Progress notifications. Specification: *Progress*.

use serde::Serialize;

use crate::wire::jsonrpc::RequestId;

/// The parameters of `notifications/progress`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Progress<'a> {
    /// The client's token, byte for byte. It has the same form as a request id.
    pub(crate) progress_token: &'a RequestId,
    pub(crate) progress: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) total: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<&'a str>,
}
