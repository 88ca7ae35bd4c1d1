//! The tool of `benches/edges` with turul, on `lambda_http`: the stateless protocol, and JSON in place of
//! event streams.

use lambda_http::{Error, run, service_fn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turul_mcp_aws_lambda::LambdaMcpServerBuilder;
use turul_mcp_derive::McpTool;
use turul_mcp_server::{McpResult, SessionContext};

#[derive(Clone, Default, McpTool)]
#[tool(
    name = "forecast",
    description = "Returns the weather of the next days.",
    output = Forecast,
    read_only = true,
    destructive = false,
    idempotent = true,
    open_world = false
)]
struct Wanted {
    #[param(description = "The city, in English.")]
    city: String,
    #[param(description = "How many days.", min = 1.0, max = 7.0)]
    days: u8,
}

#[derive(Clone, Deserialize, Serialize, JsonSchema)]
struct Forecast {
    /// The city.
    city: String,
    /// One entry for each day.
    days: Vec<Day>,
}

#[derive(Clone, Deserialize, Serialize, JsonSchema)]
struct Day {
    /// Degrees Celsius.
    high: i32,
    /// What it looks like.
    sky: String,
}

impl Wanted {
    async fn execute(&self, _session: Option<SessionContext>) -> McpResult<Forecast> {
        let sky = ["sunny", "cloudy", "rain"];
        let days = sky.into_iter().cycle().zip(18..).take(self.days.into());
        let days = days
            .map(|(sky, high)| Day {
                high,
                sky: sky.to_owned(),
            })
            .collect();
        Ok(Forecast {
            city: self.city.clone(),
            days,
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let server = LambdaMcpServerBuilder::new()
        .name("weather")
        .version("1.0.0")
        .tool(Wanted::default())
        .sse(false)
        .build()
        .await?;
    let handler = server.handler().await?;
    run(service_fn(move |request| {
        let handler = handler.clone();
        async move { handler.handle(request).await.map_err(Error::from) }
    }))
    .await
}
