//! `Mcp-Param-*` headers repeat arguments. Specification: *Streamable HTTP, Custom Headers from Tool
//! Parameters*; *Tools, x-mcp-header*.
//!
//! Which arguments, a tool's input schema says: the constraints on the annotation are checked when
//! the tool is registered ([`read`]), the headers at each call ([`check`]).

use http::HeaderMap;
use serde_json::Value;
use thiserror::Error;

use super::header_value;
use crate::error::ProtocolError;

const ANNOTATION: &str = "x-mcp-header";
const PREFIX: &str = "Mcp-Param-";

/// An argument that a header repeats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParamHeader {
    /// The whole name of the header.
    header: String,
    /// The names of the properties that lead to the argument.
    path: Vec<String>,
    is_integer: bool,
}

/// An annotation that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidParamHeader {
    /// It is no text, empty, or not of the characters of a header's name.
    #[error("`x-mcp-header` of `{property}` must be the text of a header name")]
    Name {
        /// The property it stands on.
        property: String,
    },
    /// Two arguments have the same header.
    #[error("`x-mcp-header` of `{property}` is used twice")]
    Repeated {
        /// The second property it stands on.
        property: String,
    },
    /// The argument is no string, integer or boolean.
    #[error("`x-mcp-header` stands on `{property}`, which is not a string, integer or boolean")]
    Type {
        /// The property it stands on.
        property: String,
    },
    /// It stands where no chain of `properties` leads.
    #[error(
        "`x-mcp-header` stands below `{keyword}`, where arguments cannot be reached by name alone"
    )]
    Unreachable {
        /// The keyword it stands below.
        keyword: String,
    },
}

/// The annotations of an input schema.
///
/// # Errors
///
/// One of them breaks a rule.
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
            // Values, not schemas: what looks like an annotation there is none.
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

/// Checks that each header says what the arguments say, and is there if and only if they are.
pub(crate) fn check(
    params: &[ParamHeader],
    headers: &HeaderMap,
    arguments: &Value,
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
                return Err(mismatch("header repeats an argument that is not there"));
            }
            (Some(value), Some(declared)) if param.says(value, &declared) => {}
            (Some(_), Some(_)) => {
                return Err(mismatch("header does not match the argument it repeats"));
            }
        }
    }
    Ok(())
}

impl ParamHeader {
    fn says(&self, value: &Value, declared: &str) -> bool {
        match value {
            Value::String(text) => text == declared,
            Value::Bool(flag) => declared == if *flag { "true" } else { "false" },
            Value::Number(number) => {
                number.to_string() == declared
                    || (self.is_integer
                        && number
                            .as_f64()
                            .zip(numeric(declared))
                            .is_some_and(|(a, b)| {
                                is_exact(a) && (a - b).abs() < 0.5 && b.fract() == 0.0
                            }))
            }
            // Never an argument that fits: the schema says string, integer or boolean.
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        }
    }
}

/// Whether no other integer is the same float; clients may annotate no larger ones.
fn is_exact(integer: f64) -> bool {
    const MAX_SAFE: f64 = 9_007_199_254_740_991.0;
    integer.abs() <= MAX_SAFE
}

/// A decimal number; `inf`, `nan` and the like, which `parse` would take, are none.
fn numeric(text: &str) -> Option<f64> {
    text.bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E'))
        .then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
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
        check(&read(&schema()).unwrap(), &headers, arguments).map_err(|error| error.to_string())
    }

    #[test]
    fn headers_must_say_what_the_arguments_say() {
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
