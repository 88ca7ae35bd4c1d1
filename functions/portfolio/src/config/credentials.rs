//! How callers are authenticated: by API keys, and by signed tokens (JWT) of one issuer.
//!
//! | variable | meaning |
//! | --- | --- |
//! | `API_KEYS` | entries of API keys, as `portfolio new-key` prints them, separated by `;` or line ends |
//! | `JWT_ISSUER` | issuer of accepted tokens, compared byte for byte with `iss` |
//! | `JWT_AUDIENCE` | accepted audiences, separated by spaces. Defaults to the URL of the endpoint |
//! | `JWT_SECRET` | secret that the issuer signs with (HS256) |
//! | `JWT_JWKS` | the issuer's public keys, a JWK Set |
//! | `JWT_JWKS_URL` | URL of the issuer's public keys |
//! | `AUTHORIZATION_SERVERS` | URLs of authorization servers, separated by commas, for RFC 9728 |

use lambda_mcp::auth::{ApiKeys, Auth, HttpsJwks, HttpsUrl, Jwt, JwtKeys};

use super::reader::Reader;

const ISSUER: &str = "JWT_ISSUER";
const AUDIENCE: &str = "JWT_AUDIENCE";
/// Sources of the issuer's keys. Exactly one is allowed: a token must not choose the kind of key that
/// verifies it.
const KEYS: [&str; 3] = ["JWT_SECRET", "JWT_JWKS", "JWT_JWKS_URL"];
const SERVERS: &str = "AUTHORIZATION_SERVERS";

/// Returns whether a way to authenticate callers is configured, with valid or invalid values.
pub(super) fn are_set(reader: &Reader<'_>) -> bool {
    ["API_KEYS", ISSUER]
        .into_iter()
        .chain(KEYS)
        .any(|name| reader.is_set(name))
}

/// Reads how callers are authenticated. No fault repeats a value: it may be a misplaced secret.
pub(super) fn read(reader: &mut Reader<'_>) -> Auth {
    let mut auth = Auth::new();
    if let Some(keys) = reader.parse("API_KEYS", str::parse::<ApiKeys>) {
        auth = auth.verifier(keys);
    }
    if let Some(jwt) = jwt(reader) {
        auth = auth.verifier(jwt);
    }
    for server in servers(reader) {
        auth = auth.authorization_server(server);
    }
    auth
}

fn jwt(reader: &mut Reader<'_>) -> Option<Jwt> {
    let issuer = reader.text(ISSUER);
    let audience = reader.text(AUDIENCE);
    let keys = keys(reader);
    let key_sources = KEYS.iter().filter(|name| reader.is_set(name)).count();
    if reader.is_set(ISSUER) && key_sources == 0 {
        reader.fault(ISSUER, "needs JWT_SECRET, JWT_JWKS or JWT_JWKS_URL");
    }
    if !reader.is_set(ISSUER) {
        for name in KEYS.into_iter().chain([AUDIENCE]) {
            if reader.is_set(name) {
                reader.fault(name, "needs JWT_ISSUER");
            }
        }
    }
    if key_sources > 1 {
        reader.fault(
            ISSUER,
            "takes only one of JWT_SECRET, JWT_JWKS and JWT_JWKS_URL",
        );
        return None;
    }
    let mut jwt = Jwt::new(issuer?, keys?);
    for audience in audience.iter().flat_map(|text| text.split_whitespace()) {
        jwt = jwt.audience(audience);
    }
    Some(jwt)
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
        let auth = read(&mut reader);
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
        let rows: [&[(&str, &str)]; 5] = [
            &[],
            &[("API_KEYS", &entry)],
            &[ISSUED_BY, ("JWT_SECRET", SECRET), (AUDIENCE, "a b")],
            &[ISSUED_BY, ("JWT_JWKS", document)],
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
            ["JWT_ISSUER: needs JWT_SECRET, JWT_JWKS or JWT_JWKS_URL"]
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
            ["JWT_ISSUER: takes only one of JWT_SECRET, JWT_JWKS and JWT_JWKS_URL"]
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
