//! The configuration that all AWS clients of the function share.

use aws_config::{BehaviorVersion, SdkConfig};
use aws_smithy_http_client::tls;
use tokio::sync::OnceCell;

/// Returns Region, credentials and HTTP client of the environment. The first call reads the root
/// certificates, which takes several milliseconds.
pub(crate) async fn config() -> &'static SdkConfig {
    static CONFIG: OnceCell<SdkConfig> = OnceCell::const_new();
    let load = async || {
        // TLS by rustls and ring: a third of the size of the SDK's default.
        let https = aws_smithy_http_client::Builder::new()
            .tls_provider(tls::Provider::Rustls(
                tls::rustls_provider::CryptoMode::Ring,
            ))
            .build_https();
        let defaults = aws_config::defaults(BehaviorVersion::latest());
        defaults.http_client(https).load().await
    };
    CONFIG.get_or_init(load).await
}
