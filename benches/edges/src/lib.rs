//! The server that both programs serve, to compare the edges: `native` decodes events as the library
//! does, `through_lambda_http` as the crate `lambda_http` does. Built and driven by `make bench` and
//! `make bench-guard`.

use lambda_mcp::schemars::JsonSchema;
use lambda_mcp::server::BuildError;
use lambda_mcp::{Args, Json, Server, ToolError, tool};
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "lambda_mcp::schemars")]
struct Wanted {
    /// The city, in English.
    #[schemars(length(min = 1, max = 80))]
    city: String,
    /// How many days.
    #[schemars(range(min = 1, max = 7))]
    days: u8,
}

#[derive(Serialize, JsonSchema)]
#[schemars(crate = "lambda_mcp::schemars")]
struct Forecast {
    /// The city.
    city: String,
    /// One entry for each day.
    days: Vec<Day>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(crate = "lambda_mcp::schemars")]
struct Day {
    /// Degrees Celsius.
    high: i32,
    /// What it looks like.
    sky: &'static str,
}

async fn forecast(Args(Wanted { city, days }): Args<Wanted>) -> Result<Json<Forecast>, ToolError> {
    let sky = ["sunny", "cloudy", "rain"];
    let days = sky.into_iter().cycle().zip(18..).take(days.into());
    let days = days.map(|(sky, high)| Day { high, sky }).collect();
    Ok(Json(Forecast { city, days }))
}

/// A server with one tool.
pub fn server() -> Result<Server, BuildError> {
    Server::builder("weather", "1.0.0")
        .tool(tool("forecast", forecast).description("Returns the weather of the next days.").read_only())
        .build()
}
