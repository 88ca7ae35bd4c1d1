//! [`TaskHandler`]: async functions that run as tasks.

use std::future::Future;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use self::sealed::Run;
use crate::future::BoxFuture;
use crate::handler::extract::{Args, State};
use crate::handler::{IntoToolOutput, Rejection};
use crate::schema;
use crate::tasks::task::Task;

/// An async function, or a closure that returns a future, with a [`Task`] as its first parameter, and
/// `State<S>` and `Args<T>` behind it, each of which may be left out.
///
/// There is no `Context`: a durable engine runs the function after the request, and possibly more than
/// once. Read what the request says with [`prepared_task_tool`](crate::prepared_task_tool) first.
///
/// `M` distinguishes the parameters and is always inferred. The trait is sealed.
///
/// # Examples
///
/// A function that takes any task function:
///
/// ```
/// use lambda_mcp::server::Tool;
/// use lambda_mcp::tasks::TaskHandler;
/// use lambda_mcp::{Task, task_tool};
///
/// fn slow_tool<M, H: TaskHandler<(), M>>(name: &str, run: H) -> Tool<()> {
///     task_tool(name, run).requires_tasks()
/// }
///
/// async fn wait(_task: Task) -> &'static str {
///     "Waited."
/// }
/// let _tool = slow_tool("wait", wait);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a task function",
    label = "not an async function of the right shape",
    note = "write `async fn(Task, State<S>, Args<T>) -> Result<Json<U>, ToolError>`; `State<S>` and `Args<T>` may each be left out",
    note = "the state must be the one given to `Server::builder(..).state(..)`, and the future must be `Send`"
)]
pub trait TaskHandler<S, M>: Run<S, M> {}

impl<S, M, H: Run<S, M>> TaskHandler<S, M> for H {}

pub(crate) mod sealed {
    use super::{BoxFuture, IntoToolOutput, Rejection, Task, Value};

    /// What the crate does with a [`TaskHandler`](super::TaskHandler).
    pub trait Run<S, M>: Send + Sync + 'static {
        /// The type of the arguments; `()` if the function takes none.
        type Arguments: Send + 'static;
        /// What the future returns.
        type Output: IntoToolOutput + 'static;

        /// The JSON Schema of the arguments, or `None` if the function takes none.
        fn input_schema() -> Option<Value>;

        /// Reads the arguments.
        ///
        /// # Errors
        ///
        /// They do not have the type.
        fn read(arguments: Value) -> Result<Self::Arguments, Rejection>;

        /// Starts the function.
        fn run(
            &self,
            task: Task,
            state: &S,
            arguments: Self::Arguments,
        ) -> BoxFuture<'static, Self::Output>;
    }
}

macro_rules! without_arguments {
    ($marker:ty, |$self:ident, $task:ident, $state:ident| $call:expr, $($parameter:ty),*) => {
        impl<S, F, O, Fut> Run<S, $marker> for F
        where
            S: Clone + Send,
            F: Fn($($parameter),*) -> Fut + Send + Sync + 'static,
            Fut: Future<Output = O> + Send + 'static,
            O: IntoToolOutput + 'static,
        {
            type Arguments = ();
            type Output = O;

            fn input_schema() -> Option<Value> {
                None
            }

            fn read(_: Value) -> Result<(), Rejection> {
                Ok(())
            }

            fn run(&$self, $task: Task, $state: &S, (): ()) -> BoxFuture<'static, O> {
                Box::pin($call)
            }
        }
    };
}

macro_rules! with_arguments {
    (
        $marker:ty,
        |$self:ident, $task:ident, $state:ident, $arguments:ident| $call:expr,
        $($parameter:ty),*
    ) => {
        impl<S, T, F, O, Fut> Run<S, $marker> for F
        where
            S: Clone + Send,
            T: DeserializeOwned + JsonSchema + Send + 'static,
            F: Fn($($parameter),*) -> Fut + Send + Sync + 'static,
            Fut: Future<Output = O> + Send + 'static,
            O: IntoToolOutput + 'static,
        {
            type Arguments = T;
            type Output = O;

            fn input_schema() -> Option<Value> {
                Some(schema::input::<T>())
            }

            fn read(arguments: Value) -> Result<T, Rejection> {
                let Args(arguments) = Args::read(arguments)?;
                Ok(arguments)
            }

            fn run(&$self, $task: Task, $state: &S, $arguments: T) -> BoxFuture<'static, O> {
                Box::pin($call)
            }
        }
    };
}

without_arguments!((), |self, task, _state| self(task), Task);
without_arguments!(
    (State<S>,),
    |self, task, state| self(task, State(state.clone())),
    Task,
    State<S>
);
with_arguments!(
    (Args<T>,),
    |self, task, _state, arguments| self(task, Args(arguments)),
    Task,
    Args<T>
);
with_arguments!(
    (State<S>, Args<T>),
    |self, task, state, arguments| self(task, State(state.clone()), Args(arguments)),
    Task,
    State<S>,
    Args<T>
);
