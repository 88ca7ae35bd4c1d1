//! The documents published beside the endpoint. None of them offers GET on the endpoint.
//!
//! The server card, the catalogs and the entry of the MCP registry are built from the same definitions
//! as `server/discover`, so that they cannot contradict it.

mod card;
mod catalog;
mod registry_entry;
mod url;

use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue, IF_NONE_MATCH, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, StatusCode};
use serde_json::Value;

use crate::gate::{Document, Rejection};
use crate::handler::Invocation;
use crate::reply::{IntoReply, Reply};
use crate::server::{Registry, entity_tag};

pub(crate) use self::registry_entry::registry_entry;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const SERVER_CARD: HeaderValue = HeaderValue::from_static("application/mcp-server-card+json");
const AI_CATALOG: HeaderValue = HeaderValue::from_static("application/ai-catalog+json");
/// Documents change only with a deployment.
const CACHE_FIVE_MINUTES: HeaderValue = HeaderValue::from_static("public, max-age=300");
const NO_SNIFF: HeaderValue = HeaderValue::from_static("nosniff");

/// Returns a document.
pub(crate) fn reply(
    document: Document,
    registry: &Registry,
    invocation: &Invocation,
    headers: &HeaderMap,
) -> Reply {
    let settings = &registry.settings;
    let generated = |document: &Value, media_type| {
        let body = Bytes::from(document.to_string());
        let tag = entity_tag(&body);
        cached(&body, &tag, media_type, headers)
    };
    match document {
        Document::Health => Reply::json(StatusCode::OK, r#"{"status":"ok"}"#),
        Document::ServerCard => generated(&card::server_card(settings, invocation), SERVER_CARD),
        Document::AiCatalog => generated(&catalog::ai_catalog(settings, invocation), AI_CATALOG),
        Document::Catalog => generated(&catalog::draft_catalog(settings, invocation), JSON),
        Document::ProtectedResource => {
            let identity = &settings.identity;
            let name = identity.title.as_deref().unwrap_or(&identity.name);
            let resource = url::endpoint_url(settings, invocation);
            let metadata = settings.auth.metadata(&resource, name, &registry.scopes());
            // The document names the server that issues tokens, so it exists only with one.
            metadata.map_or_else(
                || Rejection::NotFound.into_reply(),
                |document| generated(&document, JSON),
            )
        }
        Document::Own(index) => own(registry, index, headers),
    }
}

/// A document of the author.
fn own(registry: &Registry, index: usize, headers: &HeaderMap) -> Reply {
    let Some(document) = registry.documents.get(index) else {
        return Rejection::NotFound.into_reply();
    };
    let (body, tag) = document.content();
    let reply = cached(body, tag, document.media_type().clone(), headers);
    // A 304 updates the stored headers, so that it has them as well. RFC 9110, section 15.4.5.
    reply
        .header(X_CONTENT_TYPE_OPTIONS, NO_SNIFF)
        .headers(document.headers().clone())
}

/// A document that can be cached, or 304 if the client has it already. RFC 9110, section 13.1.2.
fn cached(body: &Bytes, tag: &HeaderValue, media_type: HeaderValue, headers: &HeaderMap) -> Reply {
    let reply = if is_known(headers, tag) {
        Reply::empty(StatusCode::NOT_MODIFIED)
    } else {
        Reply::json(StatusCode::OK, body.clone()).header(CONTENT_TYPE, media_type)
    };
    reply
        .header(CACHE_CONTROL, CACHE_FIVE_MINUTES)
        .header(ETAG, tag.clone())
}

/// Whether `If-None-Match` names the tag. Gateways may weaken tags, so weak ones match as well.
fn is_known(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let lines = headers.get_all(IF_NONE_MATCH).into_iter();
    lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .map(str::trim)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}
