//! What the clients of AWS services share: Region, credentials and TLS.

use aws_config::{BehaviorVersion, SdkConfig};
use aws_smithy_http_client::tls;

/// Returns `given`, or the Region, the credentials and an HTTP client of the environment.
///
/// That takes milliseconds, mostly for the root certificates, so it is called at the first need.
pub(crate) async fn config(given: Option<&SdkConfig>) -> SdkConfig {
    if let Some(config) = given {
        return config.clone();
    }
    // TLS by rustls and ring: a third of the size of the SDK's default.
    let https = aws_smithy_http_client::Builder::new()
        .tls_provider(tls::Provider::Rustls(
            tls::rustls_provider::CryptoMode::Ring,
        ))
        .build_https();
    aws_config::defaults(BehaviorVersion::latest())
        .http_client(https)
        .load()
        .await
}
