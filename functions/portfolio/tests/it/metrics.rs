//! CloudWatch metrics in the log. The rules are those of CloudWatch's *Embedded metric format
//! specification*.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use harness::messages::{ask, call, ping};
use harness::{ServerConfig, TestServer, Version};

/// The number of metrics that an account has for free.
const FREE_METRICS: usize = 10;

/// Sends requests of every kind of outcome and returns the lines of the log.
fn lines(settings: &[(&str, &str)]) -> Vec<Value> {
    let base = ServerConfig::new("portfolio")
        .env("CONTACT_PROVIDER", "log")
        .env("CONTACT_OUTBOX", "/dev/null")
        .env("CONTACT_AUTH", "bearer")
        .env(
            "API_KEYS",
            &format!("ada sha256:{} contact:send", "0".repeat(64)),
        )
        .env("RATE_LIMITS", "get_resume=1/365d")
        .env("AWS_LAMBDA_FUNCTION_NAME", "portfolio-McpFunction-1");
    let config = settings
        .iter()
        .fold(base, |config, (name, value)| config.env(name, value));
    let server = config.start();
    send_every_outcome(&server);
    let log = server.finish();
    let parse = |line: &str| serde_json::from_str(line).expect(line);
    log.lines().map(parse).collect()
}

fn send_every_outcome(server: &TestServer) {
    call(server, Version::V2026_07_28, "get_projects", json!({}));
    call(
        server,
        Version::V2025_11_25,
        "get_projects",
        json!({"featured": "x"}),
    );
    call(server, Version::V2025_11_25, "get_resume", json!({}));
    call(server, Version::V2025_11_25, "get_resume", json!({}));
    call(
        server,
        Version::V2025_11_25,
        "contact",
        json!({"brief": "x", "contact": "y"}),
    );
    ask(server, Version::V2026_07_28, "no/such/method", json!({}));
    server.post_raw("{").send();
    server.request("GET", "/mcp").send();
    server.request("GET", "/mcp/server-card").send();
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    server.post(&notification).send();
    server.post(&ping()).send();
}

fn outcome(line: &Value) -> &str {
    line["outcome"].as_str().unwrap_or_default()
}

/// Objects of the specification have no other members than these.
fn names(object: &Map<String, Value>) -> BTreeSet<&str> {
    object.keys().map(String::as_str).collect()
}

/// Checks a line against the specification, and returns the metrics that CloudWatch makes of it: name,
/// and names and values of the dimensions.
fn metrics_of(line: &Value) -> BTreeSet<String> {
    let metadata = line["_aws"].as_object().expect("a metadata object");
    assert_eq!(
        names(metadata),
        BTreeSet::from(["CloudWatchMetrics", "Timestamp"]),
        "{line}"
    );
    // Milliseconds since 1970; events older than two weeks or two hours ahead are refused.
    assert!(
        metadata["Timestamp"].as_u64().unwrap() > 1_700_000_000_000,
        "{line}"
    );
    let mut made = BTreeSet::new();
    for directive in metadata["CloudWatchMetrics"].as_array().unwrap() {
        let directive = directive.as_object().unwrap();
        assert_eq!(
            names(directive),
            BTreeSet::from(["Dimensions", "Metrics", "Namespace"]),
            "{line}"
        );
        let namespace = directive["Namespace"].as_str().unwrap();
        assert!((1..=1024).contains(&namespace.len()), "{line}");
        let sets = directive["Dimensions"].as_array().unwrap();
        assert!(!sets.is_empty(), "{line}");
        let metrics = directive["Metrics"].as_array().unwrap();
        assert!((1..=100).contains(&metrics.len()), "{line}");
        for metric in metrics {
            let metric = metric.as_object().unwrap();
            assert_eq!(names(metric), BTreeSet::from(["Name", "Unit"]), "{line}");
            assert_eq!(metric["Unit"], "Microseconds");
            let name = metric["Name"].as_str().unwrap();
            // A target member is a number, or an array of at most 100 numbers.
            assert!(line[name].is_number(), "{name} in {line}");
            for set in sets {
                let set = set.as_array().unwrap();
                assert!(set.len() <= 30, "{line}");
                let value = |dimension: &Value| {
                    let dimension = dimension.as_str().unwrap();
                    assert!((1..=250).contains(&dimension.len()), "{line}");
                    // The value of a dimension is a member of the root, a string of 1 to 1,024 characters.
                    let value = line[dimension].as_str().unwrap_or_default();
                    assert!((1..=1024).contains(&value.len()), "{dimension} in {line}");
                    format!("{dimension}={value}")
                };
                let values: Vec<_> = set.iter().map(value).collect();
                made.insert(format!("{namespace} {name} {}", values.join(" ")));
            }
        }
    }
    made
}

#[test]
fn without_the_setting_no_line_has_metrics() {
    for settings in [&[][..], &[("LOG_METRICS", "off")]] {
        let lines = lines(settings);
        assert!(lines.len() > 10, "{lines:#?}");
        assert!(
            lines.iter().all(|line| line["_aws"].is_null()),
            "{lines:#?}"
        );
    }
}

#[test]
fn totals_without_tasks_are_at_most_the_free_metrics_of_an_account() {
    let lines = lines(&[("LOG_METRICS", "totals")]);
    let requests: Vec<_> = lines
        .iter()
        .filter(|line| line["message"] == "request")
        .collect();
    let outcomes: BTreeSet<_> = requests.iter().map(|line| outcome(line)).collect();
    for expected in [
        "ok",
        "tool_error",
        "limited",
        "challenged",
        "error",
        "rejected",
        "refused",
        "accepted",
    ] {
        assert!(outcomes.contains(expected), "{expected}: {requests:#?}");
    }
    let made: BTreeSet<_> = requests.iter().flat_map(|line| metrics_of(line)).collect();
    let of_outcomes = outcomes.iter().map(|outcome| {
        format!("lambda-mcp duration_us service=portfolio-McpFunction-1 outcome={outcome}")
    });
    let mut expected: BTreeSet<_> = of_outcomes.collect();
    expected.insert("lambda-mcp duration_us service=portfolio-McpFunction-1".to_owned());
    assert_eq!(made, expected);
    // What is missing are `input_required`, and `task`, which only a worker of tasks makes possible.
    assert!(made.len() < FREE_METRICS, "{made:#?}");
    // The rest of a line is what it is without metrics.
    assert!(
        requests
            .iter()
            .all(|line| line["level"] == "INFO" && line["status"].is_u64())
    );
}

#[test]
fn all_adds_the_tool_and_the_era_where_a_line_has_them() {
    let lines = lines(&[("LOG_METRICS", "all")]);
    let requests = lines.iter().filter(|line| line["message"] == "request");
    let made: BTreeSet<_> = requests.flat_map(metrics_of).collect();
    let service = "lambda-mcp duration_us service=portfolio-McpFunction-1";
    for expected in [
        "tool=get_projects outcome=ok",
        "tool=get_projects outcome=tool_error",
        "tool=get_resume outcome=limited",
        "tool=contact outcome=challenged",
        "era=modern",
        "era=legacy",
    ] {
        assert!(
            made.contains(&format!("{service} {expected}")),
            "{expected}: {made:#?}"
        );
    }
}

#[test]
fn what_a_client_sends_never_becomes_a_metric() {
    let server = ServerConfig::new("portfolio")
        .env("LOG_METRICS", "all")
        .start();
    call(&server, Version::V2025_11_25, "SENTINEL", json!({}));
    ask(&server, Version::V2026_07_28, "SENTINEL/method", json!({}));
    let log = server.finish();
    for line in log.lines().filter(|line| line.contains("\"_aws\"")) {
        let line: Value = serde_json::from_str(line).unwrap();
        for metric in metrics_of(&line) {
            assert!(!metric.contains("SENTINEL"), "{metric}");
        }
    }
    assert!(log.contains("\"_aws\""), "{log}");
}
