//! The language of a résumé, as its `meta` names it.

use super::language::UNDETERMINED;
use super::resume::Resume;

/// The member of `meta` that names the language of the texts. JSON Resume does not define one.
const LANGUAGE: &str = "language";

impl Resume {
    /// Names the language of the texts in `meta`, so that every answer says it.
    pub fn set_language(&mut self, tag: &str) {
        if tag != UNDETERMINED {
            let meta = self.meta.get_or_insert_default();
            meta.extra.insert(LANGUAGE.to_owned(), tag.into());
        }
    }

    /// Returns the language of the texts, if the document names it.
    #[must_use]
    pub fn language(&self) -> Option<&str> {
        self.meta.as_ref()?.extra.get(LANGUAGE)?.as_str()
    }
}
