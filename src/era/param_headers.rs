//! `Mcp-Param-*` headers, which mirror arguments of a tool. Specification: *Streamable HTTP, Custom
//! Headers from Tool Parameters*; *Tools, x-mcp-header*.
//!
//! The input schema of a tool annotates the arguments. [`read`] checks the annotations when the tool
//! is registered, [`check`] compares headers and arguments on each call.

use http::HeaderMap;
use serde_json::Value;
use thiserror::Error;

use super::header_value;
use crate::error::ProtocolError;
use crate::json::{Kind, ValueRef};

const ANNOTATION: &str = "x-mcp-header";
const PREFIX: &str = "Mcp-Param-";

/// An argument that a header mirrors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParamHeader {
    /// The full name of the header.
    header: String,
    /// The property path of the argument.
    path: Vec<String>,
    is_integer: bool,
}

/// The error for an invalid `x-mcp-header` annotation in an input schema.
///
/// Specification: *Streamable HTTP, Schema Extension*.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidParamHeader {
    /// The annotation is not a string that is valid in a header name.
    #[error("`x-mcp-header` of `{property}` must be a string that is valid in a header name")]
    Name {
        /// The annotated property.
        property: String,
    },
    /// Two properties have the same header.
    #[error("`x-mcp-header` of `{property}` is used twice")]
    Repeated {
        /// The second property with this header.
        property: String,
    },
    /// The property is not a string, integer or boolean.
    #[error("`x-mcp-header` of `{property}`: the property is not a string, integer or boolean")]
    Type {
        /// The annotated property.
        property: String,
    },
    /// The annotation is at a place that `properties` alone do not reach.
    #[error("`x-mcp-header` is not allowed below `{keyword}`, only below `properties`")]
    Unreachable {
        /// The keyword above the annotation.
        keyword: String,
    },
}

/// Returns the annotated arguments of an input schema.
///
/// # Errors
///
/// An annotation is invalid.
pub(crate) fn read(schema: &Value) -> Result<Vec<ParamHeader>, InvalidParamHeader> {
    let mut found = Vec::new();
    collect(schema, &mut Vec::new(), &mut found)?;
    Ok(found)
}

fn collect(
    schema: &Value,
    path: &mut Vec<String>,
    found: &mut Vec<ParamHeader>,
) -> Result<(), InvalidParamHeader> {
    let Some(schema) = schema.as_object() else {
        return Ok(());
    };
    for (keyword, value) in schema {
        match keyword.as_str() {
            ANNOTATION => found.push(param_header(schema, value, path, found)?),
            "properties" => {
                for (name, property) in value.as_object().into_iter().flatten() {
                    path.push(name.clone());
                    collect(property, path, found)?;
                    path.pop();
                }
            }
            // These hold values, not schemas.
            "const" | "enum" | "default" | "examples" => {}
            keyword if has_annotation(value) => {
                return Err(InvalidParamHeader::Unreachable {
                    keyword: keyword.to_owned(),
                });
            }
            _ => {}
        }
    }
    Ok(())
}

fn param_header(
    schema: &serde_json::Map<String, Value>,
    annotation: &Value,
    path: &[String],
    found: &[ParamHeader],
) -> Result<ParamHeader, InvalidParamHeader> {
    let property = path.join(".");
    let name = annotation
        .as_str()
        .filter(|name| http::HeaderName::from_bytes(name.as_bytes()).is_ok())
        .ok_or_else(|| InvalidParamHeader::Name {
            property: property.clone(),
        })?;
    let ty = schema.get("type").and_then(Value::as_str);
    if path.is_empty() || !matches!(ty, Some("string" | "integer" | "boolean")) {
        return Err(InvalidParamHeader::Type { property });
    }
    let header = format!("{PREFIX}{name}");
    if found
        .iter()
        .any(|known| known.header.eq_ignore_ascii_case(&header))
    {
        return Err(InvalidParamHeader::Repeated { property });
    }
    Ok(ParamHeader {
        header,
        path: path.to_vec(),
        is_integer: ty == Some("integer"),
    })
}

fn has_annotation(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            members.contains_key(ANNOTATION) || members.values().any(has_annotation)
        }
        Value::Array(items) => items.iter().any(has_annotation),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Compares headers and arguments: each header must be present exactly if its argument is, and have
/// the same value.
///
/// # Errors
///
/// A header does not match its argument.
pub(crate) fn check(
    params: &[ParamHeader],
    headers: &HeaderMap,
    arguments: ValueRef<'_>,
) -> Result<(), ProtocolError> {
    for param in params {
        let mismatch = |reason: &str| ProtocolError::header_mismatch(&param.header, reason);
        let declared = header_value::decoded(headers, &param.header)
            .map_err(|invalid| mismatch(invalid.reason()))?;
        let value = param
            .path
            .iter()
            .try_fold(arguments, |value, name| value.get(name));
        match (value.filter(|value| !value.is_null()), declared) {
            (None, None) => {}
            (Some(_), None) => return Err(mismatch("header is missing")),
            (None, Some(_)) => {
                return Err(mismatch("header mirrors an argument that is absent"));
            }
            (Some(value), Some(declared)) if param.matches(value, &declared) => {}
            (Some(_), Some(_)) => {
                return Err(mismatch(
                    "header does not match the argument that it mirrors",
                ));
            }
        }
    }
    Ok(())
}

impl ParamHeader {
    /// Returns whether the header has the same value as the argument.
    fn matches(&self, value: ValueRef<'_>, declared: &str) -> bool {
        match value.kind() {
            Kind::String(text) => text == declared,
            Kind::Bool(flag) => declared == if flag { "true" } else { "false" },
            Kind::Number(number) => {
                number.to_string() == declared
                    || (self.is_integer
                        && number
                            .as_f64()
                            .zip(numeric(declared))
                            .is_some_and(|(a, b)| {
                                is_exact(a) && (a - b).abs() < 0.5 && b.fract() == 0.0
                            }))
            }
            // Not valid: the schema requires a string, integer or boolean.
            Kind::Null | Kind::Array(_) | Kind::Object(_) => false,
        }
    }
}

/// Returns whether the integer is in the range that clients can mirror.
fn is_exact(integer: f64) -> bool {
    const MAX_SAFE: f64 = 9_007_199_254_740_991.0;
    integer.abs() <= MAX_SAFE
}

/// Parses a decimal number. Unlike `f64::from_str`, it rejects `inf` and `nan`.
fn numeric(text: &str) -> Option<f64> {
    text.bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E'))
        .then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;
    use serde_json::json;

    fn schema() -> Value {
        json!({"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "page": {"type": "object", "properties": {"size": {"type": "integer", "x-mcp-header": "Page-Size"}}},
            "dry": {"type": "boolean", "x-mcp-header": "Dry"},
        }})
    }

    fn checked(headers: &[(&str, &str)], arguments: &Value) -> Result<(), String> {
        let headers = headers
            .iter()
            .map(|(n, v)| (n.parse::<http::HeaderName>().unwrap(), v.parse().unwrap()))
            .collect();
        let arguments = Document::of(arguments);
        check(&read(&schema()).unwrap(), &headers, arguments.root())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn headers_must_match_the_arguments() {
        let arguments = json!({"region": "eu, west", "page": {"size": 42}, "dry": true});
        let good = [
            ("mcp-param-region", "eu, west"),
            ("Mcp-Param-Page-Size", "42.0"),
            ("mcp-param-dry", "true"),
        ];
        assert_eq!(checked(&good, &arguments), Ok(()));
        assert_eq!(checked(&[], &json!({})), Ok(()));
        assert_eq!(checked(&[], &json!({"region": null})), Ok(()));
        for (name, value) in [
            ("mcp-param-region", "us"),
            ("mcp-param-page-size", "43"),
            ("mcp-param-page-size", "nan"),
            ("mcp-param-dry", "True"),
        ] {
            let mut bad = good.to_vec();
            bad.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
            assert!(
                checked(&bad, &arguments).unwrap_err().contains("missing"),
                "{name}"
            );
            bad.push((name, value));
            assert!(
                checked(&bad, &arguments)
                    .unwrap_err()
                    .contains("does not match"),
                "{name}"
            );
        }
        assert!(checked(&[("mcp-param-region", "eu")], &json!({})).is_err());
        assert!(
            checked(
                &[("mcp-param-region", "=?base64?ZXU=?=")],
                &json!({"region": "eu"})
            )
            .is_ok()
        );
    }

    #[test]
    fn annotations_are_checked_at_registration() {
        let one = |property: Value| {
            read(&json!({"type": "object", "properties": {"a": property}}))
                .unwrap_err()
                .to_string()
        };
        assert!(one(json!({"type": "string", "x-mcp-header": ""})).contains("header name"));
        assert!(one(json!({"type": "string", "x-mcp-header": "a b"})).contains("header name"));
        assert!(one(json!({"type": "string", "x-mcp-header": 1})).contains("header name"));
        assert!(one(json!({"type": "number", "x-mcp-header": "A"})).contains("not a string"));
        assert!(
            one(json!({"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}))
                .contains("`items`")
        );
        assert!(
            one(json!({"anyOf": [{"type": "string", "x-mcp-header": "A"}]})).contains("`anyOf`")
        );
        let twice = json!({"type": "object", "properties": {
            "a": {"type": "string", "x-mcp-header": "A"}, "b": {"type": "string", "x-mcp-header": "a"}}});
        assert!(read(&twice).unwrap_err().to_string().contains("twice"));
        assert_eq!(
            read(&json!({"properties": {"a": {"default": {"x-mcp-header": "A"}}}})),
            Ok(vec![])
        );
    }
}
