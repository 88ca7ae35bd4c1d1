//! An MCP server on AWS Lambda with one tool.

use lambda_mcp::server::BuildError;
use lambda_mcp::{Args, Json, Server, ToolError, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct Words {
    /// The text whose words are counted.
    #[schemars(length(min = 1, max = 10_000))]
    text: String,
}

#[derive(Serialize, JsonSchema)]
struct Count {
    /// The number of words.
    words: usize,
}

async fn count_words(Args(Words { text }): Args<Words>) -> Result<Json<Count>, ToolError> {
    match text.split_whitespace().count() {
        0 => Err(ToolError::new(
            "`text` has no words. Send a text with at least one.",
        )),
        words => Ok(Json(Count { words })),
    }
}

fn server() -> Result<Server, BuildError> {
    let count_words = tool("count_words", count_words)
        .description("Counts the words of a text.")
        .read_only();
    Server::builder("{{ project_name }}", env!("CARGO_PKG_VERSION"))
        .tool(count_words)
        .build()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_mcp::Error> {
    lambda_mcp::run(server()?).await
}

#[cfg(test)]
mod tests {
    use lambda_mcp::protocol::ProtocolVersion;
    use lambda_mcp::testing::TestClient;
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn words_are_counted_in_every_version() -> Result<(), BuildError> {
        for version in ProtocolVersion::ALL {
            let client = TestClient::new(server()?).version(version);
            let result = client
                .call("count_words", json!({ "text": "one two three" }))
                .await;
            assert_eq!(result.text(), r#"{"words":3}"#);
            let refused = client.call("count_words", json!({ "text": " " })).await;
            assert!(refused.is_error(), "{refused}");
        }
        Ok(())
    }
}
