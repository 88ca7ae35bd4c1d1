//! [`Icon`]: the image that clients show for the server. Specification: *Base Protocol, Icons*.
//!
//! `[server] icon` of the profile names it, else it is the person's image. The specification allows
//! `https:` and `data:` URLs. It asks clients to verify that an icon is of the server's origin, which
//! only a `data:` URL is for certain.

use serde_json::{Map, Value};

use super::finding::FileReport;
use super::links::is_web_uri;
use super::localized::Content;
use super::place::Place;

/// The longest `data:` URL: every response to `initialize` and `server/discover` has it.
const MAX_DATA_URL: usize = 16_384;
/// The longest URL that is repeated in the list of the tools.
const MAX_REPEATED: usize = 1024;

/// The media types of images that clients can show.
const IMAGE_TYPES: [(&str, &str); 6] = [
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("svg", "image/svg+xml"),
    ("webp", "image/webp"),
    ("gif", "image/gif"),
];

/// An image, in the form that the protocol requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Icon {
    /// An `https:` or `data:` URL.
    pub src: String,
    /// The media type. `None` if the URL does not show it.
    pub mime_type: Option<&'static str>,
}

impl Icon {
    /// Returns whether the URL is short enough to be repeated for each tool.
    #[must_use]
    pub const fn is_short(&self) -> bool {
        self.src.len() <= MAX_REPEATED
    }

    /// Returns whether the image has no fixed size.
    #[must_use]
    pub fn is_scalable(&self) -> bool {
        self.mime_type == Some("image/svg+xml")
    }

    /// Reads a URL. `None` if the protocol does not allow it as an icon.
    fn of_url(url: &str) -> Option<Self> {
        let mime_type = if url.starts_with("data:") {
            Some(data_type(url)?)
        } else if is_web_uri(url) && url.starts_with("https:") {
            let path = url.split(['?', '#']).next().unwrap_or_default();
            let extension = path.rsplit_once('.').map(|(_, extension)| extension);
            extension.and_then(|extension| known_type(&extension.to_ascii_lowercase()))
        } else {
            return None;
        };
        Some(Self {
            src: url.to_owned(),
            mime_type,
        })
    }
}

impl Content {
    /// Returns the icon, if the content has an image that the protocol allows.
    pub fn icon(&self) -> Option<Icon> {
        let basics = self.resume.basics.as_ref();
        let image = basics.and_then(|basics| basics.image.as_deref());
        let own = self.profile.server.icon.as_deref();
        own.and_then(Icon::of_url)
            .or_else(|| image.and_then(Icon::of_url))
    }
}

/// Takes a `data:` URL out of a table of the profile, where such URLs are removed otherwise. Reports an
/// image that cannot be shown.
pub(super) fn take(
    profile: &mut Map<String, Value>,
    (table, key): (&str, &str),
    report: &mut FileReport<'_>,
) -> Option<String> {
    let members = profile.get_mut(table)?.as_object_mut()?;
    let icon = members.get(key)?.as_str()?.trim().to_owned();
    if Icon::of_url(&icon).is_none() {
        let message = "must be an `https:` URL, or a PNG, JPEG, SVG, WebP or GIF image as a `data:` \
            URL in Base64 of at most 16,384 characters";
        report.error(Place::Root.member(table).member(key), message);
        return None;
    }
    if !icon.starts_with("data:") {
        return None;
    }
    members.remove(key);
    Some(icon)
}

/// Returns the media type of a `data:` URL that is an image in Base64 and not too long.
fn data_type(url: &str) -> Option<&'static str> {
    let (media_type, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
    let is_base64 = |b: u8| b.is_ascii_alphanumeric() || b"+/=".contains(&b);
    let is_image = url.len() <= MAX_DATA_URL && !data.is_empty() && data.bytes().all(is_base64);
    let known = IMAGE_TYPES.iter().find(|(_, known)| *known == media_type);
    known.filter(|_| is_image).map(|(_, known)| *known)
}

fn known_type(extension: &str) -> Option<&'static str> {
    let known = IMAGE_TYPES.iter().find(|(known, _)| *known == extension);
    known.map(|(_, mime_type)| *mime_type)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Sources, content_of, load};

    fn of_image(image: &str) -> Option<Icon> {
        content_of(&json!({"basics": {"name": "A", "image": image}}), "").icon()
    }

    #[test]
    fn the_image_of_the_person_is_the_icon_if_the_protocol_allows_it() {
        let rows = [
            ("https://a.example/me.png", Some(Some("image/png"))),
            ("https://a.example/me.JPG?s=9", Some(Some("image/jpeg"))),
            ("https://a.example/avatar", Some(None)),
            ("https://a.example/v1.2/avatar", Some(None)),
            ("http://a.example/me.png", None),
            ("me.png", None),
            ("https://ä.example/me.png", None),
            ("data:image/png;base64,AAAA", None),
        ];
        for (image, expected) in rows {
            let icon = of_image(image);
            assert_eq!(icon.map(|icon| icon.mime_type), expected, "{image}");
        }
    }

    #[test]
    fn the_profile_may_name_an_icon_of_its_own() {
        let resume = json!({"basics": {"name": "A", "image": "https://a.example/me.png"}});
        for icon in [
            "data:image/svg+xml;base64,PHN2Zz4=",
            "https://a.example/i.svg",
        ] {
            let content = content_of(&resume, &format!("[server]\nicon = \"{icon}\""));
            let expected = Icon {
                src: icon.to_owned(),
                mime_type: Some("image/svg+xml"),
            };
            assert_eq!(content.icon(), Some(expected));
        }
    }

    #[test]
    fn an_icon_that_clients_would_reject_is_an_error() {
        let long = format!("data:image/png;base64,{}", "A".repeat(MAX_DATA_URL));
        for icon in [
            "icon.png",
            "http://a.example/i.png",
            "data:text/html;base64,AA",
            "javascript:x",
            &long,
        ] {
            let profile = format!("[server]\nicon = \"{icon}\"");
            let sources = Sources::of_text(r#"{"basics": {"name": "A"}}"#, &profile);
            let (content, report) = load(&sources);
            assert!(content.is_none(), "{icon}");
            let text = report.sorted()[0].to_string();
            assert!(
                text.contains("server.icon: must be an `https:` URL"),
                "{text}"
            );
        }
    }
}
