//! [`CallLayer`]: code around every call, and [`Next`], which continues the call.

use std::fmt;

use super::call_info::CallInfo;
use super::end::CallEnd;
use crate::error::ToolError;
use crate::future::BoxFuture;

/// Code around every request that reached a method of the server.
///
/// Register it with [`ServerBuilder::layer`]. [The module](super) has an example. A panic in a layer
/// ends the request with `-32603`, not the process, and so does a layer that takes longer than the
/// [call timeout](crate::server::ServerBuilder::call_timeout).
///
/// A layer sees each message of a batch by itself. Requests that are refused earlier, such as those
/// with an invalid credential or an unknown tool, do not reach it: the request log has them.
///
/// [`ServerBuilder::layer`]: crate::server::ServerBuilder::layer
pub trait CallLayer: Send + Sync + 'static {
    /// Continues the call with `next`, or refuses it, and returns how it ended.
    fn call<'a>(&'a self, call: CallInfo<'a>, next: Next<'a>) -> BoxFuture<'a, CallEnd>;
}

impl<F> CallLayer for F
where
    F: for<'a> Fn(CallInfo<'a>, Next<'a>) -> BoxFuture<'a, CallEnd> + Send + Sync + 'static,
{
    fn call<'a>(&'a self, call: CallInfo<'a>, next: Next<'a>) -> BoxFuture<'a, CallEnd> {
        self(call, next)
    }
}

/// What is inside a layer: the next layer or, after the last, the method of the protocol.
#[must_use = "a call that is neither run nor refused ends with `-32603`"]
pub struct Next<'a> {
    call: CallInfo<'a>,
    layers: &'a [Box<dyn CallLayer>],
    method: Method<'a>,
}

/// The method of the protocol, which all layers surround.
type Method<'a> = Box<dyn FnOnce(Step) -> BoxFuture<'a, CallEnd> + Send + 'a>;

/// What the last layer decided.
#[derive(Debug)]
pub(crate) enum Step {
    /// The method serves the request.
    Serve,
    /// The request is refused with a message for the model.
    Refuse(ToolError),
    /// The request is refused with a message for the client.
    Reject(String),
}

impl<'a> Next<'a> {
    /// Continues the call.
    #[must_use = "the call continues when the future is awaited"]
    pub fn run(self) -> BoxFuture<'a, CallEnd> {
        match self.layers.split_first() {
            Some((layer, layers)) => layer.call(self.call, Self { layers, ..self }),
            None => (self.method)(Step::Serve),
        }
    }

    /// Refuses the call with a tool error: the model reads the message, so say what to do next.
    ///
    /// A method other than `tools/call` has no tool error; its client gets the message with `-32602`,
    /// or `-32603` if the error is an internal one.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::layer::{CallEnd, CallInfo, CallLayer, Next};
    /// use lambda_mcp::{BoxFuture, ToolError};
    ///
    /// /// Stops tools that destroy something while the shop is closed.
    /// fn closing_time<'a>(call: CallInfo<'a>, next: Next<'a>) -> BoxFuture<'a, CallEnd> {
    ///     match call.annotations() {
    ///         Some(hints) if hints.destructive_hint == Some(true) => {
    ///             next.refuse(ToolError::new("The shop is closed. Call again after 8:00 UTC."))
    ///         }
    ///         _ => next.run(),
    ///     }
    /// }
    /// # fn is_layer(_: impl CallLayer) {}
    /// # is_layer(closing_time);
    /// ```
    #[must_use = "return what the future yields"]
    pub fn refuse(self, error: ToolError) -> BoxFuture<'a, CallEnd> {
        (self.method)(Step::Refuse(error))
    }

    /// Rejects the call with the JSON-RPC error `-32602`, whatever its method. The client reads the
    /// message; the model may not.
    #[must_use = "return what the future yields"]
    pub fn reject(self, message: impl Into<String>) -> BoxFuture<'a, CallEnd> {
        (self.method)(Step::Reject(message.into()))
    }
}

impl fmt::Debug for Next<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next")
            .field("call", &self.call)
            .finish_non_exhaustive()
    }
}

/// The layers of a server, from the outermost to the innermost.
#[derive(Default)]
pub(crate) struct Layers(Vec<Box<dyn CallLayer>>);

impl Layers {
    pub(crate) fn push(&mut self, layer: impl CallLayer) {
        self.0.push(Box::new(layer));
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Calls `method` inside all layers.
    pub(crate) fn call<'a>(
        &'a self,
        call: CallInfo<'a>,
        method: impl FnOnce(Step) -> BoxFuture<'a, CallEnd> + Send + 'a,
    ) -> BoxFuture<'a, CallEnd> {
        let next = Next {
            call,
            layers: &self.0,
            method: Box::new(method),
        };
        next.run()
    }
}

impl fmt::Debug for Layers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} layers", self.0.len())
    }
}
