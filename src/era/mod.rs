//! The era: what kind of message a body is, in which version, and whether headers and body agree.
//!
//! Decided once, here; everything after works on a [`Call`] whose version is a type. Reading stays
//! shallow: `params` are raw JSON until a method decodes them. Specification: *Base Protocol*,
//! *Versioning*, *Streamable HTTP*.

pub(crate) mod client;
mod depth;
mod envelope;
mod header_value;
mod message;
pub(crate) mod param_headers;
mod protocol_version;
mod standard_headers;

use std::borrow::Cow;

use http::HeaderMap;
use serde_json::value::RawValue;

pub use client::ClientInfo;

use self::client::Client;
use self::envelope::{Envelope, ParamsHead};
use self::message::Kind;
use self::protocol_version::Declared;
use crate::error::ProtocolError;
use crate::reply::ErrorId;
use crate::wire::jsonrpc::{Members, RequestId};
use crate::wire::version::{Era, ProtocolVersion};

/// The most messages one batch may hold.
const MAX_BATCH: usize = 50;

/// Whether a modern request may come without its envelope, as its headers alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HeaderOnlyRequests {
    /// It is malformed, as the specification says.
    #[default]
    Reject,
    /// It is served: the version is taken from the header, and the client can do nothing special.
    Allow,
}

/// What a body holds.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one lives as long as its request; a box would be one allocation more for each"
)]
pub(crate) enum Inbound<'a> {
    /// One message.
    Single(Message<'a>),
    /// A batch, in a version that has them; each message stands or falls by itself.
    Batch(Vec<Result<Message<'a>, Rejected>>),
}

/// One message.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one lives as long as its request; a box would be one allocation more for each"
)]
pub(crate) enum Message<'a> {
    /// A request, which gets a response.
    Request(Call<'a>),
    /// A notification or response; it is taken and gets no answer.
    NoReply {
        /// The notification's method; a response has none.
        method: Option<Cow<'a, str>>,
        /// The version it came in.
        version: ProtocolVersion,
    },
}

/// A request, ready for its method.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    /// What the response must repeat.
    pub id: RequestId,
    /// The method's name.
    pub method: Cow<'a, str>,
    /// The parameters, an object if they are there.
    pub params: Option<&'a RawValue>,
    /// The version it is served in.
    pub version: ProtocolVersion,
    /// What it says of its client.
    pub(crate) client: Client,
    /// The headers it came with, for what a method checks against them; none in the legacy era,
    /// which gives them no meaning.
    pub(crate) headers: Option<&'a HeaderMap>,
}

/// A message that is refused.
#[derive(Debug)]
pub(crate) struct Rejected {
    /// The id the error names.
    pub id: ErrorId,
    /// Why.
    pub error: ProtocolError,
    /// The era the error is written for.
    pub era: Era,
}

/// Reads a body.
///
/// # Errors
///
/// The body is no JSON, no message, in no served version, or at odds with its headers.
pub(crate) fn classify<'a>(
    headers: &'a HeaderMap,
    body: &'a [u8],
    header_only: HeaderOnlyRequests,
) -> Result<Inbound<'a>, Rejected> {
    let reader = Reader {
        headers,
        declared: Declared::read(headers),
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

struct Opened<'a> {
    head: ParamsHead<'a>,
    envelope: Envelope<'a>,
    version: ProtocolVersion,
}

struct Reader<'a> {
    headers: &'a HeaderMap,
    declared: Declared<'a>,
    header_only: HeaderOnlyRequests,
}

impl<'a> Reader<'a> {
    fn refuse(&self, id: ErrorId, error: ProtocolError) -> Rejected {
        Rejected {
            id,
            error,
            era: self.declared.era(),
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

    /// Only one version has batches; in the others, and when the version is not served, the whole
    /// body is refused.
    fn batch(&self, body: &'a str) -> Result<Vec<Result<Message<'a>, Rejected>>, Rejected> {
        let elements: Vec<&'a RawValue> = self.parse(body, "an array of objects")?;
        let refuse = |error| Err(self.refuse(ErrorId::Unknown, error));
        let version = match protocol_version::decide(self.declared, None) {
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
        let opened = match self.open(params) {
            Ok(opened) => opened,
            Err(error) => return Err(self.refuse(ErrorId::Of(id), error)),
        };
        let member = standard_headers::name_member(&method);
        let name = member.and_then(|member| opened.head.text(member));
        let version = opened.version;
        let era = version.era();
        let client = match era {
            Era::Legacy => opened.envelope.client(era),
            Era::Modern => self
                .check_modern(&opened.envelope, &method, name.as_deref())
                .and_then(|()| opened.envelope.client(era)),
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

    /// Reads what every message with parameters may say of its version.
    fn open(&self, params: Option<&'a RawValue>) -> Result<Opened<'a>, ProtocolError> {
        let head = ParamsHead::read(params)?;
        let envelope = Envelope::read(head.meta)?;
        let version = protocol_version::decide(self.declared, envelope.version.as_deref())?;
        Ok(Opened {
            head,
            envelope,
            version,
        })
    }

    /// The rules that only modern requests are under.
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

    /// Header rules for notifications are left open by the specification: the version must be
    /// served, and nothing more is asked.
    fn notification(
        &self,
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    ) -> Result<Message<'a>, Rejected> {
        match self.open(params) {
            Ok(opened) => Ok(Message::NoReply {
                method: Some(method),
                version: opened.version,
            }),
            Err(error) => Err(self.refuse(ErrorId::Unknown, error)),
        }
    }

    /// Legacy clients may answer requests of the server, of which there are none here; modern
    /// clients must not send responses at all.
    fn response(&self) -> Result<Message<'a>, Rejected> {
        let refuse = |error| Err(self.refuse(ErrorId::Unknown, error));
        match protocol_version::decide(self.declared, None) {
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
