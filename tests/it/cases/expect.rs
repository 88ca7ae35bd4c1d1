//! Compares a reply with the expected result in the table.

use regex_lite::Regex;
use serde_json::{Map, Value};

use super::table::Expect;
use harness::Reply;

/// Returns the allowed statuses of request `step` of `steps`. An empty list allows any status.
pub(crate) fn statuses(expect: &Expect, step: usize, steps: usize) -> Result<Vec<u16>, String> {
    let of_step = match &expect.status {
        Value::Array(list) if steps > 1 => list
            .get(step)
            .ok_or_else(|| format!("no status is given for step {}", step + 1))?,
        one_or_any => one_or_any,
    };
    let number = |value: &Value| match value {
        Value::Number(number) => number
            .as_u64()
            .and_then(|number| u16::try_from(number).ok()),
        Value::String(text) => text.strip_prefix("last is ").unwrap_or(text).parse().ok(),
        _ => None,
    };
    match of_step {
        // An action checks its own replies.
        Value::String(text) if text.contains(" x ") => Ok(Vec::new()),
        Value::Null => Ok(Vec::new()),
        Value::Array(any) => any
            .iter()
            .map(|status| number(status).ok_or_else(|| format!("{status} is no status")))
            .collect(),
        one => Ok(vec![
            number(one).ok_or_else(|| format!("{one} is no status"))?,
        ]),
    }
}

/// Returns the differences of `reply`, one of `steps`, apart from its status.
pub(crate) fn differences(expect: &Expect, steps: usize, reply: &Reply) -> Vec<String> {
    let mut found = Vec::new();
    for (name, matcher) in expect.headers.iter().flatten() {
        let matcher = matcher.as_str().unwrap_or_default();
        if let Err(words) = header(matcher, reply, name) {
            found.push(format!("header {name}: expected {matcher:?}, {words}"));
        }
    }
    if reply.status == 202 && !reply.body.is_empty() {
        found.push("202 has no body".to_owned());
    }
    // In a sequence, a reply with status 202 has no message.
    if (steps == 1 || reply.status != 202)
        && let Some(jsonrpc) = &expect.jsonrpc
    {
        found.extend(message(jsonrpc, reply).err());
    }
    if let Some(text) = &expect.body_contains
        && !reply.text().contains(text)
    {
        found.push(format!("the body does not contain {text:?}"));
    }
    if let Some(deadline) = expect.deadline_ms
        && reply.elapsed.as_millis() > u128::from(deadline)
    {
        found.push(format!("it took {:?}, not {deadline} ms", reply.elapsed));
    }
    found
}

fn header(matcher: &str, reply: &Reply, name: &str) -> Result<(), String> {
    let value = reply.header(name);
    let is = || format!("it is {value:?}");
    let holds = match matcher
        .strip_prefix('@')
        .map(|rest| rest.split_once(':').unwrap_or((rest, "")))
    {
        None => value.as_deref() == Some(matcher),
        Some(("present", "")) => value.is_some(),
        Some(("absent", "")) => value.is_none(),
        Some(("count", number)) => {
            let count: usize = number.parse().map_err(|_| "which is no count".to_owned())?;
            reply.values(name).count() == count
        }
        Some(("not", text)) => !value.as_deref().unwrap_or_default().contains(text),
        Some(("re", regex)) => {
            let regex = Regex::new(regex).map_err(|error| error.to_string())?;
            value.as_deref().is_some_and(|value| regex.is_match(value))
        }
        Some(("contains-ci", all)) => {
            let value = value.as_deref().unwrap_or_default().to_ascii_lowercase();
            all.split(',')
                .all(|part| value.contains(&part.to_ascii_lowercase()))
        }
        Some(_) => return Err("which is no known matcher".to_owned()),
    };
    if holds { Ok(()) } else { Err(is()) }
}

/// Compares the message of the reply with the expected kind, id, code and members.
fn message(expected: &Map<String, Value>, reply: &Reply) -> Result<(), String> {
    let kind = expected.get("kind").and_then(Value::as_str);
    let known = ["kind", "id", "code", "result_has", "result_lacks", "ids"];
    if let Some(unknown) = expected.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(format!("the runner does not know jsonrpc.{unknown}"));
    }
    if kind == Some("none") {
        return if reply.body.is_empty() {
            Ok(())
        } else {
            Err("there is a body".to_owned())
        };
    }
    let messages = reply.messages()?;
    let message = messages.last().ok_or("there is no message")?;
    match kind {
        Some("batch") => return batch(expected, message),
        Some("result") if message.get("result").is_none() => return Err("no result".to_owned()),
        Some("error") if message.get("error").is_none() => return Err("no error".to_owned()),
        Some("result" | "error") | None => {}
        Some(other) => return Err(format!("the runner does not know the kind {other:?}")),
    }
    if let Some(id) = expected.get("id")
        && message.get("id").unwrap_or(&Value::Null) != id
    {
        return Err(format!("the id is {}, not {id}", message["id"]));
    }
    if let Some(code) = expected.get("code") {
        self::code(code, message["error"]["code"].as_i64())?;
    }
    members(expected, &message["result"])
}

fn code(expected: &Value, is: Option<i64>) -> Result<(), String> {
    let is = is.ok_or("there is no error code")?;
    let holds = match expected
        .as_str()
        .and_then(|text| text.strip_prefix("@not-in:"))
    {
        // A list of codes and ranges `low..high`.
        Some(list) => list.split(',').all(|part| match part.split_once("..") {
            Some((low, high)) => {
                low.parse().is_ok_and(|low: i64| is < low)
                    || high.parse().is_ok_and(|high: i64| is > high)
            }
            None => part.parse().is_ok_and(|one: i64| is != one),
        }),
        None => expected.as_i64() == Some(is),
    };
    if holds {
        Ok(())
    } else {
        Err(format!("the code is {is}, not {expected}"))
    }
}

fn members(expected: &Map<String, Value>, result: &Value) -> Result<(), String> {
    let names = |key| {
        expected
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    for name in names("result_has").filter_map(Value::as_str) {
        result
            .get(name)
            .ok_or_else(|| format!("the result has no `{name}`"))?;
    }
    for name in names("result_lacks").filter_map(Value::as_str) {
        if result.get(name).is_some() {
            return Err(format!("the result has a `{name}`"));
        }
    }
    Ok(())
}

/// A batch has one response for each expected id, in any order.
fn batch(expected: &Map<String, Value>, message: &Value) -> Result<(), String> {
    let responses = message.as_array().ok_or("the answer is no batch")?;
    let ids = expected
        .get("ids")
        .and_then(Value::as_array)
        .ok_or("the case gives no ids")?;
    let got: Vec<&Value> = responses.iter().map(|response| &response["id"]).collect();
    if got.len() == ids.len() && ids.iter().all(|id| got.contains(&id)) {
        return Ok(());
    }
    Err(format!("the ids are {got:?}, not {ids:?}"))
}
