//! Secrets by reference: the names of SSM parameters in place of values.
//!
//! | variable | the parameter holds |
//! | --- | --- |
//! | `API_KEYS_PARAMETER` | what `API_KEYS` would hold |
//! | `JWT_SECRET_PARAMETER` | what `JWT_SECRET` would hold |
//! | `JWT_JWKS_PARAMETER` | what `JWT_JWKS` would hold |
//! | `RESEND_API_KEY_PARAMETER` | what `RESEND_API_KEY` would hold |
//! | `SECRETS_TTL_S` | – the seconds until values are read again. Defaults to 300 |

use std::sync::Arc;
use std::time::Duration;

use super::reader::Reader;
use crate::secrets::{DEFAULT_TTL, Secrets};

const TTL: &str = "SECRETS_TTL_S";
const TTL_SECONDS: std::ops::RangeInclusive<u64> = 10..=3600;

/// Variables that hold the name of a parameter, each with the variable that holds the value itself.
const REFERENCES: [(&str, &str); 4] = [
    ("API_KEYS_PARAMETER", "API_KEYS"),
    ("JWT_SECRET_PARAMETER", "JWT_SECRET"),
    ("JWT_JWKS_PARAMETER", "JWT_JWKS"),
    ("RESEND_API_KEY_PARAMETER", "RESEND_API_KEY"),
];

/// The parameters that the environment refers to.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    secrets: Option<Arc<Secrets>>,
    names: Vec<(&'static str, String)>,
}

impl Parameters {
    /// Returns the secrets, and the name of the parameter that `variable` refers to.
    pub(super) fn of(&self, variable: &str) -> Option<(Arc<Secrets>, String)> {
        let (_, name) = self.names.iter().find(|(known, _)| *known == variable)?;
        Some((Arc::clone(self.secrets.as_ref()?), name.clone()))
    }
}

/// Reads the names. A secret given by value and by reference is a fault.
pub(super) fn read(reader: &mut Reader<'_>) -> Parameters {
    let mut names = Vec::new();
    for (reference, value) in REFERENCES {
        let Some(name) = reader.parse(reference, name) else {
            continue;
        };
        if reader.is_set(value) {
            reader.fault(reference, &format!("and {value} are both set; keep one"));
        }
        names.push((reference, name));
    }
    let ttl = reader.parse(TTL, ttl).unwrap_or(DEFAULT_TTL);
    if names.is_empty() {
        return Parameters::default();
    }
    let all = names.iter().map(|(_, name)| name.clone()).collect();
    Parameters {
        secrets: store(reader, all, ttl),
        names,
    }
}

#[cfg(feature = "ssm")]
#[expect(clippy::unnecessary_wraps, reason = "a build without SSM has none")]
fn store(_: &mut Reader<'_>, names: Vec<String>, ttl: Duration) -> Option<Arc<Secrets>> {
    Some(Arc::new(
        Secrets::new(crate::secrets::Ssm::default(), names).ttl(ttl),
    ))
}

#[cfg(not(feature = "ssm"))]
fn store(reader: &mut Reader<'_>, names: Vec<String>, _: Duration) -> Option<Arc<Secrets>> {
    for name in names {
        reader.fault(
            &name,
            "is in SSM, which this build does not include; build with `--features ssm`",
        );
    }
    None
}

/// The name of a parameter. *Systems Manager, Parameter names*.
fn name(text: &str) -> Result<String, &'static str> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    if text.len() <= 1011 && text.chars().all(is_allowed) {
        Ok(text.to_owned())
    } else {
        Err("must be the name of an SSM parameter, such as `/portfolio/api-keys`")
    }
}

fn ttl(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().filter(|s| TTL_SECONDS.contains(s));
    seconds
        .map(Duration::from_secs)
        .ok_or("must be a number of seconds from 10 to 3600")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(variables: &[(&str, &str)]) -> (Parameters, Vec<String>) {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.into())
        };
        let mut reader = Reader::new(&variable);
        let parameters = read(&mut reader);
        (parameters, reader.faults)
    }

    #[cfg(feature = "ssm")]
    #[test]
    fn a_reference_is_found_by_its_variable() {
        let (parameters, faults) = read_all(&[
            ("API_KEYS_PARAMETER", "/portfolio/api-keys"),
            ("SECRETS_TTL_S", "60"),
        ]);
        assert_eq!(faults, [""; 0]);
        let (secrets, name) = parameters.of("API_KEYS_PARAMETER").unwrap();
        assert_eq!(name, "/portfolio/api-keys");
        assert!(format!("{secrets:?}").contains("60s"), "{secrets:?}");
        assert!(parameters.of("JWT_SECRET_PARAMETER").is_none());
    }

    #[test]
    fn wrong_references_are_faults() {
        let (_, faults) = read_all(&[
            ("API_KEYS_PARAMETER", "/portfolio/api-keys"),
            ("API_KEYS", "ada sha256:00"),
            ("JWT_SECRET_PARAMETER", "arn:aws:ssm:x"),
            ("SECRETS_TTL_S", "1"),
        ]);
        assert_eq!(
            faults,
            [
                "API_KEYS_PARAMETER: and API_KEYS are both set; keep one",
                "JWT_SECRET_PARAMETER: must be the name of an SSM parameter, such as `/portfolio/api-keys`",
                "SECRETS_TTL_S: must be a number of seconds from 10 to 3600",
            ]
        );
    }
}
