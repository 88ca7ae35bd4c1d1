//! How people connect their clients to the server: the tabs of the page.

use serde_json::json;

/// What opens a client with the server filled in.
#[derive(Debug, Clone, Copy)]
pub(super) enum Link {
    /// A page of the client.
    Page(&'static str),
    /// A link that the page's script completes with the endpoint.
    Install(&'static str),
}

/// A client, and how it is connected.
#[derive(Debug)]
pub(super) struct Client {
    /// Part of the identifiers of its elements.
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    /// What to do, in sentences.
    pub(super) steps: &'static str,
    /// What to copy.
    pub(super) snippet: Option<String>,
    /// A link with its label.
    pub(super) link: Option<(Link, &'static str)>,
}

/// Returns the clients for a server that they call `name`.
pub(super) fn clients(name: &str, endpoint: &str) -> Vec<Client> {
    let command = |id, client, program: &str| Client {
        id,
        name: client,
        steps: "Run this command in a terminal.",
        snippet: Some(format!(
            "{program} mcp add --transport http {name} {endpoint}"
        )),
        link: None,
    };
    let servers = |key: &str, entry: serde_json::Value| {
        let text = serde_json::to_string_pretty(&json!({key: {name: entry}}));
        text.unwrap_or_default()
    };
    vec![
        Client {
            id: "claude",
            name: "Claude",
            steps: "In the settings, open Connectors and choose “Add custom connector”. Paste the URL above. No sign-in is needed.",
            snippet: None,
            link: Some((
                Link::Page("https://claude.ai/settings/connectors"),
                "Open Claude’s connectors",
            )),
        },
        command("claude-code", "Claude Code", "claude"),
        Client {
            id: "chatgpt",
            name: "ChatGPT",
            steps: "Turn on developer mode in Settings, Apps & Connectors, Advanced settings. Then create a connector, paste the URL above and choose “No authentication”.",
            snippet: None,
            link: Some((
                Link::Page("https://chatgpt.com/#settings/Connectors"),
                "Open ChatGPT’s connectors",
            )),
        },
        Client {
            id: "vscode",
            name: "VS Code",
            steps: "Install it with the button, or add this to the file .vscode/mcp.json.",
            snippet: Some(servers("servers", json!({"type": "http", "url": endpoint}))),
            link: Some((Link::Install("vscode"), "Install in VS Code")),
        },
        Client {
            id: "cursor",
            name: "Cursor",
            steps: "Install it with the button, or add this to the file ~/.cursor/mcp.json.",
            snippet: Some(servers("mcpServers", json!({"url": endpoint}))),
            link: Some((Link::Install("cursor"), "Install in Cursor")),
        },
        command("gemini", "Gemini CLI", "gemini"),
        Client {
            id: "librechat",
            name: "LibreChat",
            steps: "Add this to the file librechat.yaml.",
            snippet: Some(format!(
                "mcpServers:\n  {name}:\n    type: streamable-http\n    url: {endpoint}"
            )),
            link: None,
        },
    ]
}

/// Returns what a person's server is called in a client: letters, digits and hyphens.
pub(super) fn short_name(person: &str) -> String {
    let mut name = String::new();
    for c in person.chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c.to_ascii_lowercase());
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    name.truncate(40);
    let name = name.trim_end_matches('-');
    if name.is_empty() {
        return "portfolio".to_owned();
    }
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_for_clients_is_short_and_plain() {
        let rows = [
            ("Ada Lovelace", "ada-lovelace"),
            ("  X Æ \"A\"; rm -rf /", "x-a-rm-rf"),
            ("李小龍", "portfolio"),
        ];
        for (person, name) in rows {
            assert_eq!(short_name(person), name);
        }
        assert_eq!(short_name(&"a b ".repeat(99)).len(), 39);
    }
}
