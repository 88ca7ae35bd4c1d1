//! Handlers: plain async functions.

use std::future::Future;

use serde_json::Value;

use crate::future::BoxFuture;
use crate::handler::extract::{CallParts, FromCall};
use crate::schema::InvalidArguments;

/// An async function of up to four parameters that can serve calls.
///
/// `M` only keeps the implementations for each number of parameters apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a handler",
    label = "not an async function of the right shape",
    note = "write `async fn(State<S>, Args<T>) -> Result<Json<U>, ToolError>`; `State<S>`, `Context` and `Args<T>` may each be left out",
    note = "the state must be the one given to `Server::builder(..).state(..)`, and the future must be `Send`"
)]
pub trait Handler<S, M>: Send + Sync + 'static {
    /// What it gives.
    type Output;

    /// The JSON Schema of its arguments, if it takes any.
    fn input_schema() -> Option<Value>;

    /// Starts a call.
    ///
    /// # Errors
    ///
    /// The arguments do not fit; nothing was started then.
    fn call(
        &self,
        call: &mut CallParts<'_, S>,
    ) -> Result<BoxFuture<'static, Self::Output>, InvalidArguments>;
}

macro_rules! handler {
    ($($parameter:ident),*) => {
        impl<S, F, O, Fut, $($parameter),*> Handler<S, ($($parameter,)*)> for F
        where
            F: Fn($($parameter),*) -> Fut + Send + Sync + 'static,
            Fut: Future<Output = O> + Send + 'static,
            $($parameter: FromCall<S>,)*
        {
            type Output = O;

            fn input_schema() -> Option<Value> {
                None$(.or_else(<$parameter as FromCall<S>>::input_schema))*
            }

            fn call(
                &self,
                _call: &mut CallParts<'_, S>,
            ) -> Result<BoxFuture<'static, O>, InvalidArguments> {
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
