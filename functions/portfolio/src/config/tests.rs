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
