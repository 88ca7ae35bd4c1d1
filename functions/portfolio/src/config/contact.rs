//! The settings of `contact`.
//!
//! | variable | meaning | default |
//! | --- | --- | --- |
//! | `CONTACT_PROVIDER` | `resend`, `ses`, `log` or `off` | `off`: the tool `contact` does not exist |
//! | `CONTACT_TO` | recipient of messages: one e-mail address | required for `resend` and `ses` |
//! | `CONTACT_FROM` | sender of messages: an address, or `Name <address>` | required for `resend` and `ses` |
//! | `RESEND_API_KEY`, `RESEND_API_KEY_PARAMETER` | key for Resend's API, or the SSM parameter that holds it | one is required for `resend` |
//! | `RESEND_BASE_URL` | URL of Resend's API: https, or http to a loopback address | `https://api.resend.com` |
//! | `CONTACT_OUTBOX` | file that `log` appends messages to | required for `log` |
//! | `CONTACT_CONFIRM` | `ask`: the user confirms each message; `never` | `never` |
//! | `CONTACT_AUTH` | `bearer`: a credential is required; `none`: it is recognized, but not required | `bearer` |
//!
//! With `ses`, the table of the limits (`RATE_LIMIT_TABLE`) also recognizes repeated messages.
//! `log` is rejected on AWS Lambda: a file there is lost with the instance, and the message with it.

use std::path::PathBuf;

use super::credentials;
use super::limits::TABLE;
use super::parameters::Parameters;
use super::reader::Reader;
#[cfg(feature = "resend")]
use crate::contact::{BaseUrl, RESEND_BASE_URL, Secret, SecretSource};
use crate::contact::{Confirm, ContactAuth, ContactSettings, EmailAddress, Mailbox, Provider};

const PROVIDER: &str = "CONTACT_PROVIDER";
const TO: &str = "CONTACT_TO";
const FROM: &str = "CONTACT_FROM";
const OUTBOX: &str = "CONTACT_OUTBOX";
const AUTH: &str = "CONTACT_AUTH";

/// A provider's name, before its settings are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ProviderName {
    #[cfg(feature = "resend")]
    Resend,
    #[cfg(feature = "ses")]
    Ses,
    Log,
}

/// Reads the settings. Returns `None` if there is no provider: the tool does not exist, and the
/// other variables are not read. No fault repeats a value.
pub(super) fn read(
    reader: &mut Reader<'_>,
    parameters: &Parameters,
    is_on_lambda: bool,
) -> Option<ContactSettings> {
    let name = reader.parse(PROVIDER, |text| provider_name(text, is_on_lambda))??;
    let to = reader.parse(TO, str::parse::<EmailAddress>);
    let from = reader.parse(FROM, str::parse::<Mailbox>);
    let (to, from) = if name == ProviderName::Log {
        let from = from.unwrap_or_else(|| Mailbox::from(EmailAddress::local()));
        (Some(to.unwrap_or_else(EmailAddress::local)), Some(from))
    } else {
        require(reader, TO);
        require(reader, FROM);
        (to, from)
    };
    let confirm = reader.parse("CONTACT_CONFIRM", confirm).unwrap_or_default();
    let auth = if reader.is_set(AUTH) {
        reader.parse(AUTH, auth)
    } else {
        Some(ContactAuth::default())
    };
    let provider = provider(reader, parameters, name);
    if auth == Some(ContactAuth::Bearer) && !credentials::are_set(reader) {
        let fault = "`bearer` needs API_KEYS or JWT_ISSUER: without them nobody can send a \
                     message. Set one of them, or write `none` to require no credential";
        reader.fault(AUTH, fault);
    }
    let table = reader.text(TABLE);
    Some(ContactSettings {
        provider: provider?,
        to: to?,
        from: from?,
        confirm,
        auth: auth?,
        table,
    })
}

fn provider_name(text: &str, is_on_lambda: bool) -> Result<Option<ProviderName>, &'static str> {
    match text {
        "off" => Ok(None),
        #[cfg(feature = "resend")]
        "resend" => Ok(Some(ProviderName::Resend)),
        #[cfg(not(feature = "resend"))]
        "resend" => Err("this build does not include it; build with `--features resend`"),
        #[cfg(feature = "ses")]
        "ses" => Ok(Some(ProviderName::Ses)),
        #[cfg(not(feature = "ses"))]
        "ses" => Err("this build does not include it; build with `--features ses`"),
        "log" if is_on_lambda => Err(
            "`log` is for local runs: on AWS Lambda its file is lost with the instance. Write \
             `resend` or `ses`",
        ),
        "log" => Ok(Some(ProviderName::Log)),
        _ => Err("must be `resend`, `ses`, `log` or `off`"),
    }
}

#[cfg_attr(
    not(feature = "resend"),
    expect(unused_variables, reason = "only Resend needs a secret")
)]
fn provider(
    reader: &mut Reader<'_>,
    parameters: &Parameters,
    name: ProviderName,
) -> Option<Provider> {
    match name {
        #[cfg(feature = "resend")]
        ProviderName::Resend => {
            let api_key = resend_api_key(reader, parameters);
            let base_url = if reader.is_set("RESEND_BASE_URL") {
                reader.parse("RESEND_BASE_URL", str::parse::<BaseUrl>)
            } else {
                RESEND_BASE_URL.parse().ok()
            };
            Some(Provider::Resend {
                base_url: base_url?,
                api_key: api_key?,
            })
        }
        #[cfg(feature = "ses")]
        ProviderName::Ses => Some(Provider::Ses),
        ProviderName::Log => {
            require(reader, OUTBOX);
            let outbox = reader.value(OUTBOX).map(PathBuf::from)?;
            Some(Provider::Log { outbox })
        }
    }
}

#[cfg(feature = "resend")]
fn resend_api_key(reader: &mut Reader<'_>, parameters: &Parameters) -> Option<SecretSource> {
    if let Some((secrets, name)) = parameters.of("RESEND_API_KEY_PARAMETER") {
        return Some(SecretSource::Parameter { secrets, name });
    }
    require(reader, "RESEND_API_KEY");
    let key = reader.parse("RESEND_API_KEY", str::parse::<Secret>);
    key.map(SecretSource::Value)
}

fn require(reader: &mut Reader<'_>, name: &str) {
    if !reader.is_set(name) {
        reader.fault(name, "is missing; CONTACT_PROVIDER requires it");
    }
}

fn confirm(text: &str) -> Result<Confirm, &'static str> {
    match text {
        "ask" => Ok(Confirm::Ask),
        "never" => Ok(Confirm::Never),
        _ => Err("must be `ask` or `never`"),
    }
}

fn auth(text: &str) -> Result<ContactAuth, &'static str> {
    match text {
        "bearer" => Ok(ContactAuth::Bearer),
        "none" => Ok(ContactAuth::None),
        _ => Err("must be `bearer` or `none`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A credential, so that the default `CONTACT_AUTH` is satisfied.
    const ISSUER: (&str, &str) = ("JWT_ISSUER", "https://login.example.com");

    fn read(variables: &[(&str, &str)]) -> Result<Option<ContactSettings>, Vec<String>> {
        read_on(variables, false)
    }

    fn read_on(
        variables: &[(&str, &str)],
        is_on_lambda: bool,
    ) -> Result<Option<ContactSettings>, Vec<String>> {
        let variable = |name: &str| {
            let all = variables.iter().chain([&ISSUER]);
            let found = { all }.find(|(known, _)| *known == name);
            found.map(|(_, value)| value.into())
        };
        let mut reader = Reader::new(&variable);
        let parameters = crate::config::parameters::read(&mut reader);
        let settings = super::read(&mut reader, &parameters, is_on_lambda);
        if reader.faults.is_empty() {
            Ok(settings)
        } else {
            Err(reader.faults)
        }
    }

    #[test]
    fn without_a_provider_the_other_variables_are_not_read() {
        let other = ("CONTACT_TO", "nonsense");
        for provider in ["", " ", "off"] {
            assert!(
                read(&[("CONTACT_PROVIDER", provider), other])
                    .unwrap()
                    .is_none()
            );
        }
        assert!(read(&[other]).unwrap().is_none());
    }

    #[test]
    fn a_local_run_needs_only_a_file_and_is_rejected_on_lambda() {
        let variables = [("CONTACT_PROVIDER", "log"), ("CONTACT_OUTBOX", "out.jsonl")];
        let config = read(&variables).unwrap().unwrap();
        assert_eq!(config.mailer().name(), "outbox");
        assert_eq!(
            (config.confirm, config.auth),
            (Confirm::Never, ContactAuth::Bearer)
        );
        assert_eq!(config.to.as_str(), "owner@localhost");
        let faults = read_on(&variables, true).unwrap_err();
        assert!(
            faults[0].starts_with("CONTACT_PROVIDER: `log` is for local runs"),
            "{faults:?}"
        );
        let faults = read(&variables[..1]).unwrap_err();
        assert_eq!(
            faults,
            ["CONTACT_OUTBOX: is missing; CONTACT_PROVIDER requires it"]
        );
    }

    #[cfg(feature = "resend")]
    #[test]
    fn resend_takes_a_key_and_two_addresses() {
        let variables = [
            ("CONTACT_PROVIDER", "resend"),
            ("CONTACT_TO", "owner@owner.example"),
            ("CONTACT_FROM", "Portfolio <portfolio@owner.example>"),
            ("RESEND_API_KEY", " re_secret\n"),
            ("CONTACT_CONFIRM", "ask"),
            ("CONTACT_AUTH", "none"),
        ];
        let config = read_on(&variables, true).unwrap().unwrap();
        assert_eq!(config.mailer().name(), "resend");
        assert_eq!(
            (config.confirm, config.auth),
            (Confirm::Ask, ContactAuth::None)
        );
        let shown = format!("{config:?} {:?}", config.mailer());
        assert!(
            !shown.contains("re_secret") && !shown.contains("owner@"),
            "{shown}"
        );
    }

    #[cfg(feature = "resend")]
    #[test]
    fn all_faults_are_reported_together_without_the_values() {
        let faults = read(&[
            ("CONTACT_PROVIDER", "resend"),
            ("CONTACT_TO", "SENTINEL"),
            ("RESEND_API_KEY", "re SENTINEL"),
            ("RESEND_BASE_URL", "http://SENTINEL.example"),
            ("CONTACT_CONFIRM", "SENTINEL"),
            ("CONTACT_AUTH", "SENTINEL"),
        ]);
        let faults = faults.unwrap_err();
        let names: Vec<_> = faults
            .iter()
            .filter_map(|fault| Some(fault.split_once(':')?.0))
            .collect();
        let expected = [
            "CONTACT_TO",
            "CONTACT_FROM",
            "CONTACT_CONFIRM",
            "CONTACT_AUTH",
            "RESEND_API_KEY",
            "RESEND_BASE_URL",
        ];
        assert_eq!(names, expected);
        assert!(!faults.concat().contains("SENTINEL"), "{faults:?}");
        let faults = read(&[("CONTACT_PROVIDER", "SENTINEL")]).unwrap_err();
        assert_eq!(
            faults,
            ["CONTACT_PROVIDER: must be `resend`, `ses`, `log` or `off`"]
        );
    }

    #[cfg(not(feature = "ses"))]
    #[test]
    fn a_provider_that_this_build_does_not_include_is_a_fault() {
        let faults = read(&[("CONTACT_PROVIDER", "ses")]).unwrap_err();
        assert!(
            faults[0].starts_with("CONTACT_PROVIDER: this build does not include it"),
            "{faults:?}"
        );
    }

    #[cfg(feature = "ses")]
    #[test]
    fn ses_takes_two_addresses() {
        let mut variables = vec![("CONTACT_PROVIDER", "ses"), ("CONTACT_TO", "a@b.example")];
        let faults = read(&variables).unwrap_err();
        assert_eq!(
            faults,
            ["CONTACT_FROM: is missing; CONTACT_PROVIDER requires it"]
        );
        variables.push(("CONTACT_FROM", "a@b.example"));
        assert_eq!(read(&variables).unwrap().unwrap().mailer().name(), "ses");
    }
}
