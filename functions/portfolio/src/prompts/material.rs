//! What the prompts know of the content besides the document itself.

use crate::content::Content;
use crate::markdown::one_line;

/// Words and names out of the published content.
#[derive(Debug)]
pub(crate) struct Material {
    /// The person's name.
    pub(super) person: String,
    /// How to make contact, as a sentence.
    pub(super) reach: String,
    /// What the person has and does not publish, in words.
    pub(super) unpublished: Option<String>,
    /// What an interview can turn on: skills, projects, employers.
    pub(super) topics: Vec<String>,
    /// What one can write to the person about.
    pub(super) occasions: Vec<String>,
}

impl Material {
    /// Gathers it.
    pub(crate) fn new(content: &Content) -> Self {
        Self {
            person: one_line(&content.person()),
            reach: reach(content),
            unpublished: unpublished(content),
            topics: topics(content),
            occasions: occasions(content),
        }
    }

    /// All that a prompt may show of it.
    #[cfg(test)]
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let single = [&self.person, &self.reach].into_iter();
        let lists = self.topics.iter().chain(&self.occasions);
        single
            .chain(&self.unpublished)
            .chain(lists)
            .map(String::as_str)
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
            "No address is published; say that the message has to be sent by a way that the \
             requester already has."
                .to_owned(),
        );
    } else {
        sentences.push(format!("It can be sent by: {}.", ways.join(", ")));
    }
    let asked = [
        ("Preferred", &words.preferred),
        ("Asked of a message", &words.note),
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
    let kinds = content.withheld.iter().filter_map(|kind| match *kind {
        "email" => Some("an e-mail address"),
        "phone" => Some("a phone number"),
        "address" => Some("a street address"),
        "reference_contacts" => Some("how to reach the people who recommend"),
        _ => None,
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
