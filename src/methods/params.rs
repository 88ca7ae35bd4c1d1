//! Decoding of `params` and of the arguments in them.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::era::Call;
use crate::error::ProtocolError;
use crate::wire::strict::{StrictValue, describe};

/// Decodes a method's parameters. Absent parameters are an empty object.
///
/// # Errors
///
/// The parameters do not have the method's type.
pub(super) fn decode<'a, T: Deserialize<'a>>(call: &Call<'a>) -> Result<T, ProtocolError> {
    let json = call.params.map_or("{}", RawValue::get);
    serde_json::from_str(json).map_err(|error| {
        ProtocolError::invalid_params(format!("{}: {}", call.method, describe(&error)))
    })
}

/// Reads `arguments`. Absent and `null` arguments are an empty object.
///
/// # Errors
///
/// The arguments are not an object, or two members of an object have the same name.
pub(super) fn arguments(raw: Option<&RawValue>) -> Result<Map<String, Value>, ProtocolError> {
    let json = raw.map_or("null", RawValue::get);
    let StrictValue(arguments) = serde_json::from_str(json).map_err(|error| {
        ProtocolError::invalid_params(format!("`arguments`: {}", describe(&error)))
    })?;
    match arguments {
        Value::Null => Ok(Map::new()),
        Value::Object(arguments) => Ok(arguments),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Err(
            ProtocolError::invalid_params("`arguments` must be an object"),
        ),
    }
}
