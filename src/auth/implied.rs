//! [`ImpliedScopes`]: scopes that include others. Specification: *Authorization, Scope Challenge
//! Handling*: "Servers MUST account for scope hierarchies, where a broader scope implies narrower ones,
//! when deciding whether a token is sufficient for an operation."

use super::{InvalidScopes, Scopes};

/// A table of scopes that imply others.
#[derive(Debug, Clone, Default)]
pub(super) struct ImpliedScopes {
    rules: Vec<(String, Scopes)>,
    /// The first text that is not a list of scopes.
    invalid: Option<InvalidScopes>,
}

impl ImpliedScopes {
    /// Adds a rule: each scope of `broad` implies all of `narrow`.
    pub(super) fn add(&mut self, broad: &str, narrow: &str) {
        match (broad.parse::<Scopes>(), narrow.parse::<Scopes>()) {
            (Ok(broad), Ok(narrow)) => {
                let rules = broad.iter().map(|scope| (scope.to_owned(), narrow.clone()));
                self.rules.extend(rules);
            }
            (Err(invalid), _) | (_, Err(invalid)) => {
                self.invalid.get_or_insert(invalid);
            }
        }
    }

    /// The first text that is not a list of scopes.
    pub(super) const fn invalid(&self) -> Option<&InvalidScopes> {
        self.invalid.as_ref()
    }

    /// Adds to `granted` what its scopes imply, and what that implies in turn.
    pub(super) fn extend(&self, granted: &mut Scopes) {
        let mut open: Vec<&(String, Scopes)> = self.rules.iter().collect();
        loop {
            let (apply, rest): (Vec<_>, Vec<_>) = open
                .into_iter()
                .partition(|(scope, _)| granted.contains(scope));
            if apply.is_empty() {
                return;
            }
            for (_, implied) in apply {
                granted.extend(implied);
            }
            open = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_imply_others_over_several_steps_and_in_circles() {
        let mut table = ImpliedScopes::default();
        table.add("refund", "read");
        table.add("admin owner", "write refund");
        table.add("write", "read");
        table.add("circle", "round");
        table.add("round", "circle");
        let rows = [
            ("", ""),
            ("read", "read"),
            ("write", "write read"),
            ("admin", "admin write refund read"),
            ("owner x", "owner x write refund read"),
            ("round", "round circle"),
            ("Admin", "Admin"),
        ];
        for (granted, expected) in rows {
            let mut scopes = granted.parse().unwrap();
            table.extend(&mut scopes);
            assert_eq!(scopes, expected.parse().unwrap(), "{granted}");
        }
        assert!(table.invalid().is_none());
        table.add("a", "b\"");
        table.add("\"", "b");
        assert!(table.invalid().is_some());
    }
}
