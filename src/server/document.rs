//! [`Document`]: a file that a server publishes beside its endpoint.

use std::fmt;
use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http::header::{HeaderMap, HeaderName, HeaderValue};
use sha2::{Digest as _, Sha256};

use crate::gate::Gate;
use crate::server::build_error::BuildError;

/// A function that returns headers.
type MakeHeaders = Box<dyn Fn() -> HeaderMap + Send + Sync>;

/// A document that a server publishes beside its endpoint, such as a page for people. Registered by
/// [`ServerBuilder::document`].
///
/// The server answers `GET` and `HEAD` on its path, for every caller and web page, with `ETag`,
/// `Cache-Control: public, max-age=300` and `X-Content-Type-Options: nosniff`, and with 304 to a client
/// that has it already. Its text must not depend on the request or change while the process runs.
///
/// [`ServerBuilder::document`]: crate::server::ServerBuilder::document
///
/// # Examples
///
/// ```
/// use bytes::Bytes;
/// use lambda_mcp::Server;
/// use lambda_mcp::server::Document;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let page = Document::new("/", "text/html; charset=utf-8", "<!doctype html><title>Hello</title>");
/// let server = Server::builder("greeter", "1.0.0").document(page).build()?;
///
/// let response = server.handle(http::Request::get("/").body(Bytes::new())?).await;
/// assert_eq!(response.status(), 200);
/// assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8");
/// # Ok(())
/// # }
/// ```
#[must_use = "register it with `ServerBuilder::document`"]
pub struct Document {
    path: String,
    media_type: String,
    headers: HeaderMap,
    make_headers: Option<MakeHeaders>,
    make: Box<dyn Fn() -> Bytes + Send + Sync>,
}

impl Document {
    /// Creates a document.
    pub fn new(
        path: impl Into<String>,
        media_type: impl Into<String>,
        body: impl Into<Bytes>,
    ) -> Self {
        let body = body.into();
        Self::lazy(path, media_type, move || body.clone())
    }

    /// Creates a document that is written when it is first asked for, and then kept. Most instances of
    /// a function are never asked for it.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::server::Document;
    ///
    /// let list = (1..4).map(|n| format!("{n}\n"));
    /// let numbers = Document::lazy("/numbers.txt", "text/plain", move || list.clone().collect::<String>().into());
    /// ```
    pub fn lazy(
        path: impl Into<String>,
        media_type: impl Into<String>,
        make: impl Fn() -> Bytes + Send + Sync + 'static,
    ) -> Self {
        Self {
            path: path.into(),
            media_type: media_type.into(),
            headers: HeaderMap::new(),
            make_headers: None,
            make: Box::new(make),
        }
    }

    /// Sets a header of the response, such as `Content-Security-Policy`.
    ///
    /// # Examples
    ///
    /// ```
    /// use http::header::{CONTENT_SECURITY_POLICY, HeaderValue};
    /// use lambda_mcp::server::Document;
    ///
    /// let policy = HeaderValue::from_static("default-src 'none'");
    /// let page = Document::new("/", "text/html", "Hello.").header(CONTENT_SECURITY_POLICY, policy);
    /// ```
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Adds headers that are made by a function, such as a policy with a digest of the body. It runs when
    /// the document is first asked for.
    ///
    /// # Examples
    ///
    /// ```
    /// use http::HeaderMap;
    /// use http::header::{CONTENT_LANGUAGE, HeaderValue};
    /// use lambda_mcp::server::Document;
    ///
    /// let page = Document::new("/", "text/plain", "Moin.").headers_with(|| {
    ///     HeaderMap::from_iter([(CONTENT_LANGUAGE, HeaderValue::from_static("nds"))])
    /// });
    /// ```
    pub fn headers_with(mut self, make: impl Fn() -> HeaderMap + Send + Sync + 'static) -> Self {
        self.make_headers = Some(Box::new(make));
        self
    }

    /// Checks the definition.
    pub(super) fn register(self) -> Result<RegisteredDocument, BuildError> {
        let Self {
            path,
            media_type,
            headers,
            make_headers,
            make,
        } = self;
        let invalid = |reason: &'static str| BuildError::Document {
            path: path.clone(),
            reason,
        };
        let is_path = |c: char| c.is_ascii_graphic() && !"?#%\\\"<>{}|^`".contains(c);
        if !path.starts_with('/') || !path.chars().all(is_path) {
            return Err(invalid(
                "a path begins with `/` and has no spaces and no query",
            ));
        }
        if path.len() > 1 && path.ends_with('/') {
            return Err(invalid("a path does not end with `/`"));
        }
        let Ok(media_type) = HeaderValue::try_from(media_type) else {
            return Err(invalid("its media type is not valid in a header"));
        };
        Ok(RegisteredDocument {
            path,
            media_type,
            headers,
            make_headers,
            made_headers: OnceLock::new(),
            make,
            made: OnceLock::new(),
        })
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("path", &self.path)
            .field("media_type", &self.media_type)
            .finish_non_exhaustive()
    }
}

/// A document that is valid.
pub(crate) struct RegisteredDocument {
    pub(super) path: String,
    media_type: HeaderValue,
    headers: HeaderMap,
    make_headers: Option<MakeHeaders>,
    made_headers: OnceLock<HeaderMap>,
    make: Box<dyn Fn() -> Bytes + Send + Sync>,
    /// The body and its entity tag.
    made: OnceLock<(Bytes, HeaderValue)>,
}

impl RegisteredDocument {
    /// Returns the body and its entity tag.
    pub(crate) fn content(&self) -> (&Bytes, &HeaderValue) {
        let (body, tag) = self.made.get_or_init(|| {
            let body = (self.make)();
            let tag = entity_tag(&body);
            (body, tag)
        });
        (body, tag)
    }

    pub(crate) const fn media_type(&self) -> &HeaderValue {
        &self.media_type
    }

    pub(crate) fn headers(&self) -> &HeaderMap {
        let Some(make) = &self.make_headers else {
            return &self.headers;
        };
        self.made_headers.get_or_init(|| {
            let mut headers = self.headers.clone();
            headers.extend(make());
            headers
        })
    }
}

impl fmt::Debug for RegisteredDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RegisteredDocument")
            .field(&self.path)
            .finish()
    }
}

/// The paths of the documents, all different and none of the server's own.
pub(super) fn paths(
    gate: &Gate,
    documents: &[RegisteredDocument],
) -> Result<Vec<String>, BuildError> {
    let mut paths: Vec<String> = Vec::with_capacity(documents.len());
    for RegisteredDocument { path, .. } in documents {
        let reason = if gate.has_path(path) {
            "the server itself has something at this path"
        } else if paths.contains(path) {
            "it is registered twice"
        } else {
            paths.push(path.clone());
            continue;
        };
        let path = path.clone();
        return Err(BuildError::Document { path, reason });
    }
    Ok(paths)
}

/// The entity tag of a body: a digest of it. RFC 9110, section 8.8.3.
pub(crate) fn entity_tag(body: &[u8]) -> HeaderValue {
    let tag = format!("\"{}\"", URL_SAFE_NO_PAD.encode(Sha256::digest(body)));
    // Base64 characters and quotes are valid in a header.
    HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\""))
}
