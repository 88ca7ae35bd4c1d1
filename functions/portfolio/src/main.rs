//! The shipped function: a person's résumé and projects, served to AI agents.

mod about;
mod arguments;
#[cfg(any(feature = "dynamodb", feature = "ses", feature = "ssm"))]
mod aws;
mod check_content;
mod config;
mod contact;
mod content;
mod markdown;
mod new_key;
mod prompts;
mod resources;
mod secrets;
mod serve;
mod tools;

#[cfg(test)]
mod test_client;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use serve::StartError;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let command = arguments.next();
    let result = match command.as_ref().and_then(|command| command.to_str()) {
        Some("check-content") => {
            let directory = arguments.next().map(PathBuf::from);
            check_content::run(directory.as_deref(), &mut io::stdout().lock())
                .map_err(StartError::Output)
        }
        Some("new-key") => {
            new_key::run(arguments, &mut io::stdout().lock()).map_err(StartError::Output)
        }
        Some(_) => Err(StartError::Usage),
        None => serve::run().map(|()| ExitCode::SUCCESS),
    };
    result.unwrap_or_else(|error| {
        serve::log_start_error(&error, &mut io::stderr().lock());
        ExitCode::FAILURE
    })
}
