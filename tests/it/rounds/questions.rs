//! Questions, and answers to them: valid, missing, superfluous and invalid.

use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::{Args, AskingContext, Server, ToolError, tool};
use serde_json::{Value, json};

use super::{Asked, Asking, accept, assert_invalid, sampled, text};
use crate::fixtures::{client, conformance};

#[tokio::test]
async fn a_question_is_put_and_its_answer_is_used() {
    let server = conformance();
    let hello = Asking::tool(&server, "elicitation");
    let asked = hello.begin().await;
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
    let answer =
        async |answer: Value| text(&hello.answer(&asked, json!({"user_name": answer})).await);
    assert_eq!(answer(accept(json!({"name": "Ada"}))).await, "Hello, Ada!");
    assert_eq!(
        answer(json!({"action": "decline"})).await,
        "Hello, whoever you are!"
    );
    assert_eq!(answer(json!({"action": "cancel"})).await, "Goodbye!");
    // What needs no earlier answer needs no state.
    let first = hello
        .send(json!({"inputResponses": {"user_name": accept(json!({"name": "Ada"}))}}))
        .await;
    assert_eq!(text(&first), "Hello, Ada!");
}

#[tokio::test]
async fn a_model_directories_and_pages_are_asked_for_alike() {
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
        let asked = asking.begin().await;
        assert_eq!(asked.keys(), [key]);
        assert_eq!(asked.requests[key]["method"], method);
        assert_eq!(
            text(&asking.answer(&asked, json!({key: answer})).await),
            expected
        );
    }
    let page = &Asking::tool(&server, "url").begin().await.requests["consent"]["params"];
    assert_eq!(page["mode"], "url");
    assert_eq!(page["url"], "https://example.com/consent");
}

#[tokio::test]
async fn missing_answers_are_asked_again_and_others_ignored() {
    let server = conformance();
    let asking = Asking::tool(&server, "multiple_inputs");
    let asked = asking.begin().await;
    assert_eq!(asked.keys(), ["user_name", "greeting", "client_roots"]);
    let some = json!({"user_name": accept(json!({"name": "Ada"})), "greeting": sampled("Hi!")});
    let again = Asked::read(&asking.answer(&asked, some).await);
    assert_eq!(again.keys(), ["client_roots"], "only what is missing");
    let rest = json!({"client_roots": {"roots": []}, "nobody_asked": 5, "": null});
    assert_eq!(
        text(&asking.answer(&again, rest).await),
        "Hi! Ada works in 0 directories."
    );

    let hello = Asking::tool(&server, "elicitation");
    let response = hello
        .answer(
            &hello.begin().await,
            json!({"wrong_key": accept(json!({"name": "Ada"}))}),
        )
        .await;
    assert_eq!(Asked::read(&response).keys(), ["user_name"]);
    assert_eq!(
        Asked::read(&hello.answer(&hello.begin().await, json!({})).await).keys(),
        ["user_name"]
    );
}

#[tokio::test]
async fn a_form_that_is_filled_in_wrongly_is_asked_again_with_the_reason() {
    let server = conformance();
    let hello = Asking::tool(&server, "elicitation");
    let asked = hello.begin().await;
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
        let again = Asked::read(&hello.answer(&asked, json!({"user_name": answer})).await);
        let message = again.message("user_name");
        assert!(
            message.starts_with("What is your name? (The last answer could not be used"),
            "{message}"
        );
        assert!(message.contains(reason), "{reason} in {message}");
    }
}

/// Ill-formed answers to the other kinds of question: tool, key, method, answer.
fn ill_formed_answers() -> [(&'static str, &'static str, &'static str, Value); 5] {
    [
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
    ]
}

#[tokio::test]
async fn an_ill_formed_answer_is_an_error_in_words() {
    let server = conformance();
    let hello = Asking::tool(&server, "elicitation");
    let asked = hello.begin().await;
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
        let reply = hello.answer(&asked, json!({"user_name": answer})).await;
        assert_invalid(
            &reply,
            "`inputResponses.user_name` must be the result of `elicitation/create`",
        );
        let message = reply.expect_protocol_error().message;
        assert!(
            !message.contains("expected") && !message.contains("struct"),
            "{message}"
        );
    }
    for (tool, key, method, answer) in ill_formed_answers() {
        let asking = Asking::tool(&server, tool);
        let reply = asking
            .answer(&asking.begin().await, json!({key: answer}))
            .await;
        assert_invalid(
            &reply,
            &format!("`inputResponses.{key}` must be the result of `{method}`"),
        );
    }
}

#[tokio::test]
async fn answers_that_are_not_an_object_are_invalid() {
    let server = conformance();
    let hello = Asking::tool(&server, "elicitation");
    for responses in [json!([]), json!("x"), json!(5)] {
        let reply = hello.send(json!({"inputResponses": responses})).await;
        assert_invalid(&reply, "`inputResponses`");
    }
    for state in [json!({}), json!(5), json!(["x"])] {
        let reply = hello.send(json!({"requestState": state})).await;
        assert_invalid(&reply, "`requestState`");
    }
}

#[tokio::test]
async fn null_is_the_same_as_absent() {
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
        let asked = Asked::read(&asking.send(nothing.clone()).await);
        assert_eq!(asked.keys(), asking.begin().await.keys());
    }
    // A `null` answer is none, too.
    let hello = Asking::tool(&server, "elicitation");
    let again = Asked::read(
        &hello
            .answer(&hello.begin().await, json!({"user_name": null}))
            .await,
    );
    assert_eq!(again.message("user_name"), "What is your name?");
}

#[tokio::test]
async fn prompts_and_resources_ask_as_tools_do() {
    let server = conformance();
    let prompt = json!({"name": "test_input_required_result_prompt"});
    let asking = Asking::new(&server, "prompts/get", prompt);
    let asked = asking.begin().await;
    assert_eq!(
        asked.message("user_context"),
        "What context should the prompt use?"
    );
    let answer = json!({"user_context": accept(json!({"context": "rain"}))});
    let response = asking.answer(&asked, answer).await;
    let result = response.result();
    assert_eq!(
        result["messages"][0]["content"]["text"],
        "Consider this: rain"
    );
    assert_eq!(result["description"], "A prompt for a situation");

    let asking = Asking::new(&server, "resources/read", json!({"uri": "test://asking"}));
    let asked = asking.begin().await;
    let answer = json!({"taste": accept(json!({"color": "red"}))});
    let response = asking.answer(&asked, answer).await;
    let result = response.result();
    assert_eq!(result["contents"][0]["text"], "It is red.");
    // What depends on an answer is nobody else's, and not for later.
    assert_eq!(
        (&result["cacheScope"], &result["ttlMs"]),
        (&json!("private"), &json!(0))
    );
}

#[tokio::test]
async fn a_page_to_visit_has_a_valid_https_url() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Page {
        url: String,
    }
    async fn visit(
        context: AskingContext,
        Args(page): Args<Page>,
    ) -> Result<&'static str, ToolError> {
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
