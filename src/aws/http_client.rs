//! [`http_client`]: the library's HTTPS client as the HTTP client of AWS SDKs.
//!
//! That of the SDK brings HTTP/2, which none of the services here needs: with the code that `hyper` then has
//! for it, a tenth of the function (docs/adr/0034-http-1-for-aws.md).

use std::borrow::Cow;
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use aws_smithy_runtime_api::client::connection::{CaptureSmithyConnection, ConnectionMetadata};
use aws_smithy_runtime_api::client::connector_metadata::ConnectorMetadata;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient,
    SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use http::{Extensions, Request};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::connect::{CaptureConnection, HttpInfo, capture_connection};
use rustls::{ClientConfig, RootCertStore};

use super::error::connector_error;
use crate::https::{BoxError, Connector, HttpsClient, TimedOut, builder, tls, versions};

/// Returns an HTTP client for the clients of AWS services.
///
/// It speaks HTTP/1.1 with `rustls`, `ring` and the root certificates of the system, which are read with the
/// first request. It reuses connections, keeps the SDK's timeouts of connecting and reading, follows no
/// redirects and uses no proxy. Bodies of requests are sent when they are complete, so it is not made for
/// large uploads. All clones share their connections.
///
/// # Examples
///
/// ```
/// use aws_config::{BehaviorVersion, SdkConfig};
/// use lambda_mcp::aws::http_client;
///
/// async fn config() -> SdkConfig {
///     aws_config::defaults(BehaviorVersion::latest())
///         .http_client(http_client())
///         .load()
///         .await
/// }
/// ```
#[must_use]
pub fn http_client() -> SharedHttpClient {
    SharedHttpClient::new(Http1::default())
}

/// Has one [`Timed`] for each pair of timeouts.
#[derive(Debug, Default)]
struct Http1(Mutex<Vec<(Timeouts, SharedHttpConnector)>>);

impl HttpClient for Http1 {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        _components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        let timeouts = Timeouts {
            connect: settings.connect_timeout(),
            read: settings.read_timeout(),
        };
        let mut connectors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, connector)) = connectors.iter().find(|(known, _)| *known == timeouts) {
            return connector.clone();
        }
        let connector = SharedHttpConnector::new(Timed {
            timeouts,
            client: OnceLock::new(),
        });
        connectors.push((timeouts, connector.clone()));
        connector
    }

    /// Returns what the SDK writes into the header `user-agent`.
    fn connector_metadata(&self) -> Option<ConnectorMetadata> {
        Some(ConnectorMetadata::new("hyper", Some(Cow::Borrowed("1.x"))))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Timeouts {
    connect: Option<Duration>,
    /// Until the head of the response.
    read: Option<Duration>,
}

/// Requests with the same timeouts. They share a pool of connections.
#[derive(Debug)]
struct Timed {
    timeouts: Timeouts,
    client: OnceLock<HttpsClient>,
}

impl Timed {
    fn client(&self) -> io::Result<HttpsClient> {
        if let Some(client) = self.client.get() {
            return Ok(client.clone());
        }
        let connector = Connector::new(tls_or_none_trusted()?, self.timeouts.connect);
        let client = self.client.get_or_init(|| builder().build(connector));
        Ok(client.clone())
    }
}

impl HttpConnector for Timed {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let read = self.timeouts.read;
        let client = self.client();
        HttpConnectorFuture::new(async move {
            let client = client.map_err(|error| ConnectorError::other(error.into(), None))?;
            let request = complete(request).await.map_err(ConnectorError::user)?;
            let sent = client.request(request);
            let answered = match read {
                None => sent.await.map_err(BoxError::from),
                Some(limit) => match tokio::time::timeout(limit, sent).await {
                    Ok(answered) => answered.map_err(BoxError::from),
                    Err(_elapsed) => Err(TimedOut::new("HTTP read", limit).into()),
                },
            };
            let response = answered.map_err(connector_error)?;
            HttpResponse::try_from(response.map(SdkBody::from_body_1_x))
                .map_err(|error| ConnectorError::other(error.into(), None))
        })
    }
}

/// Returns the request with its whole body, which is in memory already unless it is a stream.
async fn complete(request: HttpRequest) -> Result<Request<Full<Bytes>>, BoxError> {
    let (head, body) = request.try_into_http1x()?.into_parts();
    let body = Full::new(body.collect().await?.to_bytes());
    let mut request = Request::from_parts(head, body);
    let connection = capture_connection(&mut request);
    if let Some(capture) = request.extensions().get::<CaptureSmithyConnection>() {
        capture.set_connection_retriever(move || metadata(&connection));
    }
    Ok(request)
}

/// Returns what the SDK asks about a connection. It closes connections of failed attempts.
fn metadata(connection: &CaptureConnection) -> Option<ConnectionMetadata> {
    let connection = connection.clone();
    let mut extras = Extensions::new();
    connection
        .connection_metadata()
        .as_ref()?
        .get_extras(&mut extras);
    let addresses = extras.get::<HttpInfo>();
    let mut metadata = ConnectionMetadata::builder().proxied(false);
    metadata.set_local_addr(addresses.map(HttpInfo::local_addr));
    metadata.set_remote_addr(addresses.map(HttpInfo::remote_addr));
    let poison = move || {
        if let Some(connection) = connection.connection_metadata().as_ref() {
            connection.poison();
        }
    };
    Some(metadata.poison_fn(poison).build())
}

/// Returns settings that trust the certificates of the system. Without certificates they trust no server:
/// then plain HTTP works, as with the client of the SDK.
fn tls_or_none_trusted() -> io::Result<Arc<ClientConfig>> {
    tls().or_else(|error| {
        tracing::warn!("no root certificates, so no HTTPS server is trusted: {error}");
        let none = versions()?.with_root_certificates(RootCertStore::empty());
        Ok(Arc::new(none.with_no_client_auth()))
    })
}
