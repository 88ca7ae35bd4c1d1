//! A handler with its type erased, before and after it is bound to the server's state.

use std::fmt;

use crate::future::BoxFuture;
use crate::handler::arguments::Arguments;
use crate::handler::context::Context;
use crate::handler::extract::CallParts;
use crate::handler::handler::Handler;
use crate::handler::rejection::{FromRejection, Rejection, RejectionKind};
use crate::json::Document;
use crate::schema::InvalidArguments;

/// A handler that is not yet bound to a state.
pub(crate) struct Unbound<S, T>(Box<Start<S, T>>);

type Start<S, T> =
    dyn Fn(&mut CallParts<'_, S>) -> Result<BoxFuture<'static, T>, Rejection> + Send + Sync;

/// A handler that can be called.
pub(crate) struct Bound<T>(Box<StartBound<T>>);

type StartBound<T> = dyn Fn(Arguments<'_>, &Context) -> Result<BoxFuture<'static, T>, InvalidArguments>
    + Send
    + Sync;

impl<S, T: 'static> Unbound<S, T> {
    /// Erases the handler's type; `convert` turns its output into what the protocol sends.
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

    /// A function that extracts what it needs itself.
    pub(crate) fn from_fn<F>(start: F) -> Self
    where
        F: Fn(&mut CallParts<'_, S>) -> Result<BoxFuture<'static, T>, Rejection>
            + Send
            + Sync
            + 'static,
    {
        Self(Box::new(start))
    }

    /// Binds the state.
    pub(crate) fn bind(self, state: S) -> Bound<T>
    where
        S: Send + Sync + 'static,
        T: FromRejection + Send,
    {
        Bound(Box::new(move |arguments, context| {
            let started = (self.0)(&mut CallParts {
                state: &state,
                arguments,
                context,
            });
            let answer = match started {
                Ok(future) => return Ok(future),
                Err(Rejection(RejectionKind::Arguments(invalid))) => return Err(invalid),
                Err(Rejection(RejectionKind::Refused(message))) => T::refused(message),
                Err(Rejection(RejectionKind::Internal(source))) => T::internal(source),
            };
            Ok(Box::pin(std::future::ready(answer)))
        }))
    }
}

impl<T> Bound<T> {
    /// Starts a call.
    ///
    /// # Errors
    ///
    /// The arguments are invalid; nothing was started.
    pub(crate) fn start(
        &self,
        arguments: Document<'_>,
        context: &Context,
    ) -> Result<BoxFuture<'static, T>, InvalidArguments> {
        (self.0)(Arguments::new(arguments), context)
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
