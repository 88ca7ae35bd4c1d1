use lambda_mcp::{Server, tool};

struct Greeting;

async fn greet() -> Greeting {
    Greeting
}

fn main() {
    let _ = Server::builder("greeter", "1.0.0").tool(tool("greet", greet));
}
