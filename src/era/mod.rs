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
use self::protocol_version::VersionHeader;
use crate::error::ProtocolError;
use crate::reply::ErrorId;
use crate::wire::jsonrpc::{Members, RequestId};
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
    let reader = Reader {
        headers,
        version_header: VersionHeader::read(headers),
        header_only,
    };
    if depth::is_too_deep(body) {
        let reason = format!("the body nests deeper than {} levels", depth::MAX_DEPTH);
        return Err(reader.refuse(ErrorId::Unknown, ProtocolError::invalid_request(reason)));
    }
    let body = std::str::from_utf8(body).map_err(|error| {
        let position = format!("byte {} is not UTF-8", error.valid_up_to());
        reader.refuse(ErrorId::Unknown, ProtocolError::Parse { position })
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
    fn refuse(&self, id: ErrorId, error: ProtocolError) -> Rejected {
        Rejected {
            id,
            error,
            era: self.version_header.era(),
        }
    }

    fn parse<T: serde::Deserialize<'a>>(
        &self,
        body: &'a str,
        expected: &str,
    ) -> Result<T, Rejected> {
        serde_json::from_str(body).map_err(|error| {
            let error = if error.is_data() {
                ProtocolError::invalid_request(format!("a message must be {expected}"))
            } else {
                let position = format!("line {} column {}", error.line(), error.column());
                ProtocolError::Parse { position }
            };
            self.refuse(ErrorId::Unknown, error)
        })
    }

    /// Parses a batch. The whole body is rejected if its version has no batches.
    fn batch(&self, body: &'a str) -> Result<Vec<Result<Message<'a>, Rejected>>, Rejected> {
        let elements: Vec<&'a RawValue> = self.parse(body, "an array of objects")?;
        let refuse = |error| Err(self.refuse(ErrorId::Unknown, error));
        let version = match protocol_version::decide(self.version_header, None) {
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
            match &message {
                // 2025-03-26, Lifecycle: `initialize` must not be part of a batch.
                Message::Request(call) if call.method == "initialize" => Err(self.refuse(
                    ErrorId::Of(call.id.clone()),
                    ProtocolError::invalid_request("`initialize` cannot be part of a batch"),
                )),
                Message::Request(call) if !call.version.has_batches() => Err(self.refuse(
                    ErrorId::Of(call.id.clone()),
                    ProtocolError::invalid_request("a batch cannot hold requests of this version"),
                )),
                Message::Request(_) | Message::NoReply { .. } => Ok(message),
            }
        };
        Ok(elements.into_iter().map(read).collect())
    }

    fn message(&self, members: &Members<'a>) -> Result<Message<'a>, Rejected> {
        match message::read(members).map_err(|(id, error)| self.refuse(id, error))? {
            Kind::Request { id, method, params } => self.request(id, method, params),
            Kind::Notification { method, params } => self.notification(method, params),
            Kind::Response => self.response(),
        }
    }

    fn request(
        &self,
        id: RequestId,
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    ) -> Result<Message<'a>, Rejected> {
        let head = match self.head(params) {
            Ok(head) => head,
            Err(error) => return Err(self.refuse(ErrorId::Of(id), error)),
        };
        let member = standard_headers::name_member(&method);
        let name = member.and_then(|member| head.params.text(member));
        let version = head.version;
        let era = version.era();
        let client = match era {
            Era::Legacy => head.envelope.client(era),
            Era::Modern => self
                .check_modern(&head.envelope, &method, name.as_deref())
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
            Err(error) => Err(Rejected {
                id: ErrorId::Of(id),
                error,
                era,
            }),
        }
    }

    /// Parses the parts of a message that determine its version.
    fn head(&self, params: Option<&'a RawValue>) -> Result<Head<'a>, ProtocolError> {
        let params = ParamsHead::read(params)?;
        let envelope = Envelope::read(params.meta)?;
        let version = protocol_version::decide(self.version_header, envelope.version.as_deref())?;
        Ok(Head {
            params,
            envelope,
            version,
        })
    }

    /// Checks the rules of modern requests.
    fn check_modern(
        &self,
        envelope: &Envelope<'_>,
        method: &str,
        name: Option<&str>,
    ) -> Result<(), ProtocolError> {
        let header_only =
            envelope.version.is_none() && self.header_only == HeaderOnlyRequests::Allow;
        if !header_only {
            envelope.check()?;
        }
        standard_headers::check(self.headers, method, name, !header_only)
    }

    /// The specification does not define header rules for notifications, so only the version is
    /// checked.
    fn notification(
        &self,
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    ) -> Result<Message<'a>, Rejected> {
        match self.head(params) {
            Ok(head) => Ok(Message::NoReply {
                method: Some(method),
                version: head.version,
            }),
            Err(error) => Err(self.refuse(ErrorId::Unknown, error)),
        }
    }

    /// Legacy clients can send responses to requests of the server. This server sends none, so they
    /// are ignored. Modern clients must not send responses.
    fn response(&self) -> Result<Message<'a>, Rejected> {
        let refuse = |error| Err(self.refuse(ErrorId::Unknown, error));
        match protocol_version::decide(self.version_header, None) {
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
