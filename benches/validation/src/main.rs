//! `validation KEYWORD SIZE` calls a tool once, with the case of that keyword at that size;
//! `benches/validation.py` runs it under callgrind, which counts the instructions of the check of the
//! arguments. Without parameters it prints the cases.

use std::error::Error;

use bytes::Bytes;
use lambda_mcp::{Args, Server, tool};
use serde_json::{Value, json};

#[path = "../../../src/schema/validate/tests/cases.rs"]
mod cases;

use cases::{Case, SIZES, arguments, cases, input_schema};

async fn accept(Args(_): Args<Value>) -> &'static str {
    "accepted"
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut parameters = std::env::args().skip(1);
    let Some(wanted) = parameters.next() else {
        // A request does not nest deep enough for this one.
        let carried = |case: &Case| case.keyword != "uniqueItems, deep";
        for Case { keyword, .. } in cases().into_iter().filter(carried) {
            for size in SIZES {
                println!("{}", json!({"keyword": keyword, "size": size}));
            }
        }
        return Ok(());
    };
    let size = parameters.next().ok_or("SIZE is missing")?.parse()?;
    let case = cases().into_iter().find(|case| case.keyword == wanted);
    let Case { schema, value, .. } = case.ok_or("there is no such KEYWORD")?;
    call(&schema, &value(size))
}

/// Calls a tool whose argument `value` has this schema.
fn call(schema: &Value, value: &Value) -> Result<(), Box<dyn Error>> {
    let tool = tool("accept", accept).input_schema(input_schema(schema));
    let server = Server::builder("validation", "1").tool(tool).build()?;
    let params = json!({"name": "accept", "arguments": arguments(value)});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let request = http::Request::post("/mcp")
        .header("Content-Type", "application/json")
        .body(Bytes::from(message.to_string()))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let response = runtime.block_on(server.handle(request));
    assert_eq!(response.status(), 200);
    Ok(())
}
