//! The era stage: parses the body, determines the protocol version, and compares headers and body.
//!
//! The version is determined only here; later stages use [`Call::version`]. Parsing is shallow:
//! `params` stay raw JSON until a method decodes them. Specification: *Base Protocol*; *Versioning*;
//! *Streamable HTTP*.

mod call;
pub(crate) mod client;
mod depth;
mod envelope;
mod header_only;
mod header_value;
mod message;
pub(crate) mod param_headers;
mod protocol_version;
mod standard_headers;

use std::borrow::Cow;

use http::HeaderMap;
use serde_json::value::RawValue;

pub(crate) use self::call::{Call, Inbound, Message, Rejected};
use self::envelope::{Envelope, ParamsHead};
pub use self::header_only::{HeaderOnlyRequests, InvalidHeaderOnlyRequests};
use self::message::Kind;
use self::protocol_version::{Named, VersionHeader};
use self::standard_headers::Mirrored;
use crate::error::ProtocolError;
use crate::reply::ErrorId;
use crate::wire::jsonrpc::{Members, RequestId};
use crate::wire::version::{Era, ProtocolVersion};

/// Maximum number of messages in a batch.
const MAX_BATCH: usize = 50;
const INITIALIZE: &str = "initialize";
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Parses a body.
///
/// # Errors
///
/// The body is not JSON, not a JSON-RPC message, of an unsupported version, or does not match the
/// headers.
pub(crate) fn classify<'a>(
    headers: &'a HeaderMap,
    body: &'a [u8],
    header_only: HeaderOnlyRequests,
) -> Result<Inbound<'a>, Rejected> {
    let reader = Reader {
        headers,
        version_header: VersionHeader::read(headers),
        header_only,
    };
    // RFC 8259, section 8.1: a parser may ignore a byte order mark.
    let body = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
    if depth::is_too_deep(body) {
        let reason = format!("the body nests deeper than {} levels", depth::MAX_DEPTH);
        return Err(reader.unreadable(ProtocolError::invalid_request(reason)));
    }
    let body = std::str::from_utf8(body).map_err(|error| {
        let position = format!("byte {} is not UTF-8", error.valid_up_to());
        reader.unreadable(ProtocolError::Parse { position })
    })?;
    if body.trim_ascii_start().starts_with('[') {
        reader.batch(body).map(Inbound::Batch)
    } else {
        let members = reader.parse(body, "an object")?;
        reader.message(&members).map(Inbound::Single)
    }
}

/// The parts of a message that determine its version.
struct Head<'a> {
    params: ParamsHead<'a>,
    envelope: Envelope<'a>,
    version: ProtocolVersion,
}

struct Reader<'a> {
    headers: &'a HeaderMap,
    version_header: VersionHeader<'a>,
    header_only: HeaderOnlyRequests,
}

impl<'a> Reader<'a> {
    /// Returns the version that a message names. `params` are those of the message, if it has any.
    fn named(&self, params: Option<&'a RawValue>) -> Named<'a> {
        let envelope = || {
            let params = ParamsHead::read(params, None).ok()?;
            Envelope::read(params.meta, None).ok()?.version
        };
        Named::new(&self.version_header, envelope())
    }

    /// Rejects a body or message whose id could not be read.
    fn unreadable(&self, error: ProtocolError) -> Rejected {
        self.reject(None, None, error)
    }

    /// Rejects a request, or a message that is not valid.
    fn reject(
        &self,
        id: Option<RequestId>,
        params: Option<&'a RawValue>,
        error: ProtocolError,
    ) -> Rejected {
        let named = self.named(params);
        let id = id.map_or_else(|| named.unreadable_id(), ErrorId::Of);
        Rejected {
            id: Some(id),
            error,
            era: named.era(),
        }
    }

    /// Rejects a notification or response. It gets an HTTP status, but no JSON-RPC response.
    fn reject_silently(&self, params: Option<&'a RawValue>, error: ProtocolError) -> Rejected {
        Rejected {
            id: None,
            error,
            era: self.named(params).era(),
        }
    }

    fn parse<T: serde::Deserialize<'a>>(
        &self,
        body: &'a str,
        expected: &str,
    ) -> Result<T, Rejected> {
        serde_json::from_str(body).map_err(|error| {
            self.unreadable(if error.is_data() {
                ProtocolError::invalid_request(format!("a message must be {expected}"))
            } else {
                let position = format!("line {} column {}", error.line(), error.column());
                ProtocolError::Parse { position }
            })
        })
    }

    /// Parses a batch. The whole body is rejected if its version has no batches.
    fn batch(&self, body: &'a str) -> Result<Vec<Result<Message<'a>, Rejected>>, Rejected> {
        let elements: Vec<&'a RawValue> = self.parse(body, "an array of objects")?;
        let refuse = |error| Err(self.unreadable(error));
        let version = match protocol_version::decide(&self.version_header, None) {
            Ok(version) => version,
            Err(error) => return refuse(error),
        };
        if !version.has_batches() {
            return refuse(ProtocolError::invalid_request(format!(
                "version {version} has no batches; send each message by itself"
            )));
        }
        if elements.is_empty() || elements.len() > MAX_BATCH {
            return refuse(ProtocolError::invalid_request(format!(
                "a batch must hold 1 to {MAX_BATCH} messages, not {}",
                elements.len()
            )));
        }
        let read = |element: &'a RawValue| {
            let message = self.message(&self.parse(element.get(), "an object")?)?;
            let reason = match &message {
                // 2025-03-26, Lifecycle: `initialize` must not be part of a batch.
                Message::Request(call) if call.method == INITIALIZE => {
                    "`initialize` cannot be part of a batch"
                }
                Message::Request(call) if !call.version.has_batches() => {
                    "a batch cannot hold requests of this version"
                }
                Message::Request(_) | Message::NoReply { .. } => return Ok(message),
            };
            let Message::Request(call) = message else {
                return Ok(message);
            };
            let error = ProtocolError::invalid_request(reason);
            Err(self.reject(Some(call.id), call.params, error))
        };
        Ok(elements.into_iter().map(read).collect())
    }

    fn message(&self, members: &Members<'a>) -> Result<Message<'a>, Rejected> {
        match message::read(members) {
            Ok(Kind::Request { id, method, params }) => self.request(id, method, params),
            Ok(Kind::Notification { method, params }) => self.notification(method, params),
            Ok(Kind::Response) => self.response(),
            Err((id, error)) => Err(self.reject(id, members.params, error)),
        }
    }

    fn request(
        &self,
        id: RequestId,
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    ) -> Result<Message<'a>, Rejected> {
        let head = match self.head(&method, params) {
            Ok(head) => head,
            Err(error) => return Err(self.reject(Some(id), params, error)),
        };
        let version = head.version;
        let era = version.era();
        let client = match era {
            Era::Legacy => head.envelope.client(era),
            Era::Modern => self
                .check_modern(&head, &method)
                .and_then(|()| head.envelope.client(era)),
        };
        match client {
            Ok(client) => {
                let headers = (era == Era::Modern).then_some(self.headers);
                Ok(Message::Request(Call {
                    id,
                    method,
                    params,
                    version,
                    client,
                    headers,
                }))
            }
            Err(error) => Err(self.reject(Some(id), params, error)),
        }
    }

    /// Parses the parts of a message that determine its version.
    ///
    /// `initialize` is negotiated by its body, whatever version the header names. With a modern
    /// envelope it is an ordinary request. Specification: *Versioning, Compatibility Matrix*.
    fn head(&self, method: &str, params: Option<&'a RawValue>) -> Result<Head<'a>, ProtocolError> {
        let is_initialize = method == INITIALIZE;
        let era = if is_initialize {
            Some(Era::Legacy)
        } else {
            self.version_header.era()
        };
        let parsed = ParamsHead::read(params, era)
            .and_then(|params| Ok((Envelope::read(params.meta, era)?, params)));
        let (envelope, params) = match parsed {
            Ok(parsed) => parsed,
            // A version that is not supported is the more useful reason.
            Err(error) if is_initialize => return Err(error),
            Err(error) => {
                return Err(protocol_version::decide(&self.version_header, None)
                    .err()
                    .unwrap_or(error));
            }
        };
        let version = match &envelope.version {
            None if is_initialize => params.negotiated_version(),
            version => protocol_version::decide(&self.version_header, version.as_deref())?,
        };
        Ok(Head {
            params,
            envelope,
            version,
        })
    }

    /// Checks the rules of modern requests.
    fn check_modern(&self, head: &Head<'_>, method: &str) -> Result<(), ProtocolError> {
        let header_only =
            head.envelope.version.is_none() && self.header_only == HeaderOnlyRequests::Allow;
        if !header_only {
            head.envelope.check()?;
        }
        let name = head.params.name(method);
        let mirrored = Mirrored {
            method,
            name: name.as_deref(),
        };
        standard_headers::check(self.headers, mirrored, !header_only)
    }

    /// The specification does not define header rules for notifications, so only the version is
    /// checked.
    fn notification(
        &self,
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    ) -> Result<Message<'a>, Rejected> {
        match self.head(&method, params) {
            Ok(head) => Ok(Message::NoReply {
                method: Some(method),
                version: head.version,
            }),
            Err(error) => Err(self.reject_silently(params, error)),
        }
    }

    /// Legacy clients can send responses to requests of the server. This server sends none, so they
    /// are ignored. Modern clients must not send responses.
    fn response(&self) -> Result<Message<'a>, Rejected> {
        let refuse = |error| Err(self.reject_silently(None, error));
        match protocol_version::decide(&self.version_header, None) {
            Ok(version) if version.era() == Era::Legacy => Ok(Message::NoReply {
                method: None,
                version,
            }),
            Ok(_) => refuse(ProtocolError::invalid_request(
                "a client must not send responses",
            )),
            Err(error) => refuse(error),
        }
    }
}
