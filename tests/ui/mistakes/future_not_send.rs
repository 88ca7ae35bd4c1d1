use std::rc::Rc;

use lambda_mcp::{Server, tool};

async fn greet() -> String {
    let name = Rc::new("Ada".to_owned());
    std::future::ready(()).await;
    name.to_string()
}

fn main() {
    let _ = Server::builder("greeter", "1.0.0").tool(tool("greet", greet));
}
