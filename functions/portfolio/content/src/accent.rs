//! [`Accent`]: a colour that the owner chooses for the page, and the name of the server. Both are texts
//! of a fixed form in `profile.toml`.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};

use super::finding::FileReport;
use super::place::Place;

/// The longest name of a server in the MCP registry.
const MAX_NAME: usize = 200;

/// A colour, as red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accent(pub [u8; 3]);

impl Accent {
    /// Reads a colour such as `#0f5e78`.
    fn of(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#')?;
        if digits.len() != 6 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        Some(Self([red, green, blue]))
    }
}

impl<'de> Deserialize<'de> for Accent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::of(&text).ok_or_else(|| de::Error::custom("is not a colour"))
    }
}

impl Serialize for Accent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self([red, green, blue]) = self;
        serializer.collect_str(&format_args!("#{red:02x}{green:02x}{blue:02x}"))
    }
}

/// Reports values that are not of the form that they need.
pub(super) fn check(profile: &Map<String, Value>, report: &mut FileReport<'_>) {
    let text = |table: &str, key: &str| profile.get(table)?.get(key)?.as_str();
    if text("page", "accent").is_some_and(|accent| Accent::of(accent.trim()).is_none()) {
        let at = Place::Root.member("page");
        report.error(at.member("accent"), "must be a colour such as `#0f5e78`");
    }
    if text("server", "name").is_some_and(|name| !is_registry_name(name.trim())) {
        let at = Place::Root.member("server");
        let message = "must be a name of the MCP registry: a domain of yours in reverse order, a slash and a \
            name, such as `com.example/portfolio`";
        report.error(at.member("name"), message);
    }
}

/// Whether a text is a name in the MCP registry.
fn is_registry_name(text: &str) -> bool {
    let is_part = |part: &str, more: &str| {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || more.contains(c);
        !part.is_empty() && part.chars().all(is_allowed)
    };
    let parts = text.split_once('/');
    text.len() <= MAX_NAME
        && parts.is_some_and(|(namespace, own)| is_part(namespace, ".-") && is_part(own, "._-"))
}

#[cfg(test)]
mod tests {
    use crate::{Sources, content_of, load};
    use serde_json::json;

    #[test]
    fn a_colour_and_a_name_have_a_fixed_form() {
        let resume = json!({"basics": {"name": "A"}});
        let good = "[page]\naccent = \"#0F5e78\"\n[server]\nname = \"com.example/portfolio\"";
        let profile = content_of(&resume, good).profile;
        assert_eq!(profile.page.accent.unwrap().0, [0x0f, 0x5e, 0x78]);
        assert_eq!(
            profile.server.name.as_deref(),
            Some("com.example/portfolio")
        );
        let rows = [
            ("page", "accent", "teal"),
            ("page", "accent", "#0f5"),
            ("page", "accent", "#0f5e7g"),
            ("page", "accent", "#000;} body{"),
            ("server", "name", "portfolio"),
            ("server", "name", "a/b/c"),
            ("server", "name", "a/b c"),
            ("server", "name", "/b"),
        ];
        for (table, key, value) in rows {
            let text = format!("[{table}]\n{key} = \"{value}\"");
            let (content, report) = load(&Sources::of_text(&resume.to_string(), &text));
            assert!(content.is_none(), "{value}");
            let found = report.sorted()[0].to_string();
            assert!(
                found.contains(&format!("{table}.{key}: must be a ")),
                "{found}"
            );
        }
    }
}
