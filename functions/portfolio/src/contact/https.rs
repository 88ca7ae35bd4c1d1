//! The HTTPS client, and the URLs it may be sent to.

use std::error::Error;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Uri;
use http_body_util::Full;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

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
        // `BaseUrl` lets plain HTTP through to this machine alone.
        .https_or_http()
        .enable_http1()
        .wrap_connector(tcp);
    Ok(Client::builder(TokioExecutor::new())
        .pool_max_idle_per_host(0)
        .build(connector))
}

/// A URL below which an API is: `https`, or plain `http` to this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BaseUrl(String);

impl BaseUrl {
    /// Reads a URL.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        const WRONG: &str = "must be an https URL without query, or http to a loopback address";
        let uri: Uri = text.parse().map_err(|_| WRONG)?;
        let host = uri.host().unwrap_or_default();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let is_loopback = host == "localhost"
            || bare
                .parse::<IpAddr>()
                .is_ok_and(|address| address.is_loopback());
        let is_safe = match uri.scheme_str() {
            Some("https") => !host.is_empty(),
            Some("http") => is_loopback,
            Some(_) | None => false,
        };
        if is_safe && uri.query().is_none() && !text.contains(['@', '#']) {
            Ok(Self(text.trim_end_matches('/').to_owned()))
        } else {
            Err(WRONG)
        }
    }

    /// The URL of something below.
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
