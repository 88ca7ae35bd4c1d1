//! Wiring: from configuration and content to a running server, or to the reasons why not.

use std::io::Write;
use std::sync::Arc;

use lambda_mcp::Server;
use lambda_mcp::server::BuildError;
use thiserror::Error;

use crate::config::{Config, InvalidConfig};
use crate::contact::ContactAuth;
use crate::content::{self, Content, Report, Severity, Sources};
use crate::portfolio::Portfolio;
use crate::prompts;
use crate::resources;
use crate::tools;
use crate::tools::contact::ContactService;

/// What a credential must allow for `contact`, as `new-key` writes it unless it is told another.
const CONTACT_SCOPE: &str = "contact:send";

/// What the server calls itself.
pub(crate) const SERVER_NAME: &str = "portfolio";

/// Why the function does not start.
#[derive(Debug, Error)]
pub(crate) enum StartError {
    /// Environment variables that cannot be used.
    #[error(transparent)]
    Config(#[from] InvalidConfig),
    /// Content that cannot be served.
    #[error("the content has errors")]
    Content(Report),
    /// Tools that cannot be served.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// An answer that cannot be written.
    #[error("an answer cannot be written: {0}")]
    Answer(#[from] serde_json::Error),
    /// The runtime.
    #[error(transparent)]
    Runtime(#[from] lambda_mcp::Error),
    /// The async runtime.
    #[error("the async runtime does not start: {0}")]
    Tokio(#[source] std::io::Error),
    /// A report that cannot be written.
    #[error("cannot write: {0}")]
    Output(#[source] std::io::Error),
    /// Arguments that are no command.
    #[error(
        "usage: portfolio [check-content [DIR]] or portfolio new-key [NAME [SCOPE …]]; without a command it serves as a Lambda function"
    )]
    Usage,
}

/// Serves until the platform ends the process.
///
/// # Errors
///
/// Whatever keeps the function from starting.
pub(crate) fn run() -> Result<(), StartError> {
    let config = Config::read(|name| std::env::var_os(name))?;
    config.log_level.init();
    let content = content(&config)?;
    let streams = config.response_streaming;
    let server = server(config, &content)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(StartError::Tokio)?;
    if streams {
        runtime.block_on(lambda_mcp::lambda::run_with_streaming_response(server))?;
    } else {
        runtime.block_on(lambda_mcp::run(server))?;
    }
    Ok(())
}

fn content(config: &Config) -> Result<Content, StartError> {
    let directory = config.content_dir.as_deref();
    let sources = directory.map_or_else(Sources::built_in, Sources::in_directory);
    let (content, report) = content::load(&sources);
    for finding in report.of(Severity::Warning) {
        tracing::warn!("{finding}");
    }
    let content = content.map(|localized| localized.default_content().clone());
    content.ok_or(StartError::Content(report))
}

/// Builds the server.
///
/// # Errors
///
/// A tool, a resource or a prompt cannot be built, or an answer cannot be written.
pub(crate) fn server(config: Config, content: &Content) -> Result<Server, StartError> {
    let portfolio = Arc::new(Portfolio::new(content, config.public_url.as_deref())?);
    let basics = content.resume.basics.clone().unwrap_or_default();
    let mut server = Server::builder(SERVER_NAME, env!("CARGO_PKG_VERSION"))
        .title(format!("Portfolio of {}", content.person()))
        .description(description(content))
        .instructions(instructions(content, config.contact.is_some()))
        .header_only_requests(config.header_only)
        .state(Arc::clone(&portfolio));
    if let Some(url) = basics.url {
        server = server.website_url(url);
    }
    if let Some(origins) = config.origins {
        server = server.origins(origins);
    }
    if let Some(hosts) = config.hosts {
        server = server.hosts(hosts);
    }
    if let Some(url) = config.public_url {
        server = server.public_url(url);
    }
    if let Some(key) = config.request_state_key {
        server = server.request_state_key(key);
    }
    server = server.auth(config.auth);
    if let Some(limits) = config.limits {
        server = server.limits(limits);
    }
    let mut server = tools::register(server);
    if let Some(contact) = &config.contact {
        let desk = Arc::new(ContactService::new(contact, content.person()));
        let tool = tools::contact::contact(desk);
        server = server.tool(match contact.auth {
            ContactAuth::Bearer => tool.requires_scope(CONTACT_SCOPE),
            ContactAuth::None => tool,
        });
    }
    let server = resources::register(server, &portfolio.documents);
    Ok(prompts::register(server).build()?)
}

/// How a model uses the server.
fn instructions(content: &Content, has_contact: bool) -> String {
    let effects = if has_contact {
        "contact sends the person a message; everything else is read-only and public."
    } else {
        "Everything is read-only and public."
    };
    format!(
        "This server speaks for {}. get_manifest tells what it is and how to reach the person; \
         the other tools answer about career, projects, capabilities and availability. The same \
         is there to read and to attach as resources: resume://markdown is the whole résumé in \
         one, sections and projects have URIs below it. Prompts begin an assessment for a role, \
         an interview or a first message. {effects} Quote it as the person's own account.",
        content.person()
    )
}

/// What the server is, in a sentence.
pub(crate) fn description(content: &Content) -> String {
    format!(
        "The résumé and projects of {}, for AI agents to ask.",
        content.person()
    )
}

/// Writes a start-up error as log lines, in the form of the log that does not run yet.
pub(crate) fn log_start_error(error: &StartError, out: &mut impl Write) {
    let lines: Vec<String> = match error {
        StartError::Config(invalid) => invalid.faults.clone(),
        StartError::Content(report) => report
            .of(Severity::Error)
            .map(ToString::to_string)
            .collect(),
        StartError::Build(_)
        | StartError::Answer(_)
        | StartError::Runtime(_)
        | StartError::Tokio(_)
        | StartError::Output(_)
        | StartError::Usage => vec![error.to_string()],
    };
    for line in lines {
        let line = serde_json::json!({"level": "ERROR", "message": line, "target": SERVER_NAME});
        // There is nowhere else to say that the standard error is closed.
        let _ = writeln!(out, "{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logged(error: &StartError) -> Vec<serde_json::Value> {
        let mut out = Vec::new();
        log_start_error(error, &mut out);
        let text = String::from_utf8(out).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    #[test]
    fn the_shipped_content_makes_a_server() {
        let config = Config::read(|_| None).unwrap();
        let content = content(&config).unwrap();
        assert!(server(config, &content).is_ok());
    }

    #[test]
    fn each_fault_is_one_log_line_with_the_words_of_the_check() {
        let sources = Sources::of_text(
            r#"{"basics": {}, "work": 1}"#,
            "[projects]\nfeatured = [\"x\"]",
        );
        let (_, report) = content::load(&sources);
        let lines = logged(&StartError::Content(report));
        assert_eq!(lines.len(), 2);
        assert_eq!(
            lines[0]["message"],
            "error: resume.json: /basics/name: is missing; the person's name is required"
        );
        let faults = vec!["A: x".to_owned(), "B: y\nz".to_owned()];
        let lines = logged(&StartError::Config(InvalidConfig { faults }));
        assert_eq!(lines[1]["message"], "B: y\nz");
    }
}
