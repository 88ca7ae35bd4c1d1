//! Addresses of web pages, as people read them.

/// A URL without its scheme and its last slash.
pub(super) fn bare(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.strip_suffix('/').unwrap_or(rest)
}
