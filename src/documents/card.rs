//! The server card: what a client knows of a server before it connects. Draft extension *Server Cards*.

use serde_json::{Map, Value, json};

use super::url::{authority, base_url};
use crate::handler::Invocation;
use crate::server::Settings;
use crate::wire::version::ProtocolVersion;

const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
/// The longest title and description, in characters.
const TEXT_CHARS: usize = 100;
/// The longest name.
const NAME_BYTES: usize = 200;

/// The document for the public URL of a request.
pub(super) fn server_card(settings: &Settings, invocation: &Invocation) -> Value {
    let identity = &settings.identity;
    let base = base_url(settings, invocation);
    let url = format!("{base}{}", settings.gate.endpoint);
    let mut card = Map::new();
    card.insert("$schema".to_owned(), json!(SCHEMA));
    let name = card_name(base, &identity.name);
    card.insert("name".to_owned(), json!(name));
    card.insert("version".to_owned(), json!(identity.version));
    if let Some(title) = &identity.title {
        card.insert("title".to_owned(), json!(shortened(title)));
    }
    let description = identity.description.as_deref().unwrap_or(&identity.name);
    card.insert("description".to_owned(), json!(shortened(description)));
    if let Some(url) = &identity.website_url {
        card.insert("websiteUrl".to_owned(), json!(url));
    }
    if !identity.icons.is_empty() {
        card.insert("icons".to_owned(), json!(identity.icons));
    }
    card.insert("supportedVersions".to_owned(), json!(ProtocolVersion::ALL));
    let remote = json!({
        "type": "streamable-http",
        "url": url,
        "supportedProtocolVersions": ProtocolVersion::ALL,
    });
    card.insert("remotes".to_owned(), json!([remote]));
    Value::Object(card)
}

/// The name in the form of the registry: the host in reverse order, a slash and the server's name,
/// such as `com.example.mcp/weather`.
///
/// A name that has this form already is kept. A host without a domain name has no such form: then
/// it is the server's name alone.
pub(super) fn card_name(base: &str, name: &str) -> String {
    let is_namespace = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let is_name = |c: char| is_namespace(c) || c == '_';
    if let Some((namespace, own)) = name.split_once('/')
        && !namespace.is_empty()
        && namespace.chars().all(is_namespace)
        && !own.is_empty()
        && own.chars().all(is_name)
    {
        return name.to_owned();
    }
    let host = authority(base).rsplit_once(':').map_or_else(
        || authority(base),
        |(host, port)| {
            if port.bytes().all(|b| b.is_ascii_digit()) {
                host
            } else {
                ""
            }
        },
    );
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_domain = host.contains('.')
        && host.chars().all(is_namespace)
        && host.split('.').all(|label| !label.is_empty())
        && last.starts_with(|c: char| c.is_ascii_alphabetic());
    let own: String = name
        .chars()
        .map(|c| if is_name(c) { c } else { '-' })
        .collect();
    let labels: Vec<&str> = host.rsplit('.').collect();
    let full = format!("{}/{own}", labels.join(".").to_ascii_lowercase());
    if is_domain && !own.is_empty() && full.len() <= NAME_BYTES {
        full
    } else {
        name.to_owned()
    }
}

/// A text of at most [`TEXT_CHARS`] characters.
pub(super) fn shortened(text: &str) -> String {
    if text.chars().count() <= TEXT_CHARS {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(TEXT_CHARS - 1).collect();
    if let Some(end) = cut.rfind(' ').filter(|end| *end > TEXT_CHARS / 2) {
        cut.truncate(end);
    }
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_named_as_the_registry_names_servers() {
        let rows = [
            (
                "https://mcp.example.com",
                "weather",
                "com.example.mcp/weather",
            ),
            (
                "https://MCP.Example.com:8443/v1",
                "weather",
                "com.example.mcp/weather",
            ),
            ("https://example.com", "my server", "com.example/my-server"),
            (
                "https://example.com",
                "io.github.ada/weather",
                "io.github.ada/weather",
            ),
            ("http://localhost", "weather", "weather"),
            ("http://127.0.0.1:9000", "weather", "weather"),
            ("http://[::1]:9000", "weather", "weather"),
        ];
        for (base, name, expected) in rows {
            assert_eq!(card_name(base, name), expected, "{base} {name}");
        }
    }

    #[test]
    fn texts_of_a_card_have_at_most_a_hundred_characters() {
        assert_eq!(shortened("short"), "short");
        let long = shortened(&"wörd ".repeat(40));
        assert!(
            long.chars().count() <= 100 && long.ends_with("wörd…"),
            "{long}"
        );
        assert_eq!(shortened(&"é".repeat(101)).chars().count(), 100);
    }
}
