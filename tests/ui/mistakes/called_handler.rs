use lambda_mcp::{Server, tool};

async fn greet() -> String {
    "Hello.".to_owned()
}

fn main() {
    let _ = Server::builder("greeter", "1.0.0").tool(tool("greet", greet()));
}
