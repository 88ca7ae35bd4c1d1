//! The tool of the report, and its server: the same for the MCP function and for the worker.

use std::time::Duration;

use lambda_mcp::handler::{Elicited, Question};
use lambda_mcp::server::ServerBuilder;
use lambda_mcp::tasks::Tasks;
use lambda_mcp::{Args, Json, Server, State, Task, ToolError, task_tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct Export {
    /// The year to report on.
    #[schemars(range(min = 2020, max = 2026))]
    year: u16,
}

#[derive(Deserialize, JsonSchema)]
struct Approval {
    /// Whether the report may be published.
    publish: bool,
}

#[derive(Serialize, JsonSchema)]
struct Report {
    /// Where to download the report.
    url: String,
    /// The number of bookings in it.
    bookings: u32,
}

/// How long the bookkeeping takes for a quarter.
#[derive(Clone, Copy)]
pub(crate) struct Pace(Duration);

async fn export_report(
    mut task: Task,
    State(Pace(pace)): State<Pace>,
    Args(Export { year }): Args<Export>,
) -> Result<Json<Report>, ToolError> {
    let mut bookings = 0;
    for quarter in 1..=4 {
        task.progress(format!("Reading quarter {quarter} of {year}"))
            .await?;
        // What is read is recorded: it is not read again if the process ends.
        let read = move |_| async move {
            tokio::time::sleep(pace).await;
            Ok(u32::from(year) % 100 * quarter)
        };
        bookings += task.step("read", read).await?;
    }
    let question = format!("Publish {bookings} bookings of {year}?");
    let answer = task
        .ask(Question::form::<Approval>("approval", &question))
        .await?;
    let Elicited::Accept(Approval { publish: true }) = answer else {
        return Err(ToolError::new(
            "The report was not published: the user did not agree.",
        ));
    };
    // The key is the same if the step has to run again, so the report is published once.
    let publish = move |step: lambda_mcp::tasks::Step| async move {
        let key = step.idempotency_key;
        Ok(format!("https://reports.example.com/{year}?key={key}"))
    };
    let url = task.step("publish", publish).await?;
    Ok(Json(Report { url, bookings }))
}

/// How long the bookkeeping takes, here.
const PACE: Pace = Pace(Duration::from_millis(250));

/// The server of the function and of its worker.
pub(crate) fn books(tasks: Tasks) -> ServerBuilder<Pace> {
    Server::builder("books", "1.0.0")
        .tasks(tasks)
        .state(PACE)
        .tool(
            task_tool("export_report", export_report)
                .description("Exports the bookings of a year after the user agreed.")
                .requires_tasks(),
        )
}
