use lambda_mcp::{Context, Server, tool};

type C = Context;

async fn greet(_: C, _: C, _: C, _: C, _: C, _: C, _: C, _: C, _: C) -> String {
    "Hello.".to_owned()
}

fn main() {
    let _ = Server::builder("greeter", "1.0.0").tool(tool("greet", greet));
}
