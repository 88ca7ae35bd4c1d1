//! [`Names`]: unique names of operations.

use std::collections::{HashMap, HashSet};

/// The names that operations of one kind have.
#[derive(Debug, Default)]
pub(super) struct Names {
    used: HashSet<String>,
    counts: HashMap<String, u32>,
}

impl Names {
    /// Returns `name`, with a number behind `mark` if an earlier operation has it.
    pub(super) fn unique(&mut self, name: &str, mark: char) -> String {
        let count = self.counts.entry(name.to_owned()).or_default();
        loop {
            *count += 1;
            let unique = match *count {
                1 => name.to_owned(),
                number => format!("{name}{mark}{number}"),
            };
            if self.used.insert(unique.clone()) {
                return unique;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_used_again_gets_a_number() {
        let mut names = Names::default();
        let given = ["send", "send#2", "send", "send", "load", "send#2"];
        let unique = given.map(|name| names.unique(name, '#'));
        assert_eq!(
            unique,
            ["send", "send#2", "send#3", "send#4", "load", "send#2#2"]
        );
    }
}
