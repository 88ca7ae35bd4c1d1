use lambda_mcp::{Server, tool};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Greet {
    name: String,
}

async fn greet(Greet { name }: Greet) -> String {
    name
}

fn main() {
    let _ = Server::builder("greeter", "1.0.0").tool(tool("greet", greet));
}
