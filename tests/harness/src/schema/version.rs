//! The served versions, which of them a request speaks, and what its results are called there.

use serde_json::Value;

use crate::{HttpRequest, Reply};

/// A revision of the protocol that the server serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// Revision 2024-11-05.
    V2024_11_05,
    /// Revision 2025-03-26.
    V2025_03_26,
    /// Revision 2025-06-18.
    V2025_06_18,
    /// Revision 2025-11-25.
    V2025_11_25,
    /// Revision 2026-07-28.
    V2026_07_28,
}

/// All of them, oldest first.
pub const SERVED_VERSIONS: [Version; 5] = [
    Version::V2024_11_05,
    Version::V2025_03_26,
    Version::V2025_06_18,
    Version::V2025_11_25,
    Version::V2026_07_28,
];

impl Version {
    /// The modern one, as it is written on the wire.
    pub const MODERN: &'static str = "2026-07-28";

    /// As it is written on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => Self::MODERN,
        }
    }

    /// Whether requests carry the `_meta` envelope.
    pub fn is_modern(self) -> bool {
        self == Self::V2026_07_28
    }

    pub(super) fn parse(name: &str) -> Option<Self> {
        SERVED_VERSIONS
            .into_iter()
            .find(|version| version.name() == name)
    }

    /// The schema's name for the envelope of a result.
    pub fn result_envelope(self) -> &'static str {
        match self {
            Self::V2024_11_05 | Self::V2025_03_26 | Self::V2025_06_18 => "JSONRPCResponse",
            Self::V2025_11_25 | Self::V2026_07_28 => "JSONRPCResultResponse",
        }
    }

    /// The schema's name for the envelope of an error.
    pub fn error_envelope(self) -> &'static str {
        match self {
            Self::V2024_11_05 | Self::V2025_03_26 | Self::V2025_06_18 => "JSONRPCError",
            Self::V2025_11_25 | Self::V2026_07_28 => "JSONRPCErrorResponse",
        }
    }

    /// Whether an error response can leave out the id, and then must. Before, JSON-RPC 2.0 alone
    /// says what to do with an id that cannot be read: it is `null`.
    pub fn errors_can_lack_the_id(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Whether the schema describes requests and notifications with the members of their envelope.
    pub fn notifications_have_envelope(self) -> bool {
        matches!(self, Self::V2025_11_25 | Self::V2026_07_28)
    }

    /// The schema's name for what `method` answers; `None` where the version has no such method.
    pub fn result_type(self, method: &str, result: &Value) -> Option<&'static str> {
        let modern = self.is_modern();
        Some(match method {
            "tools/call" | "prompts/get" | "resources/read"
                if modern && result["resultType"] == "input_required" =>
            {
                "InputRequiredResult"
            }
            "tools/call" if modern && result["resultType"] == "task" => "CreateTaskResult",
            "tasks/get" if modern => "GetTaskResult",
            "tasks/update" if modern => "UpdateTaskResult",
            "tasks/cancel" if modern => "CancelTaskResult",
            "initialize" if !modern => "InitializeResult",
            "ping" if !modern => "EmptyResult",
            "server/discover" if modern => "DiscoverResult",
            "tools/list" => "ListToolsResult",
            "tools/call" => "CallToolResult",
            "resources/list" => "ListResourcesResult",
            "resources/templates/list" => "ListResourceTemplatesResult",
            "resources/read" => "ReadResourceResult",
            "prompts/list" => "ListPromptsResult",
            "prompts/get" => "GetPromptResult",
            "completion/complete" => "CompleteResult",
            _ => return None,
        })
    }
}

/// The version that judges the reply to a request: that of the header, else that of `_meta`.
pub(super) fn of(request: &HttpRequest, asked: &[Value], reply: &Reply) -> Version {
    if asked.len() == 1 && asked[0]["method"] == "initialize" {
        // The handshake is judged by the version it agrees on.
        let agreed = reply.messages().ok().and_then(|messages| {
            Version::parse(messages.first()?["result"]["protocolVersion"].as_str()?)
        });
        if let Some(version) = agreed {
            return version;
        }
    }
    let in_header: Vec<&str> = request
        .header("mcp-protocol-version")
        .flat_map(|v| v.split(','))
        .map(str::trim)
        .collect();
    // An empty header counts as absent.
    let in_header = in_header.first().filter(|first| !first.is_empty());
    if let Some(first) = in_header {
        // Only an error can come of a version that is not served, and the newest revision is the one
        // that defines it.
        return Version::parse(first).unwrap_or(Version::V2026_07_28);
    }
    let in_meta = asked.iter().find_map(|message| {
        message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str()
    });
    in_meta
        .and_then(Version::parse)
        .unwrap_or(Version::V2025_03_26)
}
