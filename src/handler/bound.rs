//! A handler bound to the server's state, with its type erased.

use std::fmt;

use serde_json::Value;

use crate::future::BoxFuture;
use crate::handler::context::Context;
use crate::handler::extract::CallParts;
use crate::handler::handler::Handler;
use crate::schema::InvalidArguments;

/// A handler that still waits for the state.
pub(crate) struct Unbound<S, T>(Box<Start<S, T>>);

type Start<S, T> =
    dyn Fn(&mut CallParts<'_, S>) -> Result<BoxFuture<'static, T>, InvalidArguments> + Send + Sync;

/// A handler that can be called.
pub(crate) struct Bound<T>(Box<StartBound<T>>);

type StartBound<T> =
    dyn Fn(Value, &Context) -> Result<BoxFuture<'static, T>, InvalidArguments> + Send + Sync;

impl<S, T: 'static> Unbound<S, T> {
    /// Erases a handler; `convert` makes what the protocol sends of what it gives.
    pub(crate) fn new<M, H>(handler: H, convert: fn(H::Output) -> T) -> Self
    where
        H: Handler<S, M>,
        H::Output: 'static,
    {
        Self(Box::new(move |call| {
            let future = handler.call(call)?;
            Ok(Box::pin(async move { convert(future.await) }))
        }))
    }

    /// Binds the state.
    pub(crate) fn bind(self, state: S) -> Bound<T>
    where
        S: Send + Sync + 'static,
    {
        Bound(Box::new(move |arguments, context| {
            (self.0)(&mut CallParts {
                state: &state,
                arguments,
                context,
            })
        }))
    }
}

impl<T> Bound<T> {
    /// Starts a call.
    ///
    /// # Errors
    ///
    /// The arguments do not fit; nothing was started then.
    pub(crate) fn start(
        &self,
        arguments: Value,
        context: &Context,
    ) -> Result<BoxFuture<'static, T>, InvalidArguments> {
        (self.0)(arguments, context)
    }
}

impl<S, T> fmt::Debug for Unbound<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unbound")
    }
}

impl<T> fmt::Debug for Bound<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bound")
    }
}
