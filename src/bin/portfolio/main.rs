//! The shipped function: a person's résumé and projects, served to AI agents.

mod check_content;
mod content;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments
        .next()
        .is_some_and(|command| command == "check-content")
    {
        let directory = arguments.next().map(PathBuf::from);
        return Ok(check_content::run(
            directory.as_deref(),
            &mut io::stdout().lock(),
        )?);
    }
    Ok(ExitCode::SUCCESS)
}
