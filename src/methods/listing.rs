//! [`Listing`]: one list, in pages. Specification: *Pagination*; *Caching*.
//!
//! A list that is the same for every caller is written once. One that has entries for some
//! callers only is put together for each request, from entries that were written once, and is
//! `cacheScope: private` on all its pages.

use std::hash::{DefaultHasher, Hasher};

use bytes::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;

use super::result::{self, ResultShape};
use crate::auth::Access;
use crate::auth::Principal;
use crate::auth::Scopes;
use crate::auth::is_visible;
use crate::error::ProtocolError;
use crate::reply::SharedJson;
use crate::wire::prompts::ListPromptsResult;
use crate::wire::resources::{ListResourceTemplatesResult, ListResourcesResult};
use crate::wire::tools::ListToolsResult;

/// The kinds of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    Tools,
    Resources,
    ResourceTemplates,
    Prompts,
}

/// One list of one version.
#[derive(Debug)]
pub(super) enum Listing {
    /// The same for every caller.
    Shared(Pages),
    /// Each caller sees the entries that it may see.
    Personal {
        entries: Vec<Entry>,
        page_size: usize,
    },
}

/// An entry of a list that depends on the caller.
#[derive(Debug)]
pub(super) struct Entry {
    json: Box<RawValue>,
    visible_to: Option<Scopes>,
}

impl Listing {
    /// Writes the entries, and whole pages if the list is the same for every caller.
    ///
    /// # Errors
    ///
    /// An entry cannot be serialized as JSON.
    pub(super) fn new<'a, T: Serialize>(
        list: List,
        entries: impl IntoIterator<Item = (T, &'a Access)>,
        page_size: usize,
        shape: ResultShape<'_>,
    ) -> Result<Self, ProtocolError> {
        let (entries, access): (Vec<T>, Vec<&Access>) = entries.into_iter().unzip();
        if access.iter().all(|access| access.visible_to().is_none()) {
            let write = |page: &[T], next: Option<&str>| write(list, shape, page, next);
            return Pages::new(&entries, page_size, write).map(Self::Shared);
        }
        let entries = entries.iter().zip(access).map(|(entry, access)| {
            let json = serde_json::value::to_raw_value(entry).map_err(|error| {
                tracing::error!(%error, "an entry of a list could not be written as JSON");
                ProtocolError::Internal
            });
            Ok(Entry {
                json: json?,
                visible_to: access.visible_to().cloned(),
            })
        });
        let entries = entries.collect::<Result<Vec<_>, ProtocolError>>()?;
        Ok(Self::Personal { entries, page_size })
    }

    /// Whether the list depends on the caller.
    pub(super) const fn is_personal(&self) -> bool {
        matches!(self, Self::Personal { .. })
    }

    /// Returns the page that a cursor selects, for a caller. `shape` is that of a list that depends on
    /// the caller. `None` if the cursor selects no page.
    ///
    /// # Errors
    ///
    /// The page cannot be written as JSON.
    pub(super) fn page(
        &self,
        list: List,
        cursor: Option<&str>,
        caller: Option<&Principal>,
        shape: ResultShape<'_>,
    ) -> Result<Option<SharedJson>, ProtocolError> {
        match self {
            Self::Shared(pages) => Ok(pages.page(cursor)),
            Self::Personal { entries, page_size } => {
                let is_visible = |entry: &&Entry| is_visible(entry.visible_to.as_ref(), caller);
                let visible = entries.iter().filter(is_visible);
                let visible: Vec<&RawValue> = visible.map(|entry| &*entry.json).collect();
                let write = |page: &[&RawValue], next: Option<&str>| write(list, shape, page, next);
                // The cursors of a caller are those of the entries that it sees.
                let pages = Pages::new(&visible, *page_size, write)?;
                Ok(pages.page(cursor))
            }
        }
    }
}

/// Writes one page.
fn write<T: Serialize>(
    list: List,
    shape: ResultShape<'_>,
    entries: &[T],
    next_cursor: Option<&str>,
) -> Result<Bytes, ProtocolError> {
    match list {
        List::Tools => {
            let tools = entries;
            result::complete(shape, &ListToolsResult { tools, next_cursor })
        }
        List::Resources => {
            let resources = entries;
            let result = ListResourcesResult {
                resources,
                next_cursor,
            };
            result::complete(shape, &result)
        }
        List::ResourceTemplates => {
            let resource_templates = entries;
            let result = ListResourceTemplatesResult {
                resource_templates,
                next_cursor,
            };
            result::complete(shape, &result)
        }
        List::Prompts => {
            let prompts = entries;
            let result = ListPromptsResult {
                prompts,
                next_cursor,
            };
            result::complete(shape, &result)
        }
    }
}

/// The pages of one list.
#[derive(Debug)]
pub(super) struct Pages(Vec<Page>);

#[derive(Debug)]
struct Page {
    /// The cursor that selects this page; `None` for the first.
    cursor: Option<String>,
    result: SharedJson,
}

impl Pages {
    /// Returns the page that a cursor selects.
    ///
    /// The cursor must equal one that this list issued. A cursor that was altered, or comes from
    /// another list or an earlier deployment, selects no page.
    pub(super) fn page(&self, cursor: Option<&str>) -> Option<SharedJson> {
        self.0
            .iter()
            .find(|page| page.cursor.as_deref() == cursor)
            .map(|page| page.result.clone())
    }

    /// Builds the pages of a list. An empty list has one page. `write` returns the result of one
    /// page and the cursor of the next.
    fn new<T: Serialize>(
        entries: &[T],
        page_size: usize,
        write: impl Fn(&[T], Option<&str>) -> Result<Bytes, ProtocolError>,
    ) -> Result<Self, ProtocolError> {
        // Only cursors need it, and most lists have one page.
        let fingerprint = if entries.len() > page_size {
            fingerprint(entries)
        } else {
            0
        };
        let cursor = |index: usize| (index > 0).then(|| cursor(fingerprint, index));
        let chunks: Vec<&[T]> = if entries.is_empty() {
            vec![&[]]
        } else {
            entries.chunks(page_size).collect()
        };
        let mut pages = Vec::with_capacity(chunks.len());
        for (index, entries) in chunks.iter().enumerate() {
            let next = if index + 1 < chunks.len() {
                cursor(index + 1)
            } else {
                None
            };
            let result = write(entries, next.as_deref())?;
            pages.push(Page {
                cursor: cursor(index),
                result: SharedJson::new(result),
            });
        }
        Ok(Self(pages))
    }
}

/// Returns a hash of a list. It is the same in every instance of one build.
fn fingerprint<T: Serialize>(entries: &[T]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(std::any::type_name::<T>().as_bytes());
    hasher.write(&serde_json::to_vec(entries).unwrap_or_default());
    hasher.finish()
}

fn cursor(fingerprint: u64, index: usize) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write_u64(fingerprint);
    hasher.write_usize(index);
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the pages of the numbers up to `length`: the entries of each, and where the next begins.
    fn pages(length: u32, page_size: usize) -> Pages {
        let entries: Vec<u32> = (0..length).collect();
        Pages::new(&entries, page_size, |page, next| {
            Ok(serde_json::to_vec(&(page, next)).unwrap().into())
        })
        .unwrap()
    }

    proptest! {
        #[test]
        fn following_the_cursors_gives_every_entry_once(length in 0_u32..50, page_size in 1_usize..20) {
            let pages = pages(length, page_size);
            let (mut seen, mut cursor) = (Vec::new(), None::<String>);
            loop {
                let page = pages.page(cursor.as_deref()).unwrap();
                let (entries, next): (Vec<u32>, Option<String>) =
                    serde_json::from_slice(page.json()).unwrap();
                prop_assert!(entries.len() <= page_size);
                seen.extend(entries);
                cursor = next;
                if cursor.is_none() {
                    break;
                }
            }
            prop_assert_eq!(seen, (0..length).collect::<Vec<_>>());
        }

        #[test]
        fn no_other_text_is_a_cursor(text in "[0-9a-f]{16}|.{0,20}") {
            prop_assert!(pages(50, 1).page(Some(&text)).is_none());
        }

        #[test]
        fn a_cursor_leads_nowhere_in_another_list(length in 2_u32..50, more in 1_u32..5) {
            let other = pages(length + more, 1);
            for page in pages(length, 1).0.iter().skip(1) {
                prop_assert!(other.page(page.cursor.as_deref()).is_none());
            }
        }
    }
}
