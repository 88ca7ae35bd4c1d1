//! The era stage: parses the body, determines the protocol version, and compares headers and body.
//!
//! The version is determined only here; later stages use [`Call::version`]. Parsing is shallow:
//! `params` stay raw JSON until a method decodes them. Specification: *Base Protocol*; *Versioning*;
//! *Streamable HTTP*.

mod call;
pub(crate) mod client;
pub(crate) mod connection;
mod depth;
mod envelope;
mod header_only;
mod header_value;
mod message;
pub(crate) mod param_headers;
#[cfg(feature = "stdio")]
mod peek;
mod protocol_version;
pub(crate) mod session;
mod source;
mod standard_headers;

use std::borrow::Cow;

use http::HeaderMap;
use serde_json::value::RawValue;

pub(crate) use self::call::{Call, Inbound, Message, Rejected};
use self::connection::INITIALIZE;
use self::envelope::{Envelope, ParamsHead};
pub use self::header_only::{HeaderOnlyRequests, InvalidHeaderOnlyRequests};
use self::message::{Kind, text};
#[cfg(feature = "stdio")]
pub(crate) use self::peek::{Response, Sent, peek};
use self::protocol_version::Named;
pub use self::session::{InvalidLegacyHandshake, LegacyHandshake};
use self::source::Source;
use self::standard_headers::Mirrored;
use crate::error::ProtocolError;
use crate::reply::ErrorId;
use crate::wire::jsonrpc::{Members, RequestId};
use crate::wire::params::Params;
use crate::wire::version::{Era, ProtocolVersion};

/// Maximum number of messages in a batch.
const MAX_BATCH: usize = 50;

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
    Reader(Source::http(headers, header_only)).inbound(body)
}

/// Parses a line of a connection.
///
/// # Errors
///
/// The line is not JSON, not a JSON-RPC message, of an unsupported version, or of the other era.
#[cfg(feature = "stdio")]
pub(crate) fn classify_line<'a>(
    speaks: &'a connection::Speaks,
    line: &'a [u8],
) -> Result<Inbound<'a>, Rejected> {
    Reader(Source::Connection(speaks)).inbound(line)
}

/// Rejects a line of a connection, whatever it says. `id` is that of its request, if it is known.
#[cfg(feature = "stdio")]
pub(crate) fn reject_line(
    speaks: &connection::Speaks,
    id: Option<RequestId>,
    error: ProtocolError,
) -> Rejected {
    Reader(Source::Connection(speaks)).reject(id, None, error)
}

/// The parts of a message that determine its version.
struct Head<'a> {
    params: ParamsHead<'a>,
    envelope: Envelope<'a>,
    version: ProtocolVersion,
}

struct Reader<'a>(Source<'a>);

impl<'a> Reader<'a> {
    fn inbound(&self, body: &'a [u8]) -> Result<Inbound<'a>, Rejected> {
        let body = text(body).map_err(|error| self.unreadable(error))?;
        if body.trim_ascii_start().starts_with('[') {
            self.batch(body).map(Inbound::Batch)
        } else {
            self.message(body).map(Inbound::Single)
        }
    }

    /// Returns the version that a message names. `params` are those of the message, if it has any.
    fn named(&self, params: Option<&Params<'a>>) -> Named<'a> {
        let envelope = || {
            let params = ParamsHead::read(params, None).ok()?;
            Envelope::read(params.meta, None).ok()?.version
        };
        self.0.named(envelope())
    }

    /// Rejects a body or message whose id could not be read.
    fn unreadable(&self, error: ProtocolError) -> Rejected {
        self.reject(None, None, error)
    }

    /// Rejects a request, or a message that is not valid.
    fn reject(
        &self,
        id: Option<RequestId>,
        params: Option<&Params<'a>>,
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
    fn reject_silently(&self, params: Option<&Params<'a>>, error: ProtocolError) -> Rejected {
        Rejected {
            id: None,
            error,
            era: self.named(params).era(),
        }
    }

    /// What was parsed, or why it could not be.
    fn parsed<T>(&self, parsed: serde_json::Result<T>, expected: &str) -> Result<T, Rejected> {
        parsed.map_err(|error| {
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
        let elements = serde_json::from_str::<Vec<&'a RawValue>>(body);
        let elements = self.parsed(elements, "an array of objects")?;
        let refuse = |error| Err(self.unreadable(error));
        let version = match self.0.decide(None, None) {
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
            let message = self.message(element.get())?;
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
            Err(self.reject(Some(call.id), call.params.as_ref(), error))
        };
        Ok(elements.into_iter().map(read).collect())
    }

    fn message(&self, message: &'a str) -> Result<Message<'a>, Rejected> {
        let mut members = self.parsed(Members::read(message), "an object")?;
        match message::read(&mut members) {
            Ok(Kind::Request { id, method, params }) => self.request(id, method, params),
            Ok(Kind::Notification { method, params }) => self.notification(method, params.as_ref()),
            Ok(Kind::Response { .. }) => self.response(),
            Err((id, error)) => Err(self.reject(id, members.params.as_ref(), error)),
        }
    }

    fn request(
        &self,
        id: RequestId,
        method: Cow<'a, str>,
        params: Option<Params<'a>>,
    ) -> Result<Message<'a>, Rejected> {
        let head = match self.head(&method, params.as_ref()) {
            Ok(head) => head,
            Err(error) => return Err(self.reject(Some(id), params.as_ref(), error)),
        };
        let version = head.version;
        let checked = match version.era() {
            Era::Legacy => Ok(None),
            Era::Modern => self.check_modern(&head, &method),
        };
        let read = checked.and_then(|headers| {
            let client = head.envelope.client(version.era())?;
            Ok((headers, client))
        });
        let (headers, client) = match read {
            Ok(read) => read,
            Err(error) => return Err(self.reject(Some(id), params.as_ref(), error)),
        };
        let connection = self.0.legacy_connection();
        Ok(Message::Request(Box::new(Call {
            id,
            method,
            params,
            version,
            client: match connection {
                Some(connection) => connection.client(client),
                None => client,
            },
            headers,
            connection,
        })))
    }

    /// Parses the parts of a message that determine its version.
    ///
    /// `initialize` is negotiated by its body, whatever version the header names. With a modern
    /// envelope it is an ordinary request. Specification: *Versioning, Compatibility Matrix*.
    fn head(&self, method: &str, params: Option<&Params<'a>>) -> Result<Head<'a>, ProtocolError> {
        let is_initialize = method == INITIALIZE;
        let era = if is_initialize {
            Some(Era::Legacy)
        } else {
            self.0.era()
        };
        let parsed = ParamsHead::read(params, era)
            .and_then(|params| Ok((Envelope::read(params.meta, era)?, params)));
        let (envelope, params) = match parsed {
            Ok(parsed) => parsed,
            // A version that is not supported is the more useful reason.
            Err(error) if is_initialize => return Err(error),
            Err(error) => {
                let decided = self.0.decide(Some(method), None);
                return Err(decided.err().unwrap_or(error));
            }
        };
        let named = envelope.version.as_deref();
        let version = if is_initialize && named.is_none() {
            self.0.check_initialize()?;
            params.negotiated_version()
        } else {
            self.0.decide(Some(method), named)?
        };
        Ok(Head {
            params,
            envelope,
            version,
        })
    }

    /// Checks the rules of modern requests, and returns the headers that methods compare with the body.
    fn check_modern(
        &self,
        head: &Head<'_>,
        method: &str,
    ) -> Result<Option<&'a HeaderMap>, ProtocolError> {
        let name = head.params.name(method);
        let mirrored = Mirrored {
            method,
            name: name.as_deref(),
        };
        self.0.check_modern(&head.envelope, mirrored)
    }

    /// The specification does not define header rules for notifications, so only the version is
    /// checked.
    fn notification(
        &self,
        method: Cow<'a, str>,
        params: Option<&Params<'a>>,
    ) -> Result<Message<'a>, Rejected> {
        match self.head(&method, params) {
            Ok(head) => Ok(Message::NoReply {
                method: Some(method),
                version: head.version,
            }),
            Err(error) => Err(self.reject_silently(params, error)),
        }
    }

    /// Legacy clients can send responses to requests of the server. Over HTTP it sends none, so they
    /// are ignored; on a connection they were read before. Modern clients must not send responses.
    fn response(&self) -> Result<Message<'a>, Rejected> {
        let refuse = |error| Err(self.reject_silently(None, error));
        match self.0.decide(None, None) {
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
