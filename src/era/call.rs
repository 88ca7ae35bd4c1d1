//! The messages that the era stage hands on.

use std::borrow::Cow;

use http::HeaderMap;

use super::client::Client;
use super::connection::LegacyConnection;
use crate::error::ProtocolError;
use crate::reply::ErrorId;
use crate::wire::jsonrpc::RequestId;
use crate::wire::params::Params;
use crate::wire::version::{Era, ProtocolVersion};

/// The messages of a body.
#[derive(Debug)]
pub(crate) enum Inbound<'a> {
    /// One message.
    Single(Message<'a>),
    /// A batch. Each message is accepted or rejected by itself.
    Batch(Vec<Result<Message<'a>, Rejected>>),
}

/// One message.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    /// A request, which gets a response. In a box, since messages are handed from future to future.
    Request(Box<Call<'a>>),
    /// An accepted notification or response, which gets no response.
    NoReply {
        /// The method of a notification. `None` for a response.
        method: Option<Cow<'a, str>>,
        /// The protocol version of the message.
        version: ProtocolVersion,
    },
}

/// A request.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    /// The id, which the response repeats.
    pub id: RequestId,
    /// The method.
    pub method: Cow<'a, str>,
    /// The parameters. If present, they are a JSON object.
    pub params: Option<Params<'a>>,
    /// The protocol version.
    pub version: ProtocolVersion,
    /// The client, as the request describes it.
    pub(crate) client: Client,
    /// The HTTP headers of a modern request, which methods compare with the body. `None` in the
    /// legacy era, and on a connection.
    pub(crate) headers: Option<&'a HeaderMap>,
    /// The connection of the legacy era that the request came on. `None` over HTTP.
    pub(crate) connection: Option<&'a LegacyConnection>,
}

/// A rejected message.
#[derive(Debug)]
pub(crate) struct Rejected {
    /// The id of the error response. `None` for notifications and responses: they are rejected with
    /// an HTTP status alone.
    pub id: Option<ErrorId>,
    /// The error.
    pub error: ProtocolError,
    /// The era that determines the form of the error response.
    pub era: Era,
}
