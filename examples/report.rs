//! A report that takes a minute: made in steps, with a question to the user in the middle.
//!
//! A client that supports tasks gets the id of a task at once and polls it. The tool requires tasks,
//! because it asks after a step: within a single call, the step would run again for the answer.
//!
//! Run it with `make run-example EXAMPLE=report`. The result of this call has `resultType` `task`:
//!
//! ```sh
//! meta='"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":
//!   {"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}'
//! curl -s http://127.0.0.1:9000/mcp -H 'Content-Type: application/json' \
//!   -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: export_report' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"export_report",
//!        "arguments":{"year":2025},"_meta":{'"$meta"'}}}'
//! ```
//!
//! Send `tasks/get` with its `taskId` and the header `Mcp-Name` until the status is `input_required`,
//! answer the question with `tasks/update`, and poll again for the result.

use std::time::Duration;

use lambda_mcp::handler::{Elicited, Question};
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
struct Pace(Duration);

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

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_mcp::Error> {
    let server = Server::builder("books", "1.0.0")
        // In the memory of this process, for local runs.
        .tasks(Tasks::local())
        .state(Pace(Duration::from_millis(250)))
        .tool(
            task_tool("export_report", export_report)
                .description("Exports the bookings of a year after the user agreed.")
                .requires_tasks(),
        )
        .build()?;
    lambda_mcp::run(server).await
}
