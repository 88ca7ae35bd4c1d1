//! `resources/read`. Specification: *Resources, Reading Resources* and *Error Handling*.

use std::time::Duration;

use bytes::Bytes;
use serde_json::{Map, Value};

use super::multi_round_trip::{Next, Round};
use super::run::{self, Ran};
use super::shape::{self, CacheHints, Shape};
use super::{Answer, MethodContext, Outcome};
use crate::era::Call;
use crate::error::ProtocolError;
use crate::handler::{Contents, NeedsInput, Reason};
use crate::schema::text_arguments;
use crate::server::RegisteredResource;
use crate::wire::resource_contents::ResourceContents;
use crate::wire::resources::{ReadResourceParams, ReadResourceResult};

/// Reads a resource.
pub(super) async fn answer(serving: &MethodContext<'_>, call: &Call<'_>) -> Answer {
    let params: ReadResourceParams<'_> = match super::params(call) {
        Ok(params) => params,
        Err(error) => return Err(error).into(),
    };
    let Some((resource, arguments)) = serving.registry.resource(&params.uri) else {
        return Err(not_found(&params.uri)).into();
    };
    let done = read(serving, call, resource, arguments, &params).await;
    Answer::of(Some(resource.spec.address.as_str()), done)
}

fn not_found(uri: &str) -> ProtocolError {
    ProtocolError::ResourceNotFound {
        uri: uri.to_owned(),
    }
}

async fn read(
    serving: &MethodContext<'_>,
    call: &Call<'_>,
    resource: &RegisteredResource,
    variables: Map<String, Value>,
    params: &ReadResourceParams<'_>,
) -> Result<(Bytes, Outcome), ProtocolError> {
    let uri = params.uri.as_ref();
    let round = Round {
        input_responses: params.input_responses,
        request_state: params.request_state,
        target: uri,
        arguments: None,
    };
    let asks = round.open(serving, call)?;
    let mut arguments = text_arguments::typed(&resource.schema, variables);
    if resource.validator.check(&mut arguments).is_err() {
        // The URI has the template's form, but names nothing of it.
        return Err(not_found(uri));
    }
    let (context, deadline) = run::context(serving, call, asks);
    let name = resource.spec.name.as_str();
    let error = match run::run(&resource.handler, arguments, &context, deadline).await {
        Ran::Done(Ok(contents)) => {
            let cache = cache(serving, resource, round.is_retry());
            let result = encode(serving, call, resource, (uri, contents), cache)?;
            return Ok((result, Outcome::Ok));
        }
        Ran::Unfit(_) => return Err(not_found(uri)),
        Ran::Broken(how) => {
            tracing::error!(resource = name, how = how.as_str(), "a resource broke");
            return Err(ProtocolError::Internal);
        }
        Ran::Done(Err(error)) => error,
    };
    match error.cause() {
        Some(cause) if cause.is::<NeedsInput>() => {
            return match round.ask(serving, serving.prepared, call, &context)? {
                Next::Ask(result) => Ok((result, Outcome::InputRequired)),
                Next::CannotAsk => Err(ProtocolError::CannotAsk),
            };
        }
        Some(cause) => tracing::error!(resource = name, error = %cause, "a resource failed"),
        None => {}
    }
    Err(match error.0 {
        Reason::NotFound => not_found(uri),
        Reason::Invalid(message) => ProtocolError::invalid_params(message),
        Reason::Internal(_) => ProtocolError::Internal,
    })
}

/// Writes the result of reading a URI.
fn encode(
    serving: &MethodContext<'_>,
    call: &Call<'_>,
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
        .for_each(|contents| contents.reduce_to(call.version));
    let shape = Shape {
        version: call.version,
        server_info: &serving.prepared.server_info,
        cache: Some(cache),
        meta: None,
    };
    let contents = &contents;
    shape::complete(shape, &ReadResourceResult { contents })
}

/// Contents may depend on the caller unless the author says otherwise; and what depended on answers
/// may not be kept at all.
fn cache(serving: &MethodContext<'_>, resource: &RegisteredResource, is_retry: bool) -> CacheHints {
    let ttl = serving.registry.settings.cache_ttl;
    if is_retry {
        CacheHints::private(Duration::ZERO)
    } else if resource.is_public {
        CacheHints::public(ttl)
    } else {
        CacheHints::private(ttl)
    }
}
