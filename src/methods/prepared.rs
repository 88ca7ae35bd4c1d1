//! Results that depend only on the registered tools, prompts and resources, serialized once at start.

use std::hash::{DefaultHasher, Hasher};

use bytes::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;

use super::result::{self, CacheHints, ResultShape};
use crate::error::ProtocolError;
use crate::server::Registry;
use crate::wire::discover::DiscoverResult;
use crate::wire::initialize::InitializeResult;
use crate::wire::prompts::{ListPromptsResult, Prompt};
use crate::wire::resources::{Address, ListResourceTemplatesResult, ListResourcesResult, Resource};
use crate::wire::tools::{ListToolsResult, Tool};
use crate::wire::version::{Era, ProtocolVersion};

/// The prepared results of all versions.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// The server's name and version, as results of 2026-07-28 contain them.
    pub(super) server_info: Box<RawValue>,
    pub(super) discover: Bytes,
    versions: Vec<(ProtocolVersion, AtVersion)>,
    fallback: AtVersion,
}

/// The prepared results of one version.
#[derive(Debug, Default)]
pub(super) struct AtVersion {
    pub(super) initialize: Bytes,
    tools: Pages,
    resources: Pages,
    resource_templates: Pages,
    prompts: Pages,
}

/// The kinds of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    Tools,
    Resources,
    ResourceTemplates,
    Prompts,
}

impl AtVersion {
    pub(super) const fn pages(&self, list: List) -> &Pages {
        match list {
            List::Tools => &self.tools,
            List::Resources => &self.resources,
            List::ResourceTemplates => &self.resource_templates,
            List::Prompts => &self.prompts,
        }
    }
}

/// The pages of one list.
#[derive(Debug, Default)]
pub(super) struct Pages(Vec<Page>);

#[derive(Debug)]
struct Page {
    /// The cursor that selects this page; `None` for the first.
    cursor: Option<String>,
    result: Bytes,
}

impl Pages {
    /// Returns the page that a cursor selects.
    ///
    /// The cursor must equal one that this list issued. A cursor that was altered, or comes from
    /// another list or an earlier deployment, selects no page.
    pub(super) fn page(&self, cursor: Option<&str>) -> Option<Bytes> {
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
        let fingerprint = fingerprint(entries);
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
                result,
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

impl Prepared {
    /// Serializes the results.
    ///
    /// # Errors
    ///
    /// A definition cannot be serialized as JSON.
    pub(crate) fn new(registry: &Registry) -> Result<Self, ProtocolError> {
        let settings = &registry.settings;
        let [newest, ..] = ProtocolVersion::ALL;
        let server_info = serde_json::value::to_raw_value(&settings.identity.at(newest))
            .map_err(|_| ProtocolError::Internal)?;
        let instructions = settings.instructions.as_deref();
        let shape = |version| ResultShape::new(version, &server_info);
        let cache = CacheHints::public(settings.cache_ttl);
        let discover = result::complete(
            shape(newest).cache(cache),
            &DiscoverResult {
                supported_versions: &ProtocolVersion::ALL,
                capabilities: &registry.capabilities(newest),
                instructions,
            },
        )?;
        let at = |version: ProtocolVersion| {
            let answers = match version.era() {
                Era::Modern => Bytes::new(),
                Era::Legacy => result::complete(
                    shape(version),
                    &InitializeResult {
                        protocol_version: version,
                        capabilities: &registry.capabilities(version),
                        server_info: settings.identity.at(version),
                        instructions,
                    },
                )?,
            };
            Ok((
                version,
                lists(registry, shape(version).cache(cache), answers)?,
            ))
        };
        let versions = ProtocolVersion::ALL
            .into_iter()
            .map(at)
            .collect::<Result<Vec<_>, ProtocolError>>()?;
        Ok(Self {
            discover,
            versions,
            fallback: AtVersion::default(),
            server_info,
        })
    }

    /// Serializes the results of one version.
    pub(super) fn at(&self, version: ProtocolVersion) -> &AtVersion {
        let found = self.versions.iter().find(|(known, _)| *known == version);
        found.map_or(&self.fallback, |(_, answers)| answers)
    }
}

fn lists(
    registry: &Registry,
    shape: ResultShape<'_>,
    initialize: Bytes,
) -> Result<AtVersion, ProtocolError> {
    let version = shape.version();
    let size = registry.settings.page_size;
    let tools: Vec<Tool> = registry
        .tools
        .iter()
        .map(|tool| tool_at(&tool.spec, version))
        .collect();
    let prompts: Vec<Prompt> = registry
        .prompts
        .iter()
        .map(|prompt| prompt_at(&prompt.spec, version))
        .collect();
    let (resources, templates): (Vec<Resource>, Vec<Resource>) = registry
        .resources
        .iter()
        .map(|resource| resource_at(&resource.spec, version))
        .partition(|resource| matches!(resource.address, Address::Uri(_)));
    Ok(AtVersion {
        initialize,
        tools: Pages::new(&tools, size, |tools, next_cursor| {
            result::complete(shape, &ListToolsResult { tools, next_cursor })
        })?,
        resources: Pages::new(&resources, size, |resources, next_cursor| {
            result::complete(
                shape,
                &ListResourcesResult {
                    resources,
                    next_cursor,
                },
            )
        })?,
        resource_templates: Pages::new(&templates, size, |resource_templates, next_cursor| {
            let result = ListResourceTemplatesResult {
                resource_templates,
                next_cursor,
            };
            result::complete(shape, &result)
        })?,
        prompts: Pages::new(&prompts, size, |prompts, next_cursor| {
            result::complete(
                shape,
                &ListPromptsResult {
                    prompts,
                    next_cursor,
                },
            )
        })?,
    })
}

/// Returns a tool with only the members that the version defines.
fn tool_at(tool: &Tool, version: ProtocolVersion) -> Tool {
    let mut tool = tool.clone();
    let is_object = |schema: &serde_json::Value| {
        schema.get("type").and_then(serde_json::Value::as_str) == Some("object")
    };
    if !version.has_structured_content() {
        tool.title = None;
        tool.output_schema = None;
        tool.meta = None;
    }
    if !version.has_any_structured_content() {
        tool.output_schema = tool.output_schema.filter(is_object);
    }
    if !version.has_tool_annotations() {
        tool.annotations = None;
    }
    if !version.has_icons() {
        tool.icons.clear();
    }
    if !version.has_execution() {
        tool.execution = None;
    }
    tool
}

/// Returns a prompt with only the members that the version defines.
fn prompt_at(prompt: &Prompt, version: ProtocolVersion) -> Prompt {
    let mut prompt = prompt.clone();
    if !version.has_structured_content() {
        prompt.title = None;
        prompt.meta = None;
        prompt
            .arguments
            .iter_mut()
            .for_each(|argument| argument.title = None);
    }
    if !version.has_icons() {
        prompt.icons.clear();
    }
    prompt
}

/// Returns a resource or template with only the members that the version defines.
fn resource_at(resource: &Resource, version: ProtocolVersion) -> Resource {
    let mut resource = resource.clone();
    if !version.has_structured_content() {
        resource.title = None;
        resource.meta = None;
    }
    if let Some(annotations) = &mut resource.annotations {
        annotations.reduce_to(version);
    }
    if !version.has_icons() {
        resource.icons.clear();
    }
    resource
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
                    serde_json::from_slice(&page).unwrap();
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
            prop_assert_eq!(pages(50, 1).page(Some(&text)), None);
        }

        #[test]
        fn a_cursor_leads_nowhere_in_another_list(length in 2_u32..50, more in 1_u32..5) {
            let other = pages(length + more, 1);
            for page in pages(length, 1).0.iter().skip(1) {
                prop_assert_eq!(other.page(page.cursor.as_deref()), None);
            }
        }
    }
}
