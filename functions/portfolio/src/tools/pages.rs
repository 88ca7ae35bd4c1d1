//! [`Pages`]: an answer with a list that is longer than clients accept, in several parts.

use std::ops::Range;
use std::sync::OnceLock;

use lambda_mcp::ToolError;
use lambda_mcp::handler::Stored;
use schemars::JsonSchema;
use serde::Serialize;

use crate::content::kept;
use crate::content::tokens::{PAGE, Size};

/// The place of an answer among the pages of a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Page {
    /// Number of this page, from 1.
    number: usize,
    /// Number of pages.
    of: usize,
    /// How to read the other pages.
    note: String,
}

impl Page {
    fn new(number: usize, of: usize) -> Self {
        let note = if number < of {
            format!("Set `page` to {} for the next page.", number + 1)
        } else {
            "This is the last page.".to_owned()
        };
        Self { number, of, note }
    }
}

/// The pages of an answer, at least one, each written on first need. An answer with one page does not
/// mention it.
#[derive(Debug)]
pub(super) struct Pages<T>(Vec<PageOf<T>>);

/// One page of an answer.
#[derive(Debug)]
struct PageOf<T> {
    entries: Range<usize>,
    written: OnceLock<Stored<T>>,
}

impl<T> Pages<T> {
    /// Divides a list by the sizes of its entries. An entry that is longer than a page has a page of
    /// its own.
    pub(super) fn new(sizes: &[Size]) -> Self {
        let pages = divided(sizes).into_iter();
        Self(
            pages
                .map(|entries| PageOf {
                    entries,
                    written: OnceLock::new(),
                })
                .collect(),
        )
    }

    /// Returns the number of pages.
    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns a page, the first by default. `answer` makes the answer with some of the entries, and with
    /// the page if there are several.
    ///
    /// # Errors
    ///
    /// `page` is 0 or above the number of pages, or the page cannot be serialized.
    pub(super) fn get(
        &self,
        page: Option<usize>,
        answer: impl FnOnce(Range<usize>, Option<Page>) -> Result<Stored<T>, serde_json::Error>,
    ) -> Result<&Stored<T>, ToolError> {
        let (number, of) = (page.unwrap_or(1), self.0.len());
        let found = number.checked_sub(1).and_then(|index| self.0.get(index));
        let Some(found) = found else {
            let rule = match of {
                0 | 1 => "must be 1: there is one page".to_owned(),
                pages => format!("must be 1 to {pages}"),
            };
            return Err(ToolError::new(format!("`page` {rule}; got {number}.")));
        };
        let page = (of > 1).then(|| Page::new(number, of));
        let written = kept(&found.written, || answer(found.entries.clone(), page));
        Ok(written?)
    }
}

/// Divides entries into parts of at most a page.
fn divided(sizes: &[Size]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut size) = (0, 0);
    for (index, entry) in sizes.iter().enumerate() {
        let entry_size = entry.tokens() + 1;
        if index > start && size + entry_size > PAGE {
            parts.push(start..index);
            (start, size) = (index, 0);
        }
        size += entry_size;
    }
    parts.push(start..sizes.len());
    parts
}
