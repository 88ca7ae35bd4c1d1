//! The configuration that all AWS clients of the function share.

use std::time::Duration;

use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, SdkConfig};
use aws_smithy_http_client::tls;
use tokio::sync::OnceCell;

const CONNECT: Duration = Duration::from_millis(1500);

/// Returns Region, credentials and HTTP client of the environment. The first call reads the root
/// certificates, which takes several milliseconds.
///
/// A client makes one attempt: its caller decides about others, and about the time of a request.
pub(crate) async fn config() -> &'static SdkConfig {
    static CONFIG: OnceCell<SdkConfig> = OnceCell::const_new();
    let load = async || {
        // TLS by rustls and ring: a third of the size of the SDK's default.
        let https = aws_smithy_http_client::Builder::new()
            .tls_provider(tls::Provider::Rustls(
                tls::rustls_provider::CryptoMode::Ring,
            ))
            .build_https();
        aws_config::defaults(BehaviorVersion::latest())
            .http_client(https)
            .retry_config(RetryConfig::disabled())
            .timeout_config(TimeoutConfig::builder().connect_timeout(CONNECT).build())
            .load()
            .await
    };
    CONFIG.get_or_init(load).await
}
