//! A tool that asks the person behind the client before it acts, and the client's model for a text.
//!
//! The function runs from its top at each round; what was answered before is at hand then, so each
//! question is put once. Nothing is kept on the server in between.

use lambda_mcp::handler::{CreateMessageRequest, Elicited};
use lambda_mcp::{Args, Context, Server, ToolError, tool};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Book {
    /// Where to.
    city: String,
}

#[derive(Deserialize, JsonSchema)]
struct Details {
    /// How many people travel.
    #[schemars(range(min = 1, max = 9))]
    travellers: u32,
    /// Which class.
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

async fn book(context: Context, Args(Book { city }): Args<Book>) -> Result<String, ToolError> {
    let asked = context.elicit::<Details>("details", "Who travels, and how?")?;
    let Elicited::Accept(Details { travellers, class }) = asked else {
        return Ok("Nothing was booked: the details were not given.".to_owned());
    };
    // Asked in one round: both are put before the first `?`.
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
async fn main() -> Result<(), lambda_mcp::Error> {
    let server = Server::builder("travel", "1.0.0")
        .tool(tool("book", book).description("Books a trip after the person has agreed."))
        .build()?;
    lambda_mcp::run(server).await
}
