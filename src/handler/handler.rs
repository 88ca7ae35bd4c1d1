//! [`Handler`]: async functions that serve calls.
//!
//! What a function must be is split into traits with one condition each, so that the compiler names the
//! condition that fails: [`AsyncFunction`] its form, [`Parameters`] its parameters, [`Returned`] that it
//! is async.

use std::future::Future;

use serde_json::Value;

use self::sealed::{AsyncFunction, Call, Parameters, Returned};
use crate::future::BoxFuture;
use crate::handler::extract::{CallParts, FromCall};
use crate::handler::reads::Reads;
use crate::handler::rejection::Rejection;

/// An async function, or a closure that returns a future, with up to eight parameters.
///
/// Each parameter implements [`FromCall`]. `S` is the server's state; `M` is the tuple of the
/// parameters and is always inferred. The trait is sealed: it is implemented for functions only.
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
pub trait Handler<S, M>: Call<S, M> {}

impl<S, M, H: Call<S, M>> Handler<S, M> for H {}

pub(super) mod sealed {
    use super::{BoxFuture, CallParts, Future, Reads, Rejection};

    /// What the crate does with a [`Handler`](super::Handler).
    pub trait Call<S, M>: Send + Sync + 'static {
        /// What the future returns.
        type Output;

        /// What the parameters read from a call.
        fn reads() -> Reads;

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

    /// A function with the parameters `M`.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is not a function with up to eight parameters",
        label = "not a handler",
        note = "a handler is an `async fn`, given by its name and not called, with at most eight parameters"
    )]
    pub trait AsyncFunction<M> {
        /// What the function returns: a future.
        type Returned;

        /// Calls the function.
        fn apply(&self, parameters: M) -> Self::Returned;
    }

    /// A tuple of parameters.
    pub trait Parameters<S>: Sized {
        /// What the parameters read from a call.
        fn reads() -> Reads;

        /// Whether a parameter lets the function ask the client for input.
        fn may_ask() -> bool;

        /// Extracts the parameters, from left to right.
        ///
        /// # Errors
        ///
        /// A parameter could not be extracted.
        fn extract(call: &mut CallParts<'_, S>) -> Result<Self, Rejection>;
    }

    /// What a function returns that is async.
    #[diagnostic::on_unimplemented(
        message = "a handler must be async, but this function returns `{Self}`",
        label = "not an async function",
        note = "write `async fn`; a closure returns an `async` block"
    )]
    pub trait Returned: Future {}

    #[diagnostic::do_not_recommend]
    impl<F: Future> Returned for F {}
}

impl<S, M, H> Call<S, M> for H
where
    H: AsyncFunction<M> + Send + Sync + 'static,
    M: Parameters<S>,
    H::Returned: Returned + Send + 'static,
{
    type Output = <H::Returned as Future>::Output;

    fn reads() -> Reads {
        M::reads()
    }

    fn may_ask() -> bool {
        M::may_ask()
    }

    fn call(
        &self,
        call: &mut CallParts<'_, S>,
    ) -> Result<BoxFuture<'static, Self::Output>, Rejection> {
        Ok(Box::pin(self.apply(M::extract(call)?)))
    }
}

macro_rules! parameters {
    ($($name:ident: $parameter:ident),*) => {
        impl<F, R, $($parameter),*> AsyncFunction<($($parameter,)*)> for F
        where
            F: Fn($($parameter),*) -> R,
        {
            type Returned = R;

            fn apply(&self, ($($name,)*): ($($parameter,)*)) -> R {
                self($($name),*)
            }
        }

        impl<S, $($parameter: FromCall<S>),*> Parameters<S> for ($($parameter,)*) {
            fn reads() -> Reads {
                let schemas: Vec<Option<Value>> = vec![$($parameter::input_schema()),*];
                Reads::new(schemas.into_iter().flatten().collect())
            }

            fn may_ask() -> bool {
                false$(|| $parameter::may_ask())*
            }

            fn extract(_call: &mut CallParts<'_, S>) -> Result<Self, Rejection> {
                Ok(($($parameter::from_call(_call)?,)*))
            }
        }
    };
}

parameters!();
parameters!(a: A);
parameters!(a: A, b: B);
parameters!(a: A, b: B, c: C);
parameters!(a: A, b: B, c: C, d: D);
parameters!(a: A, b: B, c: C, d: D, e: E);
parameters!(a: A, b: B, c: C, d: D, e: E, g: G);
parameters!(a: A, b: B, c: C, d: D, e: E, g: G, h: H);
parameters!(a: A, b: B, c: C, d: D, e: E, g: G, h: H, i: I);
