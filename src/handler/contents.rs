//! What a resource gives back. Specification: *Resources, Reading Resources*.

use bytes::Bytes;
use serde::Serialize;

use crate::handler::failure::RequestError;
use crate::handler::output::Json;
use crate::wire::resource_contents::ResourceContents;

/// One piece of contents; what it leaves open, the definition and the request say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents(ContentsKind);

#[derive(Debug, Clone, PartialEq, Eq)]
enum ContentsKind {
    Text(String),
    Json(String),
    Blob(Bytes),
    Whole(ResourceContents),
}

impl Contents {
    /// The contents as they are sent, for a read of `uri`.
    pub(crate) fn into_wire(self, uri: &str, mime_type: Option<&str>) -> ResourceContents {
        let typed = |default: &str| mime_type.unwrap_or(default).to_owned();
        match self.0 {
            ContentsKind::Text(text) => ResourceContents::text(uri, typed("text/plain"), text),
            ContentsKind::Json(json) => {
                ResourceContents::text(uri, typed("application/json"), json)
            }
            ContentsKind::Blob(bytes) => {
                ResourceContents::blob(uri, typed("application/octet-stream"), &bytes)
            }
            ContentsKind::Whole(contents) => contents,
        }
    }
}

/// What a resource may return.
#[diagnostic::on_unimplemented(
    message = "a resource cannot return `{Self}`",
    note = "a resource returns `String`, `&'static str`, `Bytes`, `Vec<u8>`, `Json<T>`, `ResourceContents`, a `Vec` of those, or a `Result` of one of them with `RequestError`"
)]
pub trait IntoResource {
    /// The contents.
    ///
    /// # Errors
    ///
    /// The resource cannot be given.
    fn into_resource(self) -> Result<Vec<Contents>, RequestError>;
}

impl IntoResource for String {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        Ok(vec![Contents(ContentsKind::Text(self))])
    }
}

impl IntoResource for &'static str {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        self.to_owned().into_resource()
    }
}

impl IntoResource for Bytes {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        Ok(vec![Contents(ContentsKind::Blob(self))])
    }
}

impl IntoResource for Vec<u8> {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        Bytes::from(self).into_resource()
    }
}

impl<T: Serialize> IntoResource for Json<T> {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        Ok(vec![Contents(ContentsKind::Json(serde_json::to_string(
            &self.0,
        )?))])
    }
}

impl IntoResource for ResourceContents {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        Ok(vec![Contents(ContentsKind::Whole(self))])
    }
}

impl IntoResource for Vec<ResourceContents> {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        Ok(self
            .into_iter()
            .map(|contents| Contents(ContentsKind::Whole(contents)))
            .collect())
    }
}

impl<T: IntoResource> IntoResource for Result<T, RequestError> {
    fn into_resource(self) -> Result<Vec<Contents>, RequestError> {
        self.and_then(T::into_resource)
    }
}
