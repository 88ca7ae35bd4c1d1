//! [`Contents`]: what a resource returns. Specification: *Resources, Reading Resources*.

use bytes::Bytes;
use serde::Serialize;

use crate::handler::output::Json;
use crate::handler::request_error::IntoRequestError;
use crate::handler::request_error::RequestError;
use crate::wire::resource_contents::ResourceContents;

/// One piece of a resource's contents: text, JSON or bytes.
///
/// A URI or media type that is not set is filled in when the resource is read: the URI of the
/// request, and the media type of the [`Resource`](crate::server::Resource) or one that suits the
/// kind.
///
/// # Examples
///
/// A folder with two files in one read:
///
/// ```
/// use lambda_mcp::content::Contents;
/// use lambda_mcp::{Server, resource};
///
/// async fn folder() -> Vec<Contents> {
///     vec![
///         Contents::text("# Notes").uri("notes:///a.md").mime_type("text/markdown"),
///         Contents::blob(vec![0x89, b'P', b'N', b'G']).uri("notes:///b.png").mime_type("image/png"),
///     ]
/// }
///
/// let folder = resource("notes:///", "notes", folder);
/// assert!(Server::builder("notes", "1.0.0").resource(folder).build().is_ok());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    kind: Kind,
    uri: Option<String>,
    mime_type: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Text(String),
    Json(String),
    Blob(Bytes),
    Wire(ResourceContents),
}

impl Contents {
    const fn new(kind: Kind) -> Self {
        Self {
            kind,
            uri: None,
            mime_type: None,
        }
    }

    /// Text. The media type defaults to that of the resource, or `text/plain`.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(Kind::Text(text.into()))
    }

    /// A value as JSON text. The media type defaults to that of the resource, or
    /// `application/json`.
    ///
    /// # Errors
    ///
    /// The value cannot be serialized as JSON.
    pub fn json<T: Serialize>(value: &T) -> Result<Self, RequestError> {
        Ok(Self::new(Kind::Json(serde_json::to_string(value)?)))
    }

    /// Bytes, sent as Base64. The media type defaults to that of the resource, or
    /// `application/octet-stream`.
    #[must_use]
    pub fn blob(bytes: impl Into<Bytes>) -> Self {
        Self::new(Kind::Blob(bytes.into()))
    }

    /// Sets the URI of this piece. Defaults to the URI that was read.
    #[must_use]
    pub fn uri(mut self, uri: impl Into<String>) -> Self {
        self.uri = Some(uri.into());
        self
    }

    /// Sets the media type of this piece, such as `text/markdown`.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// The contents as they are sent, for a read of `uri` at a resource of `mime_type`.
    pub(crate) fn into_wire(self, uri: &str, mime_type: Option<&str>) -> ResourceContents {
        let uri = self.uri.unwrap_or_else(|| uri.to_owned());
        let own = self.mime_type;
        let or = |own: Option<String>, default: &str| {
            own.unwrap_or_else(|| mime_type.unwrap_or(default).to_owned())
        };
        match self.kind {
            Kind::Text(text) => ResourceContents::text(uri, or(own, "text/plain"), text),
            Kind::Json(json) => ResourceContents::text(uri, or(own, "application/json"), json),
            Kind::Blob(bytes) => {
                ResourceContents::blob(uri, or(own, "application/octet-stream"), &bytes)
            }
            Kind::Wire(mut contents) => {
                contents.uri = uri;
                contents.mime_type = own;
                contents
            }
        }
    }
}

/// Contents that already have their URI and media type.
impl From<ResourceContents> for Contents {
    fn from(contents: ResourceContents) -> Self {
        let (uri, mime_type) = (contents.uri.clone(), contents.mime_type.clone());
        Self {
            kind: Kind::Wire(contents),
            uri: Some(uri),
            mime_type,
        }
    }
}

/// A type that a resource handler can return.
///
/// Implement it for a type of your own to return that type from several handlers.
///
/// # Examples
///
/// ```
/// use lambda_mcp::content::Contents;
/// use lambda_mcp::handler::{IntoResource, RequestError};
/// use lambda_mcp::{Server, resource};
///
/// struct Markdown(String);
///
/// impl IntoResource for Markdown {
///     fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
///         Ok(vec![Contents::text(self.0).mime_type("text/markdown")])
///     }
/// }
///
/// async fn readme() -> Markdown {
///     Markdown("# Hello".to_owned())
/// }
///
/// let readme = resource("docs:///readme", "readme", readme);
/// assert!(Server::builder("docs", "1.0.0").resource(readme).build().is_ok());
/// ```
#[diagnostic::on_unimplemented(
    message = "a resource cannot return `{Self}`",
    note = "a resource returns `String`, `&'static str`, `Bytes`, `Vec<u8>`, `Json<T>`, `Contents`, `ResourceContents`, a `Vec` of the last two, or a `Result` of one of these with `RequestError` or an error that implements `IntoRequestError`"
)]
pub trait IntoResource {
    /// Converts the value into the contents of the resource.
    ///
    /// # Errors
    ///
    /// Returns why the resource cannot be returned.
    fn into_resource(self) -> Result<Vec<Contents>, RequestError>;
}

impl IntoResource for Contents {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        Ok(vec![self])
    }
}

impl IntoResource for Vec<Contents> {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        Ok(self)
    }
}

impl IntoResource for String {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        Contents::text(self).into_resource()
    }
}

impl IntoResource for &'static str {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        Contents::text(self).into_resource()
    }
}

impl IntoResource for Bytes {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        Contents::blob(self).into_resource()
    }
}

impl IntoResource for Vec<u8> {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        Contents::blob(self).into_resource()
    }
}

impl<T: Serialize> IntoResource for Json<T> {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        Contents::json(&self.0)?.into_resource()
    }
}

impl IntoResource for ResourceContents {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        Contents::from(self).into_resource()
    }
}

impl IntoResource for Vec<ResourceContents> {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        Ok(self.into_iter().map(Contents::from).collect())
    }
}

impl<T: IntoResource, E: IntoRequestError> IntoResource for Result<T, E> {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        self.map_err(E::into_request_error)?.into_resource()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_comes_from_the_read_and_the_resource() {
        let wire = |contents: Contents, mime_type| contents.into_wire("a:read", mime_type);
        let text = wire(Contents::text("x"), None);
        assert_eq!(text, ResourceContents::text("a:read", "text/plain", "x"));
        let text = wire(Contents::text("x"), Some("text/css"));
        assert_eq!(text, ResourceContents::text("a:read", "text/css", "x"));
        let own = Contents::text("x").uri("a:own").mime_type("text/html");
        let own = wire(own, Some("text/css"));
        assert_eq!(own, ResourceContents::text("a:own", "text/html", "x"));
        let json = wire(Contents::json(&1).unwrap(), None);
        assert_eq!(
            json,
            ResourceContents::text("a:read", "application/json", "1")
        );
        let blob = wire(Contents::blob(vec![1]), None);
        let octets = "application/octet-stream";
        assert_eq!(blob, ResourceContents::blob("a:read", octets, &[1]));
    }

    #[test]
    fn contents_from_the_wire_type_can_still_be_changed() {
        let given = ResourceContents::text("a:given", "text/plain", "x");
        let contents = Contents::from(given.clone());
        assert_eq!(
            contents.clone().into_wire("a:read", Some("text/css")),
            given
        );
        let changed = contents.uri("a:new").mime_type("text/html");
        let expected = ResourceContents::text("a:new", "text/html", "x");
        assert_eq!(changed.into_wire("a:read", None), expected);
    }
}
