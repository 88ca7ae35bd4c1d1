//! Requests over several rounds: questions, answers, and the state between them, which proves itself.

use serde_json::{Map, Value, json};

use crate::harness::{Reply, ServerConfig, TestServer, Version};
use crate::messages::{legacy, request_with, send};

const MODERN: Version = Version::V2026_07_28;
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

fn conformance() -> TestServer {
    ServerConfig::conformance().start()
}

/// A request that asks back, and what its client can do.
#[derive(Clone)]
struct Asking<'s> {
    server: &'s TestServer,
    method: &'static str,
    params: Value,
    capabilities: Value,
}

impl<'s> Asking<'s> {
    fn new(server: &'s TestServer, method: &'static str, params: Value) -> Self {
        let capabilities =
            json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}});
        Self {
            server,
            method,
            params,
            capabilities,
        }
    }

    /// A tool of the conformance example.
    fn tool(server: &'s TestServer, name: &str) -> Self {
        let name = format!("test_input_required_result_{name}");
        Self::new(server, "tools/call", json!({"name": name, "arguments": {}}))
    }

    fn capable_of(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// The request with more members in its `params`.
    fn send(&self, more: Value) -> Reply {
        let mut params = self.params.clone();
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        let meta = json!({CAPABILITIES: self.capabilities});
        send(
            self.server,
            MODERN,
            &request_with(MODERN, self.method, params, meta),
        )
    }

    /// The first round, which must ask.
    #[track_caller]
    fn begin(&self) -> Asked {
        Asked::read(&self.send(json!({})))
    }

    /// The next round.
    fn answer(&self, asked: &Asked, answers: Value) -> Reply {
        self.send(json!({"inputResponses": answers, "requestState": asked.state}))
    }
}

/// What a result asks for.
struct Asked {
    requests: Map<String, Value>,
    state: String,
}

impl Asked {
    #[track_caller]
    fn read(reply: &Reply) -> Self {
        let result = reply.result();
        assert_eq!(result["resultType"], "input_required", "{result}");
        assert_eq!(
            result.get("ttlMs"),
            None,
            "a question may not be kept: {result}"
        );
        Self {
            requests: result["inputRequests"].as_object().unwrap().clone(),
            state: result["requestState"].as_str().unwrap().to_owned(),
        }
    }

    /// The keys of the questions.
    fn keys(&self) -> Vec<&str> {
        self.requests.keys().map(String::as_str).collect()
    }

    /// The words of one question.
    fn message(&self, key: &str) -> &str {
        self.requests[key]["params"]["message"].as_str().unwrap()
    }
}

fn accept(content: Value) -> Value {
    json!({"action": "accept", "content": content})
}

fn sampled(text: &str) -> Value {
    json!({"role": "assistant", "content": {"type": "text", "text": text}, "model": "m"})
}

#[track_caller]
fn text(reply: &Reply) -> String {
    let result = reply.result();
    assert_eq!(result["resultType"], "complete", "{result}");
    let text = result["content"][0]["text"].as_str();
    text.unwrap_or_else(|| panic!("no text: {result}"))
        .to_owned()
}

#[track_caller]
fn assert_invalid(reply: &Reply, words: &str) {
    assert_eq!(
        (reply.status, reply.error_code()),
        (200, -32602),
        "{reply:#?}"
    );
    let message = reply.message()["error"]["message"].to_string();
    assert!(message.contains(words), "{words} in {message}");
}

#[test]
fn a_question_is_put_and_its_answer_is_used() {
    let server = conformance();
    let hello = Asking::tool(&server, "elicitation");
    let asked = hello.begin();
    assert_eq!(
        asked.requests["user_name"],
        json!({"method": "elicitation/create", "params": {
            "mode": "form",
            "message": "What is your name?",
            "requestedSchema": {
                "type": "object",
                "properties": {"name": {"type": "string", "description": "Your name."}},
                "required": ["name"],
            },
        }})
    );
    let answer = |answer: Value| text(&hello.answer(&asked, json!({"user_name": answer})));
    assert_eq!(answer(accept(json!({"name": "Ada"}))), "Hello, Ada!");
    assert_eq!(
        answer(json!({"action": "decline"})),
        "Hello, whoever you are!"
    );
    assert_eq!(answer(json!({"action": "cancel"})), "Goodbye!");
    // What needs no earlier answer needs no state.
    let first =
        hello.send(json!({"inputResponses": {"user_name": accept(json!({"name": "Ada"}))}}));
    assert_eq!(text(&first), "Hello, Ada!");
}

#[test]
fn a_model_directories_and_pages_are_asked_for_alike() {
    let server = conformance();
    let cases = [
        (
            "sampling",
            "capital_question",
            "sampling/createMessage",
            sampled("Paris."),
            "The model says: Paris.",
        ),
        (
            "list_roots",
            "client_roots",
            "roots/list",
            json!({"roots": [{"uri": "file:///a", "name": "A"}, {"uri": "file:///b"}]}),
            "The client works in file:///a, file:///b.",
        ),
        (
            "url",
            "consent",
            "elicitation/create",
            json!({"action": "accept"}),
            "They went to the page.",
        ),
    ];
    for (tool, key, method, answer, expected) in cases {
        let asking = Asking::tool(&server, tool);
        let asked = asking.begin();
        assert_eq!(asked.keys(), [key]);
        assert_eq!(asked.requests[key]["method"], method);
        assert_eq!(text(&asking.answer(&asked, json!({key: answer}))), expected);
    }
    let page = &Asking::tool(&server, "url").begin().requests["consent"]["params"];
    assert_eq!(page["mode"], "url");
    assert_eq!(page["url"], "https://example.com/consent");
}

#[test]
fn earlier_answers_travel_in_the_state() {
    let server = conformance();
    let asking = Asking::tool(&server, "multi_round");
    let first = asking.begin();
    assert_eq!(first.keys(), ["step1"]);
    let reply = asking.answer(&first, json!({"step1": accept(json!({"name": "Ada"}))}));
    let second = Asked::read(&reply);
    assert_eq!(second.keys(), ["step2"]);
    assert_ne!(first.state, second.state);
    let reply = asking.answer(&second, json!({"step2": accept(json!({"color": "red"}))}));
    assert_eq!(text(&reply), "Ada likes red.");
    // The state of the first round knows nothing of its answer, so that is asked again.
    let reply = asking.answer(&first, json!({"step2": accept(json!({"color": "red"}))}));
    assert_eq!(Asked::read(&reply).keys(), ["step1"]);
    // A newer answer wins over the one that travels.
    let both =
        json!({"step1": accept(json!({"name": "Bob"})), "step2": accept(json!({"color": "red"}))});
    assert_eq!(text(&asking.answer(&second, both)), "Bob likes red.");
}

#[test]
fn missing_answers_are_asked_again_and_others_ignored() {
    let server = conformance();
    let asking = Asking::tool(&server, "multiple_inputs");
    let asked = asking.begin();
    assert_eq!(asked.keys(), ["user_name", "greeting", "client_roots"]);
    let some = json!({"user_name": accept(json!({"name": "Ada"})), "greeting": sampled("Hi!")});
    let again = Asked::read(&asking.answer(&asked, some));
    assert_eq!(again.keys(), ["client_roots"], "only what is missing");
    let rest = json!({"client_roots": {"roots": []}, "nobody_asked": 5, "": null});
    assert_eq!(
        text(&asking.answer(&again, rest)),
        "Hi! Ada works in 0 directories."
    );

    let hello = Asking::tool(&server, "elicitation");
    let reply = hello.answer(
        &hello.begin(),
        json!({"wrong_key": accept(json!({"name": "Ada"}))}),
    );
    assert_eq!(Asked::read(&reply).keys(), ["user_name"]);
    assert_eq!(
        Asked::read(&hello.answer(&hello.begin(), json!({}))).keys(),
        ["user_name"]
    );
}

#[test]
fn an_answer_that_cannot_be_used_is_asked_again_with_the_reason() {
    let server = conformance();
    let hello = Asking::tool(&server, "elicitation");
    let asked = hello.begin();
    let cases = [
        (
            accept(json!({"name": 5})),
            "`name` must be a string, not an integer",
        ),
        (accept(json!({})), "`name` is required"),
        (accept(json!([])), "must be an object"),
        (json!({"action": "accept"}), "`name` is required"),
        (json!({"action": "maybe"}), "maybe"),
        (json!(12345), "12345"),
        (json!(null), "null"),
        (json!("Ada"), "Ada"),
    ];
    for (answer, reason) in cases {
        let again = Asked::read(&hello.answer(&asked, json!({"user_name": answer})));
        let message = again.message("user_name");
        assert!(
            message.starts_with("What is your name? (The last answer could not be used"),
            "{message}"
        );
        assert!(message.contains(reason), "{reason} in {message}");
    }
    for (tool, key) in [
        ("sampling", "capital_question"),
        ("list_roots", "client_roots"),
    ] {
        let asking = Asking::tool(&server, tool);
        let asked = asking.begin();
        let again = Asked::read(&asking.answer(&asked, json!({key: {"roots": 5}})));
        assert_eq!(again.keys(), [key]);
    }
}

#[test]
fn what_is_no_set_of_answers_is_invalid() {
    let server = conformance();
    let hello = Asking::tool(&server, "elicitation");
    for responses in [json!(null), json!([]), json!("x"), json!(5)] {
        let reply = hello.send(json!({"inputResponses": responses}));
        assert_invalid(&reply, "`inputResponses`");
    }
    for state in [json!(null), json!({}), json!(5), json!(["x"])] {
        let reply = hello.send(json!({"requestState": state}));
        assert_invalid(&reply, "`requestState`");
    }
}

#[test]
fn a_state_that_was_altered_is_refused() {
    let server = conformance();
    let confirm = Asking::tool(&server, "tampered_state");
    let asked = confirm.begin();
    let ok = json!({"confirm": accept(json!({"ok": true}))});
    assert!(text(&confirm.answer(&asked, ok.clone())).contains("state-ok"));
    let state = &asked.state;
    let (payload, seal) = state.split_once('.').unwrap();
    let flipped = (0..state.len()).step_by(7).map(|at| {
        let byte = if state.as_bytes()[at] == b'A' {
            "B"
        } else {
            "A"
        };
        format!("{}{byte}{}", &state[..at], &state[at + 1..])
    });
    let altered = flipped.chain([
        format!("{state}-TAMPERED"),
        format!("{state}="),
        format!(" {state}"),
        payload.to_owned(),
        format!("{payload}."),
        format!(".{seal}"),
        format!("{seal}.{payload}"),
        String::new(),
        "x".repeat(100_000),
    ]);
    for state in altered {
        let reply = confirm.send(json!({"inputResponses": ok, "requestState": state}));
        assert_invalid(&reply, "not issued by this server");
    }
}

#[test]
fn a_state_is_good_for_its_own_request_alone() {
    let server = conformance();
    let ok = json!({"confirm": accept(json!({"ok": true}))});
    let confirm = Asking::tool(&server, "request_state");
    let asked = confirm.begin();
    let elsewhere = [
        Asking::tool(&server, "tampered_state"),
        Asking::tool(&server, "elicitation"),
        Asking {
            params: json!({"name": "test_input_required_result_request_state", "arguments": {"more": 1}}),
            ..confirm.clone()
        },
        Asking::new(
            &server,
            "prompts/get",
            json!({"name": "test_input_required_result_prompt"}),
        ),
        Asking::new(&server, "resources/read", json!({"uri": "test://asking"})),
        Asking::new(
            &server,
            "resources/read",
            json!({"uri": "test://static-text"}),
        ),
    ];
    for asking in elsewhere {
        assert_invalid(
            &asking.answer(&asked, ok.clone()),
            "belongs to another request",
        );
    }
    // Arguments that were left out are the same request as empty ones.
    let same = Asking {
        params: json!({"name": "test_input_required_result_request_state"}),
        ..confirm.clone()
    };
    assert!(text(&same.answer(&asked, ok)).contains("state-ok"));
}

#[test]
fn a_state_expires() {
    let server = ServerConfig::conformance().env("STATE_TTL_S", "0").start();
    let confirm = Asking::tool(&server, "request_state");
    let ok = json!({"confirm": accept(json!({"ok": true}))});
    assert_invalid(&confirm.answer(&confirm.begin(), ok), "expired");
}

#[test]
fn instances_with_one_key_understand_each_other_and_no_one_else() {
    let secret = "0123456789abcdef0123456789abcdef";
    let keyed = |secret: &str| ServerConfig::conformance().env("STATE_KEY", secret).start();
    let (one, another) = (keyed(secret), keyed(secret));
    let (stranger, keyless) = (keyed("another secret of thirty-two bytes"), conformance());
    let name = "request_state";
    let asked = Asking::tool(&one, name).begin();
    let ok = json!({"confirm": accept(json!({"ok": true}))});
    let reply = Asking::tool(&another, name).answer(&asked, ok.clone());
    assert!(text(&reply).contains("state-ok"));
    for foreign in [&stranger, &keyless] {
        let reply = Asking::tool(foreign, name).answer(&asked, ok.clone());
        assert_invalid(&reply, "not issued by this server");
    }
}

#[test]
fn a_client_is_asked_only_for_what_it_can_do() {
    let server = conformance();
    let form = json!({"elicitation": {"form": {}}});
    let page = json!({"elicitation": {"url": {}}});
    let missing = [
        ("elicitation", json!({}), form.clone()),
        (
            "elicitation",
            json!({"sampling": {}, "roots": {}}),
            form.clone(),
        ),
        ("elicitation", page.clone(), form.clone()),
        ("url", json!({}), page.clone()),
        ("url", json!({"elicitation": {}}), page.clone()),
        ("url", form.clone(), page.clone()),
        (
            "sampling",
            json!({"elicitation": {}}),
            json!({"sampling": {}}),
        ),
        ("list_roots", json!({}), json!({"roots": {}})),
        (
            "multiple_inputs",
            json!({"sampling": {}}),
            json!({"elicitation": {"form": {}}, "roots": {}}),
        ),
    ];
    for (tool, capabilities, required) in missing {
        let reply = Asking::tool(&server, tool)
            .capable_of(capabilities.clone())
            .send(json!({}));
        assert_eq!(
            (reply.status, reply.error_code()),
            (400, -32021),
            "{reply:#?}"
        );
        let data = &reply.message()["error"]["data"];
        assert_eq!(
            data["requiredCapabilities"], required,
            "{tool} {capabilities}"
        );
    }
    // An empty `elicitation` means forms.
    let can = [
        ("elicitation", json!({"elicitation": {}})),
        ("elicitation", form),
        ("url", page),
        ("capabilities", json!({"elicitation": {}})),
        ("capabilities", json!({"sampling": {}})),
    ];
    for (tool, capabilities) in can {
        let asked = Asking::tool(&server, tool)
            .capable_of(capabilities.clone())
            .begin();
        let method = asked.requests.values().next().unwrap()["method"].clone();
        let key = method.as_str().unwrap().split('/').next().unwrap();
        assert!(
            capabilities.get(key).is_some(),
            "{method} of {capabilities}"
        );
    }
    let alone = Asking::tool(&server, "capabilities")
        .capable_of(json!({}))
        .send(json!({}));
    assert_eq!(text(&alone), "There is nobody to ask.");
}

#[test]
fn prompts_and_resources_ask_as_tools_do() {
    let server = conformance();
    let prompt = json!({"name": "test_input_required_result_prompt"});
    let asking = Asking::new(&server, "prompts/get", prompt);
    let asked = asking.begin();
    assert_eq!(
        asked.message("user_context"),
        "What context should the prompt use?"
    );
    let answer = json!({"user_context": accept(json!({"context": "rain"}))});
    let result = asking.answer(&asked, answer).result();
    assert_eq!(
        result["messages"][0]["content"]["text"],
        "Consider this: rain"
    );
    assert_eq!(result["description"], "A prompt for a situation");

    let asking = Asking::new(&server, "resources/read", json!({"uri": "test://asking"}));
    let asked = asking.begin();
    let answer = json!({"taste": accept(json!({"color": "red"}))});
    let result = asking.answer(&asked, answer).result();
    assert_eq!(result["contents"][0]["text"], "It is red.");
    // What depends on an answer is nobody else's, and not for later.
    assert_eq!(
        (&result["cacheScope"], &result["ttlMs"]),
        (&json!("private"), &json!(0))
    );
}

#[test]
fn a_legacy_client_cannot_be_asked_and_is_told_so() {
    let server = conformance();
    let everything = json!({CAPABILITIES: {"elicitation": {}, "sampling": {}, "roots": {}}});
    for version in legacy() {
        for name in [
            "elicitation",
            "sampling",
            "list_roots",
            "url",
            "multi_round",
        ] {
            let params = json!({"name": format!("test_input_required_result_{name}"), "arguments": {},
                "inputResponses": {"user_name": accept(json!({"name": "Ada"}))}, "requestState": "x"});
            let message = request_with(version, "tools/call", params, everything.clone());
            let result = send(&server, version, &message).result();
            assert_eq!(result["isError"], true, "{result}");
            let words = result["content"][0]["text"].as_str().unwrap();
            assert!(words.contains("2026-07-28"), "{words}");
            assert_eq!(result.get("resultType"), None, "{result}");
        }
        let others = [
            (
                "prompts/get",
                json!({"name": "test_input_required_result_prompt"}),
            ),
            ("resources/read", json!({"uri": "test://asking"})),
        ];
        for (method, params) in others {
            let message = request_with(version, method, params, everything.clone());
            assert_invalid(&send(&server, version, &message), "2026-07-28");
        }
    }
}

#[test]
fn the_log_tells_that_input_was_asked_for_and_nothing_of_it() {
    let server = conformance();
    let hello = Asking::tool(&server, "elicitation");
    let asked = hello.begin();
    let answer = json!({"user_name": accept(json!({"name": "SENTINEL-ANSWER"}))});
    hello.answer(&asked, answer);
    hello.answer(
        &asked,
        json!({"user_name": accept(json!({"name": {"SENTINEL-WRONG": 1}}))}),
    );
    hello.send(json!({"inputResponses": {}, "requestState": "SENTINEL-STATE"}));
    let log = server.finish();
    let outcomes: Vec<String> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["outcome"].to_string())
        .collect();
    assert_eq!(
        outcomes,
        [
            "\"input_required\"",
            "\"ok\"",
            "\"input_required\"",
            "\"error\""
        ],
        "{log}"
    );
    assert!(
        !log.contains("SENTINEL") && !log.contains(&asked.state),
        "{log}"
    );
}

#[test]
fn the_travel_example_books_after_two_rounds() {
    let server = ServerConfig::new("ask_the_user").start();
    let trip = json!({"name": "book", "arguments": {"city": "Bern"}});
    let asking = Asking::new(&server, "tools/call", trip);
    let first = asking.begin();
    let schema = &first.requests["details"]["params"]["requestedSchema"];
    assert_eq!(
        schema["properties"]["class"]["enum"],
        json!(["first", "second"])
    );

    let too_many = json!({"details": accept(json!({"travellers": 10, "class": "first"}))});
    let again = Asked::read(&asking.answer(&first, too_many));
    assert!(
        again.message("details").contains("at most 9"),
        "{}",
        again.message("details")
    );

    let details = json!({"details": accept(json!({"travellers": 2, "class": "second"}))});
    let second = Asked::read(&asking.answer(&first, details));
    assert_eq!(second.keys(), ["consent", "greeting"]);
    assert_eq!(second.message("consent"), "Book Bern?");

    let yes =
        json!({"consent": accept(json!({"agreed": true})), "greeting": sampled("Safe travels!")});
    let booked = "Booked Bern for 2 in Second class. Safe travels!";
    assert_eq!(text(&asking.answer(&second, yes)), booked);
    let no = json!({"consent": accept(json!({"agreed": false}))});
    assert_eq!(text(&asking.answer(&second, no)), "Nothing was booked.");
    let nobody = json!({"details": {"action": "cancel"}});
    let nothing = "Nothing was booked: the details were not given.";
    assert_eq!(text(&asking.answer(&first, nobody)), nothing);
}
