//! Resources and templates of them. Specification: *Resources*.

use serde_json::{Map, Value};

use crate::handler::Handler;
use crate::handler::RequestError;
use crate::handler::{Bound, Unbound};
use crate::handler::{Completer, UnboundCompleter};
use crate::handler::{Contents, IntoResource};
use crate::schema;
use crate::schema::Validator;
use crate::server::build_error::BuildError;
use crate::server::uri_template::UriTemplate;
use crate::wire::annotations::{Annotations, Icon};
use crate::wire::resources::{self as wire, Address};

type Read = Result<Vec<Contents>, RequestError>;

/// A resource or template before it is registered; made by [`resource`] and [`resource_template`].
#[derive(Debug)]
pub struct Resource<S> {
    spec: wire::Resource,
    schema: Value,
    handler: Unbound<S, Read>,
    completers: Vec<UnboundCompleter<S>>,
    is_public: bool,
}

/// Makes a resource of an async function.
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

/// Makes a template of resources, `{name}` in whose URI are the handler's arguments.
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
            schema: H::input_schema().unwrap_or_else(schema::no_input),
            handler: Unbound::new(handler, IntoResource::into_resource),
            completers: Vec::new(),
            is_public: false,
        }
    }

    /// Sets the name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.spec.title = Some(title.into());
        self
    }

    /// Sets what it is.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.spec.description = Some(description.into());
        self
    }

    /// Sets the media type, which contents without one of their own have as well.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.spec.mime_type = Some(mime_type.into());
        self
    }

    /// Sets the size in bytes.
    #[must_use]
    pub const fn size(mut self, bytes: u64) -> Self {
        self.spec.size = Some(bytes);
        self
    }

    /// Adds a picture.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> Self {
        self.spec.icons.push(icon);
        self
    }

    /// Sets hints for the client.
    #[must_use]
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.spec.annotations = Some(annotations);
        self
    }

    /// Sets `_meta`, for what the protocol has no member for.
    #[must_use]
    pub fn meta(mut self, meta: Map<String, Value>) -> Self {
        self.spec.meta = Some(meta);
        self
    }

    /// Declares that its contents are the same for every caller, so that any cache may share them.
    #[must_use]
    pub const fn public(mut self) -> Self {
        self.is_public = true;
        self
    }

    /// Completes a variable of the template: the handler gives what it could be, and what fits the
    /// text typed so far is chosen from that.
    #[must_use]
    pub fn complete<M, H>(mut self, variable: impl Into<String>, handler: H) -> Self
    where
        H: Handler<S, M, Output = Vec<String>>,
    {
        self.completers
            .push(UnboundCompleter::new(variable.into(), handler));
        self
    }

    /// Checks the definition and binds it to the server's state.
    pub(super) fn register(self, state: &S) -> Result<RegisteredResource, BuildError>
    where
        S: Clone + Send + Sync + 'static,
    {
        let Self {
            spec,
            schema,
            handler,
            completers,
            is_public,
        } = self;
        let fail = |reason: String| BuildError::Resource {
            uri: spec.address.as_str().to_owned(),
            reason,
        };
        if !is_absolute(spec.address.as_str()) {
            return Err(fail(
                "it must begin with a scheme, as `name:` does".to_owned(),
            ));
        }
        let template = match &spec.address {
            Address::Uri(_) => None,
            Address::UriTemplate(text) => {
                Some(UriTemplate::parse(text).map_err(|error| fail(error.to_string()))?)
            }
        };
        let variables: Vec<&str> = template
            .as_ref()
            .map(|t| t.variables().collect())
            .unwrap_or_default();
        let wanted = schema.get("properties").and_then(Value::as_object);
        let arguments = wanted.into_iter().flat_map(Map::keys).map(String::as_str);
        let completed = completers.iter().map(UnboundCompleter::argument);
        if let Some(name) = arguments
            .chain(completed)
            .find(|name| !variables.contains(name))
        {
            return Err(fail(format!("`{name}` is no variable of it")));
        }
        let validator = Validator::compile(&schema).map_err(|error| fail(error.to_string()))?;
        let completers = completers
            .into_iter()
            .map(|c| c.bind(state.clone()))
            .collect();
        let handler = handler.bind(state.clone());
        Ok(RegisteredResource {
            spec,
            schema,
            template,
            validator,
            handler,
            completers,
            is_public,
        })
    }
}

/// Whether a URI begins with a scheme and has something behind it. RFC 3986, section 3.1.
fn is_absolute(uri: &str) -> bool {
    uri.split_once(':').is_some_and(|(scheme, rest)| {
        !rest.is_empty()
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    })
}

/// A resource that serves reads.
#[derive(Debug)]
pub(crate) struct RegisteredResource {
    pub(crate) spec: wire::Resource,
    pub(crate) schema: Value,
    pub(crate) template: Option<UriTemplate>,
    pub(crate) validator: Validator,
    pub(crate) handler: Bound<Read>,
    pub(crate) completers: Vec<Completer>,
    pub(crate) is_public: bool,
}
