//! Checks for what cases describe only in their notes.

use serde_json::{Value, json};

use super::run::{Context, ask};
use super::table::Case;
use harness::{Front, HttpRequest, Reply};

type Check = fn(&Context<'_>) -> Result<(), &'static str>;

/// The checks, by case.
pub(crate) const CHECKS: &[(&str, Check)] = &[
    ("transport-get-405", fixed_405),
    ("transport-head-405", |c| {
        must(
            c.replies[0].body.is_empty(),
            "an answer to HEAD has no body",
        )
    }),
    ("neg-accept-sse-only", sse_or_both_types_named),
    ("neg-ct-missing", |c| {
        must(
            without_content_type(c) == 415,
            "without the header: 415 too",
        )
    }),
    ("jr-id-zero", zero_stays_zero),
    ("jr-id-large", digit_for_digit),
    ("jr-id-bad-types", nothing_of_a_bad_id),
    ("jr-params-null", |c| {
        each(
            c,
            |reply| reply.json()["result"]["tools"].is_array(),
            "tools",
        )
    }),
    ("jr-arguments-absent-or-null", null_arguments_are_none),
    ("ver-modern-header-no-meta", names_the_missing_key),
    (
        "ver-meta-missing-capabilities",
        only_the_client_may_be_missing,
    ),
    ("ver-initialize-unknown", newest_legacy),
    ("ver-initialize-2026", newest_legacy),
    ("res-legacy-shape", legacy_shapes),
    ("res-progress-token-zero", |c| {
        must(messages(&c.replies[0]) == 1, "no progress is sent")
    }),
    ("cors-on-errors", one_allowed_origin),
    ("cors-single-value", coherent_cors),
    ("origin-invalid-403", |c| {
        must(c.replies[0].json()["id"].is_null(), "the error has no id")
    }),
    ("gw-response-single-lines", single_lines),
    // The harness checks the size of every response.
    ("gw-large-result", error_with_advice),
    ("gw-slow-tool", error_with_advice),
    ("gw-reserved-paths", |c| {
        must(is_uncached(&c.replies[0]), "a health answer is not cached")
    }),
    ("card-catalog", |c| {
        must(catalog_is_complete(c), "a catalog has its members")
    }),
    ("card-consistent", consistent_card),
];

/// Runs the checks of a case and returns the failures.
pub(crate) fn check(id: &str, context: &Context<'_>) -> Vec<String> {
    let checks = CHECKS.iter().filter(|(case, _)| *case == id);
    let found = checks.filter_map(|(_, check)| check(context).err());
    found
        .map(|words| format!("{words}; got {:#?}", context.replies))
        .collect()
}

/// Checks the notes about the logs.
pub(crate) fn in_the_logs(case: &Case, logs: &str) -> Vec<String> {
    if case.id != "log-injection" {
        return Vec::new();
    }
    let faults = logs
        .lines()
        .filter_map(|line| match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(_)) if !line.contains('\u{1b}') => None,
            _ => Some(format!("this line is forged or broken: {line:?}")),
        });
    faults.collect()
}

fn must(holds: bool, words: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(words) }
}

fn each(
    context: &Context<'_>,
    holds: fn(&Reply) -> bool,
    words: &'static str,
) -> Result<(), &'static str> {
    must(context.replies.iter().all(holds), words)
}

fn fixed_405(context: &Context<'_>) -> Result<(), &'static str> {
    let error = json!({"code": -32000, "message": "Method not allowed."});
    let body = json!({"jsonrpc": "2.0", "error": error, "id": null});
    must(
        context.replies[0].json() == body,
        "the body of the 405 is fixed",
    )
}

fn sse_or_both_types_named(context: &Context<'_>) -> Result<(), &'static str> {
    let text = context.replies[0].text();
    let both = text.contains("application/json") && text.contains("text/event-stream");
    must(
        context.replies[0].status == 200 || both,
        "406 names both types",
    )
}

fn without_content_type(context: &Context<'_>) -> u16 {
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let bare = context.server.post(&ping).without_header("content-type");
    bare.version("2025-11-25").via(context.front).send().status
}

fn zero_stays_zero(context: &Context<'_>) -> Result<(), &'static str> {
    let text = context.replies[0].text();
    must(
        ["\"id\":0,", "\"id\":0}"]
            .iter()
            .any(|id| text.contains(id)),
        "the id stays `0`",
    )
}

fn digit_for_digit(context: &Context<'_>) -> Result<(), &'static str> {
    let ids = ["\"id\":9007199254740993", "\"id\":-9223372036854775808"];
    let mut pairs = context.replies.iter().zip(ids);
    must(
        pairs.all(|(reply, id)| reply.text().contains(id)),
        "ids come back digit for digit",
    )
}

fn nothing_of_a_bad_id(context: &Context<'_>) -> Result<(), &'static str> {
    each(
        context,
        |reply| reply.json()["id"].is_null(),
        "nothing of a bad id comes back",
    )
}

fn null_arguments_are_none(context: &Context<'_>) -> Result<(), &'static str> {
    let results: Vec<Value> = context
        .replies
        .iter()
        .map(|reply| reply.json()["result"].clone())
        .collect();
    must(
        results[0]["content"].is_array(),
        "the tool runs without arguments",
    )?;
    must(results[0] == results[1], "null arguments are no arguments")
}

fn names_the_missing_key(context: &Context<'_>) -> Result<(), &'static str> {
    let text = context.replies[0].text();
    must(
        text.contains("io.modelcontextprotocol/protocolVersion"),
        "it names the missing key",
    )
}

fn only_the_client_may_be_missing(context: &Context<'_>) -> Result<(), &'static str> {
    let reply = ask(context, "2026-07-28", "tools/list", json!({}));
    must(reply.status == 200, "clientInfo may be missing")
}

fn newest_legacy(context: &Context<'_>) -> Result<(), &'static str> {
    let agreed = |reply: &Reply| reply.json()["result"]["protocolVersion"] == "2025-11-25";
    each(context, agreed, "the newest legacy version is offered")
}

fn legacy_shapes(context: &Context<'_>) -> Result<(), &'static str> {
    let client = json!({"name": "c", "version": "0"});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let call = json!({"name": "demo_read", "arguments": {"q": "a"}});
    let results = [
        ask(context, "2025-06-18", "initialize", hello).result(),
        ask(context, "2025-06-18", "tools/call", call).result(),
    ];
    let modern = ["resultType", "ttlMs", "cacheScope"];
    let lacks_all = |result: &Value| modern.iter().all(|member| result.get(member).is_none());
    must(
        results.iter().all(lacks_all),
        "no legacy result has a modern member",
    )
}

fn messages(reply: &Reply) -> usize {
    reply.messages().map_or(0, |messages| messages.len())
}

fn one_allowed_origin(context: &Context<'_>) -> Result<(), &'static str> {
    let once = |reply: &Reply| reply.values("access-control-allow-origin").count() == 1;
    each(context, once, "exactly one Access-Control-Allow-Origin")
}

fn coherent_cors(context: &Context<'_>) -> Result<(), &'static str> {
    let reply = &context.replies[0];
    if reply.header("access-control-allow-origin").as_deref() == Some("*") {
        let credentials = reply.header("access-control-allow-credentials");
        return must(
            credentials.is_none_or(|value| value != "true"),
            "no credentials with `*`",
        );
    }
    let vary = reply
        .header("vary")
        .unwrap_or_default()
        .to_ascii_lowercase();
    must(
        vary.contains("origin"),
        "an echoed origin is named by `Vary`",
    )
}

fn single_lines(context: &Context<'_>) -> Result<(), &'static str> {
    let reply = &context.replies[0];
    let once = |(name, _): &(String, String)| reply.values(name).count() == 1;
    must(reply.headers.iter().all(once), "each header is one line")?;
    let mut preflight = HttpRequest::new("OPTIONS", "/mcp");
    let wanted = "authorization,content-type,mcp-protocol-version,mcp-method,mcp-name";
    preflight.headers = [
        ("origin", "https://app.example.com"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", wanted),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    let through_rest = context.server.send_later(preflight).via(Front::Rest).send();
    must(
        sorted(reply) == sorted(&through_rest),
        "it is the same through a REST API",
    )
}

fn sorted(reply: &Reply) -> Vec<(String, String)> {
    let mut headers = reply.headers.clone();
    headers.sort();
    headers
}

fn error_with_advice(context: &Context<'_>) -> Result<(), &'static str> {
    let result = &context.replies[0].json()["result"];
    must(result["isError"] == true, "it is a tool error")?;
    let text = result["content"][0]["text"]
        .as_str()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let advice = ["try again", "ask for less"];
    must(
        advice.iter().any(|words| text.contains(words)),
        "which says what to do",
    )
}

fn is_uncached(reply: &Reply) -> bool {
    reply
        .header("cache-control")
        .is_some_and(|value| value.contains("no-store"))
}

fn catalog_is_complete(context: &Context<'_>) -> bool {
    let catalog = context.replies[0].json();
    let complete = |entry: &Value| {
        let starts = |member: &str, with: &str| {
            entry[member]
                .as_str()
                .is_some_and(|text| text.starts_with(with))
        };
        starts("identifier", "urn:air:")
            && entry["displayName"].is_string()
            && entry["type"] == "application/mcp-server-card+json"
            && starts("url", "http")
    };
    let entries = catalog["entries"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    catalog["specVersion"] == "draft" && !entries.is_empty() && entries.iter().all(complete)
}

fn consistent_card(context: &Context<'_>) -> Result<(), &'static str> {
    let card = context.replies[0].json();
    let discovered = context.replies[1].json()["result"].clone();
    let info = &discovered["_meta"]["io.modelcontextprotocol/serverInfo"];
    must(
        card["version"] == info["version"],
        "the card has the server's version",
    )?;
    // The name on the card can have a reverse-domain prefix.
    let name = card["name"]
        .as_str()
        .and_then(|name| name.rsplit('/').next());
    must(
        name == info["name"].as_str(),
        "the card has the server's name",
    )?;
    let versions = &card["remotes"][0]["supportedProtocolVersions"];
    must(
        *versions == discovered["supportedVersions"],
        "the card has the served versions",
    )
}
