//! The headers in an event.
//!
//! A gateway sends some twenty, twice in payload v1, and the library reads a few of them. So only these
//! become a map; all others are skipped until a handler asks for them.

use std::fmt;

use http::header::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Room for the headers that the library reads.
const USUAL: usize = 12;
/// Headers that repeat an argument. Specification: *Streamable HTTP, Custom Headers*.
const PARAMETER: &str = "mcp-param-";

/// The headers in an object of an event that the library reads.
#[derive(Debug, Default)]
pub(super) struct KnownHeaders {
    pub(super) known: HeaderMap,
    /// Whether the object has any header.
    pub(super) has_any: bool,
}

impl<'de> Deserialize<'de> for KnownHeaders {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut has_any = false;
        let wanted = Wanted {
            has_any: &mut has_any,
            name: known,
        };
        let known = deserializer.deserialize_any(wanted)?;
        Ok(Self { known, has_any })
    }
}

/// All headers of an event. If both forms are present, only the lists are complete.
pub(super) fn all(event: &[u8]) -> HeaderMap {
    #[derive(Default, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    struct Both {
        headers: All,
        multi_value_headers: All,
    }
    let both: Both = serde_json::from_slice(event).unwrap_or_default();
    if both.multi_value_headers.0.is_empty() {
        both.headers.0
    } else {
        both.multi_value_headers.0
    }
}

/// The headers in an object of an event.
#[derive(Default)]
struct All(HeaderMap);

impl<'de> Deserialize<'de> for All {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wanted = Wanted {
            has_any: &mut false,
            name: |name| HeaderName::from_bytes(name.as_bytes()).ok(),
        };
        deserializer.deserialize_any(wanted).map(Self)
    }
}

/// Reads the headers of an object whose names are wanted.
struct Wanted<'a> {
    has_any: &'a mut bool,
    /// The name of a header, if the header is wanted.
    name: fn(&str) -> Option<HeaderName>,
}

impl<'de> Visitor<'de> for Wanted<'_> {
    type Value = HeaderMap;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of headers")
    }

    fn visit_unit<E>(self) -> Result<HeaderMap, E> {
        Ok(HeaderMap::new())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<HeaderMap, A::Error> {
        let mut headers = HeaderMap::with_capacity(USUAL);
        while let Some(name) = map.next_key_seed(Name(self.name))? {
            *self.has_any = true;
            match name {
                Some(name) => map.next_value_seed(Values {
                    headers: &mut headers,
                    name: &name,
                })?,
                // Invalid names are ignored: no gateway forwards them.
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(headers)
    }
}

/// The name of a header, if it is wanted.
struct Name(fn(&str) -> Option<HeaderName>);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Option<HeaderName>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Option<HeaderName>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a header")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok((self.0)(name))
    }
}

/// The name of a header that the library reads. A name that is missing here reads as an absent header
/// behind Lambda, and nowhere else.
fn known(name: &str) -> Option<HeaderName> {
    // The text of a name apart from it, since `HeaderName::as_str` looks a standard name up in a table.
    const fn named(name: &'static str) -> (&'static str, HeaderName) {
        (name, HeaderName::from_static(name))
    }
    static NAMES: [(&str, HeaderName); 16] = [
        named("accept"),
        named("access-control-request-headers"),
        named("authorization"),
        named("baggage"),
        named("content-encoding"),
        named("content-type"),
        named("host"),
        named("if-none-match"),
        named("mcp-method"),
        named("mcp-name"),
        named("mcp-protocol-version"),
        named("mcp-session-id"),
        named("origin"),
        named("traceparent"),
        named("tracestate"),
        named("x-forwarded-for"),
    ];
    let is_same = |(known, _): &&(&str, HeaderName)| known.eq_ignore_ascii_case(name);
    if let Some((_, known)) = NAMES.iter().find(is_same) {
        return Some(known.clone());
    }
    let front = name.get(..PARAMETER.len())?;
    let is_parameter = front.eq_ignore_ascii_case(PARAMETER);
    is_parameter.then(|| HeaderName::from_bytes(name.as_bytes()).ok())?
}

/// The values of one header, which are added to the others.
struct Values<'h> {
    headers: &'h mut HeaderMap,
    name: &'h HeaderName,
}

impl<'de> DeserializeSeed<'de> for Values<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Values<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a header's value or list of values")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.headers.append(self.name, header_value(value));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let Self { headers, name } = self;
        while seq.next_element_seed(Values { headers, name })?.is_some() {}
        Ok(())
    }
}

/// A header value. Characters that HTTP does not allow are replaced: without the value, a header
/// that restricts the request would count as absent.
fn header_value(text: &str) -> HeaderValue {
    HeaderValue::from_bytes(text.as_bytes()).unwrap_or_else(|_| {
        let legal = |b: u8| {
            if b == b'\t' || (b >= b' ' && b != 127) {
                b
            } else {
                b'?'
            }
        };
        let replaced: Vec<u8> = text.bytes().map(legal).collect();
        HeaderValue::from_bytes(&replaced).unwrap_or(HeaderValue::from_static("?"))
    })
}
