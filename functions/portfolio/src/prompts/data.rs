//! [`PromptData`]: what the prompts take from the content.

use std::future::{Ready, ready};
use std::sync::Arc;

use crate::content::{ByLanguage, Content, Localized, Switch};
use crate::markdown::one_line;
use crate::resources::{Documents, Form};

/// What the prompts take from the content in each language, read on first need.
#[derive(Debug, Clone)]
pub(crate) struct Editions {
    content: Arc<Localized>,
    data: Arc<ByLanguage<PromptData>>,
}

impl Editions {
    /// Creates the editions of a content with its documents.
    pub(crate) fn new(content: &Arc<Localized>, documents: &Arc<ByLanguage<Documents>>) -> Self {
        let documents = Arc::clone(documents);
        let data = ByLanguage::new(content, move |content| {
            let documents = documents.get(content.language.as_deref())?;
            Ok(PromptData::new(
                content,
                &documents.of(Form::Markdown).whole,
            ))
        });
        Self {
            content: Arc::clone(content),
            data: Arc::new(data),
        }
    }

    /// Returns the content.
    pub(super) const fn content(&self) -> &Arc<Localized> {
        &self.content
    }

    /// Returns the edition for a language range.
    ///
    /// # Errors
    ///
    /// The documents cannot be written.
    pub(super) fn get(&self, language: Option<&str>) -> Result<&PromptData, serde_json::Error> {
        self.data.get(language)
    }

    /// Returns a handler that completes an argument, in the default language.
    pub(super) fn completed(
        &self,
        values: fn(&PromptData) -> &Vec<String>,
    ) -> impl Fn() -> Ready<Vec<String>> + Send + Sync + 'static {
        let editions = self.clone();
        move || {
            // Documents that cannot be written suggest nothing.
            let data = editions.get(None);
            ready(data.map_or_else(|_| Vec::new(), |data| values(data).clone()))
        }
    }
}

/// The published content as the prompts use it.
#[derive(Debug)]
pub(crate) struct PromptData {
    /// The whole résumé as Markdown.
    pub(super) document: Arc<str>,
    /// The person's name.
    pub(super) person: String,
    /// How a message can be sent, in one or more sentences.
    pub(super) reach: String,
    /// The contact details that the person has but does not publish, in words.
    pub(super) unpublished: Option<String>,
    /// Suggested topics of an interview: skills, projects, employers.
    pub(super) topics: Vec<String>,
    /// Suggested reasons to write to the person.
    pub(super) occasions: Vec<String>,
}

impl PromptData {
    /// Reads the content; `document` is the whole résumé as Markdown.
    pub(crate) fn new(content: &Content, document: &Arc<str>) -> Self {
        Self {
            document: Arc::clone(document),
            person: one_line(&content.person()),
            reach: reach(content),
            unpublished: unpublished(content),
            topics: topics(content),
            occasions: occasions(content),
        }
    }
}

fn reach(content: &Content) -> String {
    let words = &content.profile.contact;
    let basics = content.resume.basics.as_ref();
    let ways = [
        words.url.as_ref(),
        basics.and_then(|basics| basics.email.as_ref()),
        basics.and_then(|basics| basics.phone.as_ref()),
    ];
    let ways: Vec<String> = ways
        .into_iter()
        .flatten()
        .map(|way| one_line(way))
        .collect();
    let mut sentences = Vec::new();
    if ways.is_empty() {
        sentences.push(
            "No contact details are published: say that the requester must already have a way to \
             send the message."
                .to_owned(),
        );
    } else {
        sentences.push(format!("The message can be sent to: {}.", ways.join(", ")));
    }
    let asked = [
        ("Preferred way", &words.preferred),
        ("What a message should contain", &words.note),
    ];
    for (name, text) in asked {
        if let Some(text) = text {
            let text = one_line(text);
            let stop = if text.ends_with(['.', '!', '?']) {
                ""
            } else {
                "."
            };
            sentences.push(format!("{name}: {text}{stop}"));
        }
    }
    sentences.join(" ")
}

fn unpublished(content: &Content) -> Option<String> {
    let kinds = content.withheld.iter().map(|kind| match kind {
        Switch::Email => "an e-mail address",
        Switch::Phone => "a phone number",
        Switch::Address => "a street address",
        Switch::ReferenceContacts => "contact details of the people who give references",
    });
    let kinds: Vec<&str> = kinds.collect();
    (!kinds.is_empty()).then(|| kinds.join(", "))
}

fn topics(content: &Content) -> Vec<String> {
    let resume = &content.resume;
    let skills = resume.skills.iter().flatten();
    let skills = skills.flat_map(|skill| skill.name.iter().chain(skill.keywords.iter().flatten()));
    let projects = resume.projects.iter().flatten();
    let jobs = resume.work.iter().flatten();
    let all = skills
        .chain(projects.filter_map(|project| project.name.as_ref()))
        .chain(jobs.filter_map(|job| job.name.as_ref()));
    distinct(all)
}

fn occasions(content: &Content) -> Vec<String> {
    let kinds = &content.profile.availability.kinds;
    distinct(content.profile.capabilities.hire_for.iter().chain(kinds))
}

fn distinct<'t>(texts: impl Iterator<Item = &'t String>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for text in texts.map(|text| one_line(text)) {
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    distinct
}
