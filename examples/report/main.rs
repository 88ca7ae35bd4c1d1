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
//!
//! Here the tasks are in the memory of this process. On AWS, set `TASK_FUNCTION` and
//! `REQUEST_STATE_KEY`: each task is then an execution of the worker, `worker/examples/report.rs`, which
//! has the same server.

use lambda_mcp::server::RequestStateKey;
use lambda_mcp::tasks::Tasks;

mod server;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let server = match std::env::var("TASK_FUNCTION") {
        Ok(worker) => {
            // Signs the ids of the tasks, so all instances need the same one.
            let key = RequestStateKey::new(std::env::var("REQUEST_STATE_KEY")?)?;
            server::books(Tasks::durable(worker)).request_state_key(key)
        }
        Err(_) => server::books(Tasks::local()),
    };
    lambda_mcp::run(server.build()?).await?;
    Ok(())
}
