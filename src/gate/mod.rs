//! The gate: checks that need only the path, the HTTP method, the headers and the body size.
//!
//! The order is: path (404), HTTP method (405), preflight (204), host and origin (403), size (413),
//! content encoding and content type (415), `Accept` (406). The gate does no I/O and reads no credentials, so a 405 never
//! depends on the caller. Specification: *Streamable HTTP*.

mod accept;
mod content_encoding;
mod content_type;
pub(crate) mod cors;
mod host;
mod method;
mod origin;
mod path;
mod rejection;
mod settings;

use http::{HeaderMap, Method};

pub use host::{Hosts, InvalidHosts};
pub use origin::{InvalidOrigins, Origins};
pub(crate) use path::Document;
pub(crate) use rejection::Rejection;
#[cfg(feature = "lambda")]
pub(crate) use rejection::refuse;
pub(crate) use settings::Gate;

/// An admitted request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admitted {
    /// A CORS preflight.
    Preflight {
        /// Whether it is for a document, not for the endpoint.
        is_document: bool,
    },
    /// A published document.
    Document(Document),
    /// A message for the endpoint.
    Message {
        /// Whether the client accepts JSON. If not, it accepts event streams.
        takes_json: bool,
        /// Whether the client accepts event streams.
        takes_sse: bool,
        /// Whether the message may cause effects without a credential: it comes from a web page whose
        /// origin is named, or from no web page.
        may_act: bool,
    },
}

/// Admits or rejects a request.
///
/// # Errors
///
/// Returns the first rule that the request breaks.
pub(crate) fn admit(
    gate: &Gate,
    verb: &Method,
    path: &str,
    headers: &HeaderMap,
    body_bytes: usize,
) -> Result<Admitted, Rejection> {
    let Some(target) = path::resolve(gate, path) else {
        return Err(Rejection::NotFound);
    };
    if *verb == Method::OPTIONS {
        let is_document = matches!(target, path::Target::Document(_));
        return Ok(Admitted::Preflight { is_document });
    }
    method::check(target, verb)?;
    if !gate.hosts.admit(headers) {
        return Err(Rejection::ForbiddenHost);
    }
    if let path::Target::Document(document) = target {
        // Documents are public, so `Origin` is not checked.
        return Ok(Admitted::Document(document));
    }
    if !gate.origins.admit(headers) {
        return Err(Rejection::ForbiddenOrigin);
    }
    if body_bytes > gate.max_body_bytes {
        return Err(Rejection::TooLarge(gate.max_body_bytes));
    }
    if !content_encoding::is_identity(headers) {
        return Err(Rejection::UnsupportedEncoding);
    }
    if !content_type::is_json(headers) {
        return Err(Rejection::UnsupportedMediaType);
    }
    let accept::Accepts { json, event_stream } = accept::read(headers);
    if !json && !event_stream {
        return Err(Rejection::NotAcceptable);
    }
    Ok(Admitted::Message {
        takes_json: json,
        takes_sse: event_stream,
        may_act: gate.origins.trusts(headers),
    })
}
