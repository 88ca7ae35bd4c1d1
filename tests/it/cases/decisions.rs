//! Cases that run elsewhere, and cases whose expected result differs from the table.

use serde_json::{Value, json};

/// Cases that need a deployed stage, and the tests that cover them instead.
pub(crate) const ELSEWHERE: &[(&str, &str)] = &[
    (
        "gw-own-errors",
        "the gateway's own answers are in the template: its tests hold the gateway responses to \
         carry CORS and a JSON-RPC body; the function's part, JSON for every unknown path, is in \
         `gate`",
    ),
    (
        "gw-cold-start",
        "no part of the start or of initialize calls another service: the harness gives the function \
         no credentials and no network name, and `gate` times its first answer",
    ),
    (
        "rl-store-failure",
        "`limit_wire` lets a store fail under a whole server: reading goes on, the tool with an effect \
         answers 503 with `Retry-After`; `limit` plants each fault in the real client and bounds the \
         time",
    ),
    (
        "task-create-and-get",
        "its second step needs the id that the first one gets: `tasks::cases` does it on the same \
         program; another instance finds a task only with an engine that instances share",
    ),
    (
        "task-unknown-or-foreign",
        "its steps need the id of a task: `tasks::cases` and `tasks::ids` send them, and compare the \
         answers byte for byte",
    ),
    (
        "task-error-mapping",
        "its steps name the tasks `T` and `U`: `tasks::cases` creates them on the same program",
    ),
    (
        "task-stuck-after-freeze",
        "the engine in memory is refused on Lambda, which `tasks::cases` tests; local runs are never \
         frozen, so its work goes on between requests",
    ),
];

/// Cases of a deployed stage that run here in part.
pub(crate) const HERE_AS_WELL: &[(&str, &str)] = &[
    (
        "cors-single-value",
        "the function writes exactly one value, as checked here; that the gateway adds no second one \
         is a matter of the template, which configures no CORS of its own on what it passes on",
    ),
    (
        "auth-header-renamed-by-gateway",
        "the function writes `WWW-Authenticate` under its own name, as checked here; a REST API renames \
         it on its way out, which `infra/cloudfront.yaml` undoes and the gateway's tests emulate",
    ),
];

/// Returns why a case does not run here.
pub(crate) fn settled_elsewhere(id: &str) -> Option<&'static str> {
    ELSEWHERE
        .iter()
        .find(|(case, _)| *case == id)
        .map(|(_, reason)| *reason)
}

/// An expected result that replaces the one in the table.
pub(crate) struct Decision {
    pub(crate) case: &'static str,
    /// The changed members of `expect`.
    expect: Value,
}

/// Returns all decisions, each with its reason.
pub(crate) fn ours() -> Vec<Decision> {
    let decision = |case, expect| Decision { case, expect };
    vec![
        // The audience is compared letter by letter. Issuers are told the URL without the slash, and
        // a rule that forgives one character invites the next.
        decision("auth-audience", json!({"status": [401, 401, 200, 401]})),
        // The error repeats the id of its request, as the notes of the case say; `tasks::clients`
        // compares the `data`.
        decision(
            "task-methods-undeclared",
            json!({"jsonrpc": {"kind": "error", "code": -32021}}),
        ),
    ]
}

/// Applies the decisions to a case.
pub(crate) fn apply(case: &mut Value) {
    let id = case["id"].clone();
    for decision in ours().iter().filter(|decision| id == decision.case) {
        for (member, value) in decision.expect.as_object().into_iter().flatten() {
            case["expect"][member] = value.clone();
        }
    }
}

/// Cases whose request cannot be told from another one after `lambda_http` read the event, and why.
pub(crate) const LOST_BY_LAMBDA_HTTP: &[(&str, &str)] = &[(
    "log-injection",
    "`lambda_http` refuses an event with control characters in a header; our own edge replaces them, \
     so that the header still counts",
)];

/// Returns whether `lambda_http` loses what a case is about.
pub(crate) fn lost_by_lambda_http(id: &str) -> bool {
    LOST_BY_LAMBDA_HTTP.iter().any(|(case, _)| *case == id)
}
