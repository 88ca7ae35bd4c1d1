//! JSON-RPC error codes. Specification: *Base Protocol, Error Codes*.

/// The body is not JSON.
pub(crate) const PARSE_ERROR: i32 = -32700;
/// The body is JSON, but no message.
pub(crate) const INVALID_REQUEST: i32 = -32600;
/// No such method.
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
/// The parameters do not fit, or name a tool that is not there.
pub(crate) const INVALID_PARAMS: i32 = -32602;
/// Something broke here; the log has the details.
pub(crate) const INTERNAL_ERROR: i32 = -32603;
/// Headers and body contradict each other, or a required header is missing.
pub(crate) const HEADER_MISMATCH: i32 = -32020;
/// The client did not declare a capability that the request takes.
pub(crate) const MISSING_CLIENT_CAPABILITY: i32 = -32021;
/// No such resource; the code of the legacy era.
pub(crate) const RESOURCE_NOT_FOUND: i32 = -32002;
/// The protocol version is not served.
pub(crate) const UNSUPPORTED_PROTOCOL_VERSION: i32 = -32022;
/// The verb is not served; a code of the legacy range, which deployed clients expect with a 405.
pub(crate) const METHOD_NOT_ALLOWED: i32 = -32000;
