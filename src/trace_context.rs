//! [`TraceContext`]: the trace that a request belongs to. W3C Trace Context and Baggage;
//! specification: *Base Protocol, `_meta`* (from revision 2026-07-28).

use http::HeaderMap;

use crate::era::client::Trace;

/// The trace context of a request: `traceparent`, `tracestate` and `baggage`, as its client sent them.
///
/// It is that of the message, from `_meta`; if the message has none, that of the HTTP headers. Clients
/// choose it, so it proves nothing. See [`ServerBuilder::on_request_span`] for its use.
///
/// [`ServerBuilder::on_request_span`]: crate::server::ServerBuilder::on_request_span
#[derive(Debug, Clone, Copy)]
pub struct TraceContext<'a> {
    message: &'a Trace,
    headers: Option<&'a HeaderMap>,
}

/// The names of the values, as `_meta` and HTTP headers have them.
const NAMES: [&str; 3] = ["traceparent", "tracestate", "baggage"];

impl<'a> TraceContext<'a> {
    pub(crate) fn new(message: &'a Trace, headers: &'a HeaderMap) -> Self {
        let is_in_message = message.traceparent.is_some();
        Self {
            message,
            headers: (!is_in_message).then_some(headers),
        }
    }

    /// Returns the value of `traceparent`, `tracestate` or `baggage`. Names are compared without case.
    /// `None` for other names, and for values that are absent or not text.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'a str> {
        let name = NAMES
            .iter()
            .find(|known| name.eq_ignore_ascii_case(known))?;
        if let Some(headers) = self.headers {
            return headers.get(*name)?.to_str().ok();
        }
        match *name {
            "traceparent" => self.message.traceparent.as_deref(),
            "tracestate" => self.message.tracestate.as_deref(),
            _ => self.message.baggage.as_deref(),
        }
    }

    /// Returns the names that have a value.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        let has_value = |name: &&str| self.get(name).is_some();
        NAMES.into_iter().filter(has_value).collect()
    }

    /// Returns `traceparent` if it has the form of one: hexadecimal fields and hyphens. W3C Trace
    /// Context, section 3.2.
    pub(crate) fn traceparent(&self) -> Option<&'a str> {
        self.get("traceparent").filter(|text| is_traceparent(text))
    }
}

fn is_traceparent(text: &str) -> bool {
    (55..=128).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";

    #[test]
    fn a_traceparent_is_hexadecimal_fields() {
        assert!(is_traceparent(PARENT));
        assert!(is_traceparent(&format!("{PARENT}-2a")));
        for bad in [
            "",
            "00-abc",
            &PARENT.replace('7', "z"),
            &format!("{PARENT} x"),
            &"0".repeat(129),
        ] {
            assert!(!is_traceparent(bad), "{bad}");
        }
    }

    #[test]
    fn headers_count_only_if_the_message_has_no_trace() {
        let mut headers = HeaderMap::new();
        headers.insert("traceparent", "of the headers".parse().unwrap());
        headers.insert("baggage", "a=1".parse().unwrap());
        headers.insert("authorization", "Bearer x".parse().unwrap());
        let none = Trace::default();
        let trace = TraceContext::new(&none, &headers);
        assert_eq!(trace.get("TraceParent"), Some("of the headers"));
        assert_eq!(trace.get("authorization"), None);
        assert_eq!(trace.names(), ["traceparent", "baggage"]);
        assert_eq!(trace.traceparent(), None);

        let of_message = Trace {
            traceparent: Some(PARENT.to_owned()),
            ..Trace::default()
        };
        let trace = TraceContext::new(&of_message, &headers);
        assert_eq!(trace.traceparent(), Some(PARENT));
        assert_eq!(trace.names(), ["traceparent"]);
    }
}
