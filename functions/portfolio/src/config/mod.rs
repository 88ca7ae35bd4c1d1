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
mod tests;
