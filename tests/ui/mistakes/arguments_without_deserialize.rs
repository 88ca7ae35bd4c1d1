use lambda_mcp::{Args, Server, tool};
use schemars::JsonSchema;

#[derive(JsonSchema)]
struct Greet {
    name: String,
}

async fn greet(Args(Greet { name }): Args<Greet>) -> String {
    name
}

fn main() {
    let _ = Server::builder("greeter", "1.0.0").tool(tool("greet", greet));
}
