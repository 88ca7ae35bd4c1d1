//! The client: its settings, and a method for each kind of request.

use std::net::IpAddr;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use serde::Serialize;
use serde_json::{Value, json};

use super::answers::{Answer, Answers, Question};
use super::draft::{Body, Draft, HeaderEdit};
use super::exchange;
use super::list::List;
use super::request::TestRequest;
use super::response::TestResponse;
use super::settings::Settings;
use crate::handler::Invocation;
use crate::pipeline::Server;
use crate::wire::logging::LoggingLevel;
use crate::wire::version::{Era, ProtocolVersion};

/// Pages after which a list is given up.
const MAX_PAGES: usize = 1000;

/// A client of one [`Server`], in the process of the test.
///
/// Settings return the client, so they are chained; requests are sent by `.await`. A client is cheap
/// to clone. See the [module](super) for examples.
///
/// By default it is a client of revision 2026-07-28 called `test-client`, at the address 127.0.0.1,
/// without credentials and capabilities.
///
/// A tool whose result does not match its output schema fails the test, in release builds as well.
#[derive(Clone, Debug)]
pub struct TestClient(Settings);

/// Settings.
impl TestClient {
    /// Makes a client of a server.
    #[must_use]
    pub fn new(server: Server) -> Self {
        Self(Settings::new(server))
    }

    /// Speaks the newest revision, which is stateless: each request carries the version and the
    /// client's capabilities in `_meta`, and repeats its method and name in headers. The default.
    #[must_use]
    pub fn modern(self) -> Self {
        self.version(ProtocolVersion::V2026_07_28)
    }

    /// Speaks a revision with a handshake, as most deployed clients do. The server keeps no session,
    /// so the client sends no handshake first; [`initialize`](Self::initialize) sends one.
    ///
    /// # Panics
    ///
    /// The version has no handshake.
    #[must_use]
    #[track_caller]
    pub fn legacy(self, version: ProtocolVersion) -> Self {
        assert_eq!(version.era(), Era::Legacy, "{version} has no handshake");
        self.version(version)
    }

    /// Speaks this revision.
    #[must_use]
    pub fn version(mut self, version: ProtocolVersion) -> Self {
        self.0.version = version;
        self
    }

    /// Sends a bearer token with each request: an API key or a signed token.
    ///
    /// # Panics
    ///
    /// The token is not allowed in a header.
    #[must_use]
    #[track_caller]
    pub fn bearer(self, token: &str) -> Self {
        self.header("Authorization", &format!("Bearer {token}"))
    }

    /// Sends a header with each request, in place of any of that name.
    ///
    /// # Panics
    ///
    /// The name or the value is not allowed in HTTP.
    #[must_use]
    #[track_caller]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.0.headers.push(HeaderEdit::set(name, value));
        self
    }

    /// Sends a member of `_meta` with each request.
    #[must_use]
    pub fn meta(mut self, name: &str, value: Value) -> Self {
        self.0.meta.insert(name.to_owned(), value);
        self
    }

    /// Asks for log notifications of this level and above; [`TestResponse::logs`] returns them. Only
    /// the newest revision has this, and the server must [declare] that it logs.
    ///
    /// [declare]: crate::server::ServerBuilder::log_notifications
    #[must_use]
    pub fn log_level(self, level: LoggingLevel) -> Self {
        self.meta("io.modelcontextprotocol/logLevel", json!(level))
    }

    /// Declares exactly these capabilities, as the specification writes them, such as
    /// `json!({"elicitation": {"form": {}}})`.
    ///
    /// By default the client declares what its registered [answers](Self::answer) need, and tasks if it
    /// [supports](Self::supports_tasks) them.
    #[must_use]
    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.0.capabilities = Some(capabilities);
        self
    }

    /// Declares that the client supports tasks, besides what its answers need. A
    /// [`task_tool`](crate::task_tool) then answers with a task; [`finish`](Self::finish) polls it.
    ///
    /// Only the newest revision has tasks.
    #[must_use]
    pub const fn supports_tasks(mut self) -> Self {
        self.0.supports_tasks = true;
        self
    }

    /// Sets the name and the version that the client gives.
    #[must_use]
    pub fn client_info(mut self, name: &str, version: &str) -> Self {
        self.0.client_info = Some(json!({"name": name, "version": version}));
        self
    }

    /// Sets the address that requests come from.
    #[must_use]
    pub fn source_ip(self, address: IpAddr) -> Self {
        let mut invocation = Invocation::of(&self.0.extensions).clone();
        invocation.source_ip = Some(address);
        self.invocation(invocation)
    }

    /// Sets everything that the platform tells of a request: its id, deadline, source address, stage
    /// and authorizer.
    #[must_use]
    pub fn invocation(self, invocation: Invocation) -> Self {
        self.extension(invocation)
    }

    /// Adds an extension to each `http::Request`, in place of any of that type, as a tower layer in
    /// front of the server does. Handlers find it in
    /// [`Context::extensions`](crate::Context::extensions).
    #[must_use]
    pub fn extension<T: Clone + Send + Sync + 'static>(mut self, extension: T) -> Self {
        self.0.extensions.insert(extension);
        self
    }

    /// Sends requests through [`Server::handle_streaming`] instead of [`Server::handle`]. The
    /// response is still read to its end.
    #[must_use]
    pub fn streaming(mut self) -> Self {
        self.0.is_streaming = true;
        self
    }

    /// Calls `inspect` with each HTTP request and its response, for example to log or to validate
    /// them.
    #[must_use]
    pub fn inspect<F>(mut self, inspect: F) -> Self
    where
        F: Fn(&Request<Bytes>, &Response<Bytes>) + Send + Sync + 'static,
    {
        self.0.inspect = Some(Arc::new(inspect));
        self
    }
}

/// Answers to questions of the server.
impl TestClient {
    pub(super) const fn answers(&self) -> &Answers {
        &self.0.answers
    }

    /// Answers the question `key` once in each request.
    ///
    /// If the handler cannot use the answer it asks again; that question is returned to the test.
    #[must_use]
    pub fn answer(mut self, key: &str, answer: Answer) -> Self {
        self.0.answers.insert(key, answer);
        self
    }

    /// Answers every form and page that no [`answer`](Self::answer) is registered for.
    #[must_use]
    pub fn on_elicit<F>(mut self, answer: F) -> Self
    where
        F: Fn(&Question) -> Answer + Send + Sync + 'static,
    {
        self.0.answers.on_elicit(Arc::new(answer));
        self
    }

    /// Answers every question to the client's model that no [`answer`](Self::answer) is registered
    /// for.
    #[must_use]
    pub fn on_sample<F>(mut self, answer: F) -> Self
    where
        F: Fn(&Question) -> Answer + Send + Sync + 'static,
    {
        self.0.answers.on_sample(Arc::new(answer));
        self
    }

    /// Works in these directories, given by their `file:` URIs, and answers questions for them.
    #[must_use]
    pub fn roots<'u>(mut self, uris: impl IntoIterator<Item = &'u str>) -> Self {
        let answer = Answer::roots(uris);
        self.0.answers.on_roots(Arc::new(move |_| answer.clone()));
        self
    }
}

/// Requests.
impl TestClient {
    /// Calls a tool: `tools/call`.
    ///
    /// # Panics
    ///
    /// The arguments cannot be written as JSON.
    #[track_caller]
    pub fn call(&self, tool: &str, arguments: impl Serialize) -> TestRequest {
        self.request("tools/call", named(tool, arguments))
    }

    /// Reads a resource: `resources/read`.
    pub fn read(&self, uri: &str) -> TestRequest {
        self.request("resources/read", json!({ "uri": uri }))
    }

    /// Gets a prompt: `prompts/get`.
    ///
    /// # Panics
    ///
    /// The arguments cannot be written as JSON.
    #[track_caller]
    pub fn prompt(&self, name: &str, arguments: impl Serialize) -> TestRequest {
        self.request("prompts/get", named(name, arguments))
    }

    /// Completes the text of a prompt's argument: `completion/complete`.
    ///
    /// What was filled in before is set by `.param("context", json!({"arguments": {…}}))`.
    pub fn complete_prompt(&self, prompt: &str, argument: &str, text: &str) -> TestRequest {
        let reference = json!({"type": "ref/prompt", "name": prompt});
        self.complete(&reference, argument, text)
    }

    /// Completes the text of a variable of a resource template: `completion/complete`.
    pub fn complete_resource(&self, template: &str, variable: &str, text: &str) -> TestRequest {
        let reference = json!({"type": "ref/resource", "uri": template});
        self.complete(&reference, variable, text)
    }

    fn complete(&self, reference: &Value, name: &str, text: &str) -> TestRequest {
        let argument = json!({"name": name, "value": text});
        let params = json!({"ref": reference, "argument": argument});
        self.request("completion/complete", params)
    }

    /// Asks for everything about the server: `server/discover`, in the newest revision.
    pub fn discover(&self) -> TestRequest {
        self.request("server/discover", json!({}))
    }

    /// Sends the handshake of the older revisions: `initialize`.
    pub fn initialize(&self) -> TestRequest {
        self.request("initialize", exchange::hello(&self.0))
    }

    /// Sends any method, with the headers and the envelope of the client's version.
    pub fn request(&self, method: &str, params: Value) -> TestRequest {
        self.draft(method, params, false)
    }

    /// Sends a notification, which has no answer but its HTTP status.
    pub fn notify(&self, method: &str, params: Value) -> TestRequest {
        self.draft(method, params, true)
    }

    fn draft(&self, method: &str, params: Value, is_notification: bool) -> TestRequest {
        let body = Body::Message {
            method: method.to_owned(),
            params,
            is_notification,
        };
        TestRequest::new(self.0.clone(), Draft::new(body))
    }

    /// Posts a body unchanged: a batch, a message of another client, text that is not JSON. The
    /// headers are those of the client's version, as far as they follow from the body.
    pub fn post(&self, body: impl Into<Bytes>) -> TestRequest {
        TestRequest::new(self.0.clone(), Draft::new(Body::Raw(body.into())))
    }

    /// Sends an HTTP request unchanged: another verb, another path, a published document.
    pub async fn send(&self, request: Request<Bytes>) -> TestResponse {
        let body = Body::Raw(request.body().clone());
        let response = exchange::send_http(&self.0, request).await;
        TestResponse::read(response, None, Draft::new(body), Vec::new())
    }

    /// Continues a request that the server asked questions about: sends it again with the state of
    /// the response and the [answers](TestRequest::answer) that the test gives.
    ///
    /// # Panics
    ///
    /// The server asked nothing.
    #[track_caller]
    pub fn resume(&self, response: &TestResponse) -> TestRequest {
        let questions = response.questions();
        if questions.is_empty() {
            response.fail("a result that asks for input");
        }
        let state = response.request_state().map(Value::from);
        let draft = response.draft().resumed(questions, state);
        TestRequest::new(self.0.clone(), draft)
    }
}

/// Lists, from the first page to the last.
///
/// They panic if the server refuses a page.
impl TestClient {
    /// Lists the tools: `tools/list`.
    pub async fn tools(&self) -> List {
        self.list("tools/list", "tools", "name").await
    }

    /// Lists the resources: `resources/list`.
    pub async fn resources(&self) -> List {
        self.list("resources/list", "resources", "uri").await
    }

    /// Lists the templates of resources: `resources/templates/list`.
    pub async fn resource_templates(&self) -> List {
        let (method, member) = ("resources/templates/list", "resourceTemplates");
        self.list(method, member, "uriTemplate").await
    }

    /// Lists the prompts: `prompts/list`.
    pub async fn prompts(&self) -> List {
        self.list("prompts/list", "prompts", "name").await
    }

    async fn list(&self, method: &str, entries: &str, member: &'static str) -> List {
        let mut pages = Vec::new();
        let mut params = json!({});
        while pages.len() < MAX_PAGES {
            let page = self.request(method, params).await;
            match page.result().get(entries).and_then(Value::as_array) {
                Some(entries) => pages.push(entries.clone()),
                None => page.fail(&format!("a result with `{entries}`")),
            }
            match page.result().get("nextCursor") {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => return List { member, pages },
            }
        }
        panic!("`{method}` has more than {MAX_PAGES} pages");
    }
}

/// The parameters of a call by name.
#[track_caller]
fn named(name: &str, arguments: impl Serialize) -> Value {
    match serde_json::to_value(arguments) {
        Ok(arguments) => json!({"name": name, "arguments": arguments}),
        Err(error) => panic!("the arguments cannot be written as JSON: {error}"),
    }
}
