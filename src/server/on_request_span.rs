//! [`OnRequestSpan`]: what the author adds to the span of a request before it starts.

use std::fmt;

use tracing::Span;

use crate::trace_context::TraceContext;

/// A function that gets the span of each request.
pub(crate) struct OnRequestSpan(Box<Hook>);

type Hook = dyn Fn(&Span, &TraceContext<'_>) + Send + Sync;

impl OnRequestSpan {
    pub(crate) fn new(hook: impl Fn(&Span, &TraceContext<'_>) + Send + Sync + 'static) -> Self {
        Self(Box::new(hook))
    }

    pub(crate) fn call(&self, span: &Span, trace: &TraceContext<'_>) {
        (self.0)(span, trace);
    }
}

impl fmt::Debug for OnRequestSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnRequestSpan")
    }
}
