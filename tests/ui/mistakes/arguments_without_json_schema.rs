use lambda_mcp::{Args, Server, tool};
use serde::Deserialize;

#[derive(Deserialize)]
struct Greet {
    name: String,
}

async fn greet(Args(Greet { name }): Args<Greet>) -> String {
    name
}

fn main() {
    let _ = Server::builder("greeter", "1.0.0").tool(tool("greet", greet));
}
