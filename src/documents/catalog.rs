//! The catalogs, which name the server card. Draft extension *Server Cards*, section *Discovery*.
//!
//! Clients look for the catalog of a host at `/.well-known/ai-catalog.json`. Earlier drafts had another
//! path and form, which clients of that time still read.

use serde_json::{Value, json};

use super::url::{authority, base_url, endpoint_url};
use crate::handler::Invocation;
use crate::server::Settings;

const CARD_TYPE: &str = "application/mcp-server-card+json";

/// The AI Catalog.
pub(super) fn ai_catalog(settings: &Settings, invocation: &Invocation) -> Value {
    let publisher = authority(base_url(settings, invocation));
    let name = settings
        .identity
        .name
        .rsplit('/')
        .next()
        .unwrap_or_default();
    json!({
        "specVersion": "1.0",
        "entries": [{
            "identifier": format!("urn:air:{publisher}:mcp:{name}"),
            "type": CARD_TYPE,
            "url": card_url(settings, invocation),
        }],
    })
}

/// The catalog of earlier drafts.
pub(super) fn draft_catalog(settings: &Settings, invocation: &Invocation) -> Value {
    let identity = &settings.identity;
    let publisher = authority(base_url(settings, invocation));
    json!({
        "specVersion": "draft",
        "entries": [{
            "identifier": format!("urn:air:{publisher}:{}", identity.name),
            "displayName": identity.title.as_deref().unwrap_or(&identity.name),
            "type": CARD_TYPE,
            "url": card_url(settings, invocation),
        }],
    })
}

fn card_url(settings: &Settings, invocation: &Invocation) -> String {
    format!("{}/server-card", endpoint_url(settings, invocation))
}
