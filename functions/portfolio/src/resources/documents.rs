//! The documents that the resources serve: the résumé as Markdown and as JSON, whole, by section
//! and by project.
//!
//! ```text
//! resume://markdown                        resume://json
//! resume://markdown/sections/{section}     resume://json/sections/{section}
//! resume://markdown/projects/{project}     resume://json/projects/{project}
//! ```
//!
//! A section has a document if it has entries. A project is identified by its name, percent-encoded
//! in the URI; the second project of the same name is `name (2)`. Lookup ignores case.
//!
//! If the content has several languages, each of these has a form with the language as well:
//! `resume://markdown/languages/{language}/sections/{section}`.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use crate::content::{Content, ListedProject, Section, is_web_uri};
use crate::markdown::{self, Part};

/// The format of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Markdown,
    Json,
}

impl Form {
    /// Returns the media type.
    pub(crate) const fn mime_type(self) -> &'static str {
        match self {
            Self::Markdown => "text/markdown",
            Self::Json => "application/json",
        }
    }

    /// Returns the URI of the whole résumé in this format.
    pub(crate) const fn uri(self) -> &'static str {
        match self {
            Self::Markdown => "resume://markdown",
            Self::Json => "resume://json",
        }
    }
}

/// Documents of one kind, each with its name, in the order in which clients see them.
#[derive(Debug)]
pub(crate) struct NamedDocuments(Vec<(String, Arc<str>)>);

impl NamedDocuments {
    /// Returns the document with this name. An exact match wins over one that differs in case.
    pub(crate) fn get(&self, name: &str) -> Option<&Arc<str>> {
        let folded = name.to_lowercase();
        let exact = self.0.iter().find(|(known, _)| known == name);
        let found = exact.or_else(|| {
            let mut known = self.0.iter();
            known.find(|(known, _)| known.to_lowercase() == folded)
        });
        found.map(|(_, text)| text)
    }

    /// Returns the names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

/// The documents in one format.
#[derive(Debug)]
pub(crate) struct DocumentSet {
    pub(crate) whole: Arc<str>,
    pub(crate) sections: Arc<NamedDocuments>,
    pub(crate) projects: Arc<NamedDocuments>,
}

/// All documents.
#[derive(Debug)]
pub(crate) struct Documents {
    markdown: DocumentSet,
    json: DocumentSet,
    project_urls: BTreeMap<String, String>,
}

impl Documents {
    /// Writes the documents.
    ///
    /// # Errors
    ///
    /// A value cannot be serialized.
    pub(crate) fn new(content: &Content) -> Result<Self, serde_json::Error> {
        let projects = &content.listed_projects();
        let names = names(projects);
        let part = |part: Part| {
            let text = markdown::part(part, content, projects)?;
            Some((part.name().to_owned(), text.into()))
        };
        let sections = Part::ALL.into_iter().filter_map(part).collect();
        let markdown = DocumentSet {
            whole: markdown::document(content, projects).into(),
            sections: Arc::new(NamedDocuments(sections)),
            projects: named(&names, |project| Ok(markdown::project(content, project)))?,
        };
        let mut sections = Vec::new();
        for section in Section::ALL {
            if section.entries(&content.resume) > 0 {
                let document = serde_json::to_string(&section.cut_from(&content.resume))?;
                sections.push((section.name().to_owned(), document.into()));
            }
        }
        let json = DocumentSet {
            whole: serde_json::to_string(&content.resume)?.into(),
            sections: Arc::new(NamedDocuments(sections)),
            projects: named(&names, |project| serde_json::to_string(project))?,
        };
        let project_urls = names.iter().filter_map(|(name, listed)| {
            let url = listed
                .project
                .url
                .as_deref()
                .filter(|url| is_web_uri(url))?;
            Some((name.clone(), url.to_owned()))
        });
        Ok(Self {
            markdown,
            json,
            project_urls: project_urls.collect(),
        })
    }

    /// Returns the URLs of the projects that have one, by the name of the project.
    pub(crate) const fn project_urls(&self) -> &BTreeMap<String, String> {
        &self.project_urls
    }

    /// Returns the documents in this format.
    pub(crate) const fn of(&self, form: Form) -> &DocumentSet {
        match form {
            Form::Markdown => &self.markdown,
            Form::Json => &self.json,
        }
    }
}

/// Returns the projects that have a name, each with a unique name.
fn names<'p, 'c>(projects: &'p [ListedProject<'c>]) -> Vec<(String, &'p ListedProject<'c>)> {
    let mut names = Vec::with_capacity(projects.len());
    let mut taken: HashSet<String> = HashSet::with_capacity(projects.len());
    for listed in projects {
        let Some(name) = listed.project.name.as_deref() else {
            continue;
        };
        let numbered = (2..).map(|number| format!("{name} ({number})"));
        let mut names_to_try = std::iter::once(name.to_owned()).chain(numbered);
        if let Some(name) = names_to_try.find(|name| !taken.contains(name)) {
            taken.insert(name.clone());
            names.push((name, listed));
        }
    }
    names
}

fn named(
    names: &[(String, &ListedProject<'_>)],
    write: impl Fn(&ListedProject<'_>) -> Result<String, serde_json::Error>,
) -> Result<Arc<NamedDocuments>, serde_json::Error> {
    let written = names
        .iter()
        .map(|(name, project)| Ok((name.clone(), write(project)?.into())));
    let documents = written.collect::<Result<_, _>>()?;
    Ok(Arc::new(NamedDocuments(documents)))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::content::content_of;

    fn documents(resume: &Value, profile: &str) -> Documents {
        Documents::new(&content_of(resume, profile)).unwrap()
    }

    #[test]
    fn each_section_with_entries_and_each_named_project_has_a_document_in_both_formats() {
        let documents = documents(
            &json!({
                "basics": {"name": "A"}, "work": [], "skills": [{"name": "S"}], "meta": {"theme": "t"},
                "projects": [{"name": "One"}, {"name": "Two"}, {"description": "x"}, {"name": "One"},
                    {"name": "One (2)"}]
            }),
            "[projects]\nfeatured = [\"Two\"]\n[availability]\nnotice = \"n\"",
        );
        let names =
            |documents: &NamedDocuments| documents.names().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            names(&documents.markdown.sections),
            ["availability", "projects", "skills"]
        );
        assert_eq!(
            names(&documents.json.sections),
            ["basics", "skills", "projects", "meta"]
        );
        for set in [&documents.markdown, &documents.json] {
            assert_eq!(
                names(&set.projects),
                ["Two", "One", "One (2)", "One (2) (2)"]
            );
        }
        let read = |text: &Arc<str>| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(
            read(documents.json.sections.get("skills").unwrap()),
            json!({"skills": [{"name": "S"}]})
        );
        assert_eq!(
            read(documents.json.projects.get("Two").unwrap()),
            json!({"featured": true, "name": "Two"})
        );
    }

    #[test]
    fn lookup_ignores_case_and_prefers_an_exact_match() {
        let documents = NamedDocuments(vec![
            ("rust".to_owned(), "1".into()),
            ("Rust".to_owned(), "2".into()),
        ]);
        assert_eq!(documents.get("Rust").map(|text| &**text), Some("2"));
        assert_eq!(documents.get("RUST").map(|text| &**text), Some("1"));
        assert_eq!(documents.get("rus"), None);
    }
}
