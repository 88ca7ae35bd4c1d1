//! The function's configuration: the only code that reads environment variables.
//!
//! All faults are reported together, each with the variable's name. A blank variable counts as unset.

mod contact;
mod credentials;
mod limits;
mod parameters;
mod reader;
mod tasks;

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use lambda_mcp::auth::{Auth, HttpsUrl, InvalidHttpsUrl};
use lambda_mcp::lambda::{LogLevel, Metrics};
use lambda_mcp::limit::Limits;
use lambda_mcp::server::{
    HeaderOnlyRequests, Hosts, InvalidRequestStateKey, LegacyHandshake, Origins, RequestStateKey,
};

use lambda_mcp::tasks::Tasks;

use crate::about::SERVER_NAME;
use crate::contact::{Confirm, ContactSettings};
use reader::Reader;

/// Default limits of `contact`: enough for one person's messages, and a total that does not fill a
/// mailbox. Anonymous senders cannot use it up for those with a credential.
const CONTACT_LIMITS: &str = "contact=3/1h,20/1d,total:100/1d:reserve=20";

/// The settings of the function.
#[derive(Debug)]
pub(crate) struct Config {
    /// `ALLOWED_ORIGINS`: origins whose web pages may call. Defaults to `*`.
    pub(crate) origins: Origins,
    /// `ALLOWED_HOSTS`: accepted host names. `None` is the library's default.
    pub(crate) hosts: Option<Hosts>,
    /// `HEADER_ONLY_REQUESTS`: `reject` (default) or `allow`.
    pub(crate) header_only: HeaderOnlyRequests,
    /// `LEGACY_HANDSHAKE`: `optional` (default) or `required`.
    pub(crate) legacy_handshake: LegacyHandshake,
    /// `PUBLIC_URL`: base URL, without the path of the endpoint.
    pub(crate) public_url: Option<String>,
    /// `LOG_LEVEL`. Defaults to `info`.
    pub(crate) log_level: LogLevel,
    /// `LOG_METRICS`: `off` (default), `totals` or `all`. `None`: without metrics.
    pub(crate) metrics: Option<Metrics>,
    /// `CONTENT_DIR`: directory of the owner's files. `None` is the copy in the binary.
    pub(crate) content_dir: Option<PathBuf>,
    /// `REQUEST_STATE_KEY`: key that signs `requestState`. The bytes of the text are the key; no
    /// encoding applies. `None` is a random key of this process.
    pub(crate) request_state_key: Option<RequestStateKey>,
    /// `REQUEST_STATE_TABLE`: DynamoDB table that holds the key instead, shared by all instances.
    pub(crate) request_state_table: Option<String>,
    /// `RESPONSE_STREAMING`: whether responses are streamed. The gateway must expect it.
    pub(crate) response_streaming: bool,
    /// Settings of message delivery (`CONTACT_…`, `RESEND_…`). `None` if the tool `contact` is not offered.
    pub(crate) contact: Option<ContactSettings>,
    /// `TASK_FUNCTION`: the worker that runs `contact` as a task, by the ARN of an alias. `None`: it runs
    /// within the call.
    pub(crate) tasks: Option<Tasks>,
    /// `API_KEYS`, `JWT_…`, `AUTHORIZATION_SERVERS`: how callers are authenticated.
    pub(crate) auth: Auth,
    /// `RATE_LIMITS`, `RATE_LIMIT_TABLE`: how often tools may be called. `None`: without limits.
    pub(crate) limits: Option<Limits>,
}

/// Variables with invalid values.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InvalidConfig {
    /// One line per fault; it starts with the variable's name.
    pub(crate) faults: Vec<String>,
}

impl fmt::Display for InvalidConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.faults.join("\n"))
    }
}

impl std::error::Error for InvalidConfig {}

impl Config {
    /// Reads the settings; `variable` returns the value of an environment variable.
    ///
    /// # Errors
    ///
    /// Returns all faults of all variables.
    pub(crate) fn read(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, InvalidConfig> {
        let mut reader = Reader::new(&variable);
        let is_on_lambda = is_on_lambda(&reader);
        let parameters = parameters::read(&mut reader);
        let contact = contact::read(&mut reader, &parameters, is_on_lambda);
        let has_contact = contact.is_some();
        let default_limits = if has_contact { CONTACT_LIMITS } else { "" };
        let config = Self {
            origins: reader
                .parse("ALLOWED_ORIGINS", str::parse)
                .unwrap_or_else(Origins::any),
            hosts: reader.parse("ALLOWED_HOSTS", str::parse),
            header_only: reader
                .parse("HEADER_ONLY_REQUESTS", str::parse)
                .unwrap_or_default(),
            legacy_handshake: reader
                .parse("LEGACY_HANDSHAKE", str::parse)
                .unwrap_or_default(),
            public_url: reader.parse("PUBLIC_URL", public_url),
            log_level: reader.parse("LOG_LEVEL", str::parse).unwrap_or_default(),
            metrics: metrics(&mut reader),
            content_dir: reader.value("CONTENT_DIR").map(PathBuf::from),
            request_state_key: reader.parse("REQUEST_STATE_KEY", request_state_key),
            request_state_table: request_state_table(&mut reader),
            response_streaming: reader.parse("RESPONSE_STREAMING", flag).unwrap_or_default(),
            contact,
            tasks: tasks::read(&mut reader),
            auth: credentials::read(&mut reader, &parameters),
            limits: limits::read(&mut reader, default_limits, has_contact, is_on_lambda),
        };
        let has_key = config.request_state_key.is_some() || config.request_state_table.is_some();
        if is_on_lambda && !has_key && config.asks() {
            let fault = "`ask` needs REQUEST_STATE_TABLE or REQUEST_STATE_KEY: the answer can reach another \
                         instance than the question, and all instances need one key";
            reader.fault("CONTACT_CONFIRM", fault);
        }
        if is_on_lambda && !has_key && config.tasks.is_some() {
            let fault = "needs REQUEST_STATE_TABLE or REQUEST_STATE_KEY: all instances sign and name tasks \
                         with one key";
            reader.fault(tasks::FUNCTION, fault);
        }
        if is_on_lambda && !has_key && config.requires_handshake() {
            let fault = "`required` needs REQUEST_STATE_TABLE or REQUEST_STATE_KEY: the next request can reach \
                         another instance, and all instances need one key";
            reader.fault("LEGACY_HANDSHAKE", fault);
        }
        if reader.faults.is_empty() {
            Ok(config)
        } else {
            Err(InvalidConfig {
                faults: reader.faults,
            })
        }
    }
}

impl Config {
    /// Whether `contact` asks users.
    fn asks(&self) -> bool {
        { self.contact.as_ref() }.is_some_and(|contact| contact.confirm == Confirm::Ask)
    }

    /// Whether clients with a handshake must show it.
    fn requires_handshake(&self) -> bool {
        self.legacy_handshake == LegacyHandshake::Required
    }

    /// Whether the function signs what clients store: questions, the ids of tasks, or those of sessions.
    #[cfg(feature = "dynamodb")]
    pub(crate) fn signs(&self) -> bool {
        self.asks() || self.requires_handshake() || (self.contact.is_some() && self.tasks.is_some())
    }
}

/// Returns whether the function runs on AWS, and not on an emulator.
///
/// Lambda sets `LAMBDA_TASK_ROOT` for every function. `AWS_LAMBDA_RUNTIME_API` does not tell them
/// apart, because emulators must set it. `AWS_EXECUTION_ENV` is not set in OS-only runtimes such as
/// `provided.al2023`.
fn is_on_lambda(reader: &Reader<'_>) -> bool {
    reader.is_set("LAMBDA_TASK_ROOT")
}

/// The bytes of the text are the key, so any long random text is a key.
fn request_state_key(text: &str) -> Result<RequestStateKey, InvalidRequestStateKey> {
    RequestStateKey::new(text)
}

/// Reads the table of the key. A key of its own and a table are a fault.
fn request_state_table(reader: &mut Reader<'_>) -> Option<String> {
    const TABLE: &str = "REQUEST_STATE_TABLE";
    let table = reader.text(TABLE)?;
    if reader.is_set("REQUEST_STATE_KEY") {
        reader.fault(TABLE, "and REQUEST_STATE_KEY are both set; keep one");
    }
    Some(table)
}

/// Reads which metrics the log has. They are named after the function, as Lambda reports it.
fn metrics(reader: &mut Reader<'_>) -> Option<Metrics> {
    let service = reader.text("AWS_LAMBDA_FUNCTION_NAME");
    let service = service.unwrap_or_else(|| SERVER_NAME.to_owned());
    let parse = |text: &str| match text {
        "off" => Ok(None),
        "totals" => Ok(Some(Metrics::totals(service))),
        "all" => Ok(Some(Metrics::all(service))),
        _ => Err("must be `off`, `totals` or `all`"),
    };
    reader.parse("LOG_METRICS", parse).flatten()
}

fn flag(text: &str) -> Result<bool, &'static str> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("must be `true` or `false`"),
    }
}

/// A base URL that clients can reach safely: https, or http to a loopback address for local runs.
fn public_url(text: &str) -> Result<String, InvalidHttpsUrl> {
    let base = text.parse::<HttpsUrl>()?.into_base()?;
    Ok(base.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Config, InvalidConfig> {
        Config::read(|name| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value.into())
        })
    }

    /// What was read, in a form that can be compared; a key shows as that it is there.
    fn shown(config: &Config) -> String {
        format!("{config:?}")
    }

    #[test]
    fn unset_and_blank_variables_have_their_defaults() {
        let defaults = Config {
            origins: Origins::any(),
            hosts: None,
            header_only: HeaderOnlyRequests::Reject,
            legacy_handshake: LegacyHandshake::Optional,
            public_url: None,
            log_level: LogLevel::default(),
            metrics: None,
            content_dir: None,
            request_state_key: None,
            request_state_table: None,
            response_streaming: false,
            contact: None,
            tasks: None,
            auth: Auth::new(),
            limits: None,
        };
        assert_eq!(shown(&read(&[]).unwrap()), shown(&defaults));
        let empty = [
            "ALLOWED_ORIGINS",
            "ALLOWED_HOSTS",
            "HEADER_ONLY_REQUESTS",
            "LEGACY_HANDSHAKE",
            "PUBLIC_URL",
            "LOG_LEVEL",
            "CONTENT_DIR",
            "REQUEST_STATE_KEY",
            "REQUEST_STATE_TABLE",
            "RESPONSE_STREAMING",
            "TASK_FUNCTION",
        ];
        let config = read(&empty.map(|name| (name, ""))).unwrap();
        assert_eq!(shown(&config), shown(&defaults));
    }

    #[test]
    fn each_variable_is_read_into_its_type() {
        let key = "0123456789abcdef0123456789abcdef";
        let config = read(&[
            ("ALLOWED_ORIGINS", "https://a.example, http://localhost:*"),
            ("ALLOWED_HOSTS", "*"),
            ("HEADER_ONLY_REQUESTS", "allow"),
            ("LEGACY_HANDSHAKE", "required"),
            ("PUBLIC_URL", "https://mcp.example.com/base/"),
            ("LOG_LEVEL", "debug"),
            ("LOG_METRICS", "all"),
            ("AWS_LAMBDA_FUNCTION_NAME", "portfolio-McpFunction-1"),
            ("CONTENT_DIR", "my/content"),
            ("REQUEST_STATE_KEY", key),
            ("RESPONSE_STREAMING", "true"),
        ])
        .unwrap();
        let expected = Config {
            origins: "https://a.example,http://localhost:*".parse().unwrap(),
            hosts: Some(Hosts::any()),
            header_only: HeaderOnlyRequests::Allow,
            legacy_handshake: LegacyHandshake::Required,
            public_url: Some("https://mcp.example.com/base".to_owned()),
            log_level: "debug".parse().unwrap(),
            metrics: Some(Metrics::all("portfolio-McpFunction-1")),
            content_dir: Some("my/content".into()),
            request_state_key: RequestStateKey::new(key).ok(),
            request_state_table: None,
            response_streaming: true,
            contact: None,
            tasks: None,
            auth: Auth::new(),
            limits: None,
        };
        assert!(expected.request_state_key.is_some());
        assert_eq!(shown(&config), shown(&expected));
        assert!(!shown(&config).contains(key));
    }

    #[test]
    fn a_short_key_is_a_fault_that_does_not_show_the_key() {
        let faults = read(&[
            ("REQUEST_STATE_KEY", "0123456789abcdef0123456789abcde"),
            ("RESPONSE_STREAMING", "yes-secret"),
        ])
        .unwrap_err()
        .faults;
        assert_eq!(
            faults,
            [
                "REQUEST_STATE_KEY: the key for request states is too short: use at least 32 bytes",
                "RESPONSE_STREAMING: must be `true` or `false`",
            ]
        );
    }

    #[cfg(feature = "resend")]
    #[test]
    fn on_lambda_a_function_that_asks_needs_a_shared_key() {
        let variables = [
            ("LAMBDA_TASK_ROOT", "/var/task"),
            ("CONTACT_PROVIDER", "resend"),
            ("CONTACT_TO", "owner@example.com"),
            ("CONTACT_FROM", "portfolio@example.com"),
            ("RESEND_API_KEY", "re_1"),
            ("CONTACT_AUTH", "none"),
            ("CONTACT_CONFIRM", "ask"),
            ("RATE_LIMIT_TABLE", "limits"),
        ];
        let faults = read(&variables).unwrap_err().faults;
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].starts_with("CONTACT_CONFIRM: `ask` needs REQUEST_STATE_TABLE"));
        for (name, value) in [
            ("REQUEST_STATE_TABLE", "limits"),
            ("REQUEST_STATE_KEY", "0123456789abcdef0123456789abcdef"),
        ] {
            let more = variables.iter().copied().chain([(name, value)]);
            assert!(read(&more.collect::<Vec<_>>()).is_ok(), "{name}");
        }
        // A local run is one process.
        assert!(read(&variables[1..]).is_ok());
    }

    #[test]
    fn all_faults_are_reported_together_with_their_names() {
        let faults = read(&[
            ("ALLOWED_ORIGINS", "a.example"),
            ("ALLOWED_HOSTS", "https://a.example"),
            ("HEADER_ONLY_REQUESTS", "yes"),
            ("LEGACY_HANDSHAKE", "no"),
            ("PUBLIC_URL", "mcp.example.com"),
            ("LOG_LEVEL", "loud"),
            ("LOG_METRICS", "some"),
            ("API_KEYS", "lmk_key"),
            ("RATE_LIMITS", "3/1h"),
        ])
        .unwrap_err()
        .faults;
        let names: Vec<_> = faults
            .iter()
            .filter_map(|fault| Some(fault.split_once(':')?.0))
            .collect();
        assert_eq!(
            names,
            [
                "ALLOWED_ORIGINS",
                "ALLOWED_HOSTS",
                "HEADER_ONLY_REQUESTS",
                "LEGACY_HANDSHAKE",
                "PUBLIC_URL",
                "LOG_LEVEL",
                "LOG_METRICS",
                "API_KEYS",
                "RATE_LIMITS",
            ]
        );
    }

    #[test]
    fn a_public_url_is_https_or_a_loopback_address() {
        let rows = [
            ("https://mcp.example.com", Some("https://mcp.example.com")),
            ("https://mcp.example.com/", Some("https://mcp.example.com")),
            ("http://localhost:9000", Some("http://localhost:9000")),
            ("http://127.0.0.1:9000/", Some("http://127.0.0.1:9000")),
            ("http://mcp.example.com", None),
            ("http://localhost.evil.example", None),
            ("https://", None),
            ("https://a b", None),
            ("https://a.example/?x", None),
            ("https://user@a.example", None),
        ];
        for (text, expected) in rows {
            assert_eq!(public_url(text).ok().as_deref(), expected, "{text}");
        }
    }
}
