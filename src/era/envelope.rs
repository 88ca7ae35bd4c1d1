//! The envelope of a modern request: `params._meta`. Specification: *Base Protocol, `_meta`*.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::client::{Client, Trace};
use super::standard_headers;
use crate::error::ProtocolError;
use crate::json::describe;
use crate::wire::jsonrpc::RequestId;
use crate::wire::meta::{self, RequestMeta};
use crate::wire::params::{Params, string};
use crate::wire::version::{Era, ProtocolVersion};

/// The members of `params` that are needed before a method decodes them.
#[derive(Debug, Default)]
pub(super) struct ParamsHead<'a> {
    pub(super) meta: Option<&'a RawValue>,
    name: Option<&'a RawValue>,
    uri: Option<&'a RawValue>,
    task_id: Option<&'a RawValue>,
    /// The version that `initialize` requests.
    protocol_version: Option<&'a RawValue>,
}

impl<'a> ParamsHead<'a> {
    /// Parses `params`. They must be an object if they are present. `era` is the declared era of the
    /// request.
    pub(super) fn read(
        params: Option<&Params<'a>>,
        era: Option<Era>,
    ) -> Result<Self, ProtocolError> {
        let Some(params) = params else {
            return Ok(Self::default());
        };
        if !params.is_object {
            return Err(match era {
                // A modern request without `_meta` has status 400.
                Some(Era::Modern) => {
                    ProtocolError::invalid_meta("is missing, because `params` is not an object")
                }
                Some(Era::Legacy) | None => {
                    ProtocolError::invalid_params("`params` must be an object")
                }
            });
        }
        if let Some(name) = params.duplicate {
            return Err(ProtocolError::invalid_request(format!(
                "`params` cannot be read: duplicate field `{name}`"
            )));
        }
        Ok(Self {
            meta: params.meta,
            name: params.name,
            uri: params.uri,
            task_id: params.task_id,
            protocol_version: params.protocol_version,
        })
    }

    /// Returns the name that `Mcp-Name` mirrors, if the method has one and it is a string.
    pub(super) fn name(&self, method: &str) -> Option<Cow<'a, str>> {
        match standard_headers::name_member(method)? {
            "uri" => self.uri.and_then(string),
            "taskId" => self.task_id.and_then(string),
            _ => self.name.and_then(string),
        }
    }

    /// Returns the version that `initialize` answers with.
    pub(super) fn negotiated_version(&self) -> ProtocolVersion {
        let requested = self.protocol_version.and_then(string);
        ProtocolVersion::negotiate(requested.as_deref().unwrap_or_default())
    }
}

/// The envelope of a request.
#[derive(Debug, Default)]
pub(super) struct Envelope<'a> {
    /// The protocol version, if `_meta` has one.
    pub(super) version: Option<Cow<'a, str>>,
    meta: RequestMeta<'a>,
}

impl<'a> Envelope<'a> {
    /// Parses `_meta` and the version in it. Other keys are checked only on modern requests.
    ///
    /// `era` is the declared era of the request. `_meta` is optional in the legacy era, so a malformed
    /// value is ignored there.
    pub(super) fn read(raw: Option<&'a RawValue>, era: Option<Era>) -> Result<Self, ProtocolError> {
        let Some(raw) = raw.map(RawValue::get) else {
            return Ok(Self::default());
        };
        if !raw.starts_with('{') {
            return match era {
                Some(Era::Modern) => Err(ProtocolError::invalid_meta("must be an object")),
                Some(Era::Legacy) | None => Ok(Self::default()),
            };
        }
        let meta: RequestMeta<'a> = serde_json::from_str(raw).map_err(|error| {
            ProtocolError::invalid_meta(format!("cannot be read: {}", describe(&error)))
        })?;
        let version = meta.protocol_version.and_then(string);
        if version.is_none() && meta.protocol_version.is_some() && era != Some(Era::Legacy) {
            return Err(key_must_be(meta::PROTOCOL_VERSION, "a string"));
        }
        Ok(Self { version, meta })
    }

    /// Checks that the required keys of a modern request are present.
    pub(super) fn check(&self) -> Result<(), ProtocolError> {
        if self.version.is_none() {
            return Err(missing(meta::PROTOCOL_VERSION));
        }
        if self.meta.client_capabilities.is_none() {
            return Err(missing(meta::CLIENT_CAPABILITIES));
        }
        Ok(())
    }

    /// Returns the client, as `_meta` describes it. The legacy era defines only the progress token
    /// and the trace context.
    pub(super) fn client(&self, era: Era) -> Result<Client, ProtocolError> {
        let meta = &self.meta;
        let progress_token = match meta.progress_token.map(RequestId::parse) {
            Some(Err(invalid)) if era == Era::Modern => {
                return Err(invalid_key(meta::PROGRESS_TOKEN, &invalid.to_string()));
            }
            token => token.and_then(Result::ok),
        };
        let text = |raw: Option<&RawValue>| serde_json::from_str(raw?.get()).ok();
        let client = Client {
            progress_token,
            trace: Trace {
                traceparent: text(meta.traceparent),
                tracestate: text(meta.tracestate),
                baggage: text(meta.baggage),
            },
            ..Client::default()
        };
        if era == Era::Legacy {
            return Ok(client);
        }
        Ok(Client {
            info: value(
                meta.client_info,
                meta::CLIENT_INFO,
                "an object with `name` and `version`",
            )?,
            capabilities: value(
                meta.client_capabilities,
                meta::CLIENT_CAPABILITIES,
                "an object of capability objects",
            )?
            .unwrap_or_default(),
            log_level: value(meta.log_level, meta::LOG_LEVEL, "a log level")?,
            ..client
        })
    }
}

fn value<'a, T: Deserialize<'a>>(
    raw: Option<&'a RawValue>,
    key: &str,
    what: &str,
) -> Result<Option<T>, ProtocolError> {
    // The value must be an object; serde would also accept an array for a struct.
    raw.map(|raw| match raw.get() {
        array if array.starts_with('[') => Err(key_must_be(key, what)),
        json => serde_json::from_str(json).map_err(|_| key_must_be(key, what)),
    })
    .transpose()
}

fn missing(key: &str) -> ProtocolError {
    ProtocolError::invalid_meta(format!("lacks `{key}`"))
}

fn key_must_be(key: &str, what: &str) -> ProtocolError {
    invalid_key(key, &format!("must be {what}"))
}

fn invalid_key(key: &str, reason: &str) -> ProtocolError {
    ProtocolError::invalid_meta(format!("has an invalid `{key}`: it {reason}"))
}
