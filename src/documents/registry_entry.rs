//! The entry of a server in the MCP registry: the file `server.json`. Registry, *server.json Format
//! Specification*.

use serde_json::{Map, Value, json};

use super::card::{card_name, shortened};
use crate::server::InvalidRegistryName;
use crate::server::Settings;

/// The newest published schema.
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
/// The longest URL of an icon.
const ICON_BYTES: usize = 255;
/// The media types of icons.
const ICON_TYPES: [&str; 5] = [
    "image/png",
    "image/jpeg",
    "image/jpg",
    "image/svg+xml",
    "image/webp",
];

/// The entry of a server that is reached at `public_url`.
///
/// # Errors
///
/// The server has no name in the form of the registry.
pub(crate) fn registry_entry(
    settings: &Settings,
    public_url: &str,
) -> Result<Value, InvalidRegistryName> {
    let identity = &settings.identity;
    let base = public_url.trim_end_matches('/');
    let name = card_name(base, &identity.name);
    if !name.contains('/') {
        let (name, public_url) = (identity.name.clone(), public_url.to_owned());
        return Err(InvalidRegistryName { name, public_url });
    }
    let mut entry = Map::new();
    entry.insert("$schema".to_owned(), json!(SCHEMA));
    entry.insert("name".to_owned(), json!(name));
    if let Some(title) = &identity.title {
        entry.insert("title".to_owned(), json!(shortened(title)));
    }
    let description = identity.description.as_deref().unwrap_or(&identity.name);
    entry.insert("description".to_owned(), json!(shortened(description)));
    entry.insert("version".to_owned(), json!(identity.version));
    if let Some(url) = &identity.website_url {
        entry.insert("websiteUrl".to_owned(), json!(url));
    }
    let icons = identity.icons.iter().filter(|icon| {
        let has_type = |known: &str| ICON_TYPES.contains(&known);
        icon.src.starts_with("https://")
            && icon.src.len() <= ICON_BYTES
            && icon.mime_type.as_deref().is_none_or(has_type)
    });
    let icons: Vec<_> = icons.collect();
    if !icons.is_empty() {
        entry.insert("icons".to_owned(), json!(icons));
    }
    let url = format!("{base}{}", settings.gate.endpoint);
    let remotes = json!([{"type": "streamable-http", "url": url}]);
    entry.insert("remotes".to_owned(), remotes);
    Ok(Value::Object(entry))
}
