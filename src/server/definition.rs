//! What tools, resources and prompts share: setters, and checks of their handlers.

use serde_json::Value;

use crate::auth::Access;
use crate::handler::{Reads, UnboundCompleter};
use crate::schema;
use crate::schema::Validator;
use crate::schema::text_arguments;
use crate::server::build_error::BuildError;

/// Checks who may use it. `definition` names it.
pub(super) fn check_access(
    access: Access,
    definition: impl FnOnce() -> String,
) -> Result<Access, BuildError> {
    access.check().map_err(|source| BuildError::Scopes {
        definition: definition(),
        source,
    })
}

/// Checks what a handler reads from a call. `definition` names it.
pub(super) fn check_reads(
    reads: &Reads,
    definition: impl FnOnce() -> String,
) -> Result<(), BuildError> {
    match reads {
        Reads::Nothing | Reads::Arguments(_) => Ok(()),
        Reads::CompletionRequest => Err(BuildError::CompletionRequest {
            definition: definition(),
        }),
        Reads::Repeatedly => Err(BuildError::RepeatedArguments {
            definition: definition(),
        }),
    }
}

/// Checks what completion handlers read. `definition` names what they belong to.
pub(super) fn check_completers<S>(
    completers: &[UnboundCompleter<S>],
    definition: impl Fn() -> String,
) -> Result<(), BuildError> {
    completers.iter().try_for_each(|completer| {
        let definition = || {
            format!(
                "completion of `{}` of {}",
                completer.argument(),
                definition()
            )
        };
        match completer.reads() {
            Reads::Nothing | Reads::CompletionRequest => Ok(()),
            Reads::Arguments(_) => Err(BuildError::ArgumentsOfCompletion {
                definition: definition(),
            }),
            Reads::Repeatedly => Err(BuildError::RepeatedArguments {
                definition: definition(),
            }),
        }
    })
}

/// The arguments of a prompt or the variables of a URI: their check, and their schema as one object.
///
/// # Errors
///
/// Returns what is wrong with the schema.
pub(super) fn arguments(reads: Reads) -> Result<(Validator, Value), String> {
    let given = match reads {
        Reads::Arguments(schema) => schema,
        Reads::Nothing | Reads::CompletionRequest | Reads::Repeatedly => schema::no_input(),
    };
    let validator = Validator::compile(&given).map_err(|error| error.to_string())?;
    let listed = schema::listed(given, false).map_err(|error| error.to_string())?;
    Ok((validator, listed))
}

/// The arguments of a schema that no text can be: their names, and what they are. Arguments of prompts
/// and variables of URIs are text, which is read as a number or boolean where the schema says so.
pub(super) fn not_text(schema: &Value) -> Option<(String, String)> {
    let properties = schema.get("properties")?.as_object()?;
    properties.iter().find_map(|(name, property)| {
        let found = text_arguments::refused(property)?;
        Some((name.clone(), found))
    })
}

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

/// Writes the setters of who may use a definition, over a field `access`. `kind` names the definition in
/// the documentation, `type` is its type, and `example` makes one of a handler `hello`.
macro_rules! access_setters {
    (kind: $kind:literal, type: $type:literal, example: $example:literal) => {
        #[doc = concat!("Requires a credential with all of these scopes, separated by spaces, for the ", $kind, ".")]
        ///
        /// Callers without a valid credential get 401, those that lack a scope 403. The handler finds the
        /// caller in [`Context::principal`](crate::Context::principal). Set the credentials that the
        /// server accepts with [`ServerBuilder::auth`], whose documentation has an example. Called
        /// again, it adds scopes. Specification: *Authorization, Scope Challenge Handling*.
        ///
        /// [`ServerBuilder::auth`]: crate::server::ServerBuilder::auth
        ///
        /// # Examples
        ///
        /// ```
        /// # async fn hello() -> &'static str { "Hello." }
        #[doc = concat!("use lambda_mcp::server::", $type, ";")]
        ///
        #[doc = concat!("let hello: ", $type, "<()> = ", $example)]
        ///     .requires_scope("hello:read hello:say");
        /// ```
        pub fn requires_scope(mut self, scopes: impl AsRef<str>) -> Self {
            self.access.require(scopes.as_ref());
            self
        }

        #[doc = concat!("Requires a valid credential for the ", $kind, ", whatever its scopes are.")]
        ///
        /// Callers without one get 401. The handler finds the caller in
        /// [`Context::principal`](crate::Context::principal).
        ///
        /// # Examples
        ///
        /// ```
        /// # async fn hello() -> &'static str { "Hello." }
        #[doc = concat!("use lambda_mcp::server::", $type, ";")]
        ///
        #[doc = concat!("let hello: ", $type, "<()> = ", $example, ".requires_credential();")]
        /// ```
        pub fn requires_credential(mut self) -> Self {
            self.access.require("");
            self
        }

        #[doc = concat!("Lets a valid credential name the caller, while the ", $kind, " stays open to everyone.")]
        ///
        /// The same as [`recognizes_scope`](Self::recognizes_scope) without a scope.
        ///
        /// # Examples
        ///
        /// ```
        /// # async fn hello() -> &'static str { "Hello." }
        #[doc = concat!("use lambda_mcp::server::", $type, ";")]
        ///
        #[doc = concat!("let hello: ", $type, "<()> = ", $example, ".identifies_caller();")]
        /// ```
        pub fn identifies_caller(mut self) -> Self {
            self.access.recognize("");
            self
        }

        #[doc = concat!("Recognizes a credential with all of these scopes, separated by spaces, while the ", $kind, " stays")]
        /// open to everyone.
        ///
        /// A call with such a credential counts for its subject, may use what limits
        /// [reserve](crate::limit::Rule::reserve), and has a
        /// [`Context::principal`](crate::Context::principal). A credential that is invalid, lacks a scope
        /// or cannot be checked is ignored, and the call counts for its address. Called again, it adds
        /// scopes.
        ///
        /// # Examples
        ///
        /// ```
        /// # async fn hello() -> &'static str { "Hello." }
        #[doc = concat!("use lambda_mcp::server::", $type, ";")]
        ///
        #[doc = concat!("let hello: ", $type, "<()> = ", $example, ".recognizes_scope(\"hello:say\");")]
        /// ```
        pub fn recognizes_scope(mut self, scopes: impl AsRef<str>) -> Self {
            self.access.recognize(scopes.as_ref());
            self
        }

        #[doc = concat!("Shows the ", $kind, " in lists only to callers with all of these scopes, separated by spaces,")]
        /// and requires them, as [`requires_scope`](Self::requires_scope) does.
        ///
        /// With an empty text, every caller with a valid credential sees it. The name is not a secret: a
        /// call without the scopes gets 401 or 403, so that a client can ask for them. The list of this
        /// kind is `cacheScope: private`, and answers an invalid or expired credential with 401; with none
        /// it shows what is visible to everyone.
        ///
        /// # Examples
        ///
        /// ```
        /// # async fn hello() -> &'static str { "Hello." }
        #[doc = concat!("use lambda_mcp::server::", $type, ";")]
        ///
        #[doc = concat!("let hello: ", $type, "<()> = ", $example, ".visible_to(\"hello:admin\");")]
        /// ```
        pub fn visible_to(mut self, scopes: impl AsRef<str>) -> Self {
            self.access.show_to(scopes.as_ref());
            self
        }
    };
}

pub(super) use {access_setters, completion_setter, definition_setters};
