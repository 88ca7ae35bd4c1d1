//! The programs of `examples/`, each started and called as its head says.

use std::time::Duration;

use serde_json::{Value, json};

use harness::messages::{ask, call, request_with, send};
use harness::{Reply, SERVED_VERSIONS, ServerConfig, TestServer, Version};

// With `test = true`, cargo would build this example for its tests only, and no program of it.
#[path = "../../examples/testing.rs"]
#[expect(dead_code, reason = "the program has a `main`")]
mod parcels;

mod credentials;
mod order_desk;
mod report;

#[test]
fn minimal_lists_and_serves_its_tool() {
    let server = ServerConfig::new("minimal").start();
    for version in SERVED_VERSIONS {
        let tools = ask(&server, version, "tools/list", json!({})).result();
        let [roll] = &tools["tools"].as_array().unwrap()[..] else {
            panic!("{tools}");
        };
        assert_eq!(roll["name"], "roll");
        let schema = &roll["inputSchema"];
        assert_eq!(schema["properties"]["sides"]["maximum"], 100, "{schema}");
        let result = call(&server, version, "roll", json!({"sides": 6})).result();
        let text = result["content"][0]["text"].as_str().unwrap();
        let rolled: u32 = text
            .trim_start_matches("You rolled a ")
            .trim_end_matches('.')
            .parse()
            .unwrap();
        assert!((1..=6).contains(&rolled), "{text}");
        assert!(ask(&server, version, "resources/list", json!({})).error_code() == -32601);
    }
}

fn read(server: &TestServer, version: Version, uri: &str) -> Reply {
    ask(server, version, "resources/read", json!({"uri": uri}))
}

#[test]
fn resources_and_prompts_serves_its_recipes() {
    let server = ServerConfig::new("resources_and_prompts").start();
    for version in SERVED_VERSIONS {
        let listed = ask(&server, version, "resources/list", json!({})).result();
        assert_eq!(listed["resources"][0]["uri"], "recipes:contents");
        let contents = read(&server, version, "recipes:contents").result();
        assert_eq!(
            contents["contents"][0]["text"],
            "- pancakes\n- lentil soup\n"
        );
        let soup = read(&server, version, "recipes://lentil%20soup").result();
        let text = soup["contents"][0]["text"].as_str().unwrap();
        assert!(text.contains("lentils"), "{soup}");
        let absent = read(&server, version, "recipes://cake");
        let code = if version.is_modern() { -32602 } else { -32002 };
        assert_eq!((absent.status, absent.error_code()), (200, code));
        assert_eq!(absent.message()["error"]["data"]["uri"], "recipes://cake");
    }
}

#[test]
fn resources_and_prompts_reads_numbers_from_text() {
    let server = ServerConfig::new("resources_and_prompts").start();
    for version in SERVED_VERSIONS {
        let cook = |arguments: Value| {
            let params = json!({"name": "cook", "arguments": arguments});
            ask(&server, version, "prompts/get", params)
        };
        let cases = [
            (json!({"name": "pancakes"}), "cook it for 2."),
            (json!({"name": "pancakes", "people": "4"}), "cook it for 4."),
        ];
        for (arguments, words) in cases {
            let result = cook(arguments).result();
            let text = result["messages"][0]["content"]["text"].as_str().unwrap();
            assert!(text.ends_with(words), "{result}");
        }
        for people in ["0", "21", "many", "4.5", ""] {
            let reply = cook(json!({"name": "pancakes", "people": people}));
            assert_eq!(reply.error_code(), -32602, "{people}: {reply:#?}");
            let message = reply.message()["error"]["message"].to_string();
            assert!(message.contains("`people`"), "{message}");
        }
    }
}

#[test]
fn resources_and_prompts_completes_the_names_of_recipes() {
    let server = ServerConfig::new("resources_and_prompts").start();
    let recipe = json!({"type": "ref/resource", "uri": "recipes://{name}"});
    let cook = json!({"type": "ref/prompt", "name": "cook"});
    for version in SERVED_VERSIONS {
        for reference in [&recipe, &cook] {
            let argument = json!({"name": "name", "value": "SOUP"});
            let params = json!({"ref": reference, "argument": argument});
            let result = ask(&server, version, "completion/complete", params).result();
            assert_eq!(result["completion"]["values"], json!(["lentil soup"]));
        }
    }
    let found = ask(&server, Version::V2026_07_28, "server/discover", json!({})).result();
    assert_eq!(found["capabilities"]["completions"], json!({}), "{found}");
}

#[test]
fn ask_the_user_books_after_two_rounds() {
    let server = ServerConfig::new("ask_the_user").start();
    let version = Version::V2026_07_28;
    let capabilities = json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}});
    let book = |more: Value| {
        let mut params = json!({"name": "book", "arguments": {"city": "Bern"}});
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        let meta = json!({"io.modelcontextprotocol/clientCapabilities": capabilities});
        send(
            &server,
            version,
            &request_with(version, "tools/call", params, meta),
        )
        .result()
    };
    let answer = |asked: &Value, answers: Value| {
        assert_eq!(asked["resultType"], "input_required", "{asked}");
        book(json!({"inputResponses": answers, "requestState": asked["requestState"]}))
    };
    let accept = |content: Value| json!({"action": "accept", "content": content});
    let text = |result: Value| {
        assert_eq!(result["resultType"], "complete", "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let first = book(json!({}));
    let schema = &first["inputRequests"]["details"]["params"]["requestedSchema"];
    assert_eq!(
        schema["properties"]["class"]["enum"],
        json!(["first", "second"])
    );

    let too_many = json!({"details": accept(json!({"travellers": 10, "class": "first"}))});
    let again = answer(&first, too_many);
    let message = again["inputRequests"]["details"]["params"]["message"].to_string();
    assert!(message.contains("at most 9"), "{message}");

    let details = json!({"details": accept(json!({"travellers": 2, "class": "second"}))});
    let second = answer(&first, details);
    let questions = second["inputRequests"].as_object().unwrap();
    assert_eq!(
        questions.keys().collect::<Vec<_>>(),
        ["consent", "greeting"]
    );
    assert_eq!(questions["consent"]["params"]["message"], "Book Bern?");

    let said = json!({"type": "text", "text": "Safe travels!"});
    let sampled = json!({"role": "assistant", "content": said, "model": "m"});
    let yes = json!({"consent": accept(json!({"agreed": true})), "greeting": sampled});
    let booked = "Booked Bern for 2 in Second class. Safe travels!";
    assert_eq!(text(answer(&second, yes)), booked);
    let no = json!({"consent": accept(json!({"agreed": false}))});
    assert_eq!(text(answer(&second, no)), "Nothing was booked.");
    let nobody = json!({"details": {"action": "cancel"}});
    let nothing = "Nothing was booked: the details were not given.";
    assert_eq!(text(answer(&first, nobody)), nothing);
}

#[test]
fn progress_reports_each_step_when_it_happens() {
    let count = |version, to: u32| {
        let params = json!({"name": "count", "arguments": {"to": to}});
        let meta = json!({"progressToken": "t", "io.modelcontextprotocol/logLevel": "info"});
        request_with(version, "tools/call", params, meta)
    };
    let told = |reply: &Reply| {
        let messages = reply.messages().unwrap();
        let texts = messages
            .iter()
            .map(|message| message["params"]["message"].clone());
        texts.filter(Value::is_string).collect::<Vec<_>>()
    };
    let buffered = ServerConfig::new("progress").start();
    let streaming = ServerConfig::new("progress")
        .env("RESPONSE_STREAMING", "1")
        .start();
    for version in SERVED_VERSIONS {
        for server in [&buffered, &streaming] {
            let reply = send(server, version, &count(version, 3));
            if version >= Version::V2025_03_26 {
                assert_eq!(told(&reply), ["1 of 3", "2 of 3", "3 of 3"]);
            } else {
                // 2024-11-05 has no messages in progress notifications.
                assert!(told(&reply).is_empty(), "{reply:#?}");
            }
            assert_eq!(reply.result()["content"][0]["text"], "Counted to 3.");
        }
    }
    // 400 ms of work: the first event leaves long before the last.
    let reply = send(
        &streaming,
        Version::V2026_07_28,
        &count(Version::V2026_07_28, 20),
    );
    let (first, last) = (reply.arrivals[0], *reply.arrivals.last().unwrap());
    assert!(
        last - first > Duration::from_millis(200),
        "{:?}",
        reply.arrivals
    );
    // A response without notifications is sent at once, in the same mode.
    for method in ["tools/list", "no/such/method"] {
        let reply = ask(&streaming, Version::V2026_07_28, method, json!({}));
        assert!(reply.is_json(), "{reply:#?}");
    }
    assert_eq!(streaming.request("GET", "/mcp").send().status, 405);
}

#[test]
fn limits_refuses_the_fourth_call_in_a_minute() {
    // The calls can begin at the end of a window: one more than two windows allow is refused at the
    // latest.
    let server = ServerConfig::new("limits").start();
    let statuses: Vec<u16> = (0..7)
        .map(|_| call(&server, Version::V2025_11_25, "quote", json!({})).status)
        .collect();
    assert_eq!(statuses[..3], [200, 200, 200]);
    assert!(statuses[3..].contains(&429), "{statuses:?}");
}

/// Its tests run in `parcels`; here it serves a call as a program.
#[test]
fn testing_serves_its_tool() {
    let server = ServerConfig::new("testing").start();
    for version in SERVED_VERSIONS {
        let result = call(&server, version, "ship", json!({"city": "Bern"})).result();
        assert_eq!(result["content"][0]["text"], r#"{"city":"Bern","days":2}"#);
    }
}

/// A head comment says how to run an example and how to call it.
#[test]
fn every_example_says_how_to_try_it() {
    let folder = harness::workspace().join("examples");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        // An example of several files has a folder.
        let path = if path.is_dir() {
            path.join("main.rs")
        } else {
            path
        };
        if name == "minimal" {
            // The README shows it and how to run it.
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let head: String = source
            .lines()
            .take_while(|line| line.starts_with("//!"))
            .collect();
        let run = format!("make run-example EXAMPLE={name}");
        assert!(head.contains(&run), "{name} does not say `{run}`");
        assert!(head.contains("curl -s"), "{name} shows no curl line");
        seen += 1;
    }
    assert!(seen > 5, "{seen} examples");
}
