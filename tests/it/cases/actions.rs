//! The actions that the table describes in words: repeated requests and compared keys.

use std::time::{Duration, SystemTime};

use lambda_mcp::limit::{CallerKey, Counter, Rule};
use serde_json::{Value, json};

use super::table::{EventSpec, Step, Steps, Unit};
use harness::{
    Front, HttpRequest, Outcome, Reply, RequestBuilder, ServerConfig, TestServer, event,
};

/// The limits of the `ratelimit` cases. The windows are long, so that no test reaches the end of one.
pub(crate) const LIMITS: &str = "demo_read=3/365d;demo_write=10/365d";
/// The limit of `demo_read`.
const READS: usize = 3;
/// The limit of `demo_write`.
const WRITES: usize = 10;

/// Performs an action and checks every reply to it.
pub(crate) fn act(words: &str, server: &TestServer, front: Front) -> Result<(), String> {
    let read = || read(server).via(front).outcome();
    match words {
        "<limit> x tools/call demo_read, all 200" => all(READS, 200, read),
        "exhaust the tool quota" => {
            all(READS, 200, read)?;
            all(2, 429, read)
        }
        "60 x GET /mcp within 60 s" => all(60, 405, || {
            server.request("GET", "/mcp").via(front).outcome()
        }),
        // One instance serves one call at a time. `limit` tests four instances in parallel.
        "limit = 10; 50 parallel tools/call from one principal across several processes" => {
            let write = || write(server, 1).via(front).outcome();
            all(WRITES, 200, write)?;
            all(50 - WRITES, 429, write)
        }
        other => Err(format!("the runner cannot {other:?}")),
    }
}

fn all(times: usize, status: u16, send: impl Fn() -> Outcome) -> Result<(), String> {
    for time in 1..=times {
        match send() {
            Outcome::Reply(reply) if reply.status == status => {}
            other => return Err(format!("request {time} is not {status}: {other:?}")),
        }
    }
    Ok(())
}

fn call(id: usize, tool: &str, arguments: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

fn read(server: &TestServer) -> RequestBuilder<'_> {
    let call = call(1, "demo_read", json!({"q": "a"}));
    server.post(&call).version("2025-11-25")
}

/// Writes a note with a valid credential.
pub(crate) fn write(server: &TestServer, id: usize) -> RequestBuilder<'_> {
    let call = call(id, "demo_write", json!({"text": "x"}));
    let request = server.post(&call).version("2025-11-25");
    request.header("Authorization", "Bearer test-key-valid")
}

/// Repeats steps and returns the last reply.
pub(crate) fn repeat(words: &str, steps: &Steps, server: &TestServer) -> Result<Reply, String> {
    let [Step::Event(EventSpec { event }), ..] = steps.steps.as_slice() else {
        return Err("there is no event to repeat".to_owned());
    };
    if words != "limit+1 times, varying the spoofed address" {
        return Err(format!("the runner cannot repeat {words:?}"));
    }
    let mut last = None;
    for time in 0..=READS {
        let spoofed = format!("203.0.113.{}", 50 + time);
        let text = event.to_string().replace("203.0.113.1", &spoofed);
        match server.invoke_raw(Front::Http, text, Duration::from_secs(5)) {
            Outcome::Reply(reply) if reply.status == 200 || time == READS => last = Some(reply),
            other => return Err(format!("request {} is not 200: {other:?}", time + 1)),
        }
    }
    last.ok_or_else(|| "nothing was sent".to_owned())
}

/// Compares keys: those of addresses through a function, the others through the library.
pub(crate) fn compare(unit: &Unit) -> Vec<String> {
    let same: fn(&[Value; 2]) -> Result<bool, String> = match unit.unit.as_str() {
        "key(sourceIp)" => same_caller,
        "key(scope, principal, window)" => same_counter,
        other => return vec![format!("the runner knows no unit {other:?}")],
    };
    let equal = unit.pairs_equal.iter().map(|pair| (pair, true));
    let different = unit.pairs_different.iter().map(|pair| (pair, false));
    let mut found = Vec::new();
    for (pair, expected) in equal.chain(different) {
        match same(pair) {
            Ok(is) if is == expected => {}
            Ok(_) => found.push(format!("the keys of {pair:?}: equal is {}", !expected)),
            Err(fault) => found.push(fault),
        }
    }
    found
}

/// Returns whether two addresses share a limit of one call, through every front.
fn same_caller(pair: &[Value; 2]) -> Result<bool, String> {
    let [rest, http] = [Front::Rest, Front::Http].map(|front| second_status(pair, front));
    match (rest?, http?) {
        (429, 429) => Ok(true),
        (200, 200) => Ok(false),
        statuses => Err(format!("{pair:?}: the fronts give {statuses:?}")),
    }
}

/// Returns the status of the second of two calls, with a limit of one call per client.
fn second_status(pair: &[Value; 2], front: Front) -> Result<u16, String> {
    let config = ServerConfig::new("cases").env("LIMITS", "demo_read=1/365d");
    let server = config.start();
    let message = call(1, "demo_read", json!({"q": "a"}));
    let mut request = HttpRequest::post(message.to_string());
    let version = ("MCP-Protocol-Version".to_owned(), "2025-11-25".to_owned());
    request.headers.push(version);
    let mut event = event(front, &request);
    let source = match front {
        Front::Rest => "/requestContext/identity/sourceIp",
        _ => "/requestContext/http/sourceIp",
    };
    let mut statuses = Vec::new();
    for address in pair {
        *event
            .pointer_mut(source)
            .ok_or("the event has no address")? = address.clone();
        match server.invoke(front, &event) {
            Outcome::Reply(reply) => statuses.push(reply.status),
            other => return Err(format!("{address}: {other:?}")),
        }
    }
    match statuses[..] {
        [200, second] => Ok(second),
        _ => Err(format!("{pair:?} gave {statuses:?}")),
    }
}

fn same_counter(pair: &[Value; 2]) -> Result<bool, String> {
    let key = |parts: &Value| {
        let part = |index: usize| parts[index].as_str().ok_or_else(|| format!("{parts}"));
        let length = Duration::from_secs(60);
        let rule = Rule::new(1, length).map_err(|error| error.to_string())?;
        let number: u32 = part(2)?.parse().map_err(|_| format!("{parts}"))?;
        let (caller, now) = (
            CallerKey::credential(part(1)?),
            SystemTime::UNIX_EPOCH + length * number,
        );
        let counters = Counter::of_rule(part(0)?, &rule, &caller, now);
        Ok::<_, String>(counters.iter().map(Counter::key).collect::<Vec<_>>())
    };
    Ok(key(&pair[0])? == key(&pair[1])?)
}
