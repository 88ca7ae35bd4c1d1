//! How operations are recorded in the journal of a durable engine: names and values.
//!
//! The engine reads them back from the history of a task, to tell a client what it asks and does.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::error::ToolError;

/// The step that records what a task is doing.
pub(crate) const PROGRESS: &str = "mcp.progress";
/// The step that records questions, before their callbacks exist.
pub(crate) const ASK: &str = "mcp.ask";
/// A callback: this and the number of its question.
const INPUT: &str = "mcp.input:";
/// What names of the library begin with.
const RESERVED: &str = "mcp.";
/// The longest name that an engine takes is 256 characters.
const MAX_NAME: usize = 200;

/// The name of a tool author's step in the journal.
///
/// Names do not identify operations, their order does. So one that an engine would refuse is changed.
pub(crate) fn step_name(name: &str) -> String {
    let printable = name.chars().map(|c| match c {
        ' '..='~' => c,
        _ => '?',
    });
    let mark = name.starts_with(RESERVED) || name.is_empty();
    mark.then_some('_')
        .into_iter()
        .chain(printable)
        .take(MAX_NAME)
        .collect()
}

/// The name of the callback of question number `index`.
pub(crate) fn callback_name(index: usize) -> String {
    format!("{INPUT}{index}")
}

/// The number of the question of a callback.
#[cfg_attr(
    not(feature = "durable"),
    expect(dead_code, reason = "only the durable engine reads histories")
)]
pub(crate) fn callback_index(name: &str) -> Option<usize> {
    name.strip_prefix(INPUT)?.parse().ok()
}

/// The recorded end of a step: its value, or the error that the tool gets.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StepEnd {
    Ok(Value),
    Error {
        message: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        structured: Option<Box<RawValue>>,
    },
}

impl StepEnd {
    /// Writes the end of a step. The cause of an error is not recorded; it is logged.
    pub(crate) fn write(result: Result<Value, ToolError>) -> Value {
        match result {
            Ok(value) => json!({ "ok": value }),
            Err(error) => {
                let structured = error.structured_content();
                let structured = structured.and_then(|json| serde_json::from_str(json.get()).ok());
                match structured {
                    Some::<Value>(structured) => {
                        json!({"error": {"message": error.to_string(), "structured": structured}})
                    }
                    None => json!({"error": {"message": error.to_string()}}),
                }
            }
        }
    }

    /// Reads the end of a step.
    ///
    /// # Errors
    ///
    /// The error of the step, or that what is recorded is not the end of a step.
    pub(crate) fn read(recorded: Value) -> Result<Value, ToolError> {
        match serde_json::from_value(recorded)? {
            Self::Ok(value) => Ok(value),
            Self::Error {
                message,
                structured,
            } => {
                let error = ToolError::new(message);
                Err(match structured {
                    Some(structured) => error.structured(&structured),
                    None => error,
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_step_is_read_back() {
        for value in [json!(null), json!({"error": 1}), json!([1.5, "x"])] {
            let read = StepEnd::read(StepEnd::write(Ok(value.clone())));
            assert_eq!(read.unwrap(), value);
        }
        let plain = || ToolError::new("It is closed.");
        for error in [plain(), plain().structured(&json!({"opens": [9, 12]}))] {
            let content = error.structured_content().map(|json| json.get().to_owned());
            let read = StepEnd::read(StepEnd::write(Err(error))).unwrap_err();
            assert_eq!(read.to_string(), "It is closed.");
            let read = read.structured_content().map(|json| json.get().to_owned());
            assert_eq!(read, content);
        }
        let hidden = StepEnd::write(Err(ToolError::new("Failed.").source("SENTINEL")));
        assert!(!hidden.to_string().contains("SENTINEL"), "{hidden}");
        assert!(
            StepEnd::read(json!({"later": 1}))
                .unwrap_err()
                .cause()
                .is_some()
        );
    }

    #[test]
    fn names_of_steps_are_printable_and_not_those_of_the_library() {
        assert_eq!(step_name("send#2"), "send#2");
        assert_eq!(step_name("préparer\n"), "pr?parer?");
        for name in [PROGRESS, ASK, "mcp.input:0", ""] {
            assert_eq!(step_name(name), format!("_{name}"));
        }
        assert_eq!(step_name(&"x".repeat(1000)).len(), MAX_NAME);
        assert_eq!(callback_index(&callback_name(12)), Some(12));
        for name in ["mcp.input:", "mcp.input:x", "12", PROGRESS] {
            assert_eq!(callback_index(name), None, "{name}");
        }
    }
}
