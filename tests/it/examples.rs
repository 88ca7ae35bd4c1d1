//! The programs of `examples/`, each started and called as its head says.

use serde_json::{Value, json};

use harness::messages::{ask, call};
use harness::{SERVED_VERSIONS, ServerConfig, Version};

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

fn read(server: &harness::TestServer, version: Version, uri: &str) -> harness::Reply {
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
