//! What the environment says about `contact`.
//!
//! | variable | meaning | default |
//! | --- | --- | --- |
//! | `CONTACT_PROVIDER` | `resend`, `ses`, `log` or `off` | `off`: there is no tool `contact` |
//! | `CONTACT_TO` | where messages go: one e-mail address | needed for `resend` and `ses` |
//! | `CONTACT_FROM` | who sends: an address, or `Name <address>` | needed for `resend` and `ses` |
//! | `RESEND_API_KEY` | the key for Resend's API | needed for `resend` |
//! | `RESEND_BASE_URL` | where that API is: https, or http to loopback | `https://api.resend.com` |
//! | `CONTACT_OUTBOX` | the file that `log` writes | needed for `log` |
//! | `CONTACT_CONFIRM` | `ask`: the person is asked before anything is sent; `never` | `never` |
//! | `CONTACT_AUTH` | `bearer`: a credential is needed; `none`: anybody may send | `bearer` |
//!
//! `log` is refused on AWS Lambda: a file there is gone with the instance, and the message with it.

use std::fmt;
use std::path::PathBuf;

use super::address::NO_ADDRESS;
#[cfg(feature = "resend")]
use super::https::BaseUrl;
use super::outbox::Outbox;
#[cfg(feature = "resend")]
use super::resend::{self, Resend};
#[cfg(feature = "resend")]
use super::secret::Secret;
#[cfg(feature = "ses")]
use super::ses::Ses;
use super::{EmailAddress, Mailbox, Mailer};

/// How messages are delivered, and to whom.
#[derive(Debug)]
pub(crate) struct ContactConfig {
    provider: Provider,
    pub(crate) to: EmailAddress,
    pub(crate) from: Mailbox,
    pub(crate) confirm: Confirm,
    pub(crate) auth: ContactAuth,
}

/// Whether the person behind the client is asked first, where the client can ask.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Confirm {
    /// Yes.
    Ask,
    /// No.
    #[default]
    Never,
}

/// Whether a credential is needed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ContactAuth {
    /// Yes: a bearer credential.
    #[default]
    Bearer,
    /// No.
    None,
}

/// What delivers.
#[derive(Debug)]
enum Provider {
    #[cfg(feature = "resend")]
    Resend {
        base_url: BaseUrl,
        api_key: Secret,
    },
    #[cfg(feature = "ses")]
    Ses,
    Log {
        outbox: PathBuf,
    },
}

/// A provider's name, before its settings are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    #[cfg(feature = "resend")]
    Resend,
    #[cfg(feature = "ses")]
    Ses,
    Log,
}

impl ContactConfig {
    /// Reads the variables that `variable` gives; one that is empty counts as not set. `None`: there
    /// is no tool `contact`, and its other variables do not matter.
    ///
    /// # Errors
    ///
    /// All variables that cannot be used, each with its name. No value is repeated.
    pub(crate) fn read(
        variable: impl Fn(&str) -> Option<String>,
        is_on_lambda: bool,
    ) -> Result<Option<Self>, Vec<String>> {
        let mut reader = Reader {
            variable,
            faults: Vec::new(),
        };
        let Some(provider) = reader.provider(is_on_lambda) else {
            return reader.finish(None);
        };
        let to = reader.parse("CONTACT_TO", |text| {
            EmailAddress::parse(text).ok_or(NO_ADDRESS)
        });
        let from = reader.parse("CONTACT_FROM", |text| {
            Mailbox::parse(text).ok_or(NO_ADDRESS)
        });
        let (to, from) = if provider == Named::Log {
            let local = EmailAddress::local;
            let from = from.unwrap_or_else(|| Mailbox::from(local()));
            (Some(to.unwrap_or_else(local)), Some(from))
        } else {
            reader.need("CONTACT_TO", to.is_some());
            reader.need("CONTACT_FROM", from.is_some());
            (to, from)
        };
        let confirm = reader.parse("CONTACT_CONFIRM", confirm).unwrap_or_default();
        let auth = reader.parse("CONTACT_AUTH", auth).unwrap_or_default();
        let provider = reader.settings(provider);
        let config = provider
            .zip(to.zip(from))
            .map(|(provider, (to, from))| Self {
                provider,
                to,
                from,
                confirm,
                auth,
            });
        reader.finish(config)
    }

    /// What delivers, not connected to anything yet.
    pub(crate) fn mailer(&self) -> Box<dyn Mailer> {
        match &self.provider {
            #[cfg(feature = "resend")]
            Provider::Resend { base_url, api_key } => {
                Box::new(Resend::new(base_url.clone(), api_key.clone()))
            }
            #[cfg(feature = "ses")]
            Provider::Ses => Box::new(Ses::default()),
            Provider::Log { outbox } => Box::new(Outbox::new(outbox.clone())),
        }
    }
}

struct Reader<V> {
    variable: V,
    faults: Vec<String>,
}

impl<V: Fn(&str) -> Option<String>> Reader<V> {
    fn value(&self, name: &str) -> Option<String> {
        let value = (self.variable)(name)?;
        let value = value.trim();
        (!value.is_empty()).then(|| value.to_owned())
    }

    fn parse<T, E: fmt::Display>(
        &mut self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let value = self.value(name)?;
        parse(&value)
            .map_err(|fault| self.faults.push(format!("{name}: {fault}")))
            .ok()
    }

    /// Notes that a variable is missing, unless it is there, right or wrong.
    fn need(&mut self, name: &str, is_read: bool) {
        if !is_read && self.value(name).is_none() {
            let fault = format!("{name}: is missing; CONTACT_PROVIDER needs it");
            self.faults.push(fault);
        }
    }

    fn provider(&mut self, is_on_lambda: bool) -> Option<Named> {
        let read = |text: &str| match text {
            "off" => Ok(None),
            #[cfg(feature = "resend")]
            "resend" => Ok(Some(Named::Resend)),
            #[cfg(not(feature = "resend"))]
            "resend" => Err("this build is without it; build with `--features resend`"),
            #[cfg(feature = "ses")]
            "ses" => Ok(Some(Named::Ses)),
            #[cfg(not(feature = "ses"))]
            "ses" => Err("this build is without it; build with `--features ses`"),
            "log" if is_on_lambda => {
                Err("`log` is for local runs: on AWS Lambda its file is lost; write resend or ses")
            }
            "log" => Ok(Some(Named::Log)),
            _ => Err("must be resend, ses, log or off"),
        };
        self.parse("CONTACT_PROVIDER", read).flatten()
    }

    fn settings(&mut self, provider: Named) -> Option<Provider> {
        match provider {
            #[cfg(feature = "resend")]
            Named::Resend => {
                let api_key = self.parse("RESEND_API_KEY", Secret::parse);
                self.need("RESEND_API_KEY", api_key.is_some());
                let base_url = self.value("RESEND_BASE_URL");
                let base_url = base_url.as_deref().unwrap_or(resend::BASE_URL);
                let base_url = BaseUrl::parse(base_url)
                    .map_err(|fault| self.faults.push(format!("RESEND_BASE_URL: {fault}")))
                    .ok();
                let (base_url, api_key) = base_url.zip(api_key)?;
                Some(Provider::Resend { base_url, api_key })
            }
            #[cfg(feature = "ses")]
            Named::Ses => Some(Provider::Ses),
            Named::Log => {
                let outbox = self.value("CONTACT_OUTBOX").map(PathBuf::from);
                self.need("CONTACT_OUTBOX", outbox.is_some());
                outbox.map(|outbox| Provider::Log { outbox })
            }
        }
    }

    fn finish(self, config: Option<ContactConfig>) -> Result<Option<ContactConfig>, Vec<String>> {
        if self.faults.is_empty() {
            Ok(config)
        } else {
            Err(self.faults)
        }
    }
}

fn confirm(text: &str) -> Result<Confirm, &'static str> {
    match text {
        "ask" => Ok(Confirm::Ask),
        "never" => Ok(Confirm::Never),
        _ => Err("must be ask or never"),
    }
}

fn auth(text: &str) -> Result<ContactAuth, &'static str> {
    match text {
        "bearer" => Ok(ContactAuth::Bearer),
        "none" => Ok(ContactAuth::None),
        _ => Err("must be bearer or none"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Option<ContactConfig>, Vec<String>> {
        read_on(variables, false)
    }

    fn read_on(
        variables: &[(&str, &str)],
        is_on_lambda: bool,
    ) -> Result<Option<ContactConfig>, Vec<String>> {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        ContactConfig::read(variable, is_on_lambda)
    }

    #[test]
    fn without_a_provider_there_is_no_tool_whatever_else_is_set() {
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
    fn a_local_run_needs_a_file_alone_and_is_no_lambda() {
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
            ["CONTACT_OUTBOX: is missing; CONTACT_PROVIDER needs it"]
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
    fn all_faults_are_told_together_without_the_values() {
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
            ["CONTACT_PROVIDER: must be resend, ses, log or off"]
        );
    }

    #[cfg(not(feature = "ses"))]
    #[test]
    fn a_provider_that_was_not_built_in_is_a_fault() {
        let faults = read(&[("CONTACT_PROVIDER", "ses")]).unwrap_err();
        assert!(
            faults[0].starts_with("CONTACT_PROVIDER: this build is without it"),
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
            ["CONTACT_FROM: is missing; CONTACT_PROVIDER needs it"]
        );
        variables.push(("CONTACT_FROM", "a@b.example"));
        assert_eq!(read(&variables).unwrap().unwrap().mailer().name(), "ses");
    }
}
