//! The shipped function: a person's résumé and projects, served to AI agents.

fn main() {}
