//! The answers that depend on the build alone, written once at start.

use std::hash::{DefaultHasher, Hasher};

use bytes::Bytes;
use serde_json::value::RawValue;

use super::shape::{self, CacheHints, Shape};
use crate::error::ProtocolError;
use crate::server::Registry;
use crate::wire::discover::DiscoverResult;
use crate::wire::initialize::InitializeResult;
use crate::wire::tools::{ListToolsResult, Tool};
use crate::wire::version::ProtocolVersion;

/// All prepared answers.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// The server's identity, as it stands in modern results.
    pub(super) server_info: Box<RawValue>,
    pub(super) discover: Bytes,
    versions: Vec<(ProtocolVersion, AtVersion)>,
    fallback: AtVersion,
}

/// The prepared answers of one version.
#[derive(Debug, Default)]
pub(super) struct AtVersion {
    pub(super) initialize: Bytes,
    pub(super) tools: Pages,
}

/// The pages of one list.
#[derive(Debug, Default)]
pub(super) struct Pages(Vec<Page>);

#[derive(Debug)]
struct Page {
    /// The cursor that leads here; the first page has none.
    cursor: Option<String>,
    result: Bytes,
}

impl Pages {
    /// The page a cursor leads to.
    ///
    /// Cursors are compared with those that were given out: one that was altered, or comes from
    /// another list or an earlier deploy, leads nowhere.
    pub(super) fn page(&self, cursor: Option<&str>) -> Option<Bytes> {
        self.0
            .iter()
            .find(|page| page.cursor.as_deref() == cursor)
            .map(|page| page.result.clone())
    }
}

impl Prepared {
    /// Writes the answers.
    ///
    /// # Errors
    ///
    /// A definition cannot be written as JSON.
    pub(crate) fn new(registry: &Registry) -> Result<Self, ProtocolError> {
        let settings = &registry.settings;
        let newest = ProtocolVersion::ALL[0];
        let server_info = serde_json::value::to_raw_value(&settings.identity.at(newest))
            .map_err(|_| ProtocolError::Internal)?;
        let capabilities = registry.capabilities();
        let shape = |version| Shape {
            version,
            server_info: &server_info,
            cache: Some(CacheHints::public(settings.cache_ttl)),
            meta: None,
        };
        let discover = shape::complete(
            shape(newest),
            &DiscoverResult {
                supported_versions: &ProtocolVersion::ALL,
                capabilities: &capabilities,
                instructions: settings.instructions.as_deref(),
            },
        )?;
        let at = |version| {
            let initialize = shape::complete(
                shape(version),
                &InitializeResult {
                    protocol_version: version,
                    capabilities: &capabilities,
                    server_info: settings.identity.at(version),
                    instructions: settings.instructions.as_deref(),
                },
            )?;
            Ok((
                version,
                AtVersion {
                    initialize,
                    tools: tool_pages(registry, shape(version))?,
                },
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

    /// The answers of one version.
    pub(super) fn at(&self, version: ProtocolVersion) -> &AtVersion {
        let found = self.versions.iter().find(|(known, _)| *known == version);
        found.map_or(&self.fallback, |(_, answers)| answers)
    }
}

fn tool_pages(registry: &Registry, shape: Shape<'_>) -> Result<Pages, ProtocolError> {
    let tools: Vec<Tool> = registry
        .tools
        .iter()
        .map(|tool| shown(&tool.spec, shape.version))
        .collect();
    let chunks: Vec<&[Tool]> = tools.chunks(registry.settings.page_size).collect();
    let fingerprint = fingerprint(&tools);
    let cursor = |index: usize| (index > 0).then(|| cursor("tools", fingerprint, index));
    let mut pages = Vec::with_capacity(chunks.len());
    for (index, tools) in chunks.iter().enumerate() {
        let next = if index + 1 < chunks.len() {
            cursor(index + 1)
        } else {
            None
        };
        let result = shape::complete(
            shape,
            &ListToolsResult {
                tools,
                next_cursor: next.as_deref(),
            },
        )?;
        pages.push(Page {
            cursor: cursor(index),
            result,
        });
    }
    Ok(Pages(pages))
}

/// A tool with the members a version knows.
fn shown(tool: &Tool, version: ProtocolVersion) -> Tool {
    let mut tool = tool.clone();
    if !version.has_structured_content() {
        tool.title = None;
        tool.output_schema = None;
        tool.meta = None;
    }
    if !version.has_any_structured_content()
        && tool
            .output_schema
            .as_ref()
            .is_some_and(|schema| schema["type"] != "object")
    {
        tool.output_schema = None;
    }
    if !version.has_icons() {
        tool.icons.clear();
        tool.execution = None;
    }
    tool
}

/// A number that changes when a list does; the same in every instance of one build.
fn fingerprint(tools: &[Tool]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for tool in tools {
        hasher.write(tool.name.as_bytes());
        hasher.write_u8(0);
    }
    hasher.finish()
}

fn cursor(list: &str, fingerprint: u64, index: usize) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(list.as_bytes());
    hasher.write_u64(fingerprint);
    hasher.write_usize(index);
    format!("{:016x}", hasher.finish())
}
