//! The HTTPS client, and the URLs that it may call.

use std::error::Error;
use std::str::FromStr;
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

/// Timeout of a TCP connection. The rest of an attempt is for TLS and the response.
const CONNECT: Duration = Duration::from_millis(1500);

/// Builds a client with the system's root certificates. Reading them takes several milliseconds.
///
/// The client keeps no idle connections: mails are rare, and a frozen instance resumes with
/// connections that the peer has closed.
pub(super) fn client() -> Result<HttpsClient, Box<dyn Error + Send + Sync>> {
    let mut tcp = HttpConnector::new();
    tcp.set_connect_timeout(Some(CONNECT));
    tcp.enforce_http(false);
    let connector = HttpsConnectorBuilder::new()
        .with_provider_and_native_roots(Arc::new(rustls::crypto::ring::default_provider()))?
        // `BaseUrl` accepts plain HTTP only to loopback addresses.
        .https_or_http()
        .enable_http1()
        .wrap_connector(tcp);
    Ok(Client::builder(TokioExecutor::new())
        .pool_max_idle_per_host(0)
        .build(connector))
}

/// The base URL of an API: https, or http to a loopback address for tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BaseUrl(HttpsUrl);

impl FromStr for BaseUrl {
    type Err = InvalidHttpsUrl;

    fn from_str(text: &str) -> Result<Self, InvalidHttpsUrl> {
        text.parse::<HttpsUrl>()?.into_base().map(Self)
    }
}

impl BaseUrl {
    /// Returns the URL of a path of the API.
    pub(super) fn join(&self, path: &str) -> Result<Uri, http::uri::InvalidUri> {
        format!("{}{path}", self.0).parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_is_https_or_a_loopback_address() {
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
            let joined = text
                .parse::<BaseUrl>()
                .map(|base| base.join("/emails").unwrap().to_string());
            assert_eq!(joined.ok().as_deref(), expected, "{text}");
        }
    }
}
