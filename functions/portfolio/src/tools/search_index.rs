//! [`SearchIndex`]: sections and projects by the words that they contain.
//!
//! Documents are ranked by Okapi BM25: a word counts more the fewer documents contain it, and the
//! shorter the document is, so that a project comes before the section that contains it. A word counts
//! more in a title than in a text, and more as a whole than as the start of a longer word. Words are
//! compared without case and accents. A query costs time in proportion to its words and to the
//! documents, and its words are bounded.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, OnceLock};

use icu_normalizer::DecomposingNormalizerBorrowed;

use crate::content::{ByLanguage, Content, Localized};
use crate::markdown::{Part, one_line};
use crate::resources::{Documents, Form};

/// The most words of a query that are looked up; further ones are ignored.
const MAX_QUERY_WORDS: usize = 32;
/// The shortest word that is also found as the start of a longer one.
const MIN_PREFIX_CHARS: usize = 3;

/// The usual parameters of BM25: how soon a repeated word stops to count, and how much the length of a
/// document counts.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.75;
/// What the weight of a word is multiplied by.
const IN_TITLE: f64 = 4.0;
const AS_PREFIX: f64 = 0.5;

/// A kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Section,
    Project,
}

impl Kind {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Section => "section",
            Self::Project => "project",
        }
    }
}

/// A section or a project, in one language.
#[derive(Debug)]
pub(super) struct Entry {
    /// Identifier: `section/work`, `project/Tidewatch`, `fr/section/work`.
    pub(super) id: String,
    pub(super) kind: Kind,
    pub(super) title: String,
    /// The text as Markdown.
    pub(super) text: Arc<str>,
    /// The URL to cite, or nothing.
    pub(super) url: String,
    pub(super) person: String,
    pub(super) language: Option<String>,
    title_words: Words,
    text_words: Words,
}

/// The words of a text.
#[derive(Debug)]
struct Words {
    /// How often each word occurs.
    counts: BTreeMap<String, u32>,
    /// The number of words.
    length: usize,
}

/// The documents in all languages. They are indexed when they are first searched.
#[derive(Debug)]
pub(super) struct SearchIndex {
    content: Arc<Localized>,
    documents: Arc<ByLanguage<Documents>>,
    public_url: Option<String>,
    entries: OnceLock<Vec<Entry>>,
}

impl SearchIndex {
    /// Creates the index of these documents; `public_url` is the base URL of the endpoint.
    pub(super) fn new(
        content: &Arc<Localized>,
        documents: &Arc<ByLanguage<Documents>>,
        public_url: Option<String>,
    ) -> Self {
        Self {
            content: Arc::clone(content),
            documents: Arc::clone(documents),
            public_url,
            entries: OnceLock::new(),
        }
    }

    /// Returns the document with this id.
    ///
    /// # Errors
    ///
    /// The documents cannot be written.
    pub(super) fn get(&self, id: &str) -> Result<Option<&Entry>, serde_json::Error> {
        Ok(self.entries()?.iter().find(|entry| entry.id == id))
    }

    /// Returns the documents that contain any word of a query, best first.
    ///
    /// # Errors
    ///
    /// The documents cannot be written.
    pub(super) fn search(&self, query: &str) -> Result<Vec<&Entry>, serde_json::Error> {
        let entries = self.entries()?;
        let mut wanted: Vec<String> = Vec::new();
        for word in words(query) {
            if wanted.len() < MAX_QUERY_WORDS && !wanted.contains(&word) {
                wanted.push(word);
            }
        }
        let mut scores = vec![0.0; entries.len()];
        let words = entries.iter().map(|entry| entry.text_words.length).sum();
        let average = ratio(words, entries.len().max(1)).max(1.0);
        for word in &wanted {
            let weight = |entry: &Entry| entry.weight(word, average);
            let found: Vec<f64> = entries.iter().map(weight).collect();
            let count = found.iter().filter(|weight| **weight > 0.0).count();
            let rarity = (1.0 + ratio(entries.len(), count.max(1))).ln();
            for (score, weight) in scores.iter_mut().zip(found) {
                *score += weight * rarity;
            }
        }
        let mut ranked: Vec<(f64, &Entry)> = scores.into_iter().zip(entries).collect();
        ranked.retain(|(score, _)| *score > 0.0);
        // A stable sort: equal documents stay in the order of the résumé.
        ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        Ok(ranked.into_iter().map(|(_, entry)| entry).collect())
    }

    fn entries(&self) -> Result<&[Entry], serde_json::Error> {
        if let Some(entries) = self.entries.get() {
            return Ok(entries);
        }
        let mut entries = Vec::new();
        for (at, content) in self.content.contents().enumerate() {
            let documents = self.documents.get(content.language.as_deref())?;
            let prefix = match (at, content.language.as_deref()) {
                (0, _) | (_, None) => String::new(),
                (_, Some(language)) => format!("{language}/"),
            };
            let page = self.page(content);
            sections(content, documents, &prefix, &page, &mut entries);
            projects(content, documents, &prefix, &page, &mut entries);
        }
        Ok(self.entries.get_or_init(|| entries))
    }

    /// The public page about the person: the home page, the newest version of the résumé, or the
    /// document that describes this server.
    fn page(&self, content: &Content) -> String {
        let own = content.website_url().or_else(|| content.canonical_url());
        let card = { self.public_url.as_ref() }.map(|base| format!("{base}/mcp/server-card"));
        own.map(str::to_owned).or(card).unwrap_or_default()
    }
}

fn ratio(a: usize, b: usize) -> f64 {
    let float = |number: usize| u32::try_from(number).map_or(f64::MAX, f64::from);
    float(a) / float(b)
}

fn sections(
    content: &Content,
    documents: &Documents,
    prefix: &str,
    page: &str,
    entries: &mut Vec<Entry>,
) {
    let texts = &documents.of(Form::Markdown).sections;
    let person = one_line(&content.person());
    for part in Part::ALL {
        let Some(text) = texts.get(part.name()) else {
            continue;
        };
        entries.push(Entry {
            id: format!("{prefix}{}/{}", Kind::Section.as_str(), part.name()),
            kind: Kind::Section,
            title: format!("{} – {person}", part.title()),
            text: Arc::clone(text),
            url: page.to_owned(),
            person: person.clone(),
            language: content.language.clone(),
            title_words: Words::of(part.title()),
            text_words: Words::of(text),
        });
    }
}

fn projects(
    content: &Content,
    documents: &Documents,
    prefix: &str,
    page: &str,
    entries: &mut Vec<Entry>,
) {
    let texts = &documents.of(Form::Markdown).projects;
    let urls = documents.project_urls();
    let person = one_line(&content.person());
    for name in texts.names() {
        let Some(text) = texts.get(name) else {
            continue;
        };
        let url = urls.get(name).map(String::as_str);
        entries.push(Entry {
            id: format!("{prefix}{}/{name}", Kind::Project.as_str()),
            kind: Kind::Project,
            title: format!("{} – {person}", one_line(name)),
            text: Arc::clone(text),
            url: url.unwrap_or(page).to_owned(),
            person: person.clone(),
            language: content.language.clone(),
            title_words: Words::of(name),
            text_words: Words::of(text),
        });
    }
}

impl Entry {
    /// How much a word says about this document; 0 if it does not contain it. `average` is the average
    /// number of words of a document.
    fn weight(&self, word: &str, average: f64) -> f64 {
        let title = self.title_words.count(word).min(1.0);
        let count = self.text_words.count(word);
        let length = ratio(self.text_words.length, 1) / average;
        let norm = SATURATION * (1.0 - LENGTH + LENGTH * length);
        IN_TITLE * title + count * (SATURATION + 1.0) / (count + norm)
    }
}

impl Words {
    fn of(text: &str) -> Self {
        let mut counted = Self {
            counts: BTreeMap::new(),
            length: 0,
        };
        for word in words(text) {
            counted.length += 1;
            *counted.counts.entry(word).or_default() += 1;
        }
        counted
    }

    /// How often a word occurs. The start of a longer word counts less.
    fn count(&self, word: &str) -> f64 {
        if let Some(count) = self.counts.get(word) {
            return f64::from(*count);
        }
        if word.chars().count() < MIN_PREFIX_CHARS {
            return 0.0;
        }
        let longer = (Bound::Excluded(word), Bound::Unbounded);
        let mut longer = self.counts.range::<str, _>(longer);
        let first = longer.next().filter(|(longer, _)| longer.starts_with(word));
        first.map_or(0.0, |(_, count)| AS_PREFIX * f64::from(*count))
    }
}

/// Returns the words of a text, without case and accents. Each character of a script that is written
/// without spaces is a word.
fn words(text: &str) -> impl Iterator<Item = String> {
    let folded = DecomposingNormalizerBorrowed::new_nfkd().normalize_iter(text.chars());
    let mut folded = folded
        .filter(|c| !is_mark(*c))
        .flat_map(char::to_lowercase)
        .peekable();
    std::iter::from_fn(move || {
        let mut word = String::new();
        while let Some(c) = folded.peek().copied() {
            if is_ideograph(c) {
                if word.is_empty() {
                    let _ = folded.next();
                    word.push(c);
                }
                break;
            }
            // `C++` and `C#` are words.
            let is_part = c.is_alphanumeric() || (!word.is_empty() && matches!(c, '+' | '#'));
            if !is_part && !word.is_empty() {
                break;
            }
            let _ = folded.next();
            if is_part {
                word.push(c);
            }
        }
        (!word.is_empty()).then_some(word)
    })
}

const fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}')
}

const fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests;
