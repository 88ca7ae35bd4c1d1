//! [`Handler`]: async functions that serve calls.

use std::future::Future;

use serde_json::Value;

use self::sealed::Call;
use crate::future::BoxFuture;
use crate::handler::extract::{CallParts, FromCall};
use crate::handler::rejection::Rejection;

/// An async function, or a closure that returns a future, with up to four parameters.
///
/// Each parameter implements [`FromCall`]. `S` is the server's state; `M` distinguishes the number
/// of parameters and is always inferred. The trait is sealed: it is implemented for functions only.
///
/// # Examples
///
/// A function that takes any handler:
///
/// ```
/// use lambda_mcp::handler::{Handler, IntoToolOutput};
/// use lambda_mcp::server::Tool;
/// use lambda_mcp::tool;
///
/// fn read_only_tool<M, H>(name: &str, handler: H) -> Tool<()>
/// where
///     H: Handler<(), M>,
///     H::Output: IntoToolOutput + 'static,
/// {
///     tool(name, handler).read_only()
/// }
///
/// async fn version() -> &'static str {
///     "1.0.0"
/// }
/// let _tool = read_only_tool("version", version);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a handler",
    label = "not an async function of the right shape",
    note = "write `async fn(State<S>, Args<T>) -> Result<Json<U>, ToolError>`; `State<S>`, `Context` (or `AskingContext`) and `Args<T>` may each be left out",
    note = "the state must be the one given to `Server::builder(..).state(..)`, and the future must be `Send`"
)]
pub trait Handler<S, M>: Call<S, M> {}

pub(super) mod sealed {
    use super::{BoxFuture, CallParts, Rejection, Value};

    /// What the crate does with a [`Handler`](super::Handler).
    pub trait Call<S, M>: Send + Sync + 'static {
        /// What the future returns.
        type Output;

        /// The JSON Schema of the arguments, or `None` if no parameter reads them.
        fn input_schema() -> Option<Value>;

        /// Whether a parameter lets the function ask the client for input.
        fn may_ask() -> bool;

        /// Extracts the parameters and starts the call.
        ///
        /// # Errors
        ///
        /// A parameter could not be extracted; nothing was started.
        fn call(
            &self,
            call: &mut CallParts<'_, S>,
        ) -> Result<BoxFuture<'static, Self::Output>, Rejection>;
    }
}

macro_rules! handler {
    ($($parameter:ident),*) => {
        impl<S, F, O, Fut, $($parameter),*> Handler<S, ($($parameter,)*)> for F
        where
            F: Fn($($parameter),*) -> Fut + Send + Sync + 'static,
            Fut: Future<Output = O> + Send + 'static,
            $($parameter: FromCall<S>,)*
        {
        }

        impl<S, F, O, Fut, $($parameter),*> Call<S, ($($parameter,)*)> for F
        where
            F: Fn($($parameter),*) -> Fut + Send + Sync + 'static,
            Fut: Future<Output = O> + Send + 'static,
            $($parameter: FromCall<S>,)*
        {
            type Output = O;

            fn input_schema() -> Option<Value> {
                None$(.or_else(<$parameter as FromCall<S>>::input_schema))*
            }

            fn may_ask() -> bool {
                false$(|| <$parameter as FromCall<S>>::may_ask())*
            }

            fn call(
                &self,
                _call: &mut CallParts<'_, S>,
            ) -> Result<BoxFuture<'static, O>, Rejection> {
                Ok(Box::pin(self($(<$parameter as FromCall<S>>::from_call(_call)?),*)))
            }
        }
    };
}

handler!();
handler!(A);
handler!(A, B);
handler!(A, B, C);
handler!(A, B, C, D);
