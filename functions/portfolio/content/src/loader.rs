//! The way from the owner's files to [`Localized`].

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::accent;
use super::advice;
use super::cross_checks;
use super::data_urls;
use super::document;
use super::edition::{self, Edition, Resume};
use super::finding::{FileReport, Report};
use super::icon;
use super::localized::{Content, Localized};
use super::normalize::{self, Context, Policy};
use super::place::Place;
use super::privacy::{
    PrivateMember, PrivateMembers, Publish, Redactor, Switch, check_also, withhold,
};
use super::profile::Profile;
use super::profile_file;
use super::profile_shape::PROFILE;
use super::resume as served;
use super::resume_shape::RESUME;
use super::source::{Source, Sources};
use super::well_known;

/// What was read.
#[derive(Debug)]
pub struct Loaded {
    /// The content. `None` if the report has errors.
    pub content: Option<Localized>,
    /// The findings.
    pub report: Report,
    /// What is withheld, and what of it the owner publishes.
    pub members: PrivateMembers,
    /// Where a withheld value recurred and was removed, as file and place.
    pub removed: Vec<String>,
}

/// Reads the files. A check also reports suggestions and what is withheld, which takes longer.
pub(crate) fn load(sources: &Sources, is_check: bool) -> Loaded {
    let mut loader = Loader {
        sources,
        is_check,
        report: Report::default(),
        members: PrivateMembers::default(),
        removed: Vec::new(),
        icon: None,
        picture: None,
    };
    let content = loader.content();
    let Loader {
        report,
        members,
        removed,
        ..
    } = loader;
    Loaded {
        content: content.filter(|_| !report.has_errors()),
        report,
        members,
        removed,
    }
}

struct Loader<'s> {
    sources: &'s Sources,
    is_check: bool,
    report: Report,
    members: PrivateMembers,
    removed: Vec<String>,
    /// The icon, if `profile.toml` has it as a `data:` URL.
    icon: Option<String>,
    /// The same of the picture on the page.
    picture: Option<String>,
}

impl Loader<'_> {
    fn content(&mut self) -> Option<Localized> {
        for (file, message) in &self.sources.ignored {
            FileReport::json(file, &mut self.report).warning(Place::Root, message.as_str());
        }
        let well_known = well_known::read_all(self.sources, &mut self.report);
        let mut profile = self.profile();
        if let Some(profile) = &mut profile {
            let file = &self.sources.profile.name;
            let mut report = FileReport::toml(file, &mut self.report);
            self.icon = icon::take(profile, ("server", "icon"), &mut report);
            self.picture = icon::take(profile, ("page", "picture"), &mut report);
            accent::check(profile, &mut report);
        }
        let language = profile.as_ref().and_then(|profile| {
            let file = &self.sources.profile.name;
            profile_file::language(profile, &mut FileReport::toml(file, &mut self.report))
        });
        let resumes = self.resumes(language.as_deref());
        let (profile, resumes) = (profile?, resumes?);
        let publish = Publish::read(&profile);
        let mut editions = edition::editions(resumes, profile, language);
        self.prepare(&mut editions, &publish);
        self.redact(&mut editions);
        let contents = editions
            .into_iter()
            .map(|edition| self.typed(edition, &publish));
        let contents = contents.collect::<Option<Vec<_>>>()?;
        Localized::new(contents, well_known)
    }

    /// Reads the profile. A missing one is empty.
    fn profile(&mut self) -> Option<Map<String, Value>> {
        let Source { name, bytes } = &self.sources.profile;
        let mut report = FileReport::toml(name, &mut self.report);
        match bytes {
            Ok(bytes) => profile_file::read(bytes, &mut report),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let message = "does not exist; contact data is withheld, availability is unknown";
                report.warning(Place::Root, message);
                Some(Map::new())
            }
            Err(error) => {
                report.error(Place::Root, format!("cannot be read: {error}"));
                None
            }
        }
    }

    /// Reads the résumés, the default one first. Without `resume.json` that is the translation in
    /// the declared language, else the first one.
    fn resumes(&mut self, declared: Option<&str>) -> Option<Vec<Resume>> {
        let Sources {
            resume,
            translations,
            ..
        } = self.sources;
        let is_missing = |source: &Source| {
            let error = source.bytes.as_ref().err();
            error.is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound)
        };
        let mut files: Vec<(Option<&str>, &Source)> = Vec::new();
        if !is_missing(resume) || translations.is_empty() {
            files.push((None, resume));
        }
        let named = translations
            .iter()
            .map(|(language, source)| (Some(language.as_str()), source));
        files.extend(named);
        if let Some(main) = files.iter().position(|(language, _)| {
            files.first().is_some_and(|(first, _)| first.is_some()) && *language == declared
        }) {
            files.swap(0, main);
        }
        let read = files.into_iter().map(|(language, source)| {
            Some(Resume {
                file: source.name.clone(),
                language: language.map(str::to_owned),
                document: self.resume(source)?,
            })
        });
        let read: Vec<Option<Resume>> = read.collect();
        read.into_iter().collect()
    }

    fn resume(&mut self, source: &Source) -> Option<Map<String, Value>> {
        let mut report = FileReport::json(&source.name, &mut self.report);
        match &source.bytes {
            Ok(bytes) => document::read(bytes, &mut report),
            Err(error) => {
                report.error(Place::Root, format!("cannot be read: {error}"));
                None
            }
        }
    }

    /// Modernizes the documents, takes out what is not published, and normalizes the rest.
    fn prepare(&mut self, editions: &mut [Edition], publish: &Publish) {
        let report = &mut self.report;
        edition::modernize_all(editions, |file, modernize| {
            modernize(&mut FileReport::json(file, report));
        });
        let profile_file = &self.sources.profile.name;
        for edition in editions.iter_mut() {
            let PrivateMembers {
                withheld,
                published,
            } = withhold(&mut edition.resume, publish);
            let allows = |scheme: &str| publish.allows_scheme(scheme);
            let mut report = FileReport::json(&edition.file, &mut self.report);
            if self.is_check {
                advice::check_names(&withheld, &edition.resume, &mut report);
            }
            self.members.withheld.extend(withheld);
            self.members.published.extend(published);
            let mut context = Context::new(&mut report, Policy::Lenient, &allows, self.is_check);
            let resume = std::mem::take(&mut edition.resume);
            edition.resume = normalize::object(resume, &RESUME, Place::Root, &mut context);
            document::check_name(&edition.resume, &mut report);
            cross_checks::check_projects(&edition.resume, &mut report);
            data_urls::remove(&mut edition.resume, &mut report);
            let mut report = FileReport::toml(profile_file, &mut self.report);
            let mut context = Context::new(&mut report, Policy::Strict, &allows, false);
            let profile = std::mem::take(&mut edition.profile);
            edition.profile = normalize::object(profile, &PROFILE, Place::Root, &mut context);
            data_urls::remove(&mut edition.profile, &mut report);
            cross_checks::check_featured(&edition.resume, &edition.profile, &mut report);
        }
        let mut report = FileReport::toml(profile_file, &mut self.report);
        edition::check_default_language(editions, &mut report);
        check_also(publish, &self.members, &mut report);
        if let Some(Edition {
            resume, profile, ..
        }) = editions.first()
        {
            cross_checks::check_search(resume, profile, &mut report);
        }
    }

    /// Removes the withheld values wherever they recur.
    fn redact(&mut self, editions: &mut [Edition]) {
        let served: Vec<_> = editions.iter().map(|edition| &edition.resume).collect();
        let redactor = Redactor::new(&self.members, &served);
        let profile_file = &self.sources.profile.name;
        for Edition {
            file,
            resume,
            profile,
            ..
        } in &mut *editions
        {
            let in_resume = |at: Place<'_>| format!("{file}: {}", at.pointer());
            let removed = redactor.redact(resume, &RESUME, &in_resume);
            self.removed.extend(removed);
            let in_profile = |at: Place<'_>| format!("{profile_file}: {}", at.dotted());
            for place in redactor.redact(profile, &PROFILE, &in_profile) {
                if !self.removed.contains(&place) {
                    self.removed.push(place);
                }
            }
            normalize::prune(resume, &RESUME);
        }
        self.report.drop_warnings_at(&self.removed);
        for edition in editions.iter().filter(|_| self.is_check) {
            let report = &mut self.report;
            let mut resume = FileReport::json(&edition.file, report);
            advice::check_contact_data(&edition.resume, &mut resume);
            let mut profile = FileReport::toml(profile_file, report);
            advice::check_contact_data(&edition.profile, &mut profile);
        }
    }

    /// Returns an edition in its types. A document that does not fit is an internal error, reported
    /// as one.
    fn typed(&mut self, edition: Edition, publish: &Publish) -> Option<Content> {
        let mut resume: served::Resume = self.deserialized(&edition.resume, &edition.file)?;
        if let Some(language) = edition.language.as_deref() {
            resume.set_language(language);
        }
        let mut profile: Profile =
            self.deserialized(&edition.profile, &self.sources.profile.name)?;
        if let Some(icon) = &self.icon {
            profile.server.icon = Some(icon.clone());
        }
        if let Some(picture) = &self.picture {
            profile.page.picture = Some(picture.clone());
        }
        Some(Content {
            language: edition.language,
            resume,
            profile,
            withheld: self.withheld_kinds(publish),
        })
    }

    /// Reads the types from text, as [`prepared::read`](super::prepared::read) does: from a `Value` would be a
    /// second copy of the code, a tenth of a megabyte.
    fn deserialized<T: DeserializeOwned>(
        &mut self,
        document: &Map<String, Value>,
        file: &str,
    ) -> Option<T> {
        serde_json::to_string(document)
            .and_then(|text| serde_json::from_str(&text))
            .map_err(|error| {
                let message = format!("cannot be served: {error}");
                FileReport::json(file, &mut self.report).error(Place::Root, message);
            })
            .ok()
    }

    /// The kinds of contact data that are withheld, in the order of their keys.
    fn withheld_kinds(&self, publish: &Publish) -> Vec<Switch> {
        let withheld = self.members.withheld.iter();
        let mut kinds: Vec<Switch> = withheld
            .filter_map(PrivateMember::switch)
            .filter(|switch| !publish.has(*switch))
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }
}
