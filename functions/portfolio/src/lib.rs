//! The shipped function: a person's résumé and projects, served to AI agents.
//!
//! It has two programs: the function itself, [`main`], and the worker that runs its tasks on AWS, which
//! `worker/portfolio` makes of [`worker_server`].

mod about;
mod arguments;
#[cfg(any(feature = "dynamodb", feature = "ses", feature = "ssm"))]
mod aws;
mod built_in;
#[cfg(feature = "commands")]
mod commands;
mod config;
mod contact;
mod markdown;
mod offers;
mod page;
mod prompts;
mod resources;
mod secrets;
mod serve;
mod style;
mod tools;
mod view;

#[cfg(test)]
mod test_client;

use std::io;
use std::process::ExitCode;

use lambda_mcp::Server;
use portfolio_content as content;
#[cfg(not(feature = "commands"))]
use serve::StartError;

/// Builds the server of the worker, from the environment. It also starts the log.
///
/// # Errors
///
/// The configuration or the content cannot be used. The reasons are logged.
pub fn worker_server() -> Result<Server, Box<dyn std::error::Error + Send + Sync>> {
    serve::worker_server().map_err(|error| {
        serve::log_start_error(&error, &mut io::stderr().lock());
        error.to_string().into()
    })
}

/// The program of the function: a command, or the function itself.
#[must_use]
pub fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let result = match arguments.next() {
        #[cfg(feature = "commands")]
        Some(command) => commands::run(&command, arguments),
        #[cfg(not(feature = "commands"))]
        Some(_) => Err(StartError::NoCommands),
        None => serve::run().map(|()| ExitCode::SUCCESS),
    };
    result.unwrap_or_else(|error| {
        serve::log_start_error(&error, &mut io::stderr().lock());
        ExitCode::FAILURE
    })
}
