//! The HTTPS client, and the URLs it may be sent to.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Uri;
use http_body_util::Full;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use lambda_mcp::auth::{HttpsUrl, InvalidHttpsUrl};

pub(super) type HttpsClient = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// What a TCP connection may take; the rest of an attempt is for TLS and the answer.
const CONNECT: Duration = Duration::from_millis(1500);

/// Builds a client with the system's certificates, which takes milliseconds.
///
/// It keeps no connection: mails are rare, and an instance that slept wakes up with dead ones.
pub(super) fn client() -> Result<HttpsClient, Box<dyn Error + Send + Sync>> {
    let mut tcp = HttpConnector::new();
    tcp.set_connect_timeout(Some(CONNECT));
    tcp.enforce_http(false);
    let connector = HttpsConnectorBuilder::new()
        .with_provider_and_native_roots(Arc::new(rustls::crypto::ring::default_provider()))?
        // `HttpsUrl` accepts plain HTTP for loopback addresses only.
        .https_or_http()
        .enable_http1()
        .wrap_connector(tcp);
    Ok(Client::builder(TokioExecutor::new())
        .pool_max_idle_per_host(0)
        .build(connector))
}

/// The base URL of an API: an [`HttpsUrl`] without a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BaseUrl(HttpsUrl);

impl BaseUrl {
    /// Reads a URL.
    pub(super) fn parse(text: &str) -> Result<Self, InvalidHttpsUrl> {
        text.parse::<HttpsUrl>()?.into_base().map(Self)
    }

    /// Returns the URL of a path under the base.
    pub(super) fn join(&self, path: &str) -> Result<Uri, http::uri::InvalidUri> {
        format!("{}{path}", self.0).parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_is_https_or_this_machine() {
        let rows = [
            (
                "https://api.resend.com",
                Some("https://api.resend.com/emails"),
            ),
            (
                "https://proxy.example/resend/",
                Some("https://proxy.example/resend/emails"),
            ),
            (
                "http://127.0.0.1:9001",
                Some("http://127.0.0.1:9001/emails"),
            ),
            ("http://[::1]:9001", Some("http://[::1]:9001/emails")),
            ("http://localhost", Some("http://localhost/emails")),
            ("http://api.resend.com", None),
            ("http://127.0.0.1.evil.example", None),
            ("http://localhost.evil.example", None),
            ("http://localhost@evil.example", None),
            ("https://user@api.resend.com", None),
            ("https://api.resend.com/?a=b", None),
            ("https://api.resend.com/#a", None),
            ("api.resend.com", None),
            ("/emails", None),
            ("ftp://127.0.0.1", None),
            ("", None),
        ];
        for (text, expected) in rows {
            let joined = BaseUrl::parse(text).map(|base| base.join("/emails").unwrap().to_string());
            assert_eq!(joined.ok().as_deref(), expected, "{text}");
        }
    }
}
