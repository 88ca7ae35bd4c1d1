//! [`Pages`]: an answer with a list that is longer than clients accept, in several parts.

use lambda_mcp::ToolError;
use lambda_mcp::handler::Stored;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::content::tokens::{self, PAGE};

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

/// The pages of an answer, at least one. An answer with one page does not mention it.
#[derive(Debug)]
pub(super) struct Pages<T>(Vec<Stored<T>>);

impl<T> Pages<T> {
    /// Divides `document`, which has the form of a `T`, by its member `list`. An entry that is longer
    /// than a page has a page of its own.
    ///
    /// # Errors
    ///
    /// A page cannot be serialized.
    pub(super) fn new(document: &Value, list: &str) -> Result<Self, serde_json::Error> {
        let entries = document.get(list).and_then(Value::as_array);
        let parts = entries.map(|entries| divided(entries)).unwrap_or_default();
        if parts.len() < 2 {
            return Ok(Self(vec![Stored::of(document)?]));
        }
        let of = parts.len();
        let page = |(index, part): (usize, &[Value])| {
            let mut page = json!({ "page": Page::new(index + 1, of) });
            if let (Value::Object(page), Value::Object(document)) = (&mut page, document) {
                for (name, value) in document {
                    let value = if name == list {
                        part.into()
                    } else {
                        value.clone()
                    };
                    page.insert(name.clone(), value);
                }
            }
            Stored::of(&page)
        };
        let pages = parts.into_iter().enumerate().map(page);
        Ok(Self(pages.collect::<Result<_, _>>()?))
    }

    /// Returns the number of pages.
    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns a page, the first by default.
    ///
    /// # Errors
    ///
    /// `page` is 0 or above the number of pages.
    pub(super) fn get(&self, page: Option<usize>) -> Result<&Stored<T>, ToolError> {
        let number = page.unwrap_or(1);
        let found = number.checked_sub(1).and_then(|index| self.0.get(index));
        found.ok_or_else(|| {
            let rule = match self.0.len() {
                0 | 1 => "must be 1: there is one page".to_owned(),
                pages => format!("must be 1 to {pages}"),
            };
            ToolError::new(format!("`page` {rule}; got {number}."))
        })
    }
}

/// Divides entries into parts of at most a page.
fn divided(entries: &[Value]) -> Vec<&[Value]> {
    let mut parts = Vec::new();
    let (mut rest, mut count, mut size) = (entries, 0, 0);
    for entry in entries {
        let entry_size = tokens::estimate(&entry.to_string()) + 1;
        if count > 0 && size + entry_size > PAGE {
            let (part, after) = rest.split_at(count);
            parts.push(part);
            (rest, count, size) = (after, 0, 0);
        }
        count += 1;
        size += entry_size;
    }
    if count > 0 {
        parts.push(rest);
    }
    parts
}
