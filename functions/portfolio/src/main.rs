//! The program of the shipped function.

use std::process::ExitCode;

fn main() -> ExitCode {
    portfolio::main()
}
