//! Clients of AWS services: their HTTP client and their configuration.

mod error;
mod http_client;

use aws_config::{BehaviorVersion, SdkConfig};

use crate::future::BoxFuture;

pub use self::http_client::http_client;

/// Returns the configuration of the environment for clients of AWS services: Region, credentials and endpoints
/// as the SDK finds them, and [`http_client`].
///
/// It takes milliseconds, so a function calls it at the first need, and keeps the result.
///
/// # Examples
///
/// ```no_run
/// use lambda_mcp::aws;
/// use lambda_mcp::limit::DynamoDbLimiter;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let config = aws::config().await.into_builder().endpoint_url("http://127.0.0.1:8000");
/// # #[cfg(feature = "dynamodb")]
/// let limiter = DynamoDbLimiter::with_config("limits", config.build());
/// # }
/// ```
pub async fn config() -> SdkConfig {
    load().await
}

/// Returns `given`, or the configuration of the environment.
#[cfg(any(feature = "dynamodb", feature = "durable"))]
pub(crate) async fn config_or(given: Option<&SdkConfig>) -> SdkConfig {
    match given {
        Some(config) => config.clone(),
        None => load().await,
    }
}

/// Boxed here, the SDK's loader is compiled once, and not in each crate that awaits it.
fn load() -> BoxFuture<'static, SdkConfig> {
    let loader = aws_config::defaults(BehaviorVersion::latest()).http_client(http_client());
    Box::pin(loader.load())
}
