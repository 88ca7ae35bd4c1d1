//! The URLs in the documents.

use crate::handler::Invocation;
use crate::server::Settings;

/// The public URL of the endpoint.
pub(super) fn endpoint_url(settings: &Settings, invocation: &Invocation) -> String {
    let base = base_url(settings, invocation);
    format!("{base}{}", settings.gate.endpoint)
}

/// The URL in front of the endpoint's path, or that of a local server if it is not known.
pub(super) fn base_url<'a>(settings: &'a Settings, invocation: &'a Invocation) -> &'a str {
    let url = invocation.base_url(settings.public_url.as_deref());
    url.unwrap_or("http://localhost")
}

/// The authority of a URL.
pub(super) fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default()
}
