//! The configuration that all AWS clients of the function share.

use std::time::Duration;

use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, SdkConfig};
use aws_smithy_http_client::tls;

const CONNECT: Duration = Duration::from_millis(1500);

/// Returns the configuration for the environment's Region and credentials.
///
/// It makes no second attempts: each caller decides about those, and about the time of a request. It is
/// built at first need, because reading the certificates of the system takes milliseconds.
pub(crate) async fn sdk_config() -> SdkConfig {
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
}
