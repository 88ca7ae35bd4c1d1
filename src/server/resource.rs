//! [`Resource`]: contents at a URI, or at all URIs of a template. Specification: *Resources*.

use std::time::Duration;

use crate::auth::Access;
use crate::handler::Handler;
use crate::handler::IntoResource;
use crate::handler::Unbound;
use crate::handler::UnboundCompleter;
use crate::platform;
use crate::server::build_error::BuildError;
use crate::server::definition::{self, access_setters, completion_setter, definition_setters};
use crate::server::registered_resource::{Read, RegisteredResource, SizeOf};
use crate::server::resource_variables::{ResourceVariables, not_a_variable};
use crate::server::uri_template::UriTemplate;
use crate::wire::annotations::Annotations;
use crate::wire::resources::{self as wire, Address};

/// A resource or resource template before it is registered. Made by
/// [`resource`](crate::resource()) and [`resource_template`](crate::resource_template()).
#[derive(Debug)]
#[must_use = "register it with `ServerBuilder::resource`"]
pub struct Resource<S> {
    spec: wire::Resource,
    variables: ResourceVariables,
    handler: Unbound<S, Read>,
    may_ask: bool,
    completers: Vec<UnboundCompleter<S>>,
    is_public: bool,
    cache_ttl: Option<Duration>,
    size: Option<SizeOf>,
    access: Access,
}

/// Makes a resource from an async function without arguments.
///
/// `uri` is absolute, such as `file:///notes.md` or `orders:today`, and unique in the server. `name`
/// is the programmatic name. For URIs with variables, use
/// [`resource_template`](crate::resource_template()).
///
/// # Examples
///
/// ```
/// use lambda_mcp::{Server, resource};
///
/// async fn greeting() -> &'static str {
///     "Hello."
/// }
///
/// let greeting = resource("text://greeting", "greeting", greeting).mime_type("text/plain");
/// assert!(Server::builder("texts", "1.0.0").resource(greeting).build().is_ok());
/// ```
pub fn resource<S, M, H>(uri: impl Into<String>, name: impl Into<String>, handler: H) -> Resource<S>
where
    H: Handler<S, M>,
    H::Output: IntoResource + 'static,
{
    Resource::new(Address::Uri(uri.into()), name.into(), handler)
}

/// Makes a resource template: one handler for all URIs of a form.
///
/// `{name}` in the URI template is a variable, which the handler takes as a field of its
/// [`Args`](crate::Args); it matches text without `/`, `?` and `#`. `{+name}` matches these as well.
/// Values are percent-decoded, and read as the types of the fields: a URI whose variable does not fit
/// its field does not exist. Other expressions of RFC 6570 are not supported and fail the build.
///
/// # Examples
///
/// ```
/// use lambda_mcp::{Args, Server, resource_template};
/// use lambda_mcp::handler::RequestError;
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Page {
///     number: u32,
/// }
///
/// async fn page(Args(Page { number }): Args<Page>) -> Result<String, RequestError> {
///     if number > 9 {
///         return Err(RequestError::not_found());
///     }
///     Ok(format!("This is page {number}."))
/// }
///
/// let page = resource_template("book://pages/{number}", "page", page);
/// assert!(Server::builder("book", "1.0.0").resource(page).build().is_ok());
/// ```
pub fn resource_template<S, M, H>(
    uri_template: impl Into<String>,
    name: impl Into<String>,
    handler: H,
) -> Resource<S>
where
    H: Handler<S, M>,
    H::Output: IntoResource + 'static,
{
    Resource::new(
        Address::UriTemplate(uri_template.into()),
        name.into(),
        handler,
    )
}

impl<S> Resource<S> {
    fn new<M, H>(address: Address, name: String, handler: H) -> Self
    where
        H: Handler<S, M>,
        H::Output: IntoResource + 'static,
    {
        let spec = wire::Resource {
            address,
            name,
            title: None,
            description: None,
            mime_type: None,
            size: None,
            icons: Vec::new(),
            annotations: None,
            meta: None,
        };
        Self {
            spec,
            variables: ResourceVariables::new(H::reads),
            handler: Unbound::new(handler, IntoResource::into_resource),
            may_ask: H::may_ask(),
            completers: Vec::new(),
            is_public: false,
            cache_ttl: None,
            size: None,
            access: Access::default(),
        }
    }

    definition_setters!(
        kind: "resource",
        type: "Resource",
        example: "lambda_mcp::resource(\"demo:hello\", \"hello\", hello)"
    );

    access_setters!(
        kind: "resource",
        type: "Resource",
        example: "lambda_mcp::resource(\"demo:hello\", \"hello\", hello)"
    );

    completion_setter!("variable");

    /// Sets the media type, such as `text/markdown`. Contents without a media type of their own get
    /// it as well. Defaults to none in lists, and to one that suits the contents when read.
    ///
    /// # Examples
    ///
    /// ```
    /// # async fn hello() -> &'static str { "Hello." }
    /// use lambda_mcp::server::Resource;
    ///
    /// let hello: Resource<()> = lambda_mcp::resource("demo:hello", "hello", hello)
    ///     .mime_type("text/markdown");
    /// ```
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.spec.mime_type = Some(mime_type.into());
        self
    }

    /// Sets the size in bytes, before Base64. Defaults to none. Hosts may show it, and estimate with
    /// it how much of a model's context the resource takes.
    ///
    /// # Examples
    ///
    /// ```
    /// # async fn hello() -> &'static str { "Hello." }
    /// use lambda_mcp::server::Resource;
    ///
    /// let hello: Resource<()> = lambda_mcp::resource("demo:hello", "hello", hello).size(6);
    /// ```
    pub const fn size(mut self, bytes: u64) -> Self {
        self.spec.size = Some(bytes);
        self
    }

    /// The same as [`size`](Self::size), with a function that returns the size. It runs when the resource is
    /// first listed. `None`: the size is not known.
    ///
    /// # Examples
    ///
    /// ```
    /// # async fn hello() -> &'static str { "Hello." }
    /// use lambda_mcp::server::Resource;
    ///
    /// let hello: Resource<()> =
    ///     lambda_mcp::resource("demo:hello", "hello", hello).size_with(|| Some(6));
    /// ```
    pub fn size_with(mut self, bytes: impl Fn() -> Option<u64> + Send + Sync + 'static) -> Self {
        self.size = Some(SizeOf(Box::new(bytes)));
        self
    }

    /// Sets hints for the client: audience, priority, last change. Defaults to none. Specification:
    /// *Resources, Annotations*.
    ///
    /// # Examples
    ///
    /// ```
    /// # async fn hello() -> &'static str { "Hello." }
    /// use lambda_mcp::content::{Annotations, Role};
    /// use lambda_mcp::server::Resource;
    ///
    /// let hints = Annotations::new().audience(Role::Assistant).priority(0.8);
    /// let hello: Resource<()> = lambda_mcp::resource("demo:hello", "hello", hello)
    ///     .annotations(hints);
    /// ```
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.spec.annotations = Some(annotations);
        self
    }

    /// Declares that the contents are the same for every caller, so that a shared cache may keep them
    /// (`cacheScope: public`). Defaults to `private`, and is always `private` for a resource that looks
    /// at the caller's credential. Specification: *Caching*.
    ///
    /// # Examples
    ///
    /// ```
    /// # async fn hello() -> &'static str { "Hello." }
    /// use lambda_mcp::server::Resource;
    ///
    /// let hello: Resource<()> = lambda_mcp::resource("demo:hello", "hello", hello).public_cache();
    /// ```
    pub const fn public_cache(mut self) -> Self {
        self.is_public = true;
        self
    }

    /// Sets how long clients may cache the contents (`ttlMs`). Defaults to
    /// [`ServerBuilder::cache_ttl`](crate::server::ServerBuilder::cache_ttl), 5 minutes. Set it for
    /// contents that tools change; zero means not at all. Specification: *Caching*.
    ///
    /// # Examples
    ///
    /// ```
    /// # async fn hello() -> &'static str { "Hello." }
    /// use std::time::Duration;
    ///
    /// use lambda_mcp::server::Resource;
    ///
    /// let hello: Resource<()> = lambda_mcp::resource("demo:hello", "hello", hello)
    ///     .cache_ttl(Duration::from_secs(5));
    /// ```
    pub const fn cache_ttl(mut self, ttl: Duration) -> Self {
        self.cache_ttl = Some(ttl);
        self
    }

    /// Checks the definition and binds it to the server's state.
    pub(super) fn register(self, state: &S) -> Result<RegisteredResource, BuildError>
    where
        S: Clone + Send + Sync + 'static,
    {
        let Self {
            spec,
            variables,
            handler,
            may_ask,
            completers,
            is_public,
            cache_ttl,
            size,
            access,
        } = self;
        let fail = |reason: String| BuildError::Resource {
            uri: spec.address.as_str().to_owned(),
            reason,
        };
        if !is_absolute(spec.address.as_str()) {
            return Err(fail(
                "it has no scheme; write it like `name:path` or `name://host/path`".to_owned(),
            ));
        }
        let definition = || format!("resource `{}`", spec.address.as_str());
        let access = definition::check_access(access, definition)?;
        definition::check_completers(&completers, definition)?;
        let template = template(&spec.address)?;
        let known = UriTemplate::names(template.as_ref());
        if !platform::is_on_lambda() {
            variables.check(spec.address.as_str(), &known)?;
        }
        let mut completed = completers.iter().map(UnboundCompleter::argument);
        if let Some(name) = completed.find(|name| !known.contains(name)) {
            return Err(fail(not_a_variable(name)));
        }
        let completers = completers
            .into_iter()
            .map(|c| c.bind(state.clone()))
            .collect();
        Ok(RegisteredResource {
            spec,
            variables,
            template,
            handler: handler.bind(state.clone()),
            may_ask,
            completers,
            is_public,
            cache_ttl,
            size,
            access,
        })
    }
}

/// The template of an address, unless it is a URI.
fn template(address: &Address) -> Result<Option<UriTemplate>, BuildError> {
    match address {
        Address::Uri(uri) if uri.contains(['{', '}']) => {
            Err(BuildError::ResourceVariables { uri: uri.clone() })
        }
        Address::Uri(_) => Ok(None),
        Address::UriTemplate(text) => match UriTemplate::parse(text) {
            Ok(template) => Ok(Some(template)),
            Err(error) => Err(BuildError::Resource {
                uri: text.clone(),
                reason: error.to_string(),
            }),
        },
    }
}

/// Whether a URI has a scheme and something after it. RFC 3986, section 3.1.
fn is_absolute(uri: &str) -> bool {
    uri.split_once(':').is_some_and(|(scheme, rest)| {
        !rest.is_empty()
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    })
}
