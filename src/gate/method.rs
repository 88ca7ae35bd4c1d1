//! The endpoint takes POST; documents take GET and HEAD.
//!
//! A GET on the endpoint would ask for a stream, which nothing here ever opens. Specification:
//! *Streamable HTTP, Earlier Streamable HTTP Revisions*.

use http::Method;

use super::Rejection;
use super::path::Target;

pub(super) fn check(target: Target, verb: &Method) -> Result<(), Rejection> {
    match target {
        Target::Endpoint if *verb == Method::POST => Ok(()),
        Target::Endpoint => Err(Rejection::MethodNotAllowed),
        Target::Document(_) if *verb == Method::GET || *verb == Method::HEAD => Ok(()),
        Target::Document(_) => Err(Rejection::DocumentMethodNotAllowed),
    }
}
