//! The headers of a request, as handlers and verifiers see them.

use std::fmt;
use std::sync::{Arc, OnceLock};

use http::HeaderMap;
use http::header::{AUTHORIZATION, COOKIE, Entry, HeaderName, PROXY_AUTHORIZATION};

/// Headers that carry a credential.
static CONFIDENTIAL: [HeaderName; 3] = [AUTHORIZATION, COOKIE, PROXY_AUTHORIZATION];

/// Marks the values of credentials as sensitive: `Debug` writes `Sensitive` in their place.
pub(crate) fn hide_credentials(headers: &mut HeaderMap) {
    for name in &CONFIDENTIAL {
        // `entry` makes room for an absent header.
        if headers.contains_key(name)
            && let Entry::Occupied(mut values) = headers.entry(name)
        {
            values
                .iter_mut()
                .for_each(|value| value.set_sensitive(true));
        }
    }
}

/// All headers of a request whose own map has only those that the library reads. They are read on the
/// first need: most handlers need none. A clone is cheap and shares what was read.
#[derive(Clone)]
pub(crate) struct AllHeaders(Arc<Lazy<dyn Fn() -> HeaderMap + Send + Sync>>);

struct Lazy<F: ?Sized> {
    headers: OnceLock<HeaderMap>,
    read: F,
}

impl AllHeaders {
    /// `read` returns the headers.
    #[cfg_attr(
        not(feature = "lambda"),
        expect(dead_code, reason = "only the edge to Lambda leaves headers out")
    )]
    pub(crate) fn new(read: impl Fn() -> HeaderMap + Send + Sync + 'static) -> Self {
        Self(Arc::new(Lazy {
            headers: OnceLock::new(),
            read,
        }))
    }

    /// The headers.
    pub(crate) fn get(&self) -> &HeaderMap {
        self.0.headers.get_or_init(|| {
            let mut headers = (self.0.read)();
            hide_credentials(&mut headers);
            headers
        })
    }
}

impl fmt::Debug for AllHeaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AllHeaders")
    }
}
