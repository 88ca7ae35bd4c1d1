//! What is asked, and what becomes of the answers: good, missing, superfluous and wrong ones.

use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::{Args, Context, Server, ToolError, tool};
use serde_json::{Value, json};

use super::{Asked, Asking, accept, assert_invalid, conformance, sampled, text};
use crate::fixtures::client;
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
fn a_form_that_is_filled_in_wrongly_is_asked_again_with_the_reason() {
    let server = conformance();
    let hello = Asking::tool(&server, "elicitation");
    let asked = hello.begin();
    let cases = [
        (
            accept(json!({"name": 5})),
            "`name` must be a string, not an integer",
        ),
        (accept(json!({})), "`name` is required"),
        (accept(json!({"name": null})), "`name` is required"),
        (json!({"action": "accept"}), "`name` is required"),
        (
            json!({"action": "accept", "content": null}),
            "`name` is required",
        ),
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
}

#[test]
fn an_ill_formed_answer_is_an_error_in_words() {
    let server = conformance();
    let hello = Asking::tool(&server, "elicitation");
    let asked = hello.begin();
    let ill_formed = [
        accept(json!([])),
        accept(json!("Ada")),
        accept(json!({"name": {"first": "Ada"}})),
        accept(json!({"name": [1]})),
        json!({"action": "maybe"}),
        json!({"action": 5}),
        json!({}),
        json!([]),
        json!(12345),
        json!("Ada"),
    ];
    for answer in ill_formed {
        let reply = hello.answer(&asked, json!({"user_name": answer}));
        assert_invalid(
            &reply,
            "`inputResponses.user_name` must be the result of `elicitation/create`",
        );
        let message = reply.message()["error"]["message"].to_string();
        assert!(
            !message.contains("expected") && !message.contains("struct"),
            "{message}"
        );
    }
    let others = [
        (
            "sampling",
            "capital_question",
            "sampling/createMessage",
            json!({"roots": 5}),
        ),
        (
            "sampling",
            "capital_question",
            "sampling/createMessage",
            json!({"model": "m"}),
        ),
        (
            "list_roots",
            "client_roots",
            "roots/list",
            json!({"roots": 5}),
        ),
        (
            "list_roots",
            "client_roots",
            "roots/list",
            json!({"roots": [{"uri": 5}]}),
        ),
        (
            "url",
            "consent",
            "elicitation/create",
            json!({"action": "maybe"}),
        ),
    ];
    for (tool, key, method, answer) in others {
        let asking = Asking::tool(&server, tool);
        let reply = asking.answer(&asking.begin(), json!({key: answer}));
        assert_invalid(
            &reply,
            &format!("`inputResponses.{key}` must be the result of `{method}`"),
        );
    }
}

#[test]
fn answers_that_are_not_an_object_are_invalid() {
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
fn null_is_the_same_as_absent() {
    let server = conformance();
    let nothing = json!({"inputResponses": null, "requestState": null});
    let asking = [
        Asking::tool(&server, "elicitation"),
        Asking::new(
            &server,
            "prompts/get",
            json!({"name": "test_input_required_result_prompt"}),
        ),
        Asking::new(&server, "resources/read", json!({"uri": "test://asking"})),
    ];
    for asking in asking {
        let asked = Asked::read(&asking.send(nothing.clone()));
        assert_eq!(asked.keys(), asking.begin().keys());
    }
    // A `null` answer is none, too.
    let hello = Asking::tool(&server, "elicitation");
    let again = Asked::read(&hello.answer(&hello.begin(), json!({"user_name": null})));
    assert_eq!(again.message("user_name"), "What is your name?");
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

#[tokio::test]
async fn a_page_to_visit_has_a_valid_https_url() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Page {
        url: String,
    }
    async fn visit(context: Context, Args(page): Args<Page>) -> Result<&'static str, ToolError> {
        context.elicit_url("visit", "Please visit.", &page.url)?;
        Ok("visited")
    }
    let server = Server::builder("pages", "1").tool(tool("visit", visit));
    let server = server.build().unwrap();
    let invalid = [
        "http://example.com",
        "http://localhost:3000",
        "javascript:alert(1)",
        "https://",
        "https://ada@example.com",
        "example.com",
        "",
    ];
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        for url in invalid {
            let response = client.call("visit", json!({"url": url})).await;
            assert_eq!(response.expect_protocol_error().code, -32603, "{url}");
        }
    }
}
