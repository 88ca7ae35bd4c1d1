//! [`Content`], what is served in one language, and [`Localized`], the content in every language.

use serde::{Deserialize, Serialize};

use super::language::{MAX_RANGE_BYTES, lookup};
use super::links::is_web_uri;
use super::privacy::Switch;
use super::profile::Profile;
use super::resume::Resume;
use super::well_known::WellKnown;

/// What is served in one language. It has no private value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Content {
    /// The language as a BCP 47 tag, such as `fr`. `None` if the files have one language and do
    /// not name it.
    pub language: Option<String>,
    /// The résumé, without what the owner does not publish.
    pub resume: Resume,
    /// The profile, without what the owner does not publish.
    pub profile: Profile,
    /// The kinds of contact data that are withheld, in the order of their keys, without repetition.
    pub withheld: Vec<Switch>,
}

impl Content {
    /// Returns the name of the person the server represents.
    #[must_use]
    pub fn person(&self) -> String {
        self.resume
            .basics
            .as_ref()
            .and_then(|basics| basics.name.clone())
            .unwrap_or_default()
    }

    /// Returns the URL of the newest version of the résumé, if it is a valid URI.
    #[must_use]
    pub fn canonical_url(&self) -> Option<&str> {
        let url = self.resume.meta.as_ref()?.canonical.as_deref()?;
        is_web_uri(url).then_some(url)
    }

    /// Returns the person's home page, if it is a valid URI: protocol fields take no other text.
    #[must_use]
    pub fn website_url(&self) -> Option<&str> {
        let basics = self.resume.basics.as_ref()?;
        let url = basics.url.as_deref()?;
        is_web_uri(url).then_some(url)
    }
}

/// The content in every language that the owner's files have.
///
/// [`ByLanguage`](super::ByLanguage) takes the `language` argument of a tool, a prompt or a resource
/// template. That argument is offered only if [`Localized::has_languages`] returns true.
#[derive(Debug, Clone, PartialEq)]
pub struct Localized {
    default: Content,
    others: Vec<Content>,
    well_known: Vec<WellKnown>,
}

impl Localized {
    /// Creates the content from that of each language, the default first. `None` if there is none.
    pub(super) fn new(contents: Vec<Content>, well_known: Vec<WellKnown>) -> Option<Self> {
        let mut contents = contents.into_iter();
        Some(Self {
            default: contents.next()?,
            others: contents.collect(),
            well_known,
        })
    }

    /// Returns the texts for `/.well-known/`.
    #[must_use]
    pub fn well_known(&self) -> &[WellKnown] {
        &self.well_known
    }

    /// Returns the content that is served if no language is asked for.
    #[must_use]
    pub const fn default_content(&self) -> &Content {
        &self.default
    }

    /// Returns the content in every language, the default first.
    pub fn contents(&self) -> impl Iterator<Item = &Content> + Clone {
        std::iter::once(&self.default).chain(&self.others)
    }

    /// Returns the tags of the languages, the default first.
    pub fn languages(&self) -> impl Iterator<Item = &str> + Clone {
        self.contents()
            .filter_map(|content| content.language.as_deref())
    }

    /// Returns whether the content has more than one language.
    #[must_use]
    pub const fn has_languages(&self) -> bool {
        !self.others.is_empty()
    }

    /// Returns the position in [`contents`](Self::contents) of the content for a language range, by
    /// the lookup of RFC 4647, section 3.4: `de-AT` finds `de-AT`, else `de`. `de` also finds
    /// `de-AT`. Anything else, and `None`, is the default.
    #[must_use]
    pub fn position(&self, language: Option<&str>) -> usize {
        let tags = self
            .contents()
            .map(|content| content.language.as_deref().unwrap_or_default());
        let range = language.filter(|range| range.len() <= MAX_RANGE_BYTES);
        lookup(range.unwrap_or_default(), &tags).unwrap_or_default()
    }

    /// Returns the content for a language range, as [`position`](Self::position) finds it.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub fn content(&self, language: Option<&str>) -> &Content {
        self.contents()
            .nth(self.position(language))
            .unwrap_or(&self.default)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resume::Basics;

    fn content(language: Option<&str>) -> Content {
        Content {
            language: language.map(str::to_owned),
            resume: Resume::default(),
            profile: Profile::default(),
            withheld: Vec::new(),
        }
    }

    #[test]
    fn a_language_falls_back_to_its_prefix_and_then_to_the_default() {
        let contents = [Some("en"), Some("de"), Some("pt-BR")].map(content);
        let localized = Localized::new(contents.to_vec(), Vec::new()).unwrap();
        let rows = [
            (None, "en"),
            (Some("de"), "de"),
            (Some("DE-at-1996"), "de"),
            (Some("pt-BR"), "pt-BR"),
            (Some("pt"), "pt-BR"),
            (Some("pt-PT"), "pt-BR"),
            (Some("fr"), "en"),
            (Some(""), "en"),
            (Some("-"), "en"),
        ];
        for (language, expected) in rows {
            let found = localized.content(language).language.as_deref();
            assert_eq!(found, Some(expected), "{language:?}");
        }
        assert_eq!(
            localized.languages().collect::<Vec<_>>(),
            ["en", "de", "pt-BR"]
        );
    }

    #[test]
    fn a_home_page_that_is_not_a_valid_uri_is_no_website_url() {
        for (url, expected) in [
            ("https://a.example", Some("https://a.example")),
            ("a.example", None),
            ("https://ä.example", None),
        ] {
            let mut content = content(None);
            content.resume.basics = Some(Basics {
                url: Some(url.to_owned()),
                ..Basics::default()
            });
            assert_eq!(content.website_url(), expected, "{url}");
        }
    }

    #[test]
    fn a_single_language_may_have_no_tag() {
        let localized = Localized::new(vec![content(None)], Vec::new()).unwrap();
        assert_eq!(localized.languages().count(), 0);
        assert_eq!(localized.content(Some("fr")), localized.default_content());
    }
}
