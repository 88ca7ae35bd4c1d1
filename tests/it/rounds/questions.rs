//! What is asked, and what becomes of the answers: good, missing, superfluous and wrong ones.

use serde_json::{Value, json};

use super::{Asked, Asking, accept, assert_invalid, conformance, sampled, text};
use harness::ServerConfig;

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
    for responses in [json!([]), json!("x"), json!(5)] {
        let reply = hello.send(json!({"inputResponses": responses}));
        assert_invalid(&reply, "`inputResponses`");
    }
    for state in [json!({}), json!(5), json!(["x"])] {
        let reply = hello.send(json!({"requestState": state}));
        assert_invalid(&reply, "`requestState`");
    }
}

#[test]
fn null_answers_and_a_null_state_count_as_absent() {
    let server = conformance();
    let hello = Asking::tool(&server, "elicitation");
    for absent in [
        json!({"inputResponses": null}),
        json!({"requestState": null}),
        json!({"inputResponses": null, "requestState": null}),
    ] {
        let asked = Asked::read(&hello.send(absent));
        assert_eq!(asked.keys(), hello.begin().keys());
    }
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
