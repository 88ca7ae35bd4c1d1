//! A tool that asks the user before it acts, and the client's model for a text.
//!
//! The function runs from its start in each round. Answers of earlier rounds are available then, so
//! each question is asked once. The server stores nothing between two rounds.
//!
//! With the argument `stdio` it serves a client that starts it as a process.
//!
//! Run it with `make run-example EXAMPLE=ask_the_user`. The result of this call is `input_required`
//! with the first question:
//!
//! ```sh
//! curl -s http://127.0.0.1:9000/mcp -H 'Content-Type: application/json' \
//!   -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: book' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"city":"Bern"},
//!        "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
//!        "io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"sampling":{}}}}}'
//! ```

use lambda_mcp::handler::{CreateMessageRequest, Elicited};
use lambda_mcp::server::RequestStateKey;
use lambda_mcp::{Args, AskingContext, Server, ToolError, tool};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Book {
    /// The destination.
    city: String,
}

#[derive(Deserialize, JsonSchema)]
struct Details {
    /// The number of travellers.
    #[schemars(range(min = 1, max = 9))]
    travellers: u32,
    /// The class to travel in.
    class: Class,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Class {
    First,
    Second,
}

#[derive(Deserialize, JsonSchema)]
struct Consent {
    /// Whether the trip may be booked.
    agreed: bool,
}

async fn book(
    context: AskingContext,
    Args(Book { city }): Args<Book>,
) -> Result<String, ToolError> {
    let asked = context.elicit::<Details>("details", "Who travels, and how?")?;
    let Elicited::Accept(Details { travellers, class }) = asked else {
        return Ok("Nothing was booked: the details were not given.".to_owned());
    };
    // Both are asked before the first `?`, so they go out in one round.
    let consent = context.elicit::<Consent>("consent", &format!("Book {city}?"));
    let greeting = context.sample(
        "greeting",
        &CreateMessageRequest::new(&format!("Wish a good trip to {city} in one line."), 60),
    );
    let Elicited::Accept(Consent { agreed: true }) = consent? else {
        return Ok("Nothing was booked.".to_owned());
    };
    let greeting = greeting?.text();
    Ok(format!(
        "Booked {city} for {travellers} in {class:?} class. {greeting}"
    ))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut server = Server::builder("travel", "1.0.0")
        .tool(tool("book", book).description("Books a trip after the user agreed."));
    // On AWS Lambda the answer can reach another instance than the question: all need one key.
    if let Ok(secret) = std::env::var("REQUEST_STATE_KEY") {
        server = server.request_state_key(RequestStateKey::new(secret)?);
    }
    let server = server.build()?;
    match std::env::args().nth(1).as_deref() {
        // A client that started the program. It can be asked in every revision, if it declares that.
        Some("stdio") => lambda_mcp::serve_stdio(server).await?,
        _ => lambda_mcp::run(server).await?,
    }
    Ok(())
}
