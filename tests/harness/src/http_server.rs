//! A server reached by real HTTP, driven like the function itself.

use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Request, Uri};
use http_body_util::{BodyExt as _, Full};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use super::{HttpRequest, Outcome, Reply};

/// The path of the endpoint in the requests of the tests.
const ENDPOINT: &str = "/mcp";

/// An HTTP server that runs already.
#[derive(Clone, Debug)]
pub(crate) struct HttpServer {
    authority: String,
    /// What stands in front of every path, such as `/lambda-url/cases`.
    prefix: String,
}

impl HttpServer {
    /// `url` is that of the MCP endpoint: `http://127.0.0.1:9000/mcp`.
    pub(crate) fn new(url: &str) -> Self {
        let uri: Uri = url.parse().unwrap_or_else(|error| panic!("{url}: {error}"));
        assert_eq!(
            uri.scheme_str(),
            Some("http"),
            "{url}: only plain HTTP is spoken here"
        );
        let path = uri.path().trim_end_matches('/');
        let prefix = path.strip_suffix(ENDPOINT);
        let prefix = prefix.unwrap_or_else(|| panic!("{url} does not end in {ENDPOINT}"));
        let authority = uri.authority().expect("a host").to_string();
        Self {
            authority,
            prefix: prefix.to_owned(),
        }
    }

    /// Sends one request on its own connection and reads the answer to its end.
    pub(crate) fn send(
        &self,
        request: HttpRequest,
        deadline: Duration,
    ) -> impl Future<Output = Outcome> + Send + 'static {
        let server = self.clone();
        async move {
            match tokio::time::timeout(deadline, server.exchange(request)).await {
                Ok(Ok(reply)) => Outcome::Reply(reply),
                Ok(Err(fault)) => Outcome::Malformed(fault.to_string()),
                Err(_) => Outcome::Late {
                    deadline,
                    logs: String::new(),
                },
            }
        }
    }

    async fn exchange(
        &self,
        request: HttpRequest,
    ) -> Result<Reply, Box<dyn std::error::Error + Send + Sync>> {
        let started = Instant::now();
        let stream = TcpStream::connect(&self.authority).await?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
        let driving = tokio::spawn(connection);
        let mut outgoing = Request::builder()
            .method(request.method.as_str())
            .uri(format!("{}{}", self.prefix, request.target))
            .body(Full::new(Bytes::from(request.body.unwrap_or_default())))?;
        let headers = outgoing.headers_mut();
        for (name, value) in &request.headers {
            headers.append(
                HeaderName::from_bytes(name.as_bytes())?,
                HeaderValue::from_bytes(value.as_bytes())?,
            );
        }
        if !headers.contains_key("host") {
            headers.insert("host", self.authority.parse()?);
        }
        let (parts, body) = sender.send_request(outgoing).await?.into_parts();
        let body = body.collect().await?.to_bytes().to_vec();
        driving.abort();
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        Ok(Reply {
            status: parts.status.as_u16(),
            headers: parts
                .headers
                .iter()
                .map(|(n, v)| (n.to_string(), text(v)))
                .collect(),
            body,
            elapsed: started.elapsed(),
            arrivals: Vec::new(),
            faults: Vec::new(),
        })
    }
}
