//! Changes of messages and of their JSON text.

use serde_json::{Map, Value, json};

use super::random::Random;
use super::requests::VERSIONS;

/// Values of every type.
fn values(random: &mut Random) -> Value {
    let values = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(""),
        json!("x"),
        json!("\u{0}\u{202e}é😀"),
        json!([]),
        json!([1]),
        json!({}),
        json!({"a": null}),
    ];
    random.pick(&values)
}

/// Changes a member of a message, at any depth. Returns what was changed.
pub(super) fn change_message(message: &mut Value, random: &mut Random) -> String {
    if random.percent(15) {
        return change_version(message, random);
    }
    let places = places(message);
    let place = random.pick(&places);
    let Some((parent, name)) = place.rsplit_once('/') else {
        return "nothing".to_owned();
    };
    let parent = message.pointer_mut(parent);
    let Some(members) = parent.and_then(Value::as_object_mut) else {
        return "nothing".to_owned();
    };
    let name = name.replace("~1", "/").replace("~0", "~");
    match random.below(4) {
        0 => {
            members.remove(&name);
            format!("no {place}")
        }
        1 => {
            let value = values(random);
            let story = format!("{place}x = {value}");
            members.insert(name + "x", value);
            story
        }
        _ => {
            let value = values(random);
            let story = format!("{place} = {value}");
            members.insert(name, value);
            story
        }
    }
}

/// The members of a message, at any depth, as JSON pointers.
fn places(message: &Value) -> Vec<String> {
    fn add(members: &Map<String, Value>, at: &str, places: &mut Vec<String>) {
        for (name, value) in members {
            let name = name.replace('~', "~0").replace('/', "~1");
            let place = format!("{at}/{name}");
            if let Value::Object(members) = value {
                add(members, &place, places);
            }
            places.push(place);
        }
    }
    let mut places = vec![String::new()];
    if let Value::Object(members) = message {
        add(members, "", &mut places);
    }
    places
}

/// Changes the version in the body.
fn change_version(message: &mut Value, random: &mut Random) -> String {
    let mut versions = VERSIONS.to_vec();
    versions.extend(["2099-01-01", "1999-01-01", ""]);
    let version = random.pick(&versions);
    let Some(params) = message["params"].as_object_mut() else {
        return "nothing".to_owned();
    };
    if params.contains_key("protocolVersion") {
        params.insert("protocolVersion".to_owned(), json!(version));
        return format!("protocolVersion = {version}");
    }
    let meta = params.entry("_meta").or_insert_with(|| json!({}));
    if let Value::Object(meta) = meta {
        let name = "io.modelcontextprotocol/protocolVersion";
        meta.insert(name.to_owned(), json!(version));
    }
    format!("_meta version = {version}")
}

/// Gives the message another id.
pub(super) fn change_id(message: &mut Value, random: &mut Random) -> String {
    let ids = [
        json!(null),
        json!(true),
        json!([1]),
        json!({"a": 1}),
        json!(1.0),
        json!(1.5),
        json!(-7),
        json!(9_007_199_254_740_993_i64),
        json!(u64::MAX),
        json!(""),
        json!("x"),
        json!("é\"\\\u{7f}😀"),
        json!("x".repeat(1000)),
        json!("x".repeat(2000)),
    ];
    let id = random.pick(&ids);
    if let Value::Object(members) = message {
        members.insert("id".to_owned(), id.clone());
    }
    let mut id = id.to_string();
    id.truncate(20);
    format!("id = {id}")
}

/// Changes the JSON text of a message. Returns what was changed, and the bytes.
pub(super) fn change_text(text: String, random: &mut Random) -> (String, Vec<u8>) {
    let (story, text) = match random.below(14) {
        0 => ("empty", String::new()),
        1 => ("cut", text.chars().take(random.below(text.len())).collect()),
        2 => ("trailing comma", text + ","),
        3 => ("twice", format!("{text}{text}")),
        4 => ("byte order mark", format!("\u{feff}{text}")),
        5 => ("white space", format!(" \r\n\t{text}\n ")),
        6 => ("in an array", format!("[{text}]")),
        7 => (
            "a scalar",
            (random.pick(&["null", "1", "\"x\"", "true", "[]"])).to_owned(),
        ),
        8 => ("two ids", text.replacen('{', "{\"id\":77,", 1)),
        9 => (
            "two methods",
            text.replacen('{', "{\"method\":\"ping\",", 1),
        ),
        10 => {
            let numbers = [
                "1e2",
                "5.0",
                "-0",
                "0.0",
                "1E+1",
                "123456789012345678901234567890",
                "\"\\u0041\\/\"",
            ];
            (
                "a raw id",
                text.replacen('{', &format!("{{\"id\":{},", random.pick(&numbers)), 1)
                    .replacen(",\"id\":", ",\"idx\":", 1),
            )
        }
        11 => {
            let depth = random.pick(&[60, 130, 5000]);
            let deep = "[".repeat(depth) + &"]".repeat(depth);
            ("deep", text.replacen('{', &format!("{{\"x\":{deep},"), 1))
        }
        12 => (
            "a response",
            json!({"jsonrpc": "2.0", "id": 1, "result": {}}).to_string(),
        ),
        _ => {
            let mut bytes = text.into_bytes();
            let at = random.below(bytes.len());
            bytes[at] = 0xff;
            return ("not UTF-8".to_owned(), bytes);
        }
    };
    (story.to_owned(), text.into_bytes())
}
