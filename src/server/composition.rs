//! What a [`ServerBuilder`] is composed of besides its own definitions: other builders, layers, and
//! what runs for the span of each request.

use tracing::Span;

use crate::layer::CallLayer;
use crate::server::build_error::BuildError;
use crate::server::builder::ServerBuilder;
use crate::server::document::Document;
use crate::server::kind::Kind;
use crate::server::on_request_span::OnRequestSpan;
use crate::trace_context::TraceContext;

impl<S> ServerBuilder<S> {
    /// Publishes a document beside the endpoint. [`build`](Self::build) fails if something else has its
    /// path.
    ///
    /// See [`Document`] for an example.
    pub fn document(mut self, document: Document) -> Self {
        match document.register() {
            Ok(document) => self.documents.push(document),
            Err(error) => self.fail(error),
        }
        self
    }

    /// Adds the tools, resources, prompts and documents of another builder, with their completions and their
    /// state. Lists have them in the order of the calls.
    ///
    /// Use it to write parts of a server apart, each with a state of its own. The name and version of
    /// the other builder are not used, except in the message of an error. [`build`](Self::build) fails
    /// if both have a tool, resource or prompt of the same name, and if the other one sets credentials,
    /// limits, layers or a span hook: set these on this builder, where they apply to everything.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use lambda_mcp::server::ServerBuilder;
    /// use lambda_mcp::{Server, State, tool};
    ///
    /// struct Orders {
    ///     open: u32,
    /// }
    ///
    /// async fn open_orders(State(orders): State<Arc<Orders>>) -> String {
    ///     format!("{} orders are open.", orders.open)
    /// }
    ///
    /// async fn version() -> &'static str {
    ///     "1.0.0"
    /// }
    ///
    /// fn orders() -> ServerBuilder<Arc<Orders>> {
    ///     Server::builder("orders", "1.0.0")
    ///         .state(Arc::new(Orders { open: 3 }))
    ///         .tool(tool("open_orders", open_orders))
    /// }
    ///
    /// let server = Server::builder("shop", "1.0.0")
    ///     .tool(tool("version", version))
    ///     .merge(orders())
    ///     .build();
    /// assert!(server.is_ok());
    /// ```
    pub fn merge<T>(mut self, other: ServerBuilder<T>) -> Self {
        let from = other.settings.identity.name.clone();
        if let Some(error) = other.error {
            self.fail(error);
        }
        if let Some(setting) = other.settings.of_the_whole_server() {
            self.fail(BuildError::MergedSetting {
                setting,
                from: from.clone(),
            });
        }
        let mut origins = other.origins;
        let mut add = |this: &mut Self, kind: Kind, name: &str| {
            let key = (kind, name.to_owned());
            let origin = origins.remove(&key).unwrap_or_else(|| from.clone());
            if !this.take(kind, name) {
                let error = this.defined_twice(kind, name, &origin);
                this.fail(error);
            }
            this.origins.insert(key, origin);
        };
        for tool in other.tools {
            add(&mut self, Kind::Tool, &tool.spec.name);
            self.tools.push(tool);
        }
        for resource in other.resources {
            add(&mut self, Kind::Resource, resource.spec.address.as_str());
            self.resources.push(resource);
        }
        // `build` finds a path that two documents have.
        self.documents.extend(other.documents);
        for prompt in other.prompts {
            add(&mut self, Kind::Prompt, &prompt.spec.name);
            self.prompts.push(prompt);
        }
        self
    }

    /// Adds a layer: code around every request that reaches a method, such as an audit log. The layer
    /// that is added first is the outermost. Without layers nothing is spent on them.
    ///
    /// See [`layer`](crate::layer) for an example.
    pub fn layer(mut self, layer: impl CallLayer) -> Self {
        self.settings.layers.push(layer);
        self
    }

    /// Sets a function that gets the [`tracing`] span of each request before it starts, with the trace
    /// context that the client sent. It does not run for spans that no subscriber wants.
    ///
    /// `tracing` itself has no remote parents. With `tracing-opentelemetry`, this is where the span gets
    /// the client's span as its parent: its `set_parent` must come before the span starts. The example
    /// `examples/opentelemetry.rs` does this.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::Server;
    ///
    /// let server = Server::builder("example", "1.0.0").on_request_span(|span, trace| {
    ///     if let Some(parent) = trace.get("traceparent") {
    ///         tracing::debug!(parent: span, parent, "the client has a trace");
    ///     }
    /// });
    /// assert!(server.build().is_ok());
    /// ```
    pub fn on_request_span(
        mut self,
        hook: impl Fn(&Span, &TraceContext<'_>) + Send + Sync + 'static,
    ) -> Self {
        self.settings.on_request_span = Some(OnRequestSpan::new(hook));
        self
    }

    /// Takes a name. Returns whether it was free.
    pub(super) fn take(&mut self, kind: Kind, name: &str) -> bool {
        self.taken.insert((kind, name.to_owned()))
    }

    /// The error of a name that is taken. `second` is the name of the builder that defines it again.
    fn defined_twice(&self, kind: Kind, name: &str, second: &str) -> BuildError {
        let own = &self.settings.identity.name;
        let first = self.origins.get(&(kind, name.to_owned())).unwrap_or(own);
        BuildError::MergedTwice {
            kind: kind.as_str(),
            name: name.to_owned(),
            first: first.clone(),
            second: second.to_owned(),
        }
    }

    /// The error of a name that this builder defines again. `same` is the error if it defined the name
    /// itself before.
    pub(super) fn name_taken(&self, kind: Kind, name: &str, same: BuildError) -> BuildError {
        if self.origins.contains_key(&(kind, name.to_owned())) {
            self.defined_twice(kind, name, &self.settings.identity.name)
        } else {
            same
        }
    }

    pub(super) fn fail(&mut self, error: BuildError) {
        self.error.get_or_insert(error);
    }
}
