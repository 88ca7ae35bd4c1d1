//! Unit tests of a server: `lambda_mcp::testing` calls it without a process or a port.
//!
//! Run the tests with `cargo test --example testing`. The server itself runs with
//! `make run-example EXAMPLE=testing`:
//!
//! ```sh
//! curl -s http://127.0.0.1:9000/mcp -H 'Content-Type: application/json' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ship","arguments":{"city":"Bern"}}}'
//! ```

use lambda_mcp::handler::Elicited;
use lambda_mcp::{Args, AskingContext, Json, Server, ToolError, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct Ship {
    /// The city of the receiver.
    city: String,
}

#[derive(Deserialize, JsonSchema)]
struct Consent {
    /// Whether the parcel may be sent.
    agreed: bool,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Parcel {
    city: String,
    days: u8,
}

async fn ship(
    context: AskingContext,
    Args(Ship { city }): Args<Ship>,
) -> Result<Json<Parcel>, ToolError> {
    if city == "Atlantis" {
        return Err(ToolError::new(
            "nothing is delivered to Atlantis; use another city",
        ));
    }
    // Clients of older revisions cannot be asked.
    if context.client_capabilities().supports_form_elicitation() {
        let question = format!("Send a parcel to {city}?");
        let Elicited::Accept(Consent { agreed: true }) = context.elicit("consent", &question)?
        else {
            return Err(ToolError::new("the user did not agree"));
        };
    }
    context.progress(1.0, Some(1.0), Some("packed"));
    Ok(Json(Parcel { city, days: 2 }))
}

/// The server, apart from `main` so that tests can build it.
fn server() -> Result<Server, lambda_mcp::Error> {
    let ship = tool("ship", ship).description("Sends a parcel.");
    Ok(Server::builder("parcels", "1.0.0").tool(ship).build()?)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_mcp::Error> {
    lambda_mcp::run(server()?).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use lambda_mcp::protocol::ProtocolVersion;
    use lambda_mcp::testing::{Answer, TestClient};
    use serde_json::json;

    fn client() -> TestClient {
        TestClient::new(server().unwrap())
    }

    #[tokio::test]
    async fn a_parcel_is_sent_in_every_version() {
        for version in ProtocolVersion::ALL {
            let client = client().version(version);
            let result = client.call("ship", json!({"city": "Bern"})).await;
            assert_eq!(result.text(), r#"{"city":"Bern","days":2}"#);
        }
    }

    #[tokio::test]
    async fn the_user_is_asked_first() {
        let agreeing = client().answer("consent", Answer::accept(json!({"agreed": true})));
        let result = agreeing.call("ship", json!({"city": "Bern"})).await;
        let expected = Parcel {
            city: "Bern".to_owned(),
            days: 2,
        };
        assert_eq!(result.structured::<Parcel>(), expected);

        let asking = client().capabilities(json!({"elicitation": {}}));
        let asked = asking.call("ship", json!({"city": "Bern"})).await;
        assert_eq!(
            asked.question("consent").message(),
            "Send a parcel to Bern?"
        );
        let refused = asking
            .resume(&asked)
            .answer("consent", Answer::decline())
            .await;
        assert!(refused.is_error());
    }

    #[tokio::test]
    async fn progress_is_reported_to_clients_that_ask_for_it() {
        let call = client().call("ship", json!({"city": "Bern"}));
        let steps = call.progress_token("parcel-1").await.progress();
        assert_eq!(steps[0].message.as_deref(), Some("packed"));
    }

    #[tokio::test]
    async fn a_failure_says_what_to_do() {
        let result = client().call("ship", json!({"city": "Atlantis"})).await;
        assert!(result.is_error());
        assert!(result.text().contains("use another city"));
        // Arguments that do not fit never reach the tool.
        let result = client().call("ship", json!({"city": 7})).await;
        assert!(result.text().contains("`city` must be a string"));
        // A tool that does not exist is an error of the protocol.
        let error = client()
            .call("fly", json!({}))
            .await
            .expect_protocol_error();
        assert_eq!(error.code, -32602);
    }
}
