//! A connection: its era is decided by its first request, and stays. Specification: *stdio*;
//! *Versioning, Compatibility Matrix*; 2025-11-25, *Lifecycle*.
//!
//! In the legacy era a connection begins with `initialize`. What the client says there holds for all
//! later requests. In the modern era each request says it by itself.

use std::str::FromStr as _;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::client::{Client, ClientInfo};
use super::protocol_version;
use crate::error::ProtocolError;
use crate::wire::capabilities::ClientCapabilities;
use crate::wire::logging::LoggingLevel;
use crate::wire::version::{Era, ProtocolVersion};

pub(crate) const INITIALIZE: &str = "initialize";
/// "The client SHOULD NOT send requests other than pings before the server has responded to the
/// `initialize` request."
const PING: &str = "ping";

/// What a connection speaks.
#[derive(Debug, Clone, Default)]
pub(crate) enum Speaks {
    /// There was no request yet whose era is known.
    #[default]
    Undecided,
    /// Requests carry `_meta`.
    Modern,
    /// The connection begins with `initialize`.
    Legacy(Arc<LegacyConnection>),
}

/// A connection of the legacy era.
#[derive(Debug, Default)]
pub(crate) struct LegacyConnection {
    handshake: OnceLock<Handshake>,
    /// The level that the client set. 2025-11-25, *Logging*: without it, "the server MAY decide".
    log_level: Mutex<Option<LoggingLevel>>,
}

/// What was agreed in the handshake.
#[derive(Debug)]
struct Handshake {
    version: ProtocolVersion,
    info: Option<ClientInfo>,
    capabilities: ClientCapabilities,
}

/// The level of log notifications before the client sets one.
const LOG_LEVEL: LoggingLevel = LoggingLevel::Info;

impl LegacyConnection {
    /// The agreed version, once `initialize` was answered.
    pub(crate) fn version(&self) -> Option<ProtocolVersion> {
        self.handshake.get().map(|handshake| handshake.version)
    }

    /// Notes what the client said in `initialize`. What it said first stays.
    pub(crate) fn open(&self, agreed: ProtocolVersion, params: Option<&RawValue>) {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Said<'a> {
            #[serde(borrow)]
            capabilities: Option<&'a RawValue>,
            #[serde(borrow)]
            client_info: Option<&'a RawValue>,
        }
        let said = params.and_then(|params| serde_json::from_str::<Said<'_>>(params.get()).ok());
        let (capabilities, info) =
            said.map_or((None, None), |said| (said.capabilities, said.client_info));
        let capabilities = capabilities.and_then(|raw| serde_json::from_str(raw.get()).ok());
        let _first = self.handshake.set(Handshake {
            version: agreed,
            info: info.and_then(|raw| serde_json::from_str(raw.get()).ok()),
            capabilities: ClientCapabilities::at(capabilities.unwrap_or_default(), agreed),
        });
    }

    /// Sets the minimum level of log notifications.
    pub(crate) fn set_log_level(&self, level: LoggingLevel) {
        *self
            .log_level
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(level);
    }

    /// The client of a request: what the request says, and what the handshake said.
    pub(super) fn client(&self, said: Client) -> Client {
        let level = *self
            .log_level
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let handshake = self.handshake.get();
        Client {
            info: handshake.and_then(|handshake| handshake.info.clone()),
            capabilities: handshake
                .map(|handshake| handshake.capabilities.clone())
                .unwrap_or_default(),
            log_level: Some(level.unwrap_or(LOG_LEVEL)),
            ..said
        }
    }
}

impl Speaks {
    /// The era, if it is decided.
    pub(super) const fn era(&self) -> Option<Era> {
        match self {
            Self::Undecided => None,
            Self::Modern => Some(Era::Modern),
            Self::Legacy(_) => Some(Era::Legacy),
        }
    }

    /// The version of every message, if it is known.
    pub(super) fn version(&self) -> Option<ProtocolVersion> {
        match self {
            Self::Undecided => None,
            Self::Modern => Some(ProtocolVersion::NEWEST),
            Self::Legacy(connection) => connection.version(),
        }
    }

    /// The legacy connection, if it is one.
    pub(crate) const fn legacy(&self) -> Option<&Arc<LegacyConnection>> {
        match self {
            Self::Legacy(connection) => Some(connection),
            Self::Undecided | Self::Modern => None,
        }
    }

    /// Decides the era by a request, unless it is decided. `envelope` is the version in its `_meta`.
    ///
    /// A version that is not supported decides nothing: the client selects another one.
    #[cfg_attr(
        not(feature = "stdio"),
        expect(dead_code, reason = "only stdio has connections")
    )]
    #[must_use]
    pub(super) fn after(self, envelope: Option<&str>) -> Self {
        match (self, envelope) {
            (Self::Undecided, None) => Self::Legacy(Arc::default()),
            (Self::Undecided, Some(version)) => match ProtocolVersion::from_str(version) {
                Ok(version) if version.era() == Era::Modern => Self::Modern,
                Ok(_) => Self::Legacy(Arc::default()),
                Err(_) => Self::Undecided,
            },
            (decided, _) => decided,
        }
    }

    /// Decides the version of a message. `method` is that of a request or notification.
    ///
    /// # Errors
    ///
    /// The version is not supported or of the other era, or `initialize` has to come first.
    pub(super) fn decide(
        &self,
        method: Option<&str>,
        envelope: Option<&str>,
    ) -> Result<ProtocolVersion, ProtocolError> {
        let refuse = |reason: &str| Err(ProtocolError::invalid_request(reason));
        let is_modern = envelope.is_some_and(|version| Era::of(version) == Era::Modern);
        match self {
            Self::Undecided => envelope.map_or(Ok(ProtocolVersion::UNNAMED), |version| {
                protocol_version::supported(version)
            }),
            Self::Modern => match (method, envelope) {
                (Some(INITIALIZE), None) => refuse(
                    "this connection began with a request of version 2026-07-28, which has no \
                     `initialize`; supported versions are 2026-07-28 and, on a new connection that \
                     begins with `initialize`, 2025-11-25, 2025-06-18, 2025-03-26 and 2024-11-05",
                ),
                (_, None) => Ok(ProtocolVersion::NEWEST),
                (_, Some(version)) => match protocol_version::supported(version)? {
                    version if version.era() == Era::Modern => Ok(version),
                    _ => refuse(
                        "this connection began with a request of version 2026-07-28; open a new \
                         one for a version with `initialize`",
                    ),
                },
            },
            Self::Legacy(_) if is_modern => refuse(
                "this connection began without `_meta`, so all its requests are of a version with \
                 `initialize`; open a new one for version 2026-07-28",
            ),
            Self::Legacy(connection) => match (connection.version(), method) {
                (Some(_), Some(INITIALIZE)) => refuse("`initialize` was answered already"),
                (Some(version), _) => Ok(version),
                (None, None | Some(INITIALIZE | PING)) => Ok(ProtocolVersion::UNNAMED),
                (None, Some(_)) => refuse(
                    "the first request must be `initialize`, or have `_meta` with \
                     `io.modelcontextprotocol/protocolVersion`",
                ),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::code;

    fn initialized(version: ProtocolVersion) -> Speaks {
        let connection = LegacyConnection::default();
        connection.open(version, None);
        Speaks::Legacy(Arc::new(connection))
    }

    #[test]
    fn the_first_request_of_a_known_version_decides_the_era() {
        let rows = [
            (None, Some(Era::Legacy)),
            (Some("2026-07-28"), Some(Era::Modern)),
            (Some("2025-11-25"), Some(Era::Legacy)),
            (Some("2099-01-01"), None),
            (Some("latest"), None),
        ];
        for (envelope, era) in rows {
            assert_eq!(Speaks::Undecided.after(envelope).era(), era, "{envelope:?}");
            for decided in [Speaks::Modern, Speaks::Legacy(Arc::default())] {
                let before = decided.era();
                assert_eq!(decided.after(envelope).era(), before, "{envelope:?}");
            }
        }
    }

    #[test]
    fn a_connection_keeps_its_era() {
        let legacy = || Speaks::Legacy(Arc::default());
        let newest = || initialized(ProtocolVersion::V2025_11_25);
        let refused = Err(code::INVALID_REQUEST);
        let unsupported = Err(code::UNSUPPORTED_PROTOCOL_VERSION);
        let modern = Some("2026-07-28");
        let rows = [
            (Speaks::Undecided, "tools/list", Some("v9"), unsupported),
            (Speaks::Modern, "tools/list", modern, Ok("2026-07-28")),
            (
                Speaks::Modern,
                "tools/list",
                Some("2099-01-01"),
                unsupported,
            ),
            (Speaks::Modern, "tools/list", Some("2025-11-25"), refused),
            (Speaks::Modern, "tools/list", None, Ok("2026-07-28")),
            (Speaks::Modern, INITIALIZE, None, refused),
            (Speaks::Modern, INITIALIZE, modern, Ok("2026-07-28")),
            (legacy(), INITIALIZE, None, Ok("2025-03-26")),
            (legacy(), PING, None, Ok("2025-03-26")),
            (legacy(), "tools/list", None, refused),
            (legacy(), "tools/list", Some("2025-11-25"), refused),
            (legacy(), "tools/list", modern, refused),
            (newest(), "tools/list", None, Ok("2025-11-25")),
            (newest(), "tools/list", Some("2025-06-18"), Ok("2025-11-25")),
            (newest(), "tools/list", modern, refused),
            (newest(), INITIALIZE, None, refused),
        ];
        for (speaks, method, envelope, expected) in rows {
            let decided = speaks.decide(Some(method), envelope);
            let got = decided
                .as_ref()
                .map(|version| version.as_str())
                .map_err(|error| error.code(Era::Modern));
            assert_eq!(got, expected, "{speaks:?} {method} {envelope:?}");
        }
    }

    #[test]
    fn the_handshake_tells_who_the_client_is() {
        let params = r#"{"clientInfo":{"name":"desk","version":"1"},
            "capabilities":{"elicitation":{"url":{}},"sampling":{},"roots":{"listChanged":true}}}"#;
        let params: Box<RawValue> = serde_json::from_str(params).unwrap();
        let rows = [
            (ProtocolVersion::V2025_11_25, (false, true)),
            (ProtocolVersion::V2025_06_18, (true, false)),
            (ProtocolVersion::V2025_03_26, (false, false)),
        ];
        for (version, modes) in rows {
            let connection = LegacyConnection::default();
            connection.open(version, Some(&params));
            let client = connection.client(Client::default());
            assert_eq!(client.info.unwrap().name, "desk");
            let can = client.capabilities;
            assert!(can.supports_sampling() && can.supports_roots(), "{version}");
            let (forms, urls) = (
                can.supports_form_elicitation(),
                can.supports_url_elicitation(),
            );
            assert_eq!((forms, urls), modes, "{version}");
        }
    }
}
