//! The `params` of a message. Specification: *Base Protocol, Messages*; *`_meta`*.
//!
//! They are read with their message, in one pass. What every request needs stays raw JSON, as do the
//! parameters of most methods, which are small. The arguments of a tool or prompt can be large: they
//! are read at once, unless something is wrong with them. Then the message is read again with raw
//! arguments, so that the method that they are for can say what is wrong.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::json::Document;

/// The `params` of a message.
#[derive(Debug)]
pub(crate) struct Params<'a> {
    /// The message that they are part of.
    message: &'a str,
    /// Whether they are an object. If not, they have no members.
    pub(crate) is_object: bool,
    /// `_meta`.
    pub(crate) meta: Option<&'a RawValue>,
    /// `name` of a tool or prompt.
    pub(crate) name: Option<&'a RawValue>,
    /// `uri` of a resource.
    pub(crate) uri: Option<&'a RawValue>,
    /// `taskId`.
    pub(crate) task_id: Option<&'a RawValue>,
    /// The version that `initialize` requests.
    pub(crate) protocol_version: Option<&'a RawValue>,
    /// `inputResponses`, the answers to the questions of an earlier round.
    pub(crate) input_responses: Option<&'a RawValue>,
    /// `requestState` of an earlier round.
    pub(crate) request_state: Option<&'a RawValue>,
    /// `cursor` of a list.
    pub(crate) cursor: Option<&'a RawValue>,
    /// `arguments` of a tool or prompt.
    pub(crate) arguments: Option<SentArguments<'a>>,
    /// The name of a member that is there twice, one of those above up to `protocolVersion`. Two parsers
    /// could pick different values.
    pub(crate) duplicate: Option<&'static str>,
    /// Whether another one of them is there twice.
    pub(crate) has_other_duplicate: bool,
}

/// The arguments of a tool or prompt.
#[derive(Debug)]
pub(crate) enum SentArguments<'a> {
    /// They were read.
    Read(Document<'a>),
    /// They were not read, or cannot be.
    Raw(&'a RawValue),
}

impl<'a> Params<'a> {
    const fn new(message: &'a str) -> Self {
        Self {
            message,
            is_object: false,
            meta: None,
            name: None,
            uri: None,
            task_id: None,
            protocol_version: None,
            input_responses: None,
            request_state: None,
            cursor: None,
            arguments: None,
            duplicate: None,
            has_other_duplicate: false,
        }
    }

    /// The parameters as JSON, read from the message once more.
    pub(crate) fn raw(&self) -> Option<&'a RawValue> {
        #[derive(Deserialize)]
        struct Message<'a> {
            #[serde(borrow)]
            params: &'a RawValue,
        }
        serde_json::from_str::<Message<'a>>(self.message)
            .ok()
            .map(|message| message.params)
    }

    /// The arguments as JSON, read from the message once more.
    pub(crate) fn raw_arguments(&self) -> Option<&'a RawValue> {
        #[derive(Deserialize)]
        struct Called<'a> {
            #[serde(borrow)]
            arguments: &'a RawValue,
        }
        serde_json::from_str::<Called<'a>>(self.raw()?.get())
            .ok()
            .map(|called| called.arguments)
    }
}

/// Returns the text of a JSON string, or `None` for another value.
pub(crate) fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    // serde borrows a `Cow` only in a field with `borrow`.
    #[derive(Deserialize)]
    struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>);
    serde_json::from_str::<Borrowed<'_>>(raw.get())
        .ok()
        .map(|Borrowed(text)| text)
}

/// Reads the value of `params`. It is `None` for `null`, which some clients send for absent parameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    /// The message.
    pub(super) message: &'a str,
    /// Whether arguments are read.
    pub(super) reads_arguments: bool,
}

impl<'a> DeserializeSeed<'a> for Reader<'a> {
    type Value = Option<Params<'a>>;

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'a> Visitor<'a> for Reader<'a> {
    type Value = Option<Params<'a>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Some(Params::new(self.message)))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Some(Params::new(self.message)))
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Some(Params::new(self.message)))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Some(Params::new(self.message)))
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
        Ok(Some(Params::new(self.message)))
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Some(Params::new(self.message)))
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut params = Params::new(self.message);
        params.is_object = true;
        let mut seen = 0_u16;
        while let Some(name) = map.next_key::<Member>()? {
            let bit = 1 << name as u8;
            if seen & bit != 0 {
                match name.read_by_all() {
                    Some(name) => {
                        params.duplicate.get_or_insert(name);
                    }
                    None => params.has_other_duplicate |= name != Member::Other,
                }
            }
            seen |= bit;
            // `null` is the same as absent.
            match name {
                Member::Meta => params.meta = map.next_value()?,
                Member::Name => params.name = map.next_value()?,
                Member::Uri => params.uri = map.next_value()?,
                Member::TaskId => params.task_id = map.next_value()?,
                Member::ProtocolVersion => params.protocol_version = map.next_value()?,
                Member::InputResponses => params.input_responses = map.next_value()?,
                Member::RequestState => params.request_state = map.next_value()?,
                Member::Cursor => params.cursor = map.next_value()?,
                Member::Arguments => params.arguments = Some(self.arguments(&mut map)?),
                Member::Other => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Some(params))
    }
}

impl<'a> Reader<'a> {
    fn arguments<A: MapAccess<'a>>(self, map: &mut A) -> Result<SentArguments<'a>, A::Error> {
        if self.reads_arguments {
            let seed = Document::within(self.message);
            map.next_value_seed(seed).map(SentArguments::Read)
        } else {
            map.next_value().map(SentArguments::Raw)
        }
    }
}

/// The name of a member.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(field_identifier, rename_all = "camelCase")]
#[repr(u8)]
enum Member {
    #[serde(rename = "_meta")]
    Meta,
    Name,
    Uri,
    TaskId,
    ProtocolVersion,
    InputResponses,
    RequestState,
    Cursor,
    Arguments,
    #[serde(other)]
    Other,
}

impl Member {
    /// The name, if the member is read in every message.
    const fn read_by_all(self) -> Option<&'static str> {
        match self {
            Self::Meta => Some("_meta"),
            Self::Name => Some("name"),
            Self::Uri => Some("uri"),
            Self::TaskId => Some("taskId"),
            Self::ProtocolVersion => Some("protocolVersion"),
            Self::InputResponses
            | Self::RequestState
            | Self::Cursor
            | Self::Arguments
            | Self::Other => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::jsonrpc::Members;

    fn params(json: &str) -> Option<String> {
        let message = format!(r#"{{"id":1,"params":{json},"method":"m"}}"#);
        let params = Members::read(&message).unwrap().params?;
        assert_eq!(params.raw().unwrap().get(), json.trim());
        Some(format!("{params:?}"))
    }

    #[test]
    fn arguments_are_read_with_their_message() {
        let message = r#"{"params":{"arguments":{"a":[1,"\n"]},"name":"x","other":1}}"#;
        let params = Members::read(message).unwrap().params.unwrap();
        assert_eq!(params.name.and_then(string).as_deref(), Some("x"));
        assert_eq!(params.raw_arguments().unwrap().get(), r#"{"a":[1,"\n"]}"#);
        let Some(SentArguments::Read(arguments)) = params.arguments else {
            unreachable!()
        };
        assert_eq!(
            arguments.root().to_value(),
            serde_json::json!({"a": [1, "\n"]})
        );
        let peeked = Members::peek(message).unwrap().params.unwrap();
        assert!(matches!(peeked.arguments, Some(SentArguments::Raw(_))));
    }

    #[test]
    fn arguments_that_cannot_be_read_are_left_to_their_method() {
        for arguments in [
            r#"{"a":1,"a":2}"#,
            r#"[{"b":1,"b":2}]"#,
            "1e999",
            r#""\ud800""#,
        ] {
            let message = format!(r#"{{"params":{{"name":"x","arguments":{arguments}}}}}"#);
            let params = Members::read(&message).unwrap().params.unwrap();
            let Some(SentArguments::Raw(raw)) = params.arguments else {
                panic!("{arguments} was read");
            };
            assert_eq!(raw.get(), arguments);
            assert!(params.name.is_some());
        }
        assert!(Members::read(r#"{"params":{"arguments":{"a":}}}"#).is_err());
    }

    #[test]
    fn only_an_object_has_members() {
        assert_eq!(params("null"), None);
        for json in [
            "[]",
            r#"[{"name":1}]"#,
            "true",
            "-1",
            "1",
            "1.5",
            r#""name""#,
        ] {
            let params = params(json).unwrap();
            assert!(params.contains("is_object: false"), "{params}");
        }
        assert!(params(" {} ").unwrap().contains("is_object: true"));
    }

    #[test]
    fn null_is_the_same_as_absent() {
        let message = r#"{"params":{"_meta":null,"requestState":null,"cursor":null}}"#;
        let params = Members::read(message).unwrap().params.unwrap();
        assert!(params.meta.is_none() && params.request_state.is_none());
        assert!(params.cursor.is_none());
    }

    #[test]
    fn members_that_are_there_twice_are_noticed() {
        for (json, duplicate, other) in [
            (r#"{"name":1,"uri":2,"x":3,"x":4}"#, None, false),
            (r#"{"name":1,"name":null}"#, Some("name"), false),
            (
                r#"{"name":1,"_meta":{},"name":2,"_meta":{}}"#,
                Some("name"),
                false,
            ),
            (r#"{"taskId":1,"taskId":2}"#, Some("taskId"), false),
            (r#"{"arguments":{},"arguments":{}}"#, None, true),
            (
                r#"{"cursor":1,"uri":1,"cursor":2,"uri":2}"#,
                Some("uri"),
                true,
            ),
        ] {
            let message = format!(r#"{{"params":{json}}}"#);
            let params = Members::read(&message).unwrap().params.unwrap();
            assert_eq!(params.duplicate, duplicate, "{json}");
            assert_eq!(params.has_other_duplicate, other, "{json}");
        }
    }
}
