//! [`offers()`]: the resources and templates that exist whatever sections the résumé has.

use super::documents::Form;
use crate::content::Localized;

/// A resource or template that exists whatever sections the résumé has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offer {
    pub(crate) form: Form,
    /// The URI or URI template.
    pub(crate) uri: &'static str,
    pub(super) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(super) part: OfferedPart,
    /// Whether the URI names the language.
    pub(super) is_translated: bool,
}

/// Which part of the résumé an [`Offer`] serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OfferedPart {
    Whole,
    AnySection,
    AnyProject,
}

/// Returns what is offered of a content, in the order in which clients see it.
pub(crate) fn offers(content: &Localized) -> Vec<Offer> {
    let mut offers = OFFERS.to_vec();
    if content.has_languages() {
        offers.extend(TRANSLATED);
    }
    offers
}

/// The resources and templates in the default language.
pub(super) const OFFERS: [Offer; 6] = [
    Offer {
        form: Form::Markdown,
        uri: "resume://markdown",
        name: "resume",
        title: "Résumé (Markdown)",
        description: "The whole résumé as Markdown, with the work that the person accepts, \
            availability and contact details.",
        part: OfferedPart::Whole,
        is_translated: false,
    },
    Offer {
        form: Form::Json,
        uri: "resume://json",
        name: "resume-json",
        title: "Résumé (JSON)",
        description: "The whole résumé in the JSON Resume format (schema 1.0.0).",
        part: OfferedPart::Whole,
        is_translated: false,
    },
    Offer {
        form: Form::Markdown,
        uri: "resume://markdown/sections/{section}",
        name: "section",
        title: "Section (Markdown)",
        description: "One section of the résumé as Markdown, such as `work` or `availability`.",
        part: OfferedPart::AnySection,
        is_translated: false,
    },
    Offer {
        form: Form::Json,
        uri: "resume://json/sections/{section}",
        name: "section-json",
        title: "Section (JSON)",
        description: "The résumé reduced to one section, such as `work`, in the JSON Resume \
            format (schema 1.0.0).",
        part: OfferedPart::AnySection,
        is_translated: false,
    },
    Offer {
        form: Form::Markdown,
        uri: "resume://markdown/projects/{project}",
        name: "project",
        title: "Project (Markdown)",
        description: "One project as Markdown. `project` is the project's name, percent-encoded.",
        part: OfferedPart::AnyProject,
        is_translated: false,
    },
    Offer {
        form: Form::Json,
        uri: "resume://json/projects/{project}",
        name: "project-json",
        title: "Project (JSON)",
        description: "One project as an object of the JSON Resume format, with an additional \
            member `featured`. `project` is the project's name, percent-encoded.",
        part: OfferedPart::AnyProject,
        is_translated: false,
    },
];

/// The templates that name the language, for content in several languages.
pub(super) const TRANSLATED: [Offer; 6] = [
    Offer {
        form: Form::Markdown,
        uri: "resume://markdown/languages/{language}",
        name: "resume-in-language",
        title: "Résumé in a language (Markdown)",
        description: "The whole résumé as Markdown in one language. `language` is a BCP 47 tag; \
            one that is not available falls back: `de-CH` to `de`, and then to the default.",
        part: OfferedPart::Whole,
        is_translated: true,
    },
    Offer {
        form: Form::Json,
        uri: "resume://json/languages/{language}",
        name: "resume-in-language-json",
        title: "Résumé in a language (JSON)",
        description: "The whole résumé in one language, in the JSON Resume format (schema 1.0.0). \
            `meta.language` states which one it is.",
        part: OfferedPart::Whole,
        is_translated: true,
    },
    Offer {
        form: Form::Markdown,
        uri: "resume://markdown/languages/{language}/sections/{section}",
        name: "section-in-language",
        title: "Section in a language (Markdown)",
        description: "One section of the résumé as Markdown, in one language.",
        part: OfferedPart::AnySection,
        is_translated: true,
    },
    Offer {
        form: Form::Json,
        uri: "resume://json/languages/{language}/sections/{section}",
        name: "section-in-language-json",
        title: "Section in a language (JSON)",
        description: "The résumé reduced to one section, in one language. `meta.language` states \
            which one it is.",
        part: OfferedPart::AnySection,
        is_translated: true,
    },
    Offer {
        form: Form::Markdown,
        uri: "resume://markdown/languages/{language}/projects/{project}",
        name: "project-in-language",
        title: "Project in a language (Markdown)",
        description: "One project as Markdown, in one language. `project` is its name in that \
            language, percent-encoded.",
        part: OfferedPart::AnyProject,
        is_translated: true,
    },
    Offer {
        form: Form::Json,
        uri: "resume://json/languages/{language}/projects/{project}",
        name: "project-in-language-json",
        title: "Project in a language (JSON)",
        description: "One project as an object, in one language. `project` is its name in that \
            language, percent-encoded.",
        part: OfferedPart::AnyProject,
        is_translated: true,
    },
];
