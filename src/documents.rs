//! The documents published beside the endpoint. None of them offers GET on the endpoint.
//!
//! The server card and the catalog follow drafts of their extension; both are built from the same
//! definitions as `server/discover`, so that they cannot contradict it.

use http::StatusCode;
use http::header::{CACHE_CONTROL, HeaderValue};
use serde_json::{Value, json};

use crate::gate::{Document, Rejection};
use crate::handler::Invocation;
use crate::reply::{IntoReply, Reply};
use crate::server::{Registry, Settings};
use crate::wire::version::ProtocolVersion;

const CARD_SCHEMA: &str =
    "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
/// Documents change with a deploy only.
const CACHE_FIVE_MINUTES: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// Writes a document.
pub(crate) fn reply(document: Document, registry: &Registry, invocation: &Invocation) -> Reply {
    let settings = &registry.settings;
    match document {
        Document::Health => Reply::json(StatusCode::OK, r#"{"status":"ok"}"#),
        Document::ServerCard => cached(&server_card(settings, invocation)),
        Document::Catalog => cached(&catalog(settings, invocation)),
        Document::ProtectedResource => {
            let identity = &settings.identity;
            let name = identity.title.as_deref().unwrap_or(&identity.name);
            let resource = format!(
                "{}{}",
                base_url(settings, invocation),
                settings.gate.endpoint
            );
            let metadata = settings.auth.metadata(&resource, name, &registry.scopes());
            // Without a server that issues tokens there is nothing to tell.
            metadata.map_or_else(
                || Rejection::NotFound.into_reply(),
                |document| cached(&document),
            )
        }
    }
}

fn cached(document: &Value) -> Reply {
    Reply::json(StatusCode::OK, document.to_string()).header(CACHE_CONTROL, CACHE_FIVE_MINUTES)
}

fn server_card(settings: &Settings, invocation: &Invocation) -> Value {
    let identity = &settings.identity;
    let url = format!(
        "{}{}",
        base_url(settings, invocation),
        settings.gate.endpoint
    );
    let mut card = serde_json::Map::new();
    card.insert("$schema".to_owned(), json!(CARD_SCHEMA));
    card.insert("name".to_owned(), json!(identity.name));
    card.insert("version".to_owned(), json!(identity.version));
    if let Some(title) = &identity.title {
        card.insert("title".to_owned(), json!(title));
    }
    let description = identity.description.as_deref().unwrap_or(&identity.name);
    card.insert("description".to_owned(), json!(description));
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

fn catalog(settings: &Settings, invocation: &Invocation) -> Value {
    let identity = &settings.identity;
    let base = base_url(settings, invocation);
    let publisher = base
        .split("://")
        .nth(1)
        .unwrap_or(base)
        .split('/')
        .next()
        .unwrap_or_default();
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
