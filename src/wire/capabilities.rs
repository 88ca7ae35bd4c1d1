//! What server and client can do. Specification: *Discovery*; *Base Protocol, `_meta`*.

use serde::{Deserialize, Serialize};

/// An object whose members, if it has any, do not matter here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Empty {}

/// The server's capabilities: a member is there only when its methods answer.
///
/// `listChanged` and `subscribe` are never claimed: nothing changes between two deploys, and no
/// stream is held open to tell of it.
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
    /// Log notifications, which the modern era asks for by request. The legacy era asks by
    /// `logging/setLevel`, whose answer nobody here could remember.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) logging: Option<Empty>,
}

/// The client's capabilities, as far as a server asks for them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientCapabilities {
    /// It can ask the person behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) elicitation: Option<Elicitation>,
    /// It can ask a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sampling: Option<Empty>,
    /// It can name directories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) roots: Option<Empty>,
}

/// How a client can ask a person. Specification: *Elicitation, Capabilities*.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Elicitation {
    /// By a form; also meant when nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) form: Option<Empty>,
    /// By sending the person to a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<Empty>,
}

impl ClientCapabilities {
    /// Whether the client can show a form.
    #[must_use]
    pub fn supports_form_elicitation(&self) -> bool {
        self.elicitation
            .as_ref()
            .is_some_and(|e| e.form.is_some() || e.url.is_none())
    }

    /// Whether the client can send the person to a page.
    #[must_use]
    pub fn supports_url_elicitation(&self) -> bool {
        self.elicitation.as_ref().is_some_and(|e| e.url.is_some())
    }

    /// Whether the client can ask a model.
    #[must_use]
    pub const fn supports_sampling(&self) -> bool {
        self.sampling.is_some()
    }

    /// Whether the client can name directories.
    #[must_use]
    pub const fn supports_roots(&self) -> bool {
        self.roots.is_some()
    }

    /// Whether nothing is declared.
    pub(crate) const fn is_empty(&self) -> bool {
        self.elicitation.is_none() && self.sampling.is_none() && self.roots.is_none()
    }

    /// Adds what `other` declares.
    pub(crate) fn merge(&mut self, other: Self) {
        if let Some(theirs) = other.elicitation {
            let ours = self.elicitation.get_or_insert_with(Elicitation::default);
            ours.form = ours.form.or(theirs.form);
            ours.url = ours.url.or(theirs.url);
        }
        self.sampling = self.sampling.or(other.sampling);
        self.roots = self.roots.or(other.roots);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
