//! [`Access`]: who may use a tool, resource or prompt, and who sees it in lists.

use super::{InvalidScopes, Principal, Scopes};

/// What a request requires of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Requirement<'a> {
    /// Nothing. No credential is looked at.
    Nothing,
    /// Nothing, but a valid credential with all of these scopes names the caller. Any other counts as
    /// none.
    Recognized(&'a Scopes),
    /// Nothing, but a credential must be valid. The answer depends on it, so that one to an expired
    /// token would be wrong without a sign of it.
    ValidIfPresent,
    /// A valid credential with all of these scopes, which may be none.
    Scopes(&'a Scopes),
}

/// Who may use a definition, and who sees it in lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Access {
    /// The scopes that a caller needs. `None` if no credential is needed.
    required: Option<Scopes>,
    /// The scopes that a caller needs to see it in lists. `None` if everyone sees it.
    visible_to: Option<Scopes>,
    /// The scopes with which a credential names the caller, although none is needed. `None` if no
    /// credential is looked at.
    recognized: Option<Scopes>,
    /// The first text that is not a list of scopes.
    invalid: Option<InvalidScopes>,
}

impl Access {
    /// Requires a credential with these scopes, and those required before.
    pub(crate) fn require(&mut self, scopes: &str) {
        let scopes = self.read(scopes);
        let required = self.required.get_or_insert_with(Scopes::none);
        required.extend(&scopes);
    }

    /// Hides it from callers without these scopes, and requires them.
    pub(crate) fn show_to(&mut self, scopes: &str) {
        self.require(scopes);
        let scopes = self.read(scopes);
        let visible_to = self.visible_to.get_or_insert_with(Scopes::none);
        visible_to.extend(&scopes);
    }

    /// Lets a valid credential with these scopes name the caller, without requiring one.
    pub(crate) fn recognize(&mut self, scopes: &str) {
        let scopes = self.read(scopes);
        let recognized = self.recognized.get_or_insert_with(Scopes::none);
        recognized.extend(&scopes);
    }

    /// Reads scopes. A text that is not a list of scopes is stored for [`check`](Self::check).
    fn read(&mut self, scopes: &str) -> Scopes {
        scopes.parse().unwrap_or_else(|invalid| {
            self.invalid.get_or_insert(invalid);
            Scopes::none()
        })
    }

    /// Returns the checked rule.
    ///
    /// # Errors
    ///
    /// A text is not a list of scopes.
    pub(crate) fn check(self) -> Result<Self, InvalidScopes> {
        match self.invalid {
            Some(invalid) => Err(invalid),
            None => Ok(self),
        }
    }

    /// What a call requires.
    pub(crate) const fn requirement(&self) -> Requirement<'_> {
        match (&self.required, &self.recognized) {
            (Some(scopes), _) => Requirement::Scopes(scopes),
            (None, Some(scopes)) => Requirement::Recognized(scopes),
            (None, None) => Requirement::Nothing,
        }
    }

    /// The scopes that a caller needs. `None` if no credential is needed.
    pub(crate) const fn required_scopes(&self) -> Option<&Scopes> {
        self.required.as_ref()
    }

    /// The scopes with which a credential names the caller, although none is needed.
    pub(crate) const fn recognized_scopes(&self) -> Option<&Scopes> {
        self.recognized.as_ref()
    }

    /// The scopes that a caller needs to see it in lists. `None` if everyone sees it.
    pub(crate) const fn visible_to(&self) -> Option<&Scopes> {
        self.visible_to.as_ref()
    }
}

/// Whether a caller sees what is visible to callers with `scopes`.
pub(crate) fn is_visible(scopes: Option<&Scopes>, caller: Option<&Principal>) -> bool {
    scopes.is_none_or(|scopes| caller.is_some_and(|caller| caller.scopes().covers(scopes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scopes(text: &str) -> Scopes {
        text.parse().unwrap()
    }

    #[test]
    fn a_later_rule_adds_to_an_earlier_one() {
        let mut access = Access::default();
        assert_eq!(access.requirement(), Requirement::Nothing);
        access.recognize("");
        access.recognize("r");
        let recognized = scopes("r");
        assert_eq!(access.requirement(), Requirement::Recognized(&recognized));
        access.require("");
        assert_eq!(access.requirement(), Requirement::Scopes(&Scopes::none()));
        access.require("a");
        access.show_to("b c");
        assert_eq!(access.requirement(), Requirement::Scopes(&scopes("a b c")));
        assert_eq!(access.visible_to(), Some(&scopes("b c")));
        assert!(access.clone().check().is_ok());
        access.require("d\"");
        access.require("e");
        assert!(access.check().is_err());
    }

    #[test]
    fn what_has_scopes_is_visible_to_callers_with_all_of_them() {
        let caller = |text| Some(Principal::new("ada", scopes(text)));
        let rows = [
            (None, None, true),
            (None, caller(""), true),
            (Some(""), None, false),
            (Some(""), caller(""), true),
            (Some("a b"), caller("b a c"), true),
            (Some("a b"), caller("a"), false),
            (Some("a b"), None, false),
        ];
        for (visible_to, caller, expected) in rows {
            let visible_to = visible_to.map(scopes);
            let is_visible = is_visible(visible_to.as_ref(), caller.as_ref());
            assert_eq!(is_visible, expected, "{visible_to:?} {caller:?}");
        }
    }
}
