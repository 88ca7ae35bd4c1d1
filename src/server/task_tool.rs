//! [`task_tool`]: tools that can run as tasks. Specification: extension *Tasks*.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::error::ToolError;
use crate::future::BoxFuture;
use crate::handler::extract::Args;
use crate::handler::{CallParts, Handler, IntoToolOutput, Reads, Rejection, ToolOutput, Unbound};
use crate::server::task_part::{Function, TaskPart};
use crate::server::tool::Tool;
use crate::tasks::{Task, TaskHandler};

type Called = Result<ToolOutput, ToolError>;
/// Every task can ask. The key that seals questions also signs task ids.
const MAY_ASK: bool = true;

/// Makes a tool that runs as a task where the client supports it, and within the call otherwise.
///
/// `run` is an async function that takes a [`Task`], and `State<S>` and `Args<T>` as other handlers do.
/// The input and output schemas come from its types. Say where tasks run with
/// [`ServerBuilder::tasks`](crate::server::ServerBuilder::tasks); a tool that takes too long for a
/// call, or asks after a step, [requires tasks](Tool::requires_tasks).
///
/// Specification: extension *Tasks*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::tasks::Tasks;
/// use lambda_mcp::testing::TestClient;
/// use lambda_mcp::{Args, Server, Task, ToolError, task_tool};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use serde_json::json;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Convert {
///     /// The name of the video.
///     video: String,
/// }
///
/// async fn convert(mut task: Task, Args(Convert { video }): Args<Convert>) -> Result<String, ToolError> {
///     task.progress("Converting").await?;
///     let bytes: u64 = task.step("convert", |_| async { Ok(4_711) }).await?;
///     Ok(format!("{video} has {bytes} bytes now."))
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), lambda_mcp::server::BuildError> {
/// let server = Server::builder("videos", "1.0.0")
///     .tasks(Tasks::local())
///     .tool(task_tool("convert", convert).description("Converts a video."))
///     .build()?;
///
/// // A client without tasks waits for the result.
/// let result = TestClient::new(server).call("convert", json!({"video": "holiday"})).await;
/// assert_eq!(result.text(), "holiday has 4711 bytes now.");
/// # Ok(())
/// # }
/// ```
pub fn task_tool<S, M, H>(name: impl Into<String>, run: H) -> Tool<S>
where
    S: Clone + Send + Sync + 'static,
    H: TaskHandler<S, M>,
{
    let run = Arc::new(run);
    let inline = {
        let run = Arc::clone(&run);
        move |call: &mut CallParts<'_, S>| {
            let arguments = H::read(call.take_arguments())?;
            let task = inline(call)?;
            Ok(output(run.run(task, call.state(), arguments)))
        }
    };
    let arguments = |call: &mut CallParts<'_, S>| {
        let arguments = call.take_arguments();
        // Faults are found before the task exists.
        H::read(arguments.clone())?;
        Ok(ready(Ok(arguments)))
    };
    let tool = Tool::new(
        name.into(),
        (
            || H::input_schema().map_or(Reads::Nothing, Reads::Arguments),
            H::Output::output_schema,
        ),
        Unbound::from_fn(inline),
        MAY_ASK,
    );
    tool.task(TaskPart {
        arguments: Unbound::from_fn(arguments),
        function: function(run),
    })
}

/// Makes a tool whose task is prepared within the call.
///
/// `prepare` is a handler as that of any other tool: it can read the [`Context`](crate::Context), ask
/// the client by an [`AskingContext`](crate::AskingContext), and refuse the call with a [`ToolError`]. It
/// returns the arguments of `run`, which runs as that of [`task_tool`]. The input schema is that of
/// `prepare`.
///
/// Specification: extension *Tasks, Task Creation*: questions of a multi round-trip request are
/// answered before the task is created.
///
/// # Examples
///
/// ```
/// use lambda_mcp::handler::Elicited;
/// use lambda_mcp::tasks::Tasks;
/// use lambda_mcp::{Args, AskingContext, Server, Task, ToolError, prepared_task_tool};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize, JsonSchema)]
/// struct Deletion {
///     /// The folder to delete.
///     folder: String,
/// }
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Consent {
///     /// Whether everything in it may be deleted.
///     agreed: bool,
/// }
///
/// async fn confirm(
///     context: AskingContext,
///     Args(deletion): Args<Deletion>,
/// ) -> Result<Args<Deletion>, ToolError> {
///     let question = format!("Delete {}?", deletion.folder);
///     match context.elicit::<Consent>("consent", &question)? {
///         Elicited::Accept(Consent { agreed: true }) => Ok(Args(deletion)),
///         _ => Err(ToolError::new("The user did not agree, so nothing was deleted.")),
///     }
/// }
///
/// async fn delete(mut task: Task, Args(deletion): Args<Deletion>) -> Result<String, ToolError> {
///     let files: u32 = task.step("delete", |_| async { Ok(12) }).await?;
///     Ok(format!("{files} files of {} are deleted.", deletion.folder))
/// }
///
/// let server = Server::builder("files", "1.0.0")
///     .tasks(Tasks::local())
///     .tool(prepared_task_tool("delete", confirm, delete))
///     .build();
/// assert!(server.is_ok());
/// ```
pub fn prepared_task_tool<S, M, N, P, H>(name: impl Into<String>, prepare: P, run: H) -> Tool<S>
where
    S: Clone + Send + Sync + 'static,
    P: Handler<S, M, Output = Result<Args<H::Arguments>, ToolError>>,
    H: TaskHandler<S, N>,
    H::Arguments: Serialize,
{
    let (prepare, run) = (Arc::new(prepare), Arc::new(run));
    let inline = {
        let (prepare, run) = (Arc::clone(&prepare), Arc::clone(&run));
        move |call: &mut CallParts<'_, S>| {
            let task = inline(call)?;
            let state = call.state().clone();
            let prepared = prepare.call(call)?;
            let run = Arc::clone(&run);
            let called: BoxFuture<'static, Called> = Box::pin(async move {
                let Args(arguments) = prepared.await?;
                run.run(task, &state, arguments).await.into_tool_output()
            });
            Ok(called)
        }
    };
    let arguments = move |call: &mut CallParts<'_, S>| {
        let prepared = prepare.call(call)?;
        let prepared: BoxFuture<'static, Result<Value, ToolError>> = Box::pin(async move {
            let Args(arguments) = prepared.await?;
            Ok(serde_json::to_value(arguments)?)
        });
        Ok(prepared)
    };
    let tool = Tool::new(
        name.into(),
        (P::reads, H::Output::output_schema),
        Unbound::from_fn(inline),
        MAY_ASK,
    );
    tool.task(TaskPart {
        arguments: Unbound::from_fn(arguments),
        function: function(run),
    })
}

/// A task within the call.
fn inline<S>(call: &CallParts<'_, S>) -> Result<Task, Rejection> {
    Ok(Task::inline(random_id()?, call.context()))
}

/// A new id of a task.
///
/// # Errors
///
/// The platform gives no random bytes.
pub(crate) fn random_id() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn function<S, M, H: TaskHandler<S, M>>(run: Arc<H>) -> Box<Function<S>> {
    Box::new(move |task, state, arguments| {
        let arguments = H::read(arguments)?;
        Ok(output(run.run(task, state, arguments)))
    })
}

fn output<O: IntoToolOutput + 'static>(run: BoxFuture<'static, O>) -> BoxFuture<'static, Called> {
    Box::pin(async move { run.await.into_tool_output() })
}

fn ready<T: Send + 'static>(value: T) -> BoxFuture<'static, T> {
    Box::pin(std::future::ready(value))
}
