//! The setters that tools, resources and prompts share.

/// Writes the setters of what every definition has, over a field `spec` with its wire type. `kind`
/// names the definition in the documentation, `type` is its type, and `example` makes one of a
/// handler `hello`.
macro_rules! definition_setters {
    (kind: $kind:literal, type: $type:literal, example: $example:literal) => {
        #[doc = concat!("Sets the display name of the ", $kind, ".")]
        ///
        /// User interfaces show it in place of the name. Defaults to none. Clients before revision
        /// 2025-06-18 do not get it.
        ///
        /// # Examples
        ///
        /// ```
        /// # async fn hello() -> &'static str { "Hello." }
        #[doc = concat!("use lambda_mcp::server::", $type, ";")]
        ///
        #[doc = concat!("let hello: ", $type, "<()> = ", $example, ".title(\"Say hello\");")]
        /// ```
        pub fn title(mut self, title: impl Into<String>) -> Self {
            self.spec.title = Some(title.into());
            self
        }

        #[doc = concat!("Sets what the ", $kind, " is and when to use it.")]
        ///
        /// Models choose by it, so say what it does, what it returns, and when to prefer another.
        /// Defaults to none.
        ///
        /// # Examples
        ///
        /// ```
        /// # async fn hello() -> &'static str { "Hello." }
        #[doc = concat!("use lambda_mcp::server::", $type, ";")]
        ///
        #[doc = concat!("let hello: ", $type, "<()> = ", $example)]
        ///     .description("Returns a greeting. Use it to test the connection.");
        /// ```
        pub fn description(mut self, description: impl Into<String>) -> Self {
            self.spec.description = Some(description.into());
            self
        }

        #[doc = concat!("Adds an icon of the ", $kind, ", for user interfaces.")]
        ///
        /// Add one for each size or format. Clients before revision 2025-11-25 do not get icons.
        ///
        /// # Examples
        ///
        /// ```
        /// # async fn hello() -> &'static str { "Hello." }
        /// use lambda_mcp::content::Icon;
        #[doc = concat!("use lambda_mcp::server::", $type, ";")]
        ///
        /// let icon = Icon::new("https://example.com/hello.png").mime_type("image/png").size("48x48");
        #[doc = concat!("let hello: ", $type, "<()> = ", $example, ".icon(icon);")]
        /// ```
        pub fn icon(mut self, icon: $crate::wire::annotations::Icon) -> Self {
            self.spec.icons.push(icon);
            self
        }

        #[doc = concat!("Sets `_meta` of the ", $kind, ", for data outside the protocol.")]
        ///
        /// Names are prefixed, as in `example.com/name`. Defaults to none. Clients before revision
        /// 2025-06-18 do not get it. Specification: *Base Protocol, `_meta`*.
        ///
        /// # Examples
        ///
        /// ```
        /// # async fn hello() -> &'static str { "Hello." }
        #[doc = concat!("use lambda_mcp::server::", $type, ";")]
        /// use serde_json::{Map, json};
        ///
        /// let meta = Map::from_iter([("example.com/team".to_owned(), json!("search"))]);
        #[doc = concat!("let hello: ", $type, "<()> = ", $example, ".meta(meta);")]
        /// ```
        pub fn meta(mut self, meta: ::serde_json::Map<String, ::serde_json::Value>) -> Self {
            self.spec.meta = Some(meta);
            self
        }
    };
}

/// Writes the setter of what has arguments that users fill in, over a field `completers`.
macro_rules! completion_setter {
    ($argument:literal) => {
        #[doc = concat!("Suggests values for ", $argument, " while the user types.")]
        ///
        /// The handler returns all possible values, best first; those that contain the typed text are
        /// sent, up to 100. It may take a [`CompletionRequest`](crate::handler::CompletionRequest) to
        /// narrow them down itself. Specification: *Completion*.
        #[doc = concat!("[`ServerBuilder::build`](crate::server::ServerBuilder::build) fails if there is no such ", $argument, ".")]
        ///
        /// See [`CompletionRequest`](crate::handler::CompletionRequest) for an example.
        pub fn complete<M, H>(mut self, argument: impl Into<String>, handler: H) -> Self
        where
            H: $crate::handler::Handler<S, M>,
            H::Output: $crate::handler::IntoCompletion + 'static,
        {
            let completer = $crate::handler::UnboundCompleter::new(argument.into(), handler);
            self.completers.push(completer);
            self
        }
    };
}

pub(super) use {completion_setter, definition_setters};
