//! The sections of a résumé that are lists: each entry as blocks, or as one line where it is short.

use super::block::Block;
use super::builder::{Blocks, linked, listed, period, shown, some};
use super::text::inline;
use crate::content::resume::{
    Award, Certificate, Education, Interest, Language, Project, Publication, Reference, Resume,
    Skill, Volunteer, Work,
};

/// The blocks of all entries of a list.
fn each<T>(entries: Option<&[T]>, write: impl Fn(&T, &mut Blocks)) -> Vec<Block> {
    let mut blocks = Blocks::default();
    entries
        .into_iter()
        .flatten()
        .for_each(|entry| write(entry, &mut blocks));
    blocks.into_inner()
}

/// What an entry is called: the parts that are there, or the kind of thing that it is.
fn title(parts: &[Option<&String>], kind: &str) -> String {
    let parts: Vec<&str> = parts.iter().flatten().map(|part| part.as_str()).collect();
    if parts.is_empty() {
        kind.to_owned()
    } else {
        parts.join(", ")
    }
}

pub(super) fn work(resume: &Resume) -> Vec<Block> {
    each(resume.work.as_deref(), |job: &Work, blocks| {
        blocks.heading(&title(&[job.position.as_ref(), job.name.as_ref()], "A job"));
        blocks.facts([
            period(job.start_date.as_ref(), job.end_date.as_ref()),
            some(job.location.as_ref()),
            linked(job.url.as_ref()),
        ]);
        blocks.text(job.summary.as_deref());
        blocks.points(job.highlights.as_deref());
        blocks.named([("Employer", some(job.description.as_ref()))], &job.extra);
    })
}

pub(super) fn volunteer(resume: &Resume) -> Vec<Block> {
    each(resume.volunteer.as_deref(), |post: &Volunteer, blocks| {
        let names = [post.position.as_ref(), post.organization.as_ref()];
        blocks.heading(&title(&names, "A volunteer position"));
        blocks.facts([
            period(post.start_date.as_ref(), post.end_date.as_ref()),
            linked(post.url.as_ref()),
        ]);
        blocks.text(post.summary.as_deref());
        blocks.points(post.highlights.as_deref());
        blocks.named([], &post.extra);
    })
}

pub(super) fn education(resume: &Resume) -> Vec<Block> {
    each(resume.education.as_deref(), |study: &Education, blocks| {
        let names = [
            study.study_type.as_ref(),
            study.area.as_ref(),
            study.institution.as_ref(),
        ];
        blocks.heading(&title(&names, "An education"));
        blocks.facts([
            period(study.start_date.as_ref(), study.end_date.as_ref()),
            linked(study.url.as_ref()),
        ]);
        blocks.named(
            [
                ("Grade", some(study.score.as_ref())),
                ("Courses", listed(study.courses.as_deref())),
            ],
            &study.extra,
        );
    })
}

pub(super) fn awards(resume: &Resume) -> Vec<Block> {
    each(resume.awards.as_deref(), |award: &Award, blocks| {
        blocks.heading(&title(&[award.title.as_ref()], "An award"));
        blocks.facts([some(award.date.as_ref()), some(award.awarder.as_ref())]);
        blocks.text(award.summary.as_deref());
        blocks.named([], &award.extra);
    })
}

pub(super) fn certificates(resume: &Resume) -> Vec<Block> {
    let certificates = resume.certificates.as_deref();
    each(certificates, |certificate: &Certificate, blocks| {
        blocks.heading(&title(&[certificate.name.as_ref()], "A certificate"));
        blocks.facts([
            some(certificate.date.as_ref()),
            some(certificate.issuer.as_ref()),
            linked(certificate.url.as_ref()),
        ]);
        blocks.named([], &certificate.extra);
    })
}

pub(super) fn publications(resume: &Resume) -> Vec<Block> {
    let publications = resume.publications.as_deref();
    each(publications, |publication: &Publication, blocks| {
        blocks.heading(&title(&[publication.name.as_ref()], "A publication"));
        blocks.facts([
            some(publication.release_date.as_ref()),
            some(publication.publisher.as_ref()),
            linked(publication.url.as_ref()),
        ]);
        blocks.text(publication.summary.as_deref());
        blocks.named([], &publication.extra);
    })
}

pub(super) fn references(resume: &Resume) -> Vec<Block> {
    each(resume.references.as_deref(), |said: &Reference, blocks| {
        blocks.heading(&title(&[said.name.as_ref()], "A reference"));
        blocks.text(said.reference.as_deref());
        blocks.named([], &said.extra);
    })
}

pub(super) fn skills(skills: Option<&[Skill]>) -> Vec<Block> {
    lines(skills, |skill: &Skill| Line {
        name: skill.name.as_ref(),
        note: skill.level.as_ref(),
        words: skill.keywords.as_deref(),
        extra: &skill.extra,
    })
}

pub(super) fn languages(languages: Option<&[Language]>) -> Vec<Block> {
    lines(languages, |language: &Language| Line {
        name: language.language.as_ref(),
        note: language.fluency.as_ref(),
        words: None,
        extra: &language.extra,
    })
}

pub(super) fn interests(interests: Option<&[Interest]>) -> Vec<Block> {
    lines(interests, |interest: &Interest| Line {
        name: interest.name.as_ref(),
        note: None,
        words: interest.keywords.as_deref(),
        extra: &interest.extra,
    })
}

/// An entry that fits into one line.
struct Line<'r> {
    name: Option<&'r String>,
    note: Option<&'r String>,
    words: Option<&'r [String]>,
    extra: &'r serde_json::Map<String, serde_json::Value>,
}

fn lines<T>(entries: Option<&[T]>, read: impl Fn(&T) -> Line<'_>) -> Vec<Block> {
    let line = |entry: &T| {
        let line = read(entry);
        let note = line.note.map(|note| format!("({})", inline(note)));
        let name = line.name.map(|name| format!("**{}**", inline(name)));
        let head: Vec<String> = name.into_iter().chain(note).collect();
        let more = shown(&serde_json::Value::Object(line.extra.clone()));
        let tail: Vec<String> = listed(line.words)
            .into_iter()
            .chain((!more.is_empty()).then_some(more))
            .collect();
        let (head, tail) = (head.join(" "), tail.join("; "));
        if head.is_empty() || tail.is_empty() {
            head + &tail
        } else {
            format!("{head}: {tail}")
        }
    };
    let mut blocks = Blocks::default();
    blocks.bullets(entries.into_iter().flatten().map(line).collect());
    blocks.into_inner()
}

/// The blocks of one project, without its name.
pub(super) fn project(project: &Project, is_featured: bool, blocks: &mut Blocks) {
    blocks.facts([
        is_featured.then(|| "featured".to_owned()),
        period(project.start_date.as_ref(), project.end_date.as_ref()),
        some(project.r#type.as_ref()),
        linked(project.url.as_ref()),
    ]);
    blocks.text(project.description.as_deref());
    blocks.points(project.highlights.as_deref());
    blocks.named(
        [
            ("Roles", listed(project.roles.as_deref())),
            ("For", some(project.entity.as_ref())),
            (
                "Technologies and topics",
                listed(project.keywords.as_deref()),
            ),
        ],
        &project.extra,
    );
}

/// What a project is called.
pub(super) fn project_title(project: &Project) -> String {
    title(&[project.name.as_ref()], "A project")
}
