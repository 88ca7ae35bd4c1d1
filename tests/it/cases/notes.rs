//! What a case says only in its notes, as a check.

use serde_json::{Value, json};

use super::run::{Context, ask};
use super::table::Case;
use crate::harness::{HttpRequest, Reply};

/// The cases with a check here.
pub(crate) const IDS: &[&str] = &[
    "transport-get-405",
    "transport-head-405",
    "neg-accept-sse-only",
    "neg-ct-missing",
    "jr-id-zero",
    "jr-id-large",
    "jr-id-bad-types",
    "jr-params-null",
    "jr-arguments-absent-or-null",
    "ver-modern-header-no-meta",
    "ver-meta-missing-capabilities",
    "ver-initialize-unknown",
    "ver-initialize-2026",
    "res-legacy-shape",
    "res-progress-token-zero",
    "cors-on-errors",
    "cors-single-value",
    "origin-invalid-403",
    "gw-response-single-lines",
    "gw-large-result",
    "gw-slow-tool",
    "gw-reserved-paths",
    "card-catalog",
    "card-consistent",
    "log-injection",
];

/// What is wrong by the notes of the case.
pub(crate) fn check(id: &str, context: &Context<'_>) -> Vec<String> {
    let replies = context.replies;
    let mut found = Vec::new();
    let mut must = |holds: bool, words: &str| {
        if !holds {
            found.push(format!("{words}; got {replies:#?}"));
        }
    };
    match id {
        "transport-get-405" => {
            let body = json!({"jsonrpc": "2.0", "id": null,
                "error": {"code": -32000, "message": "Method not allowed."}});
            must(replies[0].json() == body, "the body of the 405 is fixed");
        }
        "transport-head-405" => must(replies[0].body.is_empty(), "an answer to HEAD has no body"),
        "neg-accept-sse-only" => {
            let text = replies[0].text();
            let both = text.contains("application/json") && text.contains("text/event-stream");
            must(replies[0].status == 200 || both, "406 names both types");
        }
        "neg-ct-missing" => must(
            without_content_type(context) == 415,
            "without the header: 415 too",
        ),
        "jr-id-zero" => {
            let text = replies[0].text();
            must(
                ["\"id\":0,", "\"id\":0}"].iter().any(|t| text.contains(t)),
                "the id stays `0`",
            );
        }
        "jr-id-large" => {
            must(
                replies[0].text().contains("\"id\":9007199254740993"),
                "digit for digit",
            );
            must(
                replies[1].text().contains("\"id\":-9223372036854775808"),
                "digit for digit",
            );
        }
        "jr-id-bad-types" => {
            let null_or_absent = |reply: &Reply| reply.json()["id"].is_null();
            must(
                replies.iter().all(null_or_absent),
                "nothing of a bad id comes back",
            );
        }
        "jr-params-null" => must(
            replies
                .iter()
                .all(|r| r.json()["result"]["tools"].is_array()),
            "tools",
        ),
        "jr-arguments-absent-or-null" => {
            let results: Vec<Value> = replies.iter().map(|r| r.json()["result"].clone()).collect();
            must(
                results[0]["content"].is_array(),
                "the tool runs without arguments",
            );
            must(results[0] == results[1], "null arguments are no arguments");
        }
        "ver-modern-header-no-meta" => {
            let text = replies[0].text();
            must(
                text.contains("io.modelcontextprotocol/protocolVersion"),
                "it names the missing key",
            );
        }
        "ver-meta-missing-capabilities" => {
            let reply = ask(context, "2026-07-28", "tools/list", json!({}));
            must(reply.status == 200, "only clientInfo may be missing");
        }
        "ver-initialize-unknown" | "ver-initialize-2026" => {
            let agreed = |reply: &Reply| reply.json()["result"]["protocolVersion"] == "2025-11-25";
            must(
                replies.iter().all(agreed),
                "the newest legacy version is offered",
            );
        }
        "res-legacy-shape" => must(
            legacy_shapes(context),
            "no legacy result has a modern member",
        ),
        "res-progress-token-zero" => must(replies[0].messages().unwrap().len() == 1, "one message"),
        "cors-on-errors" => {
            let once = |reply: &Reply| reply.values("access-control-allow-origin").count() == 1;
            must(
                replies.iter().all(once),
                "exactly one Access-Control-Allow-Origin",
            );
        }
        "cors-single-value" => must(
            cors_is_coherent(&replies[0]),
            "no credentials with *, and Vary",
        ),
        "origin-invalid-403" => must(replies[0].json()["id"].is_null(), "the error has no id"),
        _ => return delivery(id, context),
    }
    found
}

/// The notes about gateways, published documents and slow or large tools.
fn delivery(id: &str, context: &Context<'_>) -> Vec<String> {
    let replies = context.replies;
    let mut found = Vec::new();
    let mut must = |holds: bool, words: &str| {
        if !holds {
            found.push(format!("{words}; got {replies:#?}"));
        }
    };
    match id {
        "gw-response-single-lines" => {
            let names = replies[0].headers.iter().map(|(name, _)| name);
            let once = |name: &String| replies[0].values(name).count() == 1;
            must(names.clone().all(once), "each header is one line");
            must(
                preflight_through_rest(context) == sorted(&replies[0]),
                "the same through a REST API",
            );
        }
        "gw-large-result" => {
            // The harness itself refuses more than Lambda lets through.
            let result = &replies[0].json()["result"];
            must(
                result["isError"] == true,
                "what is too large is a tool error",
            );
            must(advises(result), "which says what to do");
        }
        "gw-slow-tool" => {
            let result = &replies[0].json()["result"];
            must(
                result["isError"] == true,
                "what takes too long is a tool error",
            );
            must(advises(result), "which says what to do");
        }
        "gw-reserved-paths" => {
            let cache = replies[0].header("cache-control").unwrap_or_default();
            must(cache.contains("no-store"), "a health answer is not cached");
        }
        "card-catalog" => must(
            catalog_is_complete(&replies[0].json()),
            "a complete catalog",
        ),
        "card-consistent" => {
            let (card, discovered) = (replies[0].json(), replies[1].json()["result"].clone());
            let info = &discovered["_meta"]["io.modelcontextprotocol/serverInfo"];
            must(
                card["version"] == info["version"],
                "the card has the server's version",
            );
            must(
                card_name(&card) == info["name"],
                "the card has the server's name",
            );
            let versions = &card["remotes"][0]["supportedProtocolVersions"];
            must(
                *versions == discovered["supportedVersions"],
                "the card has the served versions",
            );
        }
        _ => {}
    }
    found
}

/// The notes about what the logs hold.
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

fn without_content_type(context: &Context<'_>) -> u16 {
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let bare = context.server.post(&ping).without_header("content-type");
    bare.version("2025-11-25").via(context.front).send().status
}

fn legacy_shapes(context: &Context<'_>) -> bool {
    let client = json!({"name": "c", "version": "0"});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let call = json!({"name": "demo_read", "arguments": {"q": "a"}});
    let results = [
        ask(context, "2025-06-18", "initialize", hello).result(),
        ask(context, "2025-06-18", "tools/call", call).result(),
    ];
    let modern = ["resultType", "ttlMs", "cacheScope"];
    results
        .iter()
        .all(|result| modern.iter().all(|member| result.get(member).is_none()))
}

fn cors_is_coherent(reply: &Reply) -> bool {
    let origin = reply
        .header("access-control-allow-origin")
        .unwrap_or_default();
    let credentials = reply.header("access-control-allow-credentials");
    let vary = reply
        .header("vary")
        .unwrap_or_default()
        .to_ascii_lowercase();
    let echoed = origin != "*";
    if echoed {
        vary.contains("origin")
    } else {
        credentials.is_none_or(|value| value != "true")
    }
}

fn preflight_through_rest(context: &Context<'_>) -> Vec<(String, String)> {
    let mut preflight = HttpRequest::new("OPTIONS", "/mcp");
    let wanted = "authorization,content-type,mcp-protocol-version,mcp-method,mcp-name";
    preflight.headers = [
        ("origin", "https://app.example.com"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", wanted),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    sorted(
        &context
            .server
            .send_later(preflight)
            .via(crate::harness::Front::Rest)
            .send(),
    )
}

fn sorted(reply: &Reply) -> Vec<(String, String)> {
    let mut headers = reply.headers.clone();
    headers.sort();
    headers
}

/// A tool error has words for the model.
fn advises(result: &Value) -> bool {
    let text = result["content"][0]["text"]
        .as_str()
        .unwrap_or_default()
        .to_ascii_lowercase();
    ["try", "smaller", "less", "narrow", "again", "later"]
        .iter()
        .any(|word| text.contains(word))
}

fn catalog_is_complete(catalog: &Value) -> bool {
    let complete = |entry: &Value| {
        let starts = |member: &str, with: &str| {
            entry[member]
                .as_str()
                .is_some_and(|text| text.starts_with(with))
        };
        starts("identifier", "urn:air:")
            && entry["displayName"].is_string()
            && entry["type"] == "application/mcp-server-card+json"
            && starts("url", "https://")
    };
    let entries = catalog["entries"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    catalog["specVersion"] == "draft" && !entries.is_empty() && entries.iter().all(complete)
}

/// The last part of the card's reverse-domain name.
fn card_name(card: &Value) -> Value {
    let name = card["name"].as_str().unwrap_or_default();
    json!(name.rsplit('/').next())
}
