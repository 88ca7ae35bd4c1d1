//! The server of `make bench-growth`: tools that take arguments of any size and shape, tools that return
//! answers of any size, and as many further tools as `TOOLS` says.

use std::error::Error;

use lambda_mcp::schemars::JsonSchema;
use lambda_mcp::{Args, Json, Server, tool};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "lambda_mcp::schemars")]
struct Text {
    /// A text.
    text: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "lambda_mcp::schemars")]
struct Anything {
    /// A value of any shape.
    value: Value,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "lambda_mcp::schemars")]
struct Rows {
    /// The rows of a table.
    rows: Vec<Row>,
}

#[derive(Deserialize, JsonSchema, Serialize)]
#[schemars(crate = "lambda_mcp::schemars")]
struct Row {
    /// The number of the row.
    id: u32,
    /// Its name.
    name: String,
    /// Whether it counts.
    active: bool,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "lambda_mcp::schemars")]
struct Number {
    /// How many.
    count: u32,
}

#[derive(JsonSchema, Serialize)]
#[schemars(crate = "lambda_mcp::schemars")]
struct Table {
    /// The rows of the table.
    rows: Vec<Row>,
}

async fn length(Args(Text { text }): Args<Text>) -> String {
    text.len().to_string()
}

async fn echo(Args(Text { text }): Args<Text>) -> String {
    text
}

async fn value(Args(Anything { value }): Args<Anything>) -> &'static str {
    if value.is_null() { "null" } else { "read" }
}

async fn rows(Args(Rows { rows }): Args<Rows>) -> String {
    rows.iter().filter(|row| row.active).count().to_string()
}

async fn table(Args(Number { count }): Args<Number>) -> Json<Table> {
    let row = |id| Row {
        id,
        name: format!("the row of number {id}"),
        active: id % 2 == 0,
    };
    Json(Table {
        rows: (0..count).map(row).collect(),
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let further: u32 = std::env::var("TOOLS").map_or(Ok(0), |tools| tools.parse())?;
    let mut server = Server::builder("growth", "1.0.0")
        .tool(tool("length", length).description("Returns the length of a text."))
        .tool(tool("echo", echo).description("Returns a text."))
        .tool(tool("value", value).description("Reads a value."))
        .tool(tool("rows", rows).description("Counts the rows of a table."))
        .tool(tool("table", table).description("Returns a table."));
    for number in 0..further {
        let described = format!("Counts the rows of table {number}.");
        server = server.tool(tool(format!("rows_{number}"), rows).description(described));
    }
    lambda_mcp::run(server.build()?).await?;
    Ok(())
}
