//! The configuration that all AWS clients of the function share.

use std::time::Duration;

use aws_config::SdkConfig;
use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use tokio::sync::OnceCell;

const CONNECT: Duration = Duration::from_millis(1500);

/// Returns Region, credentials and HTTP client of the environment. The first call takes milliseconds.
///
/// A client makes one attempt: its caller decides about others, and about the time of a request.
pub(crate) async fn config() -> &'static SdkConfig {
    static CONFIG: OnceCell<SdkConfig> = OnceCell::const_new();
    let load = async || {
        let config = lambda_mcp::aws::config().await.into_builder();
        config
            .retry_config(RetryConfig::disabled())
            .timeout_config(TimeoutConfig::builder().connect_timeout(CONNECT).build())
            .build()
    };
    CONFIG.get_or_init(load).await
}
