//! [`ByLanguage`]: what is made of the content, once for each language.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::localized::{Content, Localized};

type Make<T> = dyn Fn(&Content) -> Result<T, serde_json::Error> + Send + Sync;

/// One value for each language of the content, such as the answers of a tool. Each is made on first
/// need, and then kept.
pub struct ByLanguage<T> {
    content: Arc<Localized>,
    make: Box<Make<T>>,
    made: Vec<OnceLock<T>>,
}

impl<T> ByLanguage<T> {
    /// Creates the values of `content`; `make` makes one of them.
    pub fn new(
        content: &Arc<Localized>,
        make: impl Fn(&Content) -> Result<T, serde_json::Error> + Send + Sync + 'static,
    ) -> Self {
        Self {
            content: Arc::clone(content),
            make: Box::new(make),
            made: content.contents().map(|_| OnceLock::new()).collect(),
        }
    }

    /// Returns the value for a language range, or for the default language; see
    /// [`Localized::position`].
    ///
    /// # Errors
    ///
    /// The value cannot be serialized.
    pub fn get(&self, language: Option<&str>) -> Result<&T, serde_json::Error> {
        Ok(self.with_content(language)?.0)
    }

    /// Returns the same value, and the content that it is made of.
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get).
    pub fn with_content(
        &self,
        language: Option<&str>,
    ) -> Result<(&T, &Content), serde_json::Error> {
        let at = self.content.position(language);
        let content = self.content.contents().nth(at);
        let content = content.unwrap_or_else(|| self.content.default_content());
        let Some(cell) = self.made.get(at) else {
            return Err(serde::ser::Error::custom("a language has no place"));
        };
        Ok((kept(cell, || (self.make)(content))?, content))
    }
}

/// Returns the value in a cell. If there is none, makes it and keeps it.
///
/// # Errors
///
/// Those of `make`.
pub fn kept<T, E>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}

impl<T> fmt::Debug for ByLanguage<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let languages: Vec<&str> = self.content.languages().collect();
        f.debug_tuple("ByLanguage").field(&languages).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::{Sources, load};

    #[test]
    fn each_language_is_made_once_and_only_when_it_is_needed() {
        let file =
            r#"{"basics": {"name": "A", "label": {"en": "Developer", "de": "Entwicklerin"}}}"#;
        let (content, _) = load(&Sources::of_text(file, ""));
        let content = Arc::new(content.unwrap());
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        let labels = ByLanguage::new(&content, move |content| {
            counted.fetch_add(1, Ordering::Relaxed);
            let basics = content.resume.basics.clone().unwrap_or_default();
            Ok(basics.label.unwrap_or_default())
        });
        assert_eq!(count.load(Ordering::Relaxed), 0);
        let rows = [
            (Some("de-CH"), "Entwicklerin", 1),
            (Some("de"), "Entwicklerin", 1),
            (Some("fr"), "Developer", 2),
            (None, "Developer", 2),
        ];
        for (language, label, made) in rows {
            assert_eq!(labels.get(language).unwrap(), label, "{language:?}");
            assert_eq!(count.load(Ordering::Relaxed), made, "{language:?}");
        }
        let long = format!("de-{}", "x-".repeat(500_000));
        assert_eq!(labels.get(Some(&long)).unwrap(), "Developer");
    }
}
