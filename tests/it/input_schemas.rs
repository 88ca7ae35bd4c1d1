//! Input schemas as clients see them, and arguments that do not match: enums at the root, formats,
//! unknown arguments.

use lambda_mcp::handler::Elicited;
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::{Answer, TestClient};
use lambda_mcp::{Args, AskingContext, Server, ToolError, prompt, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::fixtures::{client, legacy_versions};

const MODERN: ProtocolVersion = ProtocolVersion::V2026_07_28;

/// Moves something. The variants have different fields.
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "action", rename_all = "snake_case")]
enum Move {
    /// Moves it by a distance.
    By { distance: f64 },
    /// Moves it to a place.
    To {
        place: String,
        #[serde(default)]
        careful: bool,
    },
}

async fn transport(Args(order): Args<Move>) -> String {
    match order {
        Move::By { distance } => format!("by {distance}"),
        Move::To { place, careful } => format!("to {place}, careful: {careful}"),
    }
}

fn transporter() -> Server {
    let transport = tool("transport", transport);
    let server = Server::builder("transporter", "1.0.0").tool(transport);
    server
        .prompt(prompt("transport", transport_prompt))
        .build()
        .unwrap()
}

async fn transport_prompt(Args(order): Args<Move>) -> String {
    transport(Args(order)).await
}

#[tokio::test]
async fn an_enum_of_arguments_is_listed_as_one_object_in_every_version() {
    let server = transporter();
    for version in ProtocolVersion::ALL {
        let list = client(&server, version).tools().await;
        let schema = &list.get("transport")["inputSchema"];
        assert_eq!(
            *schema,
            json!({
                "type": "object",
                "description": "Moves something. The variants have different fields.",
                "properties": {
                    "action": {
                        "type": "string",
                        "enum": ["by", "to"],
                        "description": "`by`: Moves it by a distance. `to`: Moves it to a place.",
                    },
                    "distance": {"type": "number", "description": "Required if `action` is `by`."},
                    "place": {"type": "string", "description": "Required if `action` is `to`."},
                    "careful": {
                        "type": "boolean",
                        "default": false,
                        "description": "Optional if `action` is `to`.",
                    },
                },
                "required": ["action"],
                "additionalProperties": false,
            })
        );
    }
}

#[tokio::test]
async fn arguments_are_checked_against_the_variant_that_they_name() {
    let client = client(&transporter(), MODERN);
    let cases = [
        (json!({"action": "by", "distance": 2.5}), "by 2.5", false),
        (
            json!({"action": "to", "place": "Rome"}),
            "to Rome, careful: false",
            false,
        ),
        (
            json!({"action": "by"}),
            r#"`distance` is required (`action` is "by")"#,
            true,
        ),
        (
            json!({"action": "to", "place": 5}),
            r#"`place` must be a string, not an integer (`action` is "to")"#,
            true,
        ),
        (
            json!({"action": "up"}),
            r#"`action` must be one of "by", "to""#,
            true,
        ),
        (
            json!({}),
            r#"`action` is required: one of "by", "to""#,
            true,
        ),
        (
            json!({"action": "by", "distance": 1, "place": "Rome"}),
            "`place` is not a known field",
            true,
        ),
    ];
    for (arguments, expected, is_error) in cases {
        let response = client.call("transport", &arguments).await;
        assert_eq!(response.is_error(), is_error, "{arguments}: {response}");
        let text = response.text();
        assert!(text.contains(expected), "{arguments}: {text}");
    }
}

#[tokio::test]
async fn a_prompt_lists_the_fields_of_all_variants() {
    let client = client(&transporter(), MODERN);
    let list = client.prompts().await;
    let arguments = list.get("transport")["arguments"].as_array().unwrap();
    let names: Vec<&Value> = arguments.iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["action", "distance", "place", "careful"]);
    let got = client
        .prompt("transport", json!({"action": "by", "distance": "3"}))
        .await;
    assert!(got.text().contains("by 3"), "{got}");
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only whether it is accepted matters")]
struct Booking {
    /// The day of arrival.
    #[schemars(extend("format" = "date"))]
    day: String,
    #[schemars(email)]
    guest: String,
    nights: Option<u32>,
}

async fn book(_: Args<Booking>) -> &'static str {
    "Booked."
}

fn hotel() -> Server {
    let open = tool("open", book).allow_unknown_arguments();
    let server = Server::builder("hotel", "1.0.0").tool(tool("book", book));
    server.tool(open).build().unwrap()
}

#[tokio::test]
async fn a_text_of_another_form_is_told_the_form_with_an_example() {
    let client = client(&hotel(), MODERN);
    let good = json!({"day": "2026-12-24", "guest": "ann@example.com"});
    assert_eq!(client.call("book", &good).await.text(), "Booked.");
    let bad = json!({"day": "24.12.2026", "guest": "Ann"});
    let response = client.call("book", &bad).await;
    assert!(response.is_error());
    let text = response.text();
    assert!(
        text.contains("`day` must be a date such as `2026-11-30`"),
        "{text}"
    );
    assert!(
        text.contains("`guest` must be an e-mail address such as `name@example.com`"),
        "{text}"
    );
}

#[tokio::test]
async fn an_unknown_argument_is_refused_with_the_nearest_name() {
    let server = hotel();
    let good = || json!({"day": "2026-12-24", "guest": "ann@example.com"});
    let with = |name: &str, value: Value| {
        let mut arguments = good();
        arguments[name] = value;
        arguments
    };
    for version in [MODERN, ProtocolVersion::V2025_11_25] {
        let client = client(&server, version);
        let response = client.call("book", with("nigths", json!(2))).await;
        assert!(response.is_error(), "{response}");
        let text = response.text();
        assert!(
            text.contains("`nigths` is not a known field; did you mean `nights`?"),
            "{text}"
        );
        // With what else is wrong.
        let response = client
            .call("book", json!({"date": "x", "guest": "ann@example.com"}))
            .await;
        let text = response.text();
        assert!(text.contains("`day` is required"), "{text}");
        assert!(text.contains("`date` is not a known field"), "{text}");
        let response = client.call("open", with("sessionId", json!("1"))).await;
        assert_eq!(response.text(), "Booked.", "{response}");
    }
    for version in legacy_versions().filter(|version| *version < ProtocolVersion::V2025_11_25) {
        let response = client(&server, version)
            .call("book", with("nigths", json!(2)))
            .await;
        assert_eq!(response.text(), "Booked.", "{version:?}: {response}");
    }
}

/// A misspelt member of a nested struct would be lost as well.
#[tokio::test]
async fn an_unknown_member_of_a_nested_struct_is_refused() {
    #[derive(Deserialize, JsonSchema)]
    struct Item {
        article: String,
        discount: Option<u8>,
    }
    #[derive(Deserialize, JsonSchema)]
    struct Order {
        items: Vec<Item>,
    }
    async fn order(Args(Order { items }): Args<Order>) -> String {
        let shown = items
            .iter()
            .map(|item| format!("{} {:?}", item.article, item.discount));
        shown.collect::<Vec<_>>().join(", ")
    }
    let server = Server::builder("shop", "1.0.0")
        .tool(tool("order", order))
        .tool(tool("open", order).allow_unknown_arguments())
        .build()
        .unwrap();
    let misspelt = json!({"items": [{"article": "saw"}, {"article": "nail", "discuont": 5}]});
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        let response = client.call("order", &misspelt).await;
        if version >= ProtocolVersion::V2025_11_25 {
            assert!(response.is_error(), "{version}: {response}");
            let expected = "The arguments do not fit: `items[1].discuont` is not a known field; did you \
                            mean `discount`? Correct them and call again.";
            assert_eq!(response.text(), expected, "{version}");
        } else {
            assert_eq!(response.text(), "saw None, nail None", "{version}");
        }
        let response = client.call("open", &misspelt).await;
        assert_eq!(response.text(), "saw None, nail None", "{version}");
        let list = client.tools().await;
        let item = |tool| list.get(tool)["inputSchema"]["properties"]["items"]["items"].clone();
        assert_eq!(item("order")["additionalProperties"], false);
        assert_eq!(item("open").get("additionalProperties"), None);
    }
}

#[tokio::test]
async fn whether_unknown_arguments_are_allowed_is_listed() {
    async fn anything(Args(_): Args<Value>) -> &'static str {
        "Fine."
    }
    let server = Server::builder("lists", "1.0.0")
        .tool(tool("closed", book))
        .tool(tool("open", book).allow_unknown_arguments())
        .tool(tool("anything", anything))
        .build()
        .unwrap();
    let client = client(&server, MODERN);
    let list = client.tools().await;
    let additional = |tool: &str| {
        list.get(tool)["inputSchema"]
            .get("additionalProperties")
            .cloned()
    };
    assert_eq!(additional("closed"), Some(json!(false)));
    assert_eq!(additional("open"), None);
    assert_eq!(additional("anything"), Some(json!(true)));
    let response = client.call("anything", json!({"a": 1})).await;
    assert_eq!(response.text(), "Fine.");
}

#[tokio::test]
async fn forms_keep_their_formats_and_ask_again() {
    async fn ask(context: AskingContext) -> Result<String, ToolError> {
        match context.elicit::<Booking>("booking", "When?")? {
            Elicited::Accept(_) => Ok("Accepted.".to_owned()),
            Elicited::Decline | Elicited::Cancel => Ok("Not accepted.".to_owned()),
        }
    }
    let server = Server::builder("hotel", "1.0.0")
        .tool(tool("ask", ask))
        .build()
        .unwrap();
    let client = client(&server, MODERN).capabilities(json!({"elicitation": {}}));
    let asked = client.call("ask", json!({})).await;
    let question = asked.question("booking");
    let properties = &question.schema()["properties"];
    assert_eq!(properties["day"]["format"], "date");
    assert_eq!(properties["guest"]["format"], "email");
    let wrong = Answer::accept(json!({"day": "soon", "guest": "ann@example.com"}));
    let again = client.resume(&asked).answer("booking", wrong).await;
    let message = again.question("booking").message().to_owned();
    assert!(
        message.contains("`day` must be a date such as `2026-11-30`"),
        "{message}"
    );
}

#[tokio::test]
async fn a_form_that_mcp_does_not_allow_is_found_by_the_first_call() {
    #[derive(Deserialize, JsonSchema)]
    struct Address {
        lines: Vec<String>,
    }
    async fn ask(context: AskingContext) -> Result<String, ToolError> {
        match context.elicit::<Address>("address", "Where to?")? {
            Elicited::Accept(Address { lines }) => Ok(lines.join(", ")),
            Elicited::Decline | Elicited::Cancel => Ok("Nowhere.".to_owned()),
        }
    }
    let server = Server::builder("post", "1.0.0")
        .tool(tool("ask", ask))
        .build()
        .unwrap();
    let client = TestClient::new(server).capabilities(json!({"elicitation": {}}));
    let error = client.call("ask", json!({})).await.expect_protocol_error();
    assert_eq!(error.code, -32603);
    // The tests are a debug build.
    let said = error.message;
    assert!(
        said.contains("Address` is not a form that MCP allows (key `address`)"),
        "{said}"
    );
    assert!(
        said.contains("field `lines` is a list of something other than choices"),
        "{said}"
    );
}
