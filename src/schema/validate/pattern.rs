//! Regular expressions with a known cost.
//!
//! The time that a match takes is at most proportional to the length of the text times the size of
//! the compiled expression, so both are counted before it begins.

use regex_lite::{Regex, RegexBuilder};

use super::budget::{Budget, Stop};

/// Maximum size of a compiled expression, in bytes.
const MAX_SIZE: usize = 256 * 1024;
/// The size at which measuring begins; the size of one state is some 32 bytes.
const MIN_SIZE: usize = 512;
/// The bytes of a compiled expression that one step covers.
const SIZE_PER_STEP: usize = 256;

/// A regular expression of `pattern` or `patternProperties`.
#[derive(Debug)]
pub(super) struct Pattern {
    regex: Regex,
    /// The steps that one byte of text takes.
    steps_per_byte: u64,
}

impl Pattern {
    /// Compiles an expression.
    ///
    /// # Errors
    ///
    /// Returns why the expression is not supported.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        let mut size = MIN_SIZE;
        loop {
            match RegexBuilder::new(text).size_limit(size).build() {
                Ok(regex) => {
                    let steps_per_byte = (size / SIZE_PER_STEP) as u64;
                    return Ok(Self {
                        regex,
                        steps_per_byte,
                    });
                }
                Err(error) if size >= MAX_SIZE => return Err(error.to_string()),
                Err(_) => size *= 2,
            }
        }
    }

    /// Whether a text contains a match.
    pub(super) fn check(&self, text: &str, budget: &mut Budget) -> Result<bool, Stop> {
        budget.spend(1 + text.len() as u64 * self.steps_per_byte)?;
        Ok(self.regex.is_match(text))
    }

    pub(super) fn as_str(&self) -> &str {
        self.regex.as_str()
    }
}
