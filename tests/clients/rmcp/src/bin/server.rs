//! rmcp's server with the tools of `tests/fixtures/differential`, for `differential/compare.py`. Prints
//! its URL.

use std::sync::Arc;

use rmcp::handler::server::router::prompt::PromptRouter;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{
    CompleteRequestParams, CompleteResult, CompletionInfo, ErrorData, ListResourceTemplatesResult,
    ListResourcesResult, PaginatedRequestParams, PromptMessage, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Role,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{
    RoleServer, ServerHandler, prompt, prompt_handler, prompt_router, schemars, tool, tool_handler,
    tool_router,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct Echo {
    #[schemars(length(min = 1, max = 100))]
    text: String,
    #[schemars(range(min = 1, max = 3))]
    times: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
struct Echoed {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Greet {
    name: String,
    tone: Option<String>,
}

#[derive(Clone)]
struct Differential {
    tool_router: ToolRouter<Self>,
    prompt_router: PromptRouter<Self>,
}

#[tool_router]
impl Differential {
    fn new() -> Self {
        Self {
            tool_router: Self::tool_router(),
            prompt_router: Self::prompt_router(),
        }
    }

    #[tool(description = "Repeats a text.")]
    async fn echo(
        &self,
        Parameters(Echo { text, times }): Parameters<Echo>,
    ) -> Result<Json<Echoed>, String> {
        // rmcp does not check the arguments against their schema.
        if text.is_empty() || text.chars().count() > 100 || !matches!(times, None | Some(1..=3)) {
            return Err("the arguments do not fit".to_owned());
        }
        let text = text.repeat(times.unwrap_or(1) as usize);
        Ok(Json(Echoed { text }))
    }

    #[tool(description = "Says hello.")]
    async fn hello(&self) -> String {
        "Hello.".to_owned()
    }
}

#[prompt_router]
impl Differential {
    #[prompt(description = "Greets a person.")]
    async fn greet(&self, Parameters(Greet { name, tone }): Parameters<Greet>) -> Vec<PromptMessage> {
        let tone = tone.unwrap_or_else(|| "friendly".to_owned());
        vec![PromptMessage::new_text(Role::User, format!("Greet {name} in a {tone} tone."))]
    }
}

#[tool_handler(router = self.tool_router)]
#[prompt_handler(router = self.prompt_router)]
impl ServerHandler for Differential {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_completions()
            .build();
        ServerConfig::new(capabilities)
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![Resource::new("test://note", "note")]))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = ResourceTemplate::new("test://items/{number}", "item");
        Ok(ListResourceTemplatesResult::with_all_items(vec![template]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let number = request.uri.strip_prefix("test://items/");
        let number = number.and_then(|number| number.parse::<u32>().ok());
        let text = match (&*request.uri, number) {
            ("test://note", _) => "Hello.".to_owned(),
            (_, Some(number @ 0..=9)) => format!("Item {number}."),
            _ => return Err(ErrorData::resource_not_found("Resource not found", None)),
        };
        let contents = vec![ResourceContents::text(text, request.uri)];
        Ok(ReadResourceResult::new(contents).into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let values = ["friendly", "formal", "funny"].into_iter();
        let values = values.filter(|value| value.contains(&request.argument.value));
        let values = values.map(str::to_owned).collect();
        let completion = CompletionInfo::new(values);
        completion
            .map(CompleteResult::new)
            .map_err(|error| ErrorData::internal_error(error, None))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_origins(["http://localhost:3000"]);
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(|| Ok(Differential::new()), sessions, config);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
