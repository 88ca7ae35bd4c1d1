//! `resources/read`. Specification: *Resources, Reading Resources* and *Error Handling*.

use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;

use super::answer::{Failure, Outcome};
use super::context::Request;
use super::invoke::{HandlerCall, Stopped, invoke};
use super::multi_round_trip::Round;
use super::result::{self, CacheHints};
use super::target::ResourceRead;
use crate::auth::Requirement;
use crate::error::ProtocolError;
use crate::handler::{Contents, Reason, RequestError};
use crate::json::Document;
use crate::schema::text_arguments;
use crate::server::RegisteredResource;
use crate::wire::resource_contents::ResourceContents;
use crate::wire::resources::ReadResourceResult;

/// Reads a resource.
pub(super) async fn answer(
    request: &Request<'_>,
    target: ResourceRead<'_>,
    headers: &mut HeaderMap,
) -> Result<(Bytes, Outcome), Failure> {
    let ResourceRead {
        resource,
        variables,
        params,
    } = target;
    let uri = params.uri.as_ref();
    let round = Round {
        input_responses: params.input_responses,
        request_state: params.request_state,
        target: uri,
        may_ask: resource.may_ask,
    };
    let checked = resource.variables()?;
    let handler_call = HandlerCall {
        kind: "resource",
        name: resource.spec.name.as_str(),
        handler: &resource.handler,
        validator: Some(&checked.validator),
        arguments: Document::of(&text_arguments::typed(&checked.schema, variables)),
        round: Some(round),
    };
    match invoke(request, handler_call, headers).await {
        Ok(contents) => {
            let cache = cache(request, resource, round.is_retry());
            let result = encode(request, resource, (uri, contents), cache)?;
            Ok((result, Outcome::Ok))
        }
        Err(stopped) => explain(uri, stopped),
    }
}

fn explain(uri: &str, stopped: Stopped<RequestError>) -> Result<(Bytes, Outcome), Failure> {
    let error = match stopped {
        Stopped::InputRequired(result) => return Ok((result, Outcome::InputRequired)),
        Stopped::Refused(failure) => return Err(failure),
        // The URI matches the template, but no resource has these variables.
        Stopped::InvalidArguments(_) | Stopped::Failed(RequestError(Reason::NotFound)) => {
            ProtocolError::ResourceNotFound {
                uri: uri.to_owned(),
            }
        }
        Stopped::InputNotSupported => ProtocolError::InputNotSupported,
        Stopped::NotAnswered(reason) => ProtocolError::NotAnswered { reason },
        Stopped::Failed(RequestError(Reason::Invalid(message))) => {
            ProtocolError::invalid_params(message)
        }
        Stopped::Failed(RequestError(Reason::Internal(_))) | Stopped::Aborted(_) => {
            ProtocolError::Internal
        }
    };
    Err(error.into())
}

fn encode(
    request: &Request<'_>,
    resource: &RegisteredResource,
    (uri, contents): (&str, Vec<Contents>),
    cache: CacheHints,
) -> Result<Bytes, ProtocolError> {
    let mime_type = resource.spec.mime_type.as_deref();
    let mut contents: Vec<ResourceContents> = contents
        .into_iter()
        .map(|contents| contents.into_wire(uri, mime_type))
        .collect();
    contents
        .iter_mut()
        .for_each(|contents| contents.reduce_to(request.call.version));
    let shape = request.result().cache(cache);
    let contents = &contents;
    result::complete(shape, &ReadResourceResult { contents })
}

/// The cache hints of a resource: private unless its author declared it public and everyone may read
/// it, and not cacheable if it depends on answers of the client.
fn cache(request: &Request<'_>, resource: &RegisteredResource, is_retry: bool) -> CacheHints {
    let settings = &request.context.registry.settings;
    let ttl = resource.cache_ttl.unwrap_or(settings.cache_ttl);
    let is_open =
        resource.access.requirement() == Requirement::Nothing && !settings.auth.is_required();
    if is_retry {
        CacheHints::private(Duration::ZERO)
    } else if resource.is_public && is_open {
        CacheHints::public(ttl)
    } else {
        CacheHints::private(ttl)
    }
}
