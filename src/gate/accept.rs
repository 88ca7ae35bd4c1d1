//! The `Accept` header. RFC 9110, section 12.5.1; *Streamable HTTP, Sending Messages*.
//!
//! The specification requires clients to list JSON and event streams. Many clients list only one of
//! them, or a wildcard, and are served as well.

use http::HeaderMap;
use http::header::ACCEPT;
use mediatype::{MediaTypeList, ReadParams};

/// The response types that the client accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Accepts {
    pub(super) json: bool,
    pub(super) event_stream: bool,
}

/// Parses `Accept`. A header that is absent or has no valid media range accepts everything.
pub(super) fn read(headers: &HeaderMap) -> Accepts {
    let mut values = headers.get_all(ACCEPT).iter();
    // What nearly every client sends.
    if let (Some(value), None) = (values.next(), values.next())
        && value == "application/json, text/event-stream"
    {
        return Accepts {
            json: true,
            event_stream: true,
        };
    }
    let mut json = Preference::default();
    let mut event_stream = Preference::default();
    let mut any = false;
    let values = headers
        .get_all(ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok());
    for range in values.flat_map(MediaTypeList::new).flatten() {
        any = true;
        let wanted = range
            .get_param(mediatype::names::Q)
            .is_none_or(|q| q.as_str().parse::<f32>().is_ok_and(|quality| quality > 0.0));
        match (range.ty.as_str(), range.subty.as_str()) {
            ("*", "*") => {
                json.apply(1, wanted);
                event_stream.apply(1, wanted);
            }
            (ty, "*") if ty.eq_ignore_ascii_case("application") => json.apply(2, wanted),
            (ty, "*") if ty.eq_ignore_ascii_case("text") => event_stream.apply(2, wanted),
            (ty, sub) if is(ty, sub, "application", "json") => json.apply(3, wanted),
            (ty, sub) if is(ty, sub, "text", "event-stream") => event_stream.apply(3, wanted),
            _ => {}
        }
    }
    if any {
        Accepts {
            json: json.wanted,
            event_stream: event_stream.wanted,
        }
    } else {
        Accepts {
            json: true,
            event_stream: true,
        }
    }
}

fn is(ty: &str, sub: &str, wanted_ty: &str, wanted_sub: &str) -> bool {
    ty.eq_ignore_ascii_case(wanted_ty) && sub.eq_ignore_ascii_case(wanted_sub)
}

/// Whether a type is accepted. The most specific media range decides.
#[derive(Default)]
struct Preference {
    specificity: u8,
    wanted: bool,
}

impl Preference {
    fn apply(&mut self, specificity: u8, wanted: bool) {
        if specificity > self.specificity {
            *self = Self {
                specificity,
                wanted,
            };
        } else if specificity == self.specificity {
            self.wanted |= wanted;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn accepts(value: &str) -> (bool, bool) {
        let headers: HeaderMap = [(ACCEPT, value.parse().unwrap())].into_iter().collect();
        let Accepts { json, event_stream } = read(&headers);
        (json, event_stream)
    }

    #[test]
    fn ranges_are_parsed_as_media_types() {
        let cases = [
            ("application/json, text/event-stream", (true, true)),
            ("application/json", (true, false)),
            ("text/event-stream", (false, true)),
            ("*/*", (true, true)),
            ("application/*", (true, false)),
            ("text/*;q=0.5", (false, true)),
            ("APPLICATION/JSON", (true, false)),
            ("application/json;charset=utf-8", (true, false)),
            ("text/html, application/xhtml+xml", (false, false)),
            ("application/jsonx", (false, false)),
            (
                "application/json;q=0, text/event-stream;q=0",
                (false, false),
            ),
            ("*/*, application/json;q=0", (false, true)),
            ("text/html,*/*;q=0.8", (true, true)),
            ("", (true, true)),
            ("nonsense", (true, true)),
        ];
        for (value, expected) in cases {
            assert_eq!(accepts(value), expected, "{value}");
        }
    }

    #[test]
    fn an_absent_header_accepts_everything() {
        assert_eq!(
            read(&HeaderMap::new()),
            Accepts {
                json: true,
                event_stream: true
            }
        );
    }

    proptest! {
        #[test]
        fn no_value_panics_and_order_is_not_significant(
            ranges in proptest::collection::vec("[a-z*]{1,12}/[a-z*+-]{1,14}(;q=(0|1|0\\.[0-9]))?", 1..5),
            noise in proptest::collection::vec(any::<u8>(), 0..40),
        ) {
            let forward = accepts(&ranges.join(", "));
            let backward = accepts(&ranges.iter().rev().cloned().collect::<Vec<_>>().join(", "));
            prop_assert_eq!(forward, backward);
            if let Ok(value) = http::HeaderValue::from_bytes(&noise) {
                let _ = read(&[(ACCEPT, value)].into_iter().collect());
            }
        }

        #[test]
        fn json_with_a_positive_weight_is_accepted(other in "[a-z]{1,8}/[a-z]{1,8}", tenths in 1..=9_u8) {
            let wanted = format!("{other}, application/json;q=0.{tenths}");
            let refused = format!("*/*, application/json;q=0, {other}");
            prop_assert!(accepts(&wanted).0);
            prop_assert!(!accepts(&refused).0);
        }
    }
}
