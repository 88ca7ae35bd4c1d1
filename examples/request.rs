//! The request in a handler: parameters of your own for a header, for the claims of a token, and for
//! what the gateway found out about the caller.
//!
//! Run it with `make run-example EXAMPLE=request`, and call it:
//!
//! ```sh
//! curl -s http://127.0.0.1:9000/mcp -H 'Content-Type: application/json' -H 'X-Tenant: acme' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tenant"}}'
//! ```
//!
//! Without the header the answer is a tool error, which says what is missing. The tool `profile`
//! needs a token of `https://login.example.com`, signed with the secret in `JWT_SECRET` (HS256).

use std::error::Error;

use lambda_mcp::auth::{Auth, Jwt, JwtKeys};
use lambda_mcp::handler::{CallParts, FromCall, Rejection};
use lambda_mcp::server::Authorizer;
use lambda_mcp::{Context, Server, ToolError, tool};
use serde::Deserialize;

/// The tenant, from a header that the proxy in front of this server sets.
struct Tenant(String);

impl<S> FromCall<S> for Tenant {
    fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, Rejection> {
        let header = call.context().headers().get("x-tenant");
        let text = header.and_then(|value| value.to_str().ok());
        text.map(|text| Self(text.to_owned()))
            .ok_or_else(|| Rejection::refused("Send the header `X-Tenant` with the tenant's name."))
    }
}

/// The claims of the caller's token that this server uses.
#[derive(Deserialize)]
struct Profile {
    email: String,
    #[serde(default)]
    groups: Vec<String>,
}

impl<S> FromCall<S> for Profile {
    fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, Rejection> {
        let principal = call.context().principal();
        let principal = principal.ok_or_else(|| Rejection::refused("Sign in first."))?;
        principal.claims().map_err(|_| {
            Rejection::refused("Sign in again and allow access to your e-mail address.")
        })
    }
}

/// Names the tenant.
async fn tenant(Tenant(name): Tenant) -> String {
    format!("This is the data of {name}.")
}

/// Shows who is signed in.
async fn profile(Profile { email, groups }: Profile) -> String {
    format!("You are {email}, in {} groups.", groups.len())
}

/// Says whom the authorizer of the gateway found, and the stage.
async fn gateway(context: Context) -> Result<String, ToolError> {
    #[derive(Deserialize)]
    struct Subject {
        sub: String,
    }
    #[derive(Deserialize)]
    struct Plan {
        plan: String,
    }
    let invocation = context.invocation();
    let caller = match &invocation.authorizer {
        Some(Authorizer::Claims(claims)) => claims.read::<Subject>()?.sub,
        Some(Authorizer::Lambda(context)) => format!("a {} user", context.read::<Plan>()?.plan),
        Some(Authorizer::Iam(identity)) => identity.user_arn.clone(),
        _ => "anyone".to_owned(),
    };
    let stage = invocation.stage.as_deref().unwrap_or("no stage");
    Ok(format!("{caller} in {stage}"))
}

fn auth() -> Result<Auth, Box<dyn Error>> {
    let Ok(secret) = std::env::var("JWT_SECRET") else {
        return Ok(Auth::new());
    };
    let tokens = Jwt::new("https://login.example.com", JwtKeys::secret(secret)?);
    Ok(Auth::new().verifier(tokens.audience("https://mcp.example.com/mcp")))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let auth = auth()?;
    let can_sign_in = !auth.is_empty();
    let mut server = Server::builder("request", "1.0.0")
        .auth(auth)
        .tool(tool("tenant", tenant).description("Names the tenant."))
        .tool(tool("gateway", gateway).description("Says what the gateway knows."));
    if can_sign_in {
        let profile = tool("profile", profile).description("Shows who is signed in.");
        server = server.tool(profile.requires_credential());
    }
    lambda_mcp::run(server.build()?).await?;
    Ok(())
}
