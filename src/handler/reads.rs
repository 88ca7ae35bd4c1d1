//! [`Reads`]: what a handler reads from a call, judged by the schemas of its parameters.

use serde_json::{Value, json};

/// What a handler reads from a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Reads {
    /// Nothing.
    Nothing,
    /// The arguments, which have this schema.
    Arguments(Value),
    /// The argument that a user is typing.
    CompletionRequest,
    /// The arguments, by several parameters. They cannot share them.
    Repeatedly,
}

impl Reads {
    /// The same with another schema of the arguments. What `build` refuses stays.
    #[must_use]
    pub(crate) fn with_schema(self, schema: Value) -> Self {
        match self {
            Self::Nothing | Self::Arguments(_) => Self::Arguments(schema),
            Self::CompletionRequest | Self::Repeatedly => self,
        }
    }

    /// `schemas`: those of the parameters that read something.
    pub(super) fn new(mut schemas: Vec<Value>) -> Self {
        match (schemas.pop(), schemas.is_empty()) {
            (None, _) => Self::Nothing,
            (Some(_), false) => Self::Repeatedly,
            (Some(only), true) if is_completion_request(&only) => Self::CompletionRequest,
            (Some(only), true) => Self::Arguments(only),
        }
    }
}

/// Whether a schema is that of a completion request. That one is made only for a schema with a comment.
fn is_completion_request(schema: &Value) -> bool {
    schema.get("$comment").is_some() && *schema == completion_request()
}

/// The schema of [`CompletionRequest`](super::CompletionRequest). Its comment tells it from that of
/// arguments with the same fields.
pub(super) fn completion_request() -> Value {
    json!({
        "$comment": "completion/complete",
        "type": "object",
        "properties": {
            "value": { "type": "string" },
            "arguments": { "type": "object", "additionalProperties": { "type": "string" } },
        },
        "required": ["value", "arguments"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_parameter_reads_the_arguments() {
        let schema = || json!({ "type": "object", "properties": {} });
        let cases = [
            (vec![], Reads::Nothing),
            (vec![schema()], Reads::Arguments(schema())),
            (vec![schema(), schema()], Reads::Repeatedly),
            (vec![completion_request()], Reads::CompletionRequest),
            (vec![completion_request(), schema()], Reads::Repeatedly),
        ];
        for (schemas, expected) in cases {
            assert_eq!(Reads::new(schemas), expected);
        }
    }
}
