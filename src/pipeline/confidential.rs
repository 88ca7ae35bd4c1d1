//! The request as handlers and verifiers share it: its credentials do not show in debug output.

use std::sync::Arc;

use http::Request;
use http::request::Parts;

use crate::request_headers::hide_credentials;

/// Takes a request apart. All messages of its body share the head.
pub(super) fn shared<B>(request: Request<B>) -> (Arc<Parts>, B) {
    let (mut parts, body) = request.into_parts();
    hide_credentials(&mut parts.headers);
    (Arc::new(parts), body)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    #[test]
    fn a_credential_is_not_part_of_debug_output() {
        let request = Request::post("/mcp")
            .header("Authorization", "Bearer SENTINEL-1")
            .header("Authorization", "Bearer SENTINEL-2")
            .header("Proxy-Authorization", "Basic SENTINEL-3")
            .header("Cookie", "session=SENTINEL-4")
            .header("Accept", "application/json")
            .body(Bytes::new())
            .unwrap();
        let (parts, _) = shared(request);
        let shown = format!("{parts:?}");
        assert!(!shown.contains("SENTINEL"), "{shown}");
        assert!(shown.contains("application/json"), "{shown}");
    }
}
