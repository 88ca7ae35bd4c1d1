//! What the resources hold: the résumé as Markdown and as JSON, whole, by section and by project.
//!
//! ```text
//! resume://markdown                        resume://json
//! resume://markdown/sections/{section}     resume://json/sections/{section}
//! resume://markdown/projects/{project}     resume://json/projects/{project}
//! ```
//!
//! A section is there if the person has written it. A project goes by its name, percent-encoded; of
//! two with one name the second is `name (2)`. Names are found in whatever case.

use std::sync::Arc;

use crate::content::{Content, ListedProject, Section};
use crate::markdown::{self, Part};

/// The form of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Markdown,
    Json,
}

impl Form {
    /// Its media type.
    pub(crate) const fn mime_type(self) -> &'static str {
        match self {
            Self::Markdown => "text/markdown",
            Self::Json => "application/json",
        }
    }

    /// The URI of the whole document in this form.
    pub(crate) const fn uri(self) -> &'static str {
        match self {
            Self::Markdown => "resume://markdown",
            Self::Json => "resume://json",
        }
    }
}

/// All documents of one kind, by name, in the order in which they are offered.
#[derive(Debug)]
pub(crate) struct Shelf(Vec<(String, Arc<str>)>);

impl Shelf {
    /// The document of a name; in whatever case, if none has it as written.
    pub(crate) fn get(&self, name: &str) -> Option<&Arc<str>> {
        let folded = name.to_lowercase();
        let exact = self.0.iter().find(|(known, _)| known == name);
        let found = exact.or_else(|| {
            let mut known = self.0.iter();
            known.find(|(known, _)| known.to_lowercase() == folded)
        });
        found.map(|(_, text)| text)
    }

    /// The names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

/// The documents in one form.
#[derive(Debug)]
pub(crate) struct Edition {
    pub(crate) whole: Arc<str>,
    pub(crate) sections: Shelf,
    pub(crate) projects: Shelf,
}

/// All documents.
#[derive(Debug)]
pub(crate) struct Documents {
    pub(crate) markdown: Edition,
    pub(crate) json: Edition,
}

impl Documents {
    /// Writes them; the projects come in the order in which they are offered.
    ///
    /// # Errors
    ///
    /// A value cannot be written as JSON.
    pub(crate) fn new(
        content: &Content,
        projects: &[ListedProject],
    ) -> Result<Self, serde_json::Error> {
        let names = names(projects);
        let part = |part: Part| {
            let text = markdown::part(part, content, projects)?;
            Some((part.name().to_owned(), text.into()))
        };
        let markdown = Edition {
            whole: markdown::document(content, projects).into(),
            sections: Shelf(Part::ALL.into_iter().filter_map(part).collect()),
            projects: shelf(&names, |project| Ok(markdown::project(content, project)))?,
        };
        let mut sections = Vec::new();
        for section in Section::ALL {
            if section.entries(&content.resume) > 0 {
                let document = serde_json::to_string(&section.cut_from(&content.resume))?;
                sections.push((section.name().to_owned(), document.into()));
            }
        }
        let json = Edition {
            whole: serde_json::to_string(&content.resume)?.into(),
            sections: Shelf(sections),
            projects: shelf(&names, serde_json::to_string)?,
        };
        Ok(Self { markdown, json })
    }

    /// The documents in a form.
    pub(crate) const fn edition(&self, form: Form) -> &Edition {
        match form {
            Form::Markdown => &self.markdown,
            Form::Json => &self.json,
        }
    }
}

/// The projects that have a name, each with one that no other has.
fn names(projects: &[ListedProject]) -> Vec<(String, &ListedProject)> {
    let mut names: Vec<(String, &ListedProject)> = Vec::with_capacity(projects.len());
    for listed in projects {
        let Some(name) = listed.project.name.as_deref() else {
            continue;
        };
        let is_free = |name: &String| names.iter().all(|(known, _)| known != name);
        let numbered = (2..).map(|number| format!("{name} ({number})"));
        let mut names_to_try = std::iter::once(name.to_owned()).chain(numbered);
        if let Some(name) = names_to_try.find(is_free) {
            names.push((name, listed));
        }
    }
    names
}

fn shelf(
    names: &[(String, &ListedProject)],
    write: impl Fn(&ListedProject) -> Result<String, serde_json::Error>,
) -> Result<Shelf, serde_json::Error> {
    let written = names
        .iter()
        .map(|(name, project)| Ok((name.clone(), write(project)?.into())));
    written.collect::<Result<_, _>>().map(Shelf)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::content::content_of;

    fn documents(resume: &Value, profile: &str) -> Documents {
        let content = content_of(resume, profile);
        Documents::new(&content, &content.listed_projects()).unwrap()
    }

    #[test]
    fn each_written_section_and_each_named_project_is_there_in_both_forms() {
        let documents = documents(
            &json!({
                "basics": {"name": "A"}, "work": [], "skills": [{"name": "S"}], "meta": {"theme": "t"},
                "projects": [{"name": "One"}, {"name": "Two"}, {"description": "x"}, {"name": "One"},
                    {"name": "One (2)"}]
            }),
            "[projects]\nfeatured = [\"Two\"]\n[availability]\nnotice = \"n\"",
        );
        let names = |shelf: &Shelf| shelf.names().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            names(&documents.markdown.sections),
            ["availability", "projects", "skills"]
        );
        assert_eq!(
            names(&documents.json.sections),
            ["basics", "skills", "projects", "meta"]
        );
        for edition in [&documents.markdown, &documents.json] {
            assert_eq!(
                names(&edition.projects),
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
    fn names_are_found_in_whatever_case_and_exactly_first() {
        let shelf = Shelf(vec![
            ("rust".to_owned(), "1".into()),
            ("Rust".to_owned(), "2".into()),
        ]);
        assert_eq!(shelf.get("Rust").map(|text| &**text), Some("2"));
        assert_eq!(shelf.get("RUST").map(|text| &**text), Some("1"));
        assert_eq!(shelf.get("rus"), None);
    }
}
