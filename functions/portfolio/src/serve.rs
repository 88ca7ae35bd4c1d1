//! Wiring: from configuration and content to a running server, or to the reasons why it does not
//! start.

use std::io::Write;
use std::sync::Arc;

use lambda_mcp::Server;
use lambda_mcp::server::{BuildError, ServerBuilder};
use lambda_mcp::tasks::Tasks;
use thiserror::Error;

use crate::about::{SERVER_NAME, SERVER_VERSION, server_description};
use crate::built_in;
use crate::config::{Config, InvalidConfig};
use crate::contact::{self, ContactAuth};
use crate::content::{self, Content, Localized, Report, Severity};
use crate::offers::Offers;
use crate::page::{self, Published};
use crate::prompts::{self, Editions};
use crate::resources;
use crate::tools;
use crate::tools::contact::ContactService;
use crate::view;

/// Why the function does not start.
#[derive(Debug, Error)]
pub(crate) enum StartError {
    /// Environment variables with invalid values.
    #[error(transparent)]
    Config(#[from] InvalidConfig),
    /// Content with errors.
    #[error("the content has errors")]
    Content(Report),
    /// Definitions of tools, resources or prompts that the library rejects.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// An answer that cannot be serialized.
    #[error("an answer cannot be serialized: {0}")]
    Answer(#[from] serde_json::Error),
    /// The key of request states cannot be read.
    #[error(transparent)]
    StateKey(Box<dyn std::error::Error + Send + Sync>),
    /// An error of the Lambda runtime.
    #[error(transparent)]
    Runtime(#[from] lambda_mcp::Error),
    /// The async runtime cannot start.
    #[error("the async runtime cannot start: {0}")]
    Tokio(#[source] std::io::Error),
    /// The output of a command cannot be written.
    #[cfg(feature = "commands")]
    #[error("the output cannot be written: {0}")]
    Output(#[source] std::io::Error),
    /// Command-line arguments that are not a command.
    #[cfg(feature = "commands")]
    #[error(
        "usage: portfolio [check-content [DIR]], portfolio stdio, portfolio new-key [NAME [SCOPE …]], portfolio page OUT, or portfolio server-json URL; without a command, the program runs as a Lambda function"
    )]
    Usage,
    /// A command for a build that has none.
    #[cfg(not(feature = "commands"))]
    #[error("this build has no commands; build with `--features commands`")]
    NoCommands,
}

/// Serves until the platform ends the process.
///
/// # Errors
///
/// Returns an error if the configuration or the content cannot be used, or if the runtime fails.
pub(crate) fn run() -> Result<(), StartError> {
    let mut config = Config::read(|name| std::env::var_os(name))?;
    match config.metrics.take() {
        Some(metrics) => config.log_level.init_with(metrics),
        None => config.log_level.init(),
    }
    let content = content(&config)?;
    let streams = config.response_streaming;
    let runtime = runtime()?;
    runtime.block_on(read_state_key(&mut config))?;
    let server = server(config, &content)?;
    if streams {
        runtime.block_on(lambda_mcp::lambda::run_with_streaming_response(server))?;
    } else {
        runtime.block_on(lambda_mcp::run(server))?;
    }
    Ok(())
}

/// Builds the server of the worker, which runs the tasks of the function.
///
/// # Errors
///
/// The configuration or the content is invalid.
pub(crate) fn worker_server() -> Result<Server, StartError> {
    let mut config = Config::read(|name| std::env::var_os(name))?;
    config.log_level.init();
    // The worker starts no tasks, and its tasks were counted when they were created.
    config.tasks = Some(Tasks::local());
    config.limits = None;
    let content = content(&config)?;
    server(config, &content)
}

/// Serves the client that started the process over standard input and output, until it ends.
///
/// # Errors
///
/// Those of [`run`].
#[cfg(feature = "commands")]
pub(crate) fn run_stdio() -> Result<(), StartError> {
    let config = Config::read(|name| std::env::var_os(name))?;
    config.log_level.init_on_stderr();
    let content = content(&config)?;
    let server = server(config, &content)?;
    Ok(runtime()?.block_on(lambda_mcp::serve_stdio(server))?)
}

fn runtime() -> Result<tokio::runtime::Runtime, StartError> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(StartError::Tokio)
}

/// Reads the key of request states from its table, if it is needed: `contact` asks or is a task, or
/// sessions are signed.
#[cfg(feature = "dynamodb")]
async fn read_state_key(config: &mut Config) -> Result<(), StartError> {
    let is_needed = config.signs();
    if let Some(table) = config.request_state_table.as_deref().filter(|_| is_needed) {
        let key = crate::secrets::request_state_key(table).await;
        config.request_state_key = Some(key.map_err(|error| StartError::StateKey(error.into()))?);
    }
    Ok(())
}

#[cfg(not(feature = "dynamodb"))]
#[expect(clippy::unused_async, reason = "a build with DynamoDB waits here")]
async fn read_state_key(config: &mut Config) -> Result<(), StartError> {
    match &config.request_state_table {
        Some(_) => Err(StartError::StateKey(
            "REQUEST_STATE_TABLE: needs a build with `--features dynamodb`".into(),
        )),
        None => Ok(()),
    }
}

fn content(config: &Config) -> Result<Arc<Localized>, StartError> {
    let sources = built_in::sources_in(config.content_dir.as_deref());
    if let Some(content) = built_in::checked(&sources) {
        return Ok(Arc::new(content));
    }
    let (content, report) = content::load(&sources);
    for finding in report.of(Severity::Warning) {
        tracing::warn!("{finding}");
    }
    content.map(Arc::new).ok_or(StartError::Content(report))
}

/// Builds the server: its settings, then everything it offers.
///
/// # Errors
///
/// A tool, a resource or a prompt cannot be built.
pub(crate) fn server(config: Config, content: &Arc<Localized>) -> Result<Server, StartError> {
    let Portfolio { builder, published } = portfolio(config, content)?;
    let documents = page::documents(published);
    Ok(documents.fold(builder, ServerBuilder::document).build()?)
}

/// A server that is not built yet, and what it publishes beside its endpoint.
pub(crate) struct Portfolio {
    pub(crate) builder: ServerBuilder<()>,
    pub(crate) published: Vec<Published>,
}

/// Makes the server: its settings, then everything it offers.
///
/// # Errors
///
/// A tool or a resource cannot be built.
pub(crate) fn portfolio(config: Config, content: &Arc<Localized>) -> Result<Portfolio, StartError> {
    let default = content.default_content();
    let contact = config.contact.as_ref();
    let contact = contact.map(|settings| {
        let service = ContactService::new(settings, default.person());
        let service = Arc::new(service);
        let tool = match &config.tasks {
            Some(_) => tools::contact_task::tool(&service),
            None => tools::contact::tool(service),
        };
        match settings.auth {
            ContactAuth::Bearer => tool.requires_scope(contact::SCOPE),
            ContactAuth::None => tool.recognizes_scope(contact::SCOPE),
        }
    });
    let has_contact = contact.is_some();
    let mut listed = tools::listed(content);
    listed.extend(contact.as_ref().map(|_| tools::contact::ABOUT));
    let offers = Offers {
        tools: listed,
        resources: resources::offers(content),
        prompts: &prompts::PROMPTS,
        public_url: config.public_url.clone(),
    };
    let documents = resources::documents_of(content);
    let published = page::published(content, &documents, &offers);
    let read_only = tools::read_only_tools(content, &documents, offers);
    let server = configured(config, default).instructions(instructions(content, has_contact));
    let server = described(server, default);
    let server = { read_only.into_iter().chain(contact) }.fold(server, ServerBuilder::tool);
    let resources = resources::resources(content, &documents).into_iter();
    let server = resources.fold(server, ServerBuilder::resource);
    let server = server.resource(view::view(default));
    let prompts = prompts::prompts(&Editions::new(content, &documents)).into_iter();
    Ok(Portfolio {
        builder: prompts.fold(server, ServerBuilder::prompt),
        published,
    })
}

/// A server with the settings of the environment.
fn configured(config: Config, content: &Content) -> ServerBuilder<()> {
    let name = content
        .profile
        .server
        .name
        .as_deref()
        .unwrap_or(SERVER_NAME);
    let mut server = Server::builder(name, SERVER_VERSION)
        .header_only_requests(config.header_only)
        .legacy_handshake(config.legacy_handshake)
        .origins(config.origins)
        .auth(config.auth);
    if let Some(hosts) = config.hosts {
        server = server.hosts(hosts);
    }
    if let Some(url) = config.public_url {
        server = server.public_url(url);
    }
    if let Some(key) = config.request_state_key {
        server = server.request_state_key(key);
    }
    if let Some(tasks) = config.tasks {
        server = server.tasks(tasks);
    }
    if let Some(limits) = config.limits {
        server = server.limits(limits);
    }
    server
}

/// Adds what the server says about itself.
fn described(server: ServerBuilder<()>, content: &Content) -> ServerBuilder<()> {
    let server = server
        .title(format!("Portfolio of {}", content.person()))
        .description(server_description(content));
    let server = match content.icon() {
        Some(icon) => server.icon(tools::icon_of(&icon)),
        None => server,
    };
    match content.website_url() {
        Some(url) => server.website_url(url),
        None => server,
    }
}

/// How a model uses the server.
fn instructions(content: &Localized, has_contact: bool) -> String {
    let effects = if has_contact {
        "The tool contact sends the person a message. All other tools are read-only and public."
    } else {
        "All tools are read-only and public."
    };
    let languages = if content.has_languages() {
        let tags: Vec<&str> = content.languages().collect();
        format!(
            " The content is available in these languages: {}.",
            tags.join(", ")
        )
    } else {
        String::new()
    };
    format!(
        "This server represents {}. Call get_manifest first: it describes the server and the \
         published ways to reach the person. The other tools return career, projects, \
         capabilities and availability. The same content is available as resources, to read or to \
         attach: resume://markdown is the whole résumé, and each section and project has a URI \
         below it. Prompts start an assessment for a role, an interview or a first message. \
         {effects}{languages} The content is the person's own account; present it as such.",
        content.default_content().person()
    )
}

/// Writes a start-up error as log lines. The format is that of the log, which is not running yet.
pub(crate) fn log_start_error(error: &StartError, out: &mut impl Write) {
    let lines: Vec<String> = match error {
        StartError::Config(invalid) => invalid.faults.clone(),
        StartError::Content(report) => report
            .of(Severity::Error)
            .map(ToString::to_string)
            .collect(),
        StartError::Build(_)
        | StartError::Answer(_)
        | StartError::StateKey(_)
        | StartError::Runtime(_)
        | StartError::Tokio(_) => vec![error.to_string()],
        #[cfg(feature = "commands")]
        StartError::Output(_) | StartError::Usage => vec![error.to_string()],
        #[cfg(not(feature = "commands"))]
        StartError::NoCommands => vec![error.to_string()],
    };
    for line in lines {
        let line = serde_json::json!({"level": "ERROR", "message": line, "target": SERVER_NAME});
        // In one write, because the log has lines of standard output between the writes. If standard error is
        // closed, there is nowhere to report it.
        let _ = out.write_all(format!("{line}\n").as_bytes());
    }
}

#[cfg(test)]
mod privacy_tests;
#[cfg(test)]
mod tests;
