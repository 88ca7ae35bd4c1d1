//! The HTTP methods: POST for the endpoint, GET and HEAD for documents.
//!
//! Earlier revisions use GET on the endpoint to open a stream, which this server does not offer.
//! Specification: *Streamable HTTP, Earlier Streamable HTTP Revisions*.

use http::Method;

use super::path::Target;
use super::rejection::Rejection;

/// Checks the HTTP method.
pub(super) fn check(target: Target, verb: &Method) -> Result<(), Rejection> {
    match target {
        Target::Endpoint if *verb == Method::POST => Ok(()),
        Target::Endpoint => Err(Rejection::MethodNotAllowed),
        Target::Document(_) if *verb == Method::GET || *verb == Method::HEAD => Ok(()),
        Target::Document(_) => Err(Rejection::DocumentMethodNotAllowed),
    }
}
