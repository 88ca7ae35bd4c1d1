//! The documents published beside the endpoint. None of them offers GET on the endpoint.
//!
//! The server card and the catalog follow the draft of the extension *Server Cards*. Both are built
//! from the same definitions as `server/discover`, so that they cannot contradict it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue, IF_NONE_MATCH};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::gate::{Document, Rejection};
use crate::handler::Invocation;
use crate::reply::{IntoReply, Reply};
use crate::server::{Registry, Settings};
use crate::wire::version::ProtocolVersion;

const CARD_SCHEMA: &str =
    "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const SERVER_CARD: HeaderValue = HeaderValue::from_static("application/mcp-server-card+json");
/// Documents change only with a deployment.
const CACHE_FIVE_MINUTES: HeaderValue = HeaderValue::from_static("public, max-age=300");
/// The longest title and description of a server card, in characters.
const CARD_TEXT_CHARS: usize = 100;
/// The longest name of a server card.
const CARD_NAME_BYTES: usize = 200;

/// Returns a document.
pub(crate) fn reply(
    document: Document,
    registry: &Registry,
    invocation: &Invocation,
    headers: &HeaderMap,
) -> Reply {
    let settings = &registry.settings;
    match document {
        Document::Health => Reply::json(StatusCode::OK, r#"{"status":"ok"}"#),
        Document::ServerCard => cached(&server_card(settings, invocation), SERVER_CARD, headers),
        Document::Catalog => cached(&catalog(settings, invocation), JSON, headers),
        Document::ProtectedResource => {
            let identity = &settings.identity;
            let name = identity.title.as_deref().unwrap_or(&identity.name);
            let resource = format!(
                "{}{}",
                base_url(settings, invocation),
                settings.gate.endpoint
            );
            let metadata = settings.auth.metadata(&resource, name, &registry.scopes());
            // Without a server that issues tokens there is no such document.
            metadata.map_or_else(
                || Rejection::NotFound.into_reply(),
                |document| cached(&document, JSON, headers),
            )
        }
    }
}

/// A document that can be cached, or 304 if the client has it already. RFC 9110, section 13.1.2.
fn cached(document: &Value, media_type: HeaderValue, headers: &HeaderMap) -> Reply {
    let body = document.to_string();
    let tag = format!("\"{}\"", URL_SAFE_NO_PAD.encode(Sha256::digest(&body)));
    let reply = if is_known(headers, &tag) {
        Reply::empty(StatusCode::NOT_MODIFIED)
    } else {
        Reply::json(StatusCode::OK, body).header(CONTENT_TYPE, media_type)
    };
    // Base64 characters and quotes are valid in a header.
    let tag = HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\""));
    reply
        .header(CACHE_CONTROL, CACHE_FIVE_MINUTES)
        .header(ETAG, tag)
}

/// Whether `If-None-Match` names the tag. Gateways may weaken tags, so weak ones match as well.
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let lines = headers.get_all(IF_NONE_MATCH).into_iter();
    lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .map(str::trim)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

fn server_card(settings: &Settings, invocation: &Invocation) -> Value {
    let identity = &settings.identity;
    let base = base_url(settings, invocation);
    let url = format!("{base}{}", settings.gate.endpoint);
    let mut card = serde_json::Map::new();
    card.insert("$schema".to_owned(), json!(CARD_SCHEMA));
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
fn card_name(base: &str, name: &str) -> String {
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
    if is_domain && !own.is_empty() && full.len() <= CARD_NAME_BYTES {
        full
    } else {
        name.to_owned()
    }
}

/// The authority of a URL.
fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default()
}

/// A text of at most [`CARD_TEXT_CHARS`] characters.
fn shortened(text: &str) -> String {
    if text.chars().count() <= CARD_TEXT_CHARS {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(CARD_TEXT_CHARS - 1).collect();
    if let Some(end) = cut.rfind(' ').filter(|end| *end > CARD_TEXT_CHARS / 2) {
        cut.truncate(end);
    }
    cut.push('…');
    cut
}

fn catalog(settings: &Settings, invocation: &Invocation) -> Value {
    let identity = &settings.identity;
    let base = base_url(settings, invocation);
    let publisher = authority(base);
    json!({
        "specVersion": "draft",
        "entries": [{
            "identifier": format!("urn:air:{publisher}:{}", identity.name),
            "displayName": identity.title.as_deref().unwrap_or(&identity.name),
            "type": "application/mcp-server-card+json",
            "url": format!("{base}{}/server-card", settings.gate.endpoint),
        }],
    })
}

/// The URL in front of the endpoint's path, or that of a local server if it is not known.
fn base_url<'a>(settings: &'a Settings, invocation: &'a Invocation) -> &'a str {
    let url = invocation.base_url(settings.public_url.as_deref());
    url.unwrap_or("http://localhost")
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
