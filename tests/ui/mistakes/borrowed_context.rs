use lambda_mcp::{Context, Server, tool};

async fn greet(context: &Context) -> String {
    format!("{context:?}")
}

fn main() {
    let _ = Server::builder("greeter", "1.0.0").tool(tool("greet", greet));
}
