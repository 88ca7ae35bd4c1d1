//! Clients of AWS services: the HTTP client for SDKs, and what the library's own clients share.

mod error;
mod http_client;

#[cfg(any(feature = "dynamodb", feature = "durable"))]
use aws_config::{BehaviorVersion, SdkConfig};

pub use self::http_client::http_client;

/// Returns `given`, or the Region, the credentials and an HTTP client of the environment.
///
/// That takes milliseconds, mostly for the root certificates, so it is called at the first need.
#[cfg(any(feature = "dynamodb", feature = "durable"))]
pub(crate) async fn config(given: Option<&SdkConfig>) -> SdkConfig {
    if let Some(config) = given {
        return config.clone();
    }
    aws_config::defaults(BehaviorVersion::latest())
        .http_client(http_client())
        .load()
        .await
}
