//! The tool of `benches/edges` with rmcp, the official SDK, on `lambda_http`: stateless, and JSON in place
//! of event streams, which is its fastest mode.

use std::sync::Arc;

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{Json, ServerHandler, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct Wanted {
    /// The city, in English.
    #[schemars(length(min = 1, max = 80))]
    city: String,
    /// How many days.
    #[schemars(range(min = 1, max = 7))]
    days: u8,
}

#[derive(Serialize, JsonSchema)]
struct Forecast {
    /// The city.
    city: String,
    /// One entry for each day.
    days: Vec<Day>,
}

#[derive(Serialize, JsonSchema)]
struct Day {
    /// Degrees Celsius.
    high: i32,
    /// What it looks like.
    sky: &'static str,
}

#[derive(Clone)]
struct Weather {
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Weather {
    fn new() -> Self {
        Self {
            tool_router: Self::tool_router(),
        }
    }

    /// Returns the weather of the next days.
    #[tool(annotations(
        read_only_hint = true,
        destructive_hint = false,
        idempotent_hint = true,
        open_world_hint = false
    ))]
    async fn forecast(
        &self,
        Parameters(Wanted { city, days }): Parameters<Wanted>,
    ) -> Result<Json<Forecast>, String> {
        let sky = ["sunny", "cloudy", "rain"];
        let days = sky.into_iter().cycle().zip(18..).take(days.into());
        let days = days.map(|(sky, high)| Day { high, sky }).collect();
        Ok(Json(Forecast { city, days }))
    }
}

#[tool_handler(router = self.tool_router, name = "weather", version = "1.0.0")]
impl ServerHandler for Weather {}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    let server = Weather::new();
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_sse_keep_alive(None)
        .disable_allowed_hosts();
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    // The event names the path with its stage.
    let router = axum::Router::new().fallback_service(service);
    lambda_http::run(router).await
}
