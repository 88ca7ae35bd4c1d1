//! Credentials: a tool that anyone may call, and one that needs a scope.
//!
//! Run it with `make run-example EXAMPLE=auth`, and call it with the API key `demo-key`:
//!
//! ```sh
//! curl -s http://127.0.0.1:9000/mcp -H 'Content-Type: application/json' \
//!   -H 'Authorization: Bearer demo-key' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write","arguments":{"text":"Hi."}}}'
//! ```
//!
//! Without the header the answer is 401, and `WWW-Authenticate` says what is missing. Set `JWT_SECRET`
//! to accept tokens of `https://login.example.com` as well, signed with that secret (HS256).

use std::error::Error;

use lambda_mcp::auth::{ApiKeys, Auth, Jwt, JwtKeys};
use lambda_mcp::{Args, Context, Server, ToolError, tool};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Note {
    /// The text of the note.
    #[schemars(length(min = 1, max = 200))]
    text: String,
}

/// Anyone may read.
async fn read() -> &'static str {
    "There are no notes."
}

/// The server has verified the credential and its scope before this runs.
async fn write(context: Context, Args(Note { text }): Args<Note>) -> Result<String, ToolError> {
    let writer = context.principal().map(|principal| principal.subject());
    let writer = writer.ok_or_else(|| ToolError::new("call this tool with a credential"))?;
    Ok(format!(
        "{writer} wrote {} characters.",
        text.chars().count()
    ))
}

fn auth() -> Result<Auth, Box<dyn Error>> {
    // The server knows the digest of a key, not the key. In a deployment the digest comes from the
    // configuration: it is no secret.
    let digest = ApiKeys::digest("demo-key");
    let keys = format!("ada {digest} notes:write").parse::<ApiKeys>()?;
    let mut auth = Auth::new().verifier(keys);
    if let Ok(secret) = std::env::var("JWT_SECRET") {
        let issuer = "https://login.example.com";
        // The audience of a token must be the URL of the endpoint.
        auth = auth
            .verifier(Jwt::new(issuer, JwtKeys::secret(secret)?))
            .authorization_server(issuer.parse()?);
    }
    Ok(auth)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = Server::builder("notes", "1.0.0")
        .auth(auth()?)
        .public_url("https://mcp.example.com")
        .tool(
            tool("read", read)
                .description("Reads the notes.")
                .read_only(),
        )
        .tool(
            tool("write", write)
                .description("Writes a note.")
                .requires_scope("notes:write"),
        )
        .build()?;
    lambda_mcp::run(server).await?;
    Ok(())
}
