//! JSON-RPC error codes. Specification: *Base Protocol, Error Codes*.

/// The body is not JSON.
pub(crate) const PARSE_ERROR: i32 = -32700;
/// The body is JSON, but not a valid message.
pub(crate) const INVALID_REQUEST: i32 = -32600;
/// The method does not exist.
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
/// The parameters are invalid, or name an unknown tool.
pub(crate) const INVALID_PARAMS: i32 = -32602;
/// An internal failure. The log has the details.
pub(crate) const INTERNAL_ERROR: i32 = -32603;
/// A header does not match the body, or a required header is missing.
pub(crate) const HEADER_MISMATCH: i32 = -32020;
/// The client did not declare a capability that the request needs.
pub(crate) const MISSING_CLIENT_CAPABILITY: i32 = -32021;
/// The resource does not exist (legacy era).
pub(crate) const RESOURCE_NOT_FOUND: i32 = -32002;
/// The protocol version is not supported.
pub(crate) const UNSUPPORTED_PROTOCOL_VERSION: i32 = -32022;
/// The HTTP method is not allowed. A legacy code, which deployed clients expect with a 405.
pub(crate) const METHOD_NOT_ALLOWED: i32 = -32000;
