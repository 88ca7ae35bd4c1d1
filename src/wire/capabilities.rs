//! Capabilities of server and client. Specification: *Discovery*; *Base Protocol, `_meta`*.

use serde::{Deserialize, Deserializer, Serialize};

/// The media type of the views of MCP Apps.
pub(crate) const APP_MIME_TYPE: &str = "text/html;profile=mcp-app";

use crate::wire::version::ProtocolVersion;

/// A JSON object whose members are ignored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Empty {}

/// The server's capabilities. A member is present only if the server implements its methods.
///
/// `listChanged` and `subscribe` are never declared: lists change only with a deployment, and the
/// server holds no stream open to announce it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct ServerCapabilities {
    /// `tools/list` and `tools/call`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tools: Option<Empty>,
    /// `resources/list`, `resources/templates/list` and `resources/read`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) resources: Option<Empty>,
    /// `prompts/list` and `prompts/get`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) prompts: Option<Empty>,
    /// `completion/complete`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) completions: Option<Empty>,
    /// Log notifications. Modern clients set the level in each request. Legacy clients set it once
    /// with `logging/setLevel`, which has no meaning over HTTP, where nothing is remembered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) logging: Option<Empty>,
    /// Extensions of the protocol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extensions: Option<Extensions>,
}

/// The extensions that client or server supports, limited to those of this library.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Extensions {
    /// Tasks.
    #[serde(
        default,
        rename = "io.modelcontextprotocol/tasks",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) tasks: Option<Empty>,
    /// MCP Apps. Present if the client can show HTML.
    #[serde(
        default,
        rename = "io.modelcontextprotocol/ui",
        deserialize_with = "apps_of",
        skip_serializing
    )]
    pub(crate) apps: Option<Empty>,
}

impl Extensions {
    /// The extension *Tasks* alone.
    pub(crate) const TASKS: Self = Self {
        tasks: Some(Empty {}),
        apps: None,
    };
}

/// Reads what a client says about MCP Apps. Other forms than that of the extension count as nothing.
/// Extension *MCP Apps, Capability Negotiation*.
fn apps_of<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Empty>, D::Error> {
    let said = serde_json::Value::deserialize(deserializer)?;
    let types = said.get("mimeTypes").and_then(serde_json::Value::as_array);
    let shows_html = types.is_some_and(|types| types.iter().any(|known| known == APP_MIME_TYPE));
    Ok(shows_html.then_some(Empty {}))
}

/// The capabilities that a client declares, limited to those that a server can use.
///
/// A handler reads them from
/// [`Context::client_capabilities`](crate::Context::client_capabilities). Legacy requests over HTTP
/// declare none. Specification: *Base Protocol, `_meta`*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::protocol::ClientCapabilities;
///
/// let none = ClientCapabilities::default();
/// assert!(!none.supports_form_elicitation());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientCapabilities {
    /// The client can ask the user for input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) elicitation: Option<Elicitation>,
    /// The client can query its model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sampling: Option<Empty>,
    /// The client can list its root directories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) roots: Option<Empty>,
    /// Extensions of the protocol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) extensions: Option<Extensions>,
}

/// The elicitation modes of a client. Specification: *Elicitation, Capabilities*.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Elicitation {
    /// Forms. The default if the client names no mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) form: Option<Empty>,
    /// URLs that the user opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<Empty>,
}

impl ClientCapabilities {
    /// Returns whether the client can show a form to the user.
    #[must_use]
    pub fn supports_form_elicitation(&self) -> bool {
        self.elicitation
            .as_ref()
            .is_some_and(|e| e.form.is_some() || e.url.is_none())
    }

    /// Returns whether the client can ask the user to open a URL.
    #[must_use]
    pub fn supports_url_elicitation(&self) -> bool {
        self.elicitation.as_ref().is_some_and(|e| e.url.is_some())
    }

    /// Returns whether the client can query its model.
    #[must_use]
    pub const fn supports_sampling(&self) -> bool {
        self.sampling.is_some()
    }

    /// Returns whether the client can list its root directories.
    #[must_use]
    pub const fn supports_roots(&self) -> bool {
        self.roots.is_some()
    }

    /// Returns whether the client can poll a task for the result of a tool. Specification: extension
    /// *Tasks*.
    #[must_use]
    pub fn supports_tasks(&self) -> bool {
        self.extensions.is_some_and(|e| e.tasks.is_some())
    }

    /// Returns whether the client can show the view of a tool, which is HTML, beside its result.
    /// Specification: extension *MCP Apps*.
    #[must_use]
    pub fn supports_apps(&self) -> bool {
        self.extensions.is_some_and(|e| e.apps.is_some())
    }

    /// The extension *Tasks* alone.
    pub(crate) fn tasks() -> Self {
        Self {
            extensions: Some(Extensions::TASKS),
            ..Self::default()
        }
    }

    /// The capabilities that exist in a version with a handshake. Before 2025-11-25 the only mode of
    /// elicitation is the form.
    #[must_use]
    pub(crate) fn at(declared: Self, version: ProtocolVersion) -> Self {
        let elicitation = declared.elicitation.filter(|_| version.has_elicitation());
        let elicitation = elicitation.map(|modes| {
            if version.has_elicitation_modes() {
                modes
            } else {
                Elicitation::default()
            }
        });
        Self {
            elicitation,
            extensions: None,
            ..declared
        }
    }

    /// Returns whether the client has all capabilities of `needs`.
    pub(crate) fn covers(&self, needs: &Self) -> bool {
        (needs.sampling.is_none() || self.supports_sampling())
            && (needs.roots.is_none() || self.supports_roots())
            && (!needs.supports_tasks() || self.supports_tasks())
            && needs.elicitation.as_ref().is_none_or(|needs| {
                (needs.form.is_none() || self.supports_form_elicitation())
                    && (needs.url.is_none() || self.supports_url_elicitation())
            })
    }

    /// Returns whether no capability is declared.
    pub(crate) const fn is_empty(&self) -> bool {
        self.elicitation.is_none()
            && self.sampling.is_none()
            && self.roots.is_none()
            && self.extensions.is_none()
    }

    /// Adds the capabilities of `other`.
    pub(crate) fn merge(&mut self, other: Self) {
        if let Some(theirs) = other.elicitation {
            let ours = self.elicitation.get_or_insert_with(Elicitation::default);
            ours.form = ours.form.or(theirs.form);
            ours.url = ours.url.or(theirs.url);
        }
        self.sampling = self.sampling.or(other.sampling);
        self.roots = self.roots.or(other.roots);
        self.extensions = self.extensions.or(other.extensions);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_shows_html_supports_apps() {
        let read = |json: &str| serde_json::from_str::<ClientCapabilities>(json).unwrap();
        let rows = [
            (r#"{"mimeTypes":["text/html;profile=mcp-app"]}"#, true),
            (r#"{"mimeTypes":["text/uri-list"]}"#, false),
            ("{}", false),
            ("null", false),
            ("[1]", false),
        ];
        for (said, expected) in rows {
            let json = format!(r#"{{"extensions":{{"io.modelcontextprotocol/ui":{said}}}}}"#);
            assert_eq!(read(&json).supports_apps(), expected, "{said}");
        }
    }

    #[test]
    fn an_empty_elicitation_means_forms() {
        let read = |json: &str| serde_json::from_str::<ClientCapabilities>(json).unwrap();
        let cases = [
            ("{}", false, false),
            (r#"{"elicitation":{}}"#, true, false),
            (r#"{"elicitation":{"form":{}}}"#, true, false),
            (r#"{"elicitation":{"url":{}}}"#, false, true),
            (
                r#"{"elicitation":{"form":{"x":1},"url":{}},"other":[]}"#,
                true,
                true,
            ),
        ];
        for (json, forms, urls) in cases {
            let capabilities = read(json);
            assert_eq!(
                (
                    capabilities.supports_form_elicitation(),
                    capabilities.supports_url_elicitation()
                ),
                (forms, urls),
                "{json}"
            );
        }
    }
}
