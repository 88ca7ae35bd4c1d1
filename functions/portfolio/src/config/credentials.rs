//! How callers are authenticated: by API keys, and by signed tokens (JWT) of one issuer.
//!
//! | variable | meaning |
//! | --- | --- |
//! | `API_KEYS` | entries of API keys, as `portfolio new-key` prints them, separated by `;` or line ends |
//! | `JWT_ISSUER` | issuer of accepted tokens, compared byte for byte with `iss` |
//! | `JWT_AUDIENCE` | accepted audiences, separated by spaces. Defaults to the URL of the endpoint |
//! | `JWT_CLIENT_IDS` | accepted `client_id`s of tokens without `aud`, separated by spaces |
//! | `JWT_SCOPE_PREFIX` | prefix that the issuer writes before scopes |
//! | `JWT_SECRET` | secret that the issuer signs with (HS256) |
//! | `JWT_JWKS` | the issuer's public keys, a JWK Set |
//! | `JWT_JWKS_URL` | URL of the issuer's public keys |
//! | `API_KEYS_PARAMETER`, `JWT_SECRET_PARAMETER`, `JWT_JWKS_PARAMETER` | SSM parameters with those texts |
//! | `AUTHORIZATION_SERVERS` | URLs of authorization servers, separated by commas, for RFC 9728 |

use std::sync::Arc;

use lambda_mcp::auth::{
    ApiKeys, Auth, HttpsJwks, HttpsUrl, InvalidJwtKeys, Jwt, JwtKeys, Scopes, Verifier,
};

use super::parameters::Parameters;
use super::reader::Reader;
use crate::secrets::ParameterVerifier;

const ISSUER: &str = "JWT_ISSUER";
const AUDIENCE: &str = "JWT_AUDIENCE";
const CLIENT_IDS: &str = "JWT_CLIENT_IDS";
const SCOPE_PREFIX: &str = "JWT_SCOPE_PREFIX";
/// Sources of the issuer's keys. Exactly one is allowed: a token must not choose the kind of key that
/// verifies it.
const KEYS: [&str; 5] = [
    "JWT_SECRET",
    "JWT_JWKS",
    "JWT_JWKS_URL",
    SECRET_PARAMETER,
    JWKS_PARAMETER,
];
const API_KEYS_PARAMETER: &str = "API_KEYS_PARAMETER";
const SECRET_PARAMETER: &str = "JWT_SECRET_PARAMETER";
const JWKS_PARAMETER: &str = "JWT_JWKS_PARAMETER";
const ONE_SOURCE: &str = "one of JWT_SECRET, JWT_JWKS, JWT_JWKS_URL, JWT_SECRET_PARAMETER and \
                          JWT_JWKS_PARAMETER";
const SERVERS: &str = "AUTHORIZATION_SERVERS";

/// Returns whether a way to authenticate callers is configured, with valid or invalid values.
pub(super) fn are_set(reader: &Reader<'_>) -> bool {
    ["API_KEYS", API_KEYS_PARAMETER, ISSUER]
        .into_iter()
        .chain(KEYS)
        .any(|name| reader.is_set(name))
}

/// Reads how callers are authenticated. No fault repeats a value: it may be a misplaced secret.
pub(super) fn read(reader: &mut Reader<'_>, parameters: &Parameters) -> Auth {
    let mut auth = Auth::new();
    if let Some(keys) = reader.parse("API_KEYS", str::parse::<ApiKeys>) {
        auth = auth.verifier(keys);
    }
    if let Some((secrets, name)) = parameters.of(API_KEYS_PARAMETER) {
        auth = auth.verifier(ParameterVerifier::new(secrets, name, |text| {
            let keys = text.parse::<ApiKeys>().map_err(|error| error.to_string())?;
            Ok(Arc::new(keys))
        }));
    }
    auth = with_tokens(auth, reader, parameters);
    for server in servers(reader) {
        auth = auth.authorization_server(server);
    }
    auth
}

/// Adds the tokens of the issuer, if there is one.
fn with_tokens(auth: Auth, reader: &mut Reader<'_>, parameters: &Parameters) -> Auth {
    let issuer = reader.text(ISSUER);
    let audience = reader.text(AUDIENCE).unwrap_or_default();
    let client_ids = reader.text(CLIENT_IDS).unwrap_or_default();
    let scope_prefix = reader.parse(SCOPE_PREFIX, scope_prefix).unwrap_or_default();
    let keys = keys(reader);
    let (Some(issuer), true) = (issuer, has_one_source(reader)) else {
        return auth;
    };
    let prefix = scope_prefix.clone();
    let of_keys = move |keys| {
        let jwt = Jwt::new(issuer.clone(), keys).scope_prefix(prefix.clone());
        let jwt = audience.split_whitespace().fold(jwt, Jwt::audience);
        client_ids.split_whitespace().fold(jwt, Jwt::client_id)
    };
    let parameter = [SECRET_PARAMETER, JWKS_PARAMETER]
        .into_iter()
        .find_map(|variable| Some((variable, parameters.of(variable)?)));
    match (keys, parameter) {
        (Some(keys), _) => auth.verifier(of_keys(keys)),
        (None, Some((variable, (secrets, name)))) => {
            let verifier = ParameterVerifier::new(secrets, name, move |text| {
                let keys = stored_keys(variable, text).map_err(|error| error.to_string())?;
                let jwt: Arc<dyn Verifier> = Arc::new(of_keys(keys));
                Ok(jwt)
            });
            auth.verifier(verifier.scope_prefix(scope_prefix))
        }
        (None, None) => auth,
    }
}

/// Checks a prefix of scopes. No token has a scope with other characters.
fn scope_prefix(text: &str) -> Result<String, &'static str> {
    if text.contains(char::is_whitespace) || text.parse::<Scopes>().is_err() {
        return Err("must be printable ASCII without spaces, double quotes and backslashes");
    }
    Ok(text.to_owned())
}

/// Reads the keys of a parameter.
fn stored_keys(variable: &str, text: &str) -> Result<JwtKeys, InvalidJwtKeys> {
    if variable == SECRET_PARAMETER {
        JwtKeys::secret(text.trim())
    } else {
        JwtKeys::jwks(text)
    }
}

/// Returns whether there is one source of keys. Reports any other number, and keys without an issuer.
fn has_one_source(reader: &mut Reader<'_>) -> bool {
    let sources = KEYS.iter().filter(|name| reader.is_set(name)).count();
    if !reader.is_set(ISSUER) {
        for name in KEYS.into_iter().chain([AUDIENCE, CLIENT_IDS, SCOPE_PREFIX]) {
            if reader.is_set(name) {
                reader.fault(name, "needs JWT_ISSUER");
            }
        }
    } else if sources == 0 {
        reader.fault(ISSUER, &format!("needs {ONE_SOURCE}"));
    } else if sources > 1 {
        reader.fault(ISSUER, &format!("takes only {ONE_SOURCE}"));
    }
    sources == 1
}

fn keys(reader: &mut Reader<'_>) -> Option<JwtKeys> {
    let secret = reader.parse("JWT_SECRET", |text| JwtKeys::secret(text));
    let document = reader.parse("JWT_JWKS", |json| {
        JwtKeys::jwks(json)
            .map_err(|_| "must be a JWK Set with a public key that verifies signatures")
    });
    let url = reader.parse("JWT_JWKS_URL", str::parse::<HttpsUrl>);
    let fetched = url.map(|url| JwtKeys::jwks_url(url, HttpsJwks::new()));
    secret.or(document).or(fetched)
}

fn servers(reader: &mut Reader<'_>) -> Vec<HttpsUrl> {
    let read = |text: &str| {
        let urls = text.split(',').map(|url| url.trim().parse());
        urls.collect::<Result<Vec<HttpsUrl>, _>>()
    };
    let servers = reader.parse(SERVERS, read).unwrap_or_default();
    if reader.is_set(SERVERS) && !reader.is_set(ISSUER) {
        let fault = "needs JWT_ISSUER, the issuer of these servers' tokens";
        reader.fault(SERVERS, fault);
    }
    servers
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "SENTINEL-SENTINEL-SENTINEL-SENTINEL";
    const ISSUED_BY: (&str, &str) = (ISSUER, "https://login.example.com");

    fn faults(variables: &[(&str, &str)]) -> Vec<String> {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.into())
        };
        let mut reader = Reader::new(&variable);
        let parameters = crate::config::parameters::read(&mut reader);
        let auth = read(&mut reader, &parameters);
        assert_eq!(
            auth.is_empty(),
            !reader.faults.is_empty() || variables.is_empty(),
            "{variables:?}"
        );
        reader.faults
    }

    #[test]
    fn each_way_to_authenticate_is_sufficient() {
        let entry = format!("ada {} contact:send", ApiKeys::digest("a key"));
        let document = r#"{"keys":[{"kty":"OKP","crv":"Ed25519",
            "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#;
        let rows: [&[(&str, &str)]; 8] = [
            &[],
            &[("API_KEYS", &entry)],
            &[ISSUED_BY, ("JWT_SECRET", SECRET), (AUDIENCE, "a b")],
            &[ISSUED_BY, ("JWT_JWKS", document)],
            &[(API_KEYS_PARAMETER, "/portfolio/api-keys")],
            &[ISSUED_BY, (SECRET_PARAMETER, "/portfolio/jwt-secret")],
            &[ISSUED_BY, (JWKS_PARAMETER, "/portfolio/jwt-jwks")],
            &[
                ISSUED_BY,
                ("JWT_JWKS_URL", "https://login.example.com/keys"),
                (SERVERS, "https://a.example, https://b.example"),
            ],
        ];
        for row in rows {
            assert_eq!(faults(row), [""; 0], "{row:?}");
        }
    }

    #[test]
    fn an_issuer_needs_exactly_one_source_of_keys_and_keys_need_an_issuer() {
        let secret = ("JWT_SECRET", SECRET);
        let url = ("JWT_JWKS_URL", "https://login.example.com/keys");
        assert_eq!(
            faults(&[ISSUED_BY]),
            [format!("JWT_ISSUER: needs {ONE_SOURCE}")]
        );
        assert_eq!(
            faults(&[secret, (AUDIENCE, "a")]),
            [
                "JWT_SECRET: needs JWT_ISSUER",
                "JWT_AUDIENCE: needs JWT_ISSUER"
            ]
        );
        assert_eq!(
            faults(&[ISSUED_BY, secret, url]),
            [format!("JWT_ISSUER: takes only {ONE_SOURCE}")]
        );
        assert_eq!(
            faults(&[(SERVERS, "https://a.example")]),
            ["AUTHORIZATION_SERVERS: needs JWT_ISSUER, the issuer of these servers' tokens"]
        );
    }

    #[test]
    fn faults_name_the_variable_and_never_show_the_value() {
        let rows = [
            ("API_KEYS", "ada lmk_SENTINEL contact:send"),
            ("JWT_SECRET", "SENTINEL"),
            ("JWT_JWKS", "\"SENTINEL\""),
            ("JWT_JWKS", r#"{"keys":"SENTINEL"}"#),
            (
                "JWT_JWKS_URL",
                "https://SENTINEL:SENTINEL@login.example.com",
            ),
            (SERVERS, "https://a.example,http://SENTINEL.example"),
        ];
        for row in rows {
            let variables = if row.0 == "API_KEYS" {
                vec![row]
            } else {
                vec![row, ISSUED_BY]
            };
            let said = faults(&variables);
            assert!(said.iter().any(|f| f.starts_with(row.0)), "{said:?}");
            assert!(!said.concat().contains("SENTINEL"), "{said:?}");
        }
    }
}
