//! Runs one case: sends its requests, compares each reply and checks the logs.

use std::time::Duration;

use serde_json::{Value, json};

use super::table::{Case, Expect, HttpSpec, RequestSpec, Step, Steps};
use super::{Edge, actions, bodies, decisions, expect, guards, notes, walks};
use harness::{Front, HttpRequest, Outcome, Reply, ServerConfig, TestServer};

/// The server and the replies of a case.
pub(crate) struct Context<'a> {
    pub(crate) server: &'a TestServer,
    pub(crate) front: Front,
    pub(crate) replies: &'a [Reply],
}

/// Runs a case through every front, each with its own function.
pub(crate) fn on_the_function(case: &Case, edge: Edge) -> Vec<String> {
    let fronts: &[Front] = match &case.request {
        RequestSpec::Unit(unit) => {
            let found = actions::compare(unit).into_iter();
            return found
                .map(|fault| report(case, Front::Http, &fault))
                .collect();
        }
        RequestSpec::Event(_) | RequestSpec::Events(_) => &[Front::Http],
        RequestSpec::Steps(Steps {
            repeat: Some(_), ..
        }) => &[Front::Http],
        RequestSpec::Steps(_)
        | RequestSpec::Loop(_)
        | RequestSpec::One(_)
        | RequestSpec::Faults(_) => &[Front::Rest, Front::Http],
    };
    std::thread::scope(|scope| {
        let runs: Vec<_> = fronts
            .iter()
            .map(|front| scope.spawn(|| alone(case, *front, edge)))
            .collect();
        runs.into_iter()
            .flat_map(|run| run.join().unwrap())
            .collect()
    })
}

fn alone(case: &Case, front: Front, edge: Edge) -> Vec<String> {
    let server = match configuration(case, edge) {
        Ok(config) => config.start(),
        Err(fault) => return vec![report(case, front, &fault)],
    };
    let mut failures = on_a_server(case, &server, front);
    if failures.is_empty() {
        let ran = guards::nothing_ran(&case.id, &server);
        failures.extend(ran.iter().map(|fault| report(case, front, fault)));
    }
    let asked = server.logs().clone();
    // If the process has ended, the failures already include its logs.
    let logs = if failures.is_empty() {
        server.finish()
    } else {
        asked.text()
    };
    let mut found: Vec<String> = case
        .expect
        .log_not_contains
        .iter()
        // A prefix of six characters would already reveal a secret.
        .filter(|secret| logs.contains(&secret[..secret.len().min(6)]))
        .map(|secret| format!("the logs hold a part of {secret:?}:\n{logs}"))
        .collect();
    found.extend(notes::in_the_logs(case, &logs));
    found.extend(guards::credentials_in(&logs));
    failures.extend(found.iter().map(|fault| report(case, front, fault)));
    failures
}

fn configuration(case: &Case, edge: Edge) -> Result<ServerConfig, String> {
    let mut config = ServerConfig::new("cases");
    if edge == Edge::LambdaHttp {
        config = config.env("EDGE", "lambda_mcp::lambda_http");
    }
    if case.area == "ratelimit" {
        config = config.env("LIMITS", actions::LIMITS);
    }
    let RequestSpec::Steps(steps) = &case.request else {
        return Ok(config);
    };
    match steps.env.as_deref() {
        None => Ok(config),
        Some("log level TRACE") => Ok(config.env("LOG_LEVEL", "trace")),
        Some(other) => Err(format!(
            "the runner does not know the environment {other:?}"
        )),
    }
}

/// Returns whether a case can run against any HTTP server: it needs no events, limits, logs or steps
/// that only another test can take.
pub(crate) fn fits_http(case: &Case) -> bool {
    let events = matches!(case.request, RequestSpec::Event(_) | RequestSpec::Events(_));
    let configured = ["logging", "ratelimit"].contains(&case.area.as_str());
    let elsewhere = decisions::settled_elsewhere(&case.id).is_some();
    !events && !configured && !elsewhere && case.layer != "deployed"
}

/// Runs a case on a server that other cases can share.
pub(crate) fn on_a_server(case: &Case, server: &TestServer, front: Front) -> Vec<String> {
    let outcomes = outcomes(case, server, front);
    let steps = outcomes.len();
    let mut found = Vec::new();
    let mut replies = Vec::new();
    for (step, outcome) in outcomes.into_iter().enumerate() {
        let place = if steps > 1 {
            format!("step {}: ", step + 1)
        } else {
            String::new()
        };
        let statuses = expect::statuses(&case.expect, step, steps);
        match (outcome, statuses) {
            (Ok(Sent::Done), _) => {}
            (Ok(Sent::One(Outcome::Reply(reply))), Ok(statuses)) => {
                found.extend(
                    compare(&case.expect, (steps, &statuses), &reply).map(|fault| place + &fault),
                );
                replies.push(reply);
            }
            (Ok(Sent::One(other)), Ok(_)) => found.push(format!("{place}no response: {other:?}")),
            (Err(fault), _) | (_, Err(fault)) => found.push(format!("{place}{fault}")),
        }
    }
    let context = Context {
        server,
        front,
        replies: &replies,
    };
    if found.is_empty() {
        found.extend(notes::check(&case.id, &context));
        found.extend(walks::check(&case.id, &context));
        found.extend(guards::check(&case.id, &context));
        found.extend(lives_on(&context));
    }
    found
        .iter()
        .map(|fault| report(case, front, fault))
        .collect()
}

/// The result of a step.
enum Sent {
    /// The outcome of a request.
    One(Outcome),
    /// An action, which checked its own replies.
    Done,
}

/// Sends the requests of a case.
fn outcomes(case: &Case, server: &TestServer, front: Front) -> Vec<Result<Sent, String>> {
    let request = |spec: &HttpSpec| {
        bodies::request(spec).map(|request| Sent::One(send(case, server, front, request)))
    };
    let invoke = |event: &Value| Ok(Sent::One(invoke(server, event)));
    match &case.request {
        RequestSpec::One(spec) => vec![request(spec)],
        RequestSpec::Steps(
            sequence @ Steps {
                repeat: Some(words),
                ..
            },
        ) => {
            let last = actions::repeat(words, sequence, server);
            vec![last.map(|reply| Sent::One(Outcome::Reply(reply)))]
        }
        RequestSpec::Steps(sequence) => {
            let steps = sequence.steps.iter().map(|step| match step {
                Step::Action(words) => actions::act(words, server, front).map(|()| Sent::Done),
                Step::Event(spec) => invoke(&spec.event),
                Step::Request(spec) => request(spec),
            });
            steps.collect()
        }
        RequestSpec::Event(spec) => vec![invoke(&spec.event)],
        RequestSpec::Events(spec) => spec.events.iter().map(invoke).collect(),
        RequestSpec::Unit(spec) => vec![Err(format!("{:?} is no request", spec.unit))],
        RequestSpec::Faults(spec) => {
            vec![Err(format!("no store here does {:?}", spec.store_fault))]
        }
        // The first page. `walks` follows the cursors.
        RequestSpec::Loop(spec) if spec.what == PAGES => {
            let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
            let request = HttpRequest::post(list.to_string());
            vec![Ok(Sent::One(send(case, server, front, request)))]
        }
        RequestSpec::Loop(spec) => vec![Err(format!("the runner cannot loop {:?}", spec.what))],
    }
}

const PAGES: &str = "tools/list, following result.nextCursor until it is absent";

fn send(case: &Case, server: &TestServer, front: Front, request: HttpRequest) -> Outcome {
    let builder = server.send_later(request).via(front);
    match case.expect.deadline_ms {
        Some(deadline) => builder.deadline(Duration::from_millis(deadline)).outcome(),
        None => builder.outcome(),
    }
}

fn invoke(server: &TestServer, event: &Value) -> Outcome {
    let front = if event["version"] == "2.0" {
        Front::Http
    } else {
        Front::Rest
    };
    server.invoke(front, event)
}

/// Returns all differences from the expected result in one report.
fn compare(expect: &Expect, (steps, statuses): (usize, &[u16]), reply: &Reply) -> Option<String> {
    let mut differences = Vec::new();
    if !statuses.is_empty() && !statuses.contains(&reply.status) {
        differences.push(format!("expected HTTP {statuses:?}"));
    }
    differences.extend(expect::differences(expect, steps, reply));
    differences.extend(reply.faults.clone());
    let all = differences.join("\n    ");
    let got = format!("{reply:?}").replace('\n', "\n      ");
    (!all.is_empty()).then(|| format!("{all}\n    got {got}"))
}

/// Checks that the next request on the same function succeeds.
fn lives_on(context: &Context<'_>) -> Vec<String> {
    let ping = json!({"jsonrpc": "2.0", "id": "after", "method": "ping"});
    match context
        .server
        .post(&ping)
        .version("2025-11-25")
        .via(context.front)
        .outcome()
    {
        Outcome::Reply(reply) if reply.status == 200 && reply.message()["result"] == json!({}) => {
            Vec::new()
        }
        other => vec![format!(
            "the next request finds no working function: {other:?}"
        )],
    }
}

fn report(case: &Case, front: Front, fault: &str) -> String {
    format!("{} ({front:?}): {}\n    {fault}", case.id, case.summary)
}

/// Sends a request to the server of a case, through the same front.
pub(crate) fn ask(context: &Context<'_>, version: &str, method: &str, params: Value) -> Reply {
    let mut message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let builder = if version == "2026-07-28" {
        message["params"]["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        context.server.post(&message).modern_headers()
    } else {
        context.server.post(&message).version(version)
    };
    builder.via(context.front).send()
}
