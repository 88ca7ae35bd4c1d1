//! The commands of the program, for a computer: each prints or writes something and ends, or serves the client
//! that started it.

mod check_content;
mod new_key;
mod published;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::serve::{self, StartError};

/// Runs a command.
///
/// # Errors
///
/// The command is not known, its output cannot be written, or the server of `stdio` cannot start.
pub(crate) fn run(
    command: &OsStr,
    mut arguments: impl Iterator<Item = OsString>,
) -> Result<ExitCode, StartError> {
    let command = command.to_str();
    if command == Some("stdio") {
        return serve::run_stdio().map(|()| ExitCode::SUCCESS);
    }
    let out = &mut io::stdout().lock();
    let result = match command {
        Some("check-content") => {
            let directory = arguments.next().map(PathBuf::from);
            check_content::run(directory.as_deref(), out)
        }
        Some("new-key") => new_key::run(arguments, out),
        Some("page") => published::write_page(arguments, out),
        Some("server-json") => published::print_server_json(arguments, out),
        Some(_) | None => return Err(StartError::Usage),
    };
    result.map_err(StartError::Output)
}
