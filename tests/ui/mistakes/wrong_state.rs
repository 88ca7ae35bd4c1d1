use std::sync::Arc;

use lambda_mcp::{Server, State, tool};

async fn greet(State(names): State<Arc<Vec<String>>>) -> String {
    names.join(", ")
}

fn main() {
    let _ = Server::builder("greeter", "1.0.0")
        .state(Arc::new("Ada"))
        .tool(tool("greet", greet));
}
