//! Decoding of `params` and of the arguments in them.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::era::Call;
use crate::error::ProtocolError;
use crate::json::{Document, Kind, describe};
use crate::wire::params::{Params, SentArguments, string};

/// Decodes a method's parameters. Absent parameters are an empty object.
///
/// # Errors
///
/// The parameters do not have the method's type.
pub(super) fn decode<'a, T: Deserialize<'a>>(call: &Call<'a>) -> Result<T, ProtocolError> {
    let raw = call.params.as_ref().and_then(Params::raw);
    serde_json::from_str(raw.map_or("{}", RawValue::get)).map_err(|error| {
        ProtocolError::invalid_params(format!("{}: {}", call.method, describe(&error)))
    })
}

/// The parameters of `tools/call` and `prompts/get`.
#[derive(Debug)]
pub(super) struct CallParams<'a> {
    /// The name of the tool or prompt.
    pub(super) name: Cow<'a, str>,
    /// The arguments. Absent and `null` both mean none.
    pub(super) arguments: Option<SentArguments<'a>>,
    /// The client's answers to the input requests of an earlier result.
    pub(super) input_responses: Option<&'a RawValue>,
    /// The `requestState` of an earlier result.
    pub(super) request_state: Option<&'a RawValue>,
}

/// Takes the parameters of `tools/call` or `prompts/get`, with the arguments as they were read.
///
/// # Errors
///
/// The parameters do not have their type.
pub(super) fn take_call<'a>(call: &mut Call<'a>) -> Result<CallParams<'a>, ProtocolError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Raw<'a> {
        #[serde(borrow)]
        name: Cow<'a, str>,
        #[serde(borrow, default)]
        arguments: Option<&'a RawValue>,
        #[serde(borrow, default)]
        input_responses: Option<&'a RawValue>,
        #[serde(borrow, default)]
        request_state: Option<&'a RawValue>,
    }
    let params = call.params.as_mut();
    if let Some(params) = params.filter(|params| !params.has_other_duplicate)
        && let Some(name) = params.name.and_then(string)
    {
        return Ok(CallParams {
            name,
            arguments: params.arguments.take(),
            input_responses: params.input_responses,
            request_state: params.request_state,
        });
    }
    // What is wrong is said as for every other method.
    let raw: Raw<'a> = decode(call)?;
    Ok(CallParams {
        name: raw.name,
        arguments: raw.arguments.map(SentArguments::Raw),
        input_responses: raw.input_responses,
        request_state: raw.request_state,
    })
}

/// Reads `arguments`. Absent and `null` arguments are an empty object.
///
/// # Errors
///
/// The arguments are not an object, or two members of an object have the same name.
pub(super) fn arguments(given: Option<SentArguments<'_>>) -> Result<Document<'_>, ProtocolError> {
    let arguments = match given {
        None => return Ok(Document::empty_object()),
        Some(SentArguments::Read(document)) => document,
        Some(SentArguments::Raw(raw)) => Document::parse(raw.get()).map_err(|error| {
            ProtocolError::invalid_params(format!("`arguments`: {}", describe(&error)))
        })?,
    };
    match arguments.root().kind() {
        Kind::Null => Ok(Document::empty_object()),
        Kind::Object(_) => Ok(arguments),
        Kind::Bool(_) | Kind::Number(_) | Kind::String(_) | Kind::Array(_) => Err(
            ProtocolError::invalid_params("`arguments` must be an object"),
        ),
    }
}

/// The arguments as the client sent them, read once more. They were found to be valid before.
pub(super) fn sent_arguments<'a>(call: &Call<'a>) -> Document<'a> {
    let raw = call.params.as_ref().and_then(Params::raw_arguments);
    arguments(raw.map(SentArguments::Raw)).unwrap_or_else(|_| Document::empty_object())
}
