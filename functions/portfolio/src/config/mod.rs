//! The function's configuration: the only code that reads environment variables.
//!
//! All faults are reported together, each with its variable's name. A variable that is empty counts
//! as not set, as templates leave it.

mod credentials;
mod limits;
mod reader;

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use lambda_mcp::auth::{Auth, HttpsUrl, InvalidHttpsUrl};
use lambda_mcp::lambda::LogLevel;
use lambda_mcp::limit::Limits;
use lambda_mcp::server::{
    HeaderOnlyRequests, Hosts, InvalidRequestStateKey, Origins, RequestStateKey,
};

use crate::contact::{ContactAuth, ContactConfig};
use reader::Reader;

/// The limits of `contact` unless `RATE_LIMITS` has others: a person writes one message, and a few
/// more; all callers together do not fill a mailbox.
const CONTACT_LIMITS: &str = "contact=3/1h,20/1d,total:100/1d";

/// What the environment says.
#[derive(Debug)]
pub(crate) struct Config {
    /// `ALLOWED_ORIGINS`: which web pages may call; `None` is the library's default.
    pub(crate) origins: Option<Origins>,
    /// `ALLOWED_HOSTS`: which host names are answered; `None` is the library's default.
    pub(crate) hosts: Option<Hosts>,
    /// `HEADER_ONLY_REQUESTS`: `reject` or `allow`.
    pub(crate) header_only: HeaderOnlyRequests,
    /// `PUBLIC_URL`: the URL in front of the endpoint's path.
    pub(crate) public_url: Option<String>,
    /// `LOG_LEVEL`: `info` unless it is set.
    pub(crate) log_level: LogLevel,
    /// `CONTENT_DIR`: where the owner's files are; `None` is the copy in the binary.
    pub(crate) content_dir: Option<PathBuf>,
    /// `REQUEST_STATE_KEY`: seals what a client carries between two rounds of a request; `None` is a
    /// key of this process alone. The text is the key, byte for byte, in no encoding.
    pub(crate) request_state_key: Option<RequestStateKey>,
    /// `RESPONSE_STREAMING`: whether responses are streamed, as the front must then expect.
    pub(crate) response_streaming: bool,
    /// `CONTACT_…`, `RESEND_…`: how messages to the owner are delivered; `None` is not at all.
    pub(crate) contact: Option<ContactConfig>,
    /// `API_KEYS`, `JWT_…`, `AUTHORIZATION_SERVERS`: how callers are known.
    pub(crate) auth: Auth,
    /// `RATE_LIMITS`, `RATE_LIMIT_TABLE`: how often tools may be called; `None` is as often as wanted.
    pub(crate) limits: Option<Limits>,
}

/// Variables that cannot be used: one line each.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InvalidConfig {
    /// What is wrong, variable by variable.
    pub(crate) faults: Vec<String>,
}

impl fmt::Display for InvalidConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.faults.join("\n"))
    }
}

impl std::error::Error for InvalidConfig {}

impl Config {
    /// Reads the variables that `variable` gives.
    ///
    /// # Errors
    ///
    /// All variables whose values cannot be used.
    pub(crate) fn read(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, InvalidConfig> {
        let mut reader = Reader::new(&variable);
        let is_on_lambda = is_on_lambda(&reader);
        let contact = contact(&mut reader, is_on_lambda);
        let shipped = if contact.is_some() {
            CONTACT_LIMITS
        } else {
            ""
        };
        let config = Self {
            origins: reader.parse("ALLOWED_ORIGINS", Origins::parse),
            hosts: reader.parse("ALLOWED_HOSTS", Hosts::parse),
            header_only: reader
                .parse("HEADER_ONLY_REQUESTS", header_only)
                .unwrap_or_default(),
            public_url: reader.parse("PUBLIC_URL", public_url),
            log_level: reader.parse("LOG_LEVEL", str::parse).unwrap_or_default(),
            content_dir: reader.value("CONTENT_DIR").map(PathBuf::from),
            request_state_key: reader.parse("REQUEST_STATE_KEY", request_state_key),
            response_streaming: reader.parse("RESPONSE_STREAMING", flag).unwrap_or_default(),
            contact,
            auth: credentials::read(&mut reader),
            limits: limits::read(&mut reader, shipped, is_on_lambda),
        };
        if reader.faults.is_empty() {
            Ok(config)
        } else {
            Err(InvalidConfig {
                faults: reader.faults,
            })
        }
    }
}

/// Whether this runs on AWS, and not in front of an emulator on somebody's machine.
///
/// Lambda sets this one for every function. `AWS_LAMBDA_RUNTIME_API` will not do, since emulators
/// have to set it; nor `AWS_EXECUTION_ENV`, which a runtime that is an operating system alone, as
/// `provided.al2023` is, does not get.
fn is_on_lambda(reader: &Reader<'_>) -> bool {
    reader.is_set("LAMBDA_TASK_ROOT")
}

/// Reads how messages are delivered. Who may send them is of no use without a way to know them.
fn contact(reader: &mut Reader<'_>, is_on_lambda: bool) -> Option<ContactConfig> {
    let read = ContactConfig::read(|name| reader.value(name)?.into_string().ok(), is_on_lambda);
    let contact = read.unwrap_or_else(|faults| {
        reader.faults.extend(faults);
        None
    });
    let is_closed = |contact: &ContactConfig| contact.auth == ContactAuth::Bearer;
    if contact.as_ref().is_some_and(is_closed) && !credentials::are_set(reader) {
        let fault = "`bearer` needs API_KEYS or JWT_ISSUER, or nobody can send anything; write \
                     `none` to let anybody";
        reader.fault("CONTACT_AUTH", fault);
    }
    contact
}

fn header_only(text: &str) -> Result<HeaderOnlyRequests, &'static str> {
    match text {
        "reject" => Ok(HeaderOnlyRequests::Reject),
        "allow" => Ok(HeaderOnlyRequests::Allow),
        _ => Err("must be `reject` or `allow`"),
    }
}

/// The key is the text itself, so that any tool that makes a long random text makes a key.
fn request_state_key(text: &str) -> Result<RequestStateKey, InvalidRequestStateKey> {
    RequestStateKey::new(text)
}

fn flag(text: &str) -> Result<bool, &'static str> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("must be `true` or `false`"),
    }
}

/// Reads a URL that clients are told: it has to be one that they can trust with a token.
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
    fn nothing_set_and_everything_empty_are_the_defaults() {
        let defaults = Config {
            origins: None,
            hosts: None,
            header_only: HeaderOnlyRequests::Reject,
            public_url: None,
            log_level: LogLevel::default(),
            content_dir: None,
            request_state_key: None,
            response_streaming: false,
            contact: None,
            auth: Auth::new(),
            limits: None,
        };
        assert_eq!(shown(&read(&[]).unwrap()), shown(&defaults));
        let empty = [
            "ALLOWED_ORIGINS",
            "ALLOWED_HOSTS",
            "HEADER_ONLY_REQUESTS",
            "PUBLIC_URL",
            "LOG_LEVEL",
            "CONTENT_DIR",
            "REQUEST_STATE_KEY",
            "RESPONSE_STREAMING",
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
            ("PUBLIC_URL", "https://mcp.example.com/base/"),
            ("LOG_LEVEL", "debug"),
            ("CONTENT_DIR", "my/content"),
            ("REQUEST_STATE_KEY", key),
            ("RESPONSE_STREAMING", "true"),
        ])
        .unwrap();
        let expected = Config {
            origins: Origins::parse("https://a.example,http://localhost:*").ok(),
            hosts: Some(Hosts::any()),
            header_only: HeaderOnlyRequests::Allow,
            public_url: Some("https://mcp.example.com/base".to_owned()),
            log_level: "debug".parse().unwrap(),
            content_dir: Some("my/content".into()),
            request_state_key: RequestStateKey::new(key).ok(),
            response_streaming: true,
            contact: None,
            auth: Auth::new(),
            limits: None,
        };
        assert!(expected.request_state_key.is_some());
        assert_eq!(shown(&config), shown(&expected));
        assert!(!shown(&config).contains(key));
    }

    #[test]
    fn a_key_is_long_enough_and_a_fault_does_not_show_it() {
        let faults = read(&[
            ("REQUEST_STATE_KEY", "0123456789abcdef0123456789abcde"),
            ("RESPONSE_STREAMING", "yes-secret"),
        ])
        .unwrap_err()
        .faults;
        assert_eq!(
            faults,
            [
                "REQUEST_STATE_KEY: the key must have at least 32 bytes",
                "RESPONSE_STREAMING: must be `true` or `false`",
            ]
        );
    }

    #[test]
    fn all_faults_are_reported_together_with_their_names() {
        let faults = read(&[
            ("ALLOWED_ORIGINS", "a.example"),
            ("ALLOWED_HOSTS", "https://a.example"),
            ("HEADER_ONLY_REQUESTS", "yes"),
            ("PUBLIC_URL", "mcp.example.com"),
            ("LOG_LEVEL", "loud"),
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
                "PUBLIC_URL",
                "LOG_LEVEL",
                "API_KEYS",
                "RATE_LIMITS",
            ]
        );
    }

    #[test]
    fn a_public_url_is_https_or_this_machine() {
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
