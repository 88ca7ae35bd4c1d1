//! The settings of a [`ServerBuilder`] for what it signs and clients store: session ids and request states.

use std::time::Duration;

use crate::era::LegacyHandshake;
use crate::server::builder::ServerBuilder;
use crate::server::state_key::RequestStateKey;

impl<S> ServerBuilder<S> {
    /// Sets whether clients of the revisions before 2026-07-28 must begin with `initialize` over HTTP.
    /// Defaults to [`LegacyHandshake::Optional`]: each request is served by itself.
    ///
    /// With [`LegacyHandshake::Required`] the answer to `initialize` has an `Mcp-Session-Id`, signed
    /// with the [`request_state_key`](Self::request_state_key). On AWS Lambda [`run`](crate::run) fails
    /// without that key, because the next request can reach another instance. Nothing is stored, and
    /// the id is no credential. Requests of revision 2026-07-28 are not affected.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::Server;
    /// use lambda_mcp::protocol::ProtocolVersion;
    /// use lambda_mcp::server::LegacyHandshake;
    /// use lambda_mcp::testing::TestClient;
    /// use serde_json::json;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("example", "1.0.0")
    ///     .legacy_handshake(LegacyHandshake::Required)
    ///     .build()?;
    /// let client = TestClient::new(server).legacy(ProtocolVersion::V2025_11_25);
    /// let response = client.request("ping", json!({})).await;
    /// assert_eq!(response.expect_protocol_error().status, 400);
    ///
    /// let session = client.initialize().await;
    /// let session = session.header("Mcp-Session-Id").unwrap_or_default();
    /// let response = client.request("ping", json!({})).header("Mcp-Session-Id", session).await;
    /// assert_eq!(response.result(), &json!({}));
    /// # Ok(())
    /// # }
    /// ```
    pub const fn legacy_handshake(mut self, policy: LegacyHandshake) -> Self {
        self.settings.legacy_handshake = policy;
        self
    }

    /// Sets how long a session id holds, from `initialize` on. Defaults to 24 hours. After that, a
    /// request gets 404, and the client begins again with `initialize`. It matters only with
    /// [`LegacyHandshake::Required`].
    pub const fn session_ttl(mut self, ttl: Duration) -> Self {
        self.settings.session_ttl = ttl;
        self
    }

    /// Sets the key that signs `requestState`, which clients carry between the rounds of a call that
    /// [asks for input](crate::AskingContext). All instances need the same key.
    ///
    /// Defaults to a random key of the process, for a server that runs once, as on a developer's
    /// machine. AWS Lambda runs many instances, and each round of a call can reach another one: there,
    /// [`run`](crate::run) fails without this key if a handler takes
    /// [`AskingContext`](crate::AskingContext). For other platforms with several instances,
    /// [`Server::check_for_many_instances`](crate::Server::check_for_many_instances) tells.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::Server;
    /// use lambda_mcp::server::RequestStateKey;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let secret = "0123456789abcdef0123456789abcdef";
    /// // `secret` comes from the function's configuration.
    /// let key = RequestStateKey::new(secret)?;
    /// let server = Server::builder("example", "1.0.0").request_state_key(key).build()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn request_state_key(mut self, key: RequestStateKey) -> Self {
        self.settings.state_key = key;
        self.settings.has_shared_state_key = true;
        self
    }

    /// Sets how long a client has to answer a question, from the time it is asked. Defaults to 15
    /// minutes. A later answer gets `-32602`.
    pub const fn request_state_ttl(mut self, ttl: Duration) -> Self {
        self.settings.state_ttl = ttl;
        self
    }
}
