//! The table of requests that broke other servers, run against `tests/fixtures/cases`.
//!
//! Each line of `tests/data/cases.jsonl` is a case: a request and the expected response. Each case
//! runs twice, with the events of a REST API (payload version 1) and of an HTTP API (version 2).
//! `notes`, `guards` and `walks` check what a case describes only in its notes. `decisions` lists
//! cases that are covered elsewhere, and cases whose expected response differs from the table.

mod actions;
mod bodies;
mod decisions;
mod expect;
mod guards;
mod notes;
mod run;
mod table;
mod tokens;
mod walks;

use std::path::Path;

use harness::{Front, TestServer, aloud};
use table::Case;

/// The edge that turns events into requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    /// `lambda_mcp::run`.
    Native,
    /// `lambda_mcp::lambda_http::run`.
    LambdaHttp,
}

/// Runs the cases of one area and reports all failures together.
fn area(name: &str, edge: Edge) {
    let cases: Vec<Case> = table::load()
        .into_iter()
        .filter(|case| case.area == name)
        .collect();
    assert!(
        !cases.is_empty(),
        "the table has no case of the area {name}"
    );
    let mut failures = Vec::new();
    for case in &cases {
        let is_lost = edge == Edge::LambdaHttp && decisions::lost_by_lambda_http(&case.id);
        if !is_lost && decisions::settled_elsewhere(&case.id).is_none() {
            failures.extend(run::on_the_function(case, edge));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {name}:\n\n{}",
        failures.len(),
        failures.join("\n\n")
    );
}

/// Defines one test per area, so that areas run in parallel.
macro_rules! areas {
    ($($area:ident),+ $(,)?) => {
        $(#[test]
        fn $area() {
            area(stringify!($area), Edge::Native);
        })+

        mod through_lambda_http {
            use super::{Edge, area};

            $(#[test]
            fn $area() {
                area(stringify!($area), Edge::LambdaHttp);
            })+
        }

        #[test]
        fn no_area_is_left_out() {
            let areas = [$(stringify!($area)),+];
            for case in table::load() {
                assert!(areas.contains(&case.area.as_str()), "{} is of no area that runs", case.id);
            }
        }
    };
}

areas!(
    transport,
    negotiation,
    jsonrpc,
    version,
    headers,
    results,
    cors,
    gateway,
    logging,
    discovery,
    auth,
    ratelimit,
    sideeffects,
    tasks,
);

#[test]
fn every_decision_is_about_a_case() {
    let cases = table::load();
    let known = |id: &str| cases.iter().any(|case| case.id == id);
    let decided = decisions::ELSEWHERE.iter().chain(decisions::HERE_AS_WELL);
    for (id, reason) in decided.chain(decisions::LOST_BY_LAMBDA_HTTP) {
        assert!(known(id), "{id} is not a case");
        assert!(reason.len() > 40, "{id}: {reason} is no reason");
    }
    let ours: Vec<&str> = decisions::ours()
        .iter()
        .map(|decision| decision.case)
        .collect();
    let noted = notes::CHECKS.iter().map(|(id, _)| *id);
    let walked = walks::CHECKS.iter().map(|(id, _)| *id);
    let guarded = guards::CHECKS.iter().map(|(id, _)| *id);
    let silent = guards::WRITE_NOTHING.iter().copied();
    let checks = noted.chain(walked).chain(guarded).chain(silent);
    for id in ours.into_iter().chain(checks) {
        assert!(known(id), "{id} is not a case");
    }
    for case in cases.iter().filter(|case| case.layer == "deployed") {
        let here = decisions::HERE_AS_WELL.iter().any(|(id, _)| *id == case.id);
        let settled = here || decisions::settled_elsewhere(&case.id).is_some();
        assert!(
            settled,
            "{} cannot be seen from here: say where it is settled",
            case.id
        );
    }
}

#[test]
fn the_copies_equal_the_originals() {
    let originals = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/cases.jsonl");
    let Ok(originals) = std::fs::read_to_string(&originals) else {
        aloud("SKIPPED: ../shared/cases is not here; tests/data/cases.jsonl is taken as it is.");
        return;
    };
    let originals: Vec<&str> = originals.lines().collect();
    for line in table::text().lines() {
        assert!(originals.contains(&line), "not the original line: {line}");
    }
}

/// Runs the cases that any HTTP server can answer. Returns their number and all failures.
pub(crate) fn over(server: &TestServer, front: Front) -> (usize, Vec<String>) {
    let cases = table::load();
    let fitting: Vec<&Case> = cases.iter().filter(|case| run::fits_http(case)).collect();
    let failures = fitting
        .iter()
        .flat_map(|case| run::on_a_server(case, server, front));
    (fitting.len(), failures.collect())
}

/// Runs the cases against a running server: `CASES_URL=http://127.0.0.1:9000/mcp`.
#[test]
#[ignore = "needs a running server of tests/fixtures/cases, named by CASES_URL"]
fn over_http() {
    let url = std::env::var("CASES_URL").expect("CASES_URL names the endpoint");
    let (ran, failures) = over(&TestServer::at(&url), Front::Http);
    aloud(&format!("{ran} cases ran against {url}"));
    assert!(
        failures.is_empty(),
        "{} of {ran}:\n\n{}",
        failures.len(),
        failures.join("\n\n")
    );
}
