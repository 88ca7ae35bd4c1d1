//! [`Redactor`]: removes private values wherever they recur in what is served.

use std::collections::HashSet;
use std::ops::Range;

use serde_json::{Map, Value};

use super::fold::Folded;
use super::learn::learn;
use super::search::Index;
use super::withhold::PrivateMembers;
use crate::links::{self, Link};
use crate::place::Place;
use crate::resume_shape::RESUME;
use crate::shape::{Kind, Shape};

/// What is written in the place of a removed value.
const MARK: &str = "[withheld]";

/// Maximum length, in bytes, of a text that is compared as a whole with a private value.
const LONGEST_WHOLE: usize = 100;

/// Removes the private values of all files.
#[derive(Debug)]
pub(crate) struct Redactor {
    index: Index,
}

impl Redactor {
    /// Learns the withheld values of all résumés. `served` is what is left of them.
    ///
    /// A value that the owner publishes elsewhere is not private. Nor is one that is not contact
    /// data and that a served field of JSON Resume holds alone: a name, a keyword, an account, a
    /// part of the path of a link. A text to read, or a place, does not make it public.
    pub(crate) fn new(members: &PrivateMembers, served: &[&Map<String, Value>]) -> Self {
        let places: Vec<String> = served
            .iter()
            .flat_map(|document| places(document))
            .collect();
        let published: HashSet<Vec<char>> = learn(&members.published, &[])
            .into_iter()
            .map(|value| value.pattern)
            .collect();
        let mut values = learn(&members.withheld, &places);
        values.retain(|value| !published.contains(&value.pattern));
        let index = Index::new(values);
        if !index.has_other_than_contact() {
            return Self { index };
        }
        let mut public = Public {
            index: &index,
            found: HashSet::new(),
            folded: Folded::default(),
        };
        for document in served {
            public.members(document, &RESUME);
        }
        let found = public.found;
        if found.is_empty() {
            return Self { index };
        }
        Self {
            index: index.without_public(|at| found.contains(&at)),
        }
    }

    /// Removes the private values from a document. Returns the places, written by `written`.
    pub(crate) fn redact(
        &self,
        document: &mut Map<String, Value>,
        shape: &Shape,
        written: &impl Fn(Place<'_>) -> String,
    ) -> Vec<String> {
        let mut pass = Pass {
            index: &self.index,
            folded: Folded::default(),
            removed: Vec::new(),
            written,
        };
        if !self.index.is_empty() {
            pass.members(document, Some(shape), Place::Root);
        }
        pass.removed
    }
}

/// City and region, which are served.
fn places(document: &Map<String, Value>) -> Vec<String> {
    let location = document
        .get("basics")
        .and_then(|basics| basics.get("location"));
    let place = |name: &str| location?.get(name)?.as_str().map(str::to_owned);
    ["city", "region"].into_iter().filter_map(place).collect()
}

/// Looks for values that a served field holds alone: a name, a keyword, an account.
struct Public<'i> {
    index: &'i Index,
    found: HashSet<usize>,
    folded: Folded,
}

impl Public<'_> {
    fn members(&mut self, object: &Map<String, Value>, shape: &Shape) {
        for (name, value) in object {
            if let Some(field) = shape.field(name) {
                self.value(value, field.kind);
            }
        }
    }

    fn value(&mut self, value: &Value, kind: Kind) {
        match (kind, value) {
            (Kind::Object(shape) | Kind::List(shape), Value::Object(object)) => {
                self.members(object, shape);
            }
            (_, Value::Array(items)) => items.iter().for_each(|item| self.value(item, kind)),
            (Kind::Text | Kind::Texts, Value::String(text)) => self.whole(text),
            (Kind::Url, Value::String(text)) if links::read(text) == Link::Web => {
                let path = text.split(['?', '#']).next().unwrap_or_default();
                path.split('/').for_each(|part| self.whole(part));
            }
            _ => {}
        }
    }

    fn whole(&mut self, text: &str) {
        if text.len() <= LONGEST_WHOLE {
            self.folded.fold(text);
            self.found.extend(self.index.whole(&self.folded));
        }
    }
}

/// One walk through a document.
struct Pass<'i, W> {
    index: &'i Index,
    folded: Folded,
    removed: Vec<String>,
    written: &'i W,
}

impl<W: Fn(Place<'_>) -> String> Pass<'_, W> {
    fn members(&mut self, object: &mut Map<String, Value>, shape: Option<&Shape>, at: Place<'_>) {
        object.retain(|name, value| {
            let at = at.member(name);
            let field = shape.and_then(|shape| shape.field(name));
            if field.is_none() && self.find(name).is_some() {
                self.removed.push((self.written)(at));
                return false;
            }
            self.keeps(value, field.map(|field| field.kind), at)
        });
    }

    /// Returns whether a value stays. What stays has no private value.
    fn keeps(&mut self, value: &mut Value, kind: Option<Kind>, at: Place<'_>) -> bool {
        let shape = match kind {
            Some(Kind::Object(shape) | Kind::List(shape)) => Some(shape),
            _ => None,
        };
        match value {
            Value::Object(object) => {
                self.members(object, shape, at);
                true
            }
            Value::Array(items) => {
                let mut index = 0;
                items.retain_mut(|item| {
                    let keeps = self.keeps(item, kind, at.item(index));
                    index += 1;
                    keeps
                });
                true
            }
            // A date is a fact of its own, even if a withheld value is the same date.
            Value::String(_) if matches!(kind, Some(Kind::Date | Kind::EndDate)) => true,
            Value::String(text) => match self.find(text) {
                None => true,
                Some(found) => {
                    self.removed.push((self.written)(at));
                    let rest = without(text, &found);
                    let stays = rest.is_some();
                    *text = rest.unwrap_or_default();
                    stays
                }
            },
            Value::Number(number) => {
                let is_private = self.find(&number.to_string()).is_some();
                if is_private {
                    self.removed.push((self.written)(at));
                }
                !is_private
            }
            Value::Null | Value::Bool(_) => true,
        }
    }

    fn find(&mut self, text: &str) -> Option<Vec<Range<usize>>> {
        if !self.index.may_find(text) {
            return None;
        }
        self.folded.fold(text);
        let found = self.index.find(&self.folded);
        (!found.is_empty()).then_some(found)
    }
}

/// Returns a text without the ranges found, each replaced by [`MARK`]. `None` if nothing is left
/// that says something: the text was the value alone, or a link.
fn without(text: &str, found: &[Range<usize>]) -> Option<String> {
    // One word with a hole in it, such as a link, is of no use.
    if !text.trim().contains(char::is_whitespace) {
        return None;
    }
    let mut rest = String::with_capacity(text.len());
    let mut at = 0;
    let mut says_something = false;
    for range in found {
        let (range, is_link) = match link_around(text, range) {
            Some(link) => (link, true),
            None => (range.clone(), false),
        };
        if let Some(between) = text.get(at..range.start) {
            // The sign in front of a phone number belongs to it.
            let number = between.trim_end_matches('+');
            let between = if is_link { between } else { number };
            says_something |= between.contains(char::is_alphanumeric);
            rest.push_str(between);
            rest.push_str(MARK);
        }
        at = at.max(range.end);
    }
    let tail = text.get(at..).unwrap_or_default();
    says_something |= tail.contains(char::is_alphanumeric);
    rest.push_str(tail);
    says_something.then_some(rest)
}

/// Returns the link that contains a range, if one does.
fn link_around(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let ends_link = |c: char| c.is_whitespace() || "<>()[]\"'".contains(c);
    let before = text.get(..range.start)?;
    let end_before = before.char_indices().rev().find(|(_, c)| ends_link(*c));
    let start = end_before.map_or(0, |(at, c)| at + c.len_utf8());
    let after = text.get(range.end..)?;
    let end = after
        .find(ends_link)
        .map_or(text.len(), |at| range.end + at);
    let lead = text.get(start..range.start)?;
    let is_link = lead.contains("://") || ["mailto:", "tel:", "sms:", "geo:"].contains(&lead);
    is_link.then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removed_value_is_marked_and_a_text_without_a_rest_is_left_out() {
        let rows = [
            (
                "Call +1 555 0142 now",
                "+1 555 0142",
                Some("Call [withheld] now"),
            ),
            (
                "Call +1 555 0142 now",
                "1 555 0142",
                Some("Call [withheld] now"),
            ),
            (
                "My [map](https://m.example/?q=17+Quay&z=3).",
                "17+Quay",
                Some("My [map]([withheld])."),
            ),
            (
                "Mail: mailto:a@b.example",
                "a@b.example",
                Some("Mail: [withheld]"),
            ),
            ("a@b.example", "a@b.example", None),
            ("https://m.example/a@b.example", "a@b.example", None),
            ("- a@b.example -", "a@b.example", None),
        ];
        for (text, value, expected) in rows {
            let start = text.find(value).unwrap();
            let range = start..start + value.len();
            assert_eq!(without(text, &[range]).as_deref(), expected, "{text}");
        }
        let overlapping = [1..4, 2..3, 3..5];
        assert_eq!(
            without("abcdef gh", &overlapping).as_deref(),
            Some("a[withheld]f gh")
        );
    }
}
