//! [`HttpsJwks`]: fetches key sets over HTTPS.

use bytes::Bytes;
use http::header::ACCEPT;
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, Full, Limited};
use tokio::sync::OnceCell;

use super::jwks::{FetchError, FetchJwks};
use super::key::MAX_DOCUMENT_BYTES;
use crate::auth::HttpsUrl;
use crate::future::BoxFuture;
use crate::https::{BoxError, Connector, HttpsClient, builder, tls};

/// Fetches key sets over HTTPS, with the root certificates of the system.
///
/// The HTTP client is built on the first fetch, because reading the certificates takes
/// milliseconds. Redirects are not followed: only the configured URL is trusted.
///
/// # Examples
///
/// ```
/// use lambda_mcp::auth::{Auth, HttpsJwks, Jwt, JwtKeys};
///
/// let url = "https://login.example.com/.well-known/jwks.json".parse()?;
/// let keys = JwtKeys::jwks_url(url, HttpsJwks::new());
/// let auth = Auth::new().verifier(Jwt::new("https://login.example.com", keys));
/// # assert!(!auth.is_empty());
/// # Ok::<(), lambda_mcp::auth::InvalidHttpsUrl>(())
/// ```
#[derive(Debug, Default)]
pub struct HttpsJwks(OnceCell<HttpsClient>);

impl HttpsJwks {
    /// Makes a fetcher. It opens no connection yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    async fn client(&self) -> Result<&HttpsClient, BoxError> {
        self.0
            .get_or_try_init(|| async {
                // `HttpsUrl` accepts plain HTTP for loopback addresses only.
                let connector = Connector::new(tls()?, None);
                // No connection lives for the ten minutes between two fetches.
                Ok(builder().pool_max_idle_per_host(0).build(connector))
            })
            .await
    }

    async fn get(&self, url: &HttpsUrl) -> Result<Bytes, BoxError> {
        let request = Request::get(url.as_str())
            .header(ACCEPT, "application/jwk-set+json, application/json")
            .body(Full::default())?;
        let response = self.client().await?.request(request).await?;
        if response.status() != StatusCode::OK {
            return Err(format!("the response status is {}", response.status()).into());
        }
        let body = Limited::new(response.into_body(), MAX_DOCUMENT_BYTES);
        Ok(body.collect().await?.to_bytes())
    }
}

impl FetchJwks for HttpsJwks {
    fn fetch<'a>(&'a self, url: &'a HttpsUrl) -> BoxFuture<'a, Result<Bytes, FetchError>> {
        Box::pin(async move { self.get(url).await.map_err(FetchError::new) })
    }
}
