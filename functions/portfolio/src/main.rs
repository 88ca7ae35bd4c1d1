//! The program of the shipped function.

use std::process::ExitCode;

// docs/adr/0038-the-c-library-is-part-of-the-function.md compares allocators.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    portfolio::main()
}
