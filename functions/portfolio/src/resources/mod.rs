//! The résumé as resources: what a client attaches to a conversation, or a program fetches.
//!
//! The URIs stand in [`documents`]. Every resource is public: the same for all who ask.

mod documents;

use std::sync::Arc;

use lambda_mcp::content::{Annotations, Role};
use lambda_mcp::handler::RequestError;
use lambda_mcp::server::{Resource, ServerBuilder};
use lambda_mcp::{Args, State, resource, resource_template};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::markdown::Part;
use crate::portfolio::Portfolio;

pub(crate) use documents::{Documents, Form};

/// A resource or template that is there whatever the résumé says.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offer {
    pub(crate) form: Form,
    /// The URI, or the template of it.
    pub(crate) uri: &'static str,
    name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
}

/// The whole document.
const WHOLE: [Offer; 2] = [
    Offer {
        form: Form::Markdown,
        uri: "resume://markdown",
        name: "resume",
        title: "Résumé, to read",
        description: "The whole résumé as Markdown, with what the person can be hired for, \
            availability and how to make contact.",
    },
    Offer {
        form: Form::Json,
        uri: "resume://json",
        name: "resume-json",
        title: "Résumé, as data",
        description: "The whole résumé in the JSON Resume format (schema 1.0.0).",
    },
];

/// One section.
const SECTIONS: [Offer; 2] = [
    Offer {
        form: Form::Markdown,
        uri: "resume://markdown/sections/{section}",
        name: "section",
        title: "A section, to read",
        description: "One section of the résumé as Markdown, such as `work` or `availability`.",
    },
    Offer {
        form: Form::Json,
        uri: "resume://json/sections/{section}",
        name: "section-json",
        title: "A section, as data",
        description: "The résumé reduced to one section, such as `work`, in the JSON Resume \
            format (schema 1.0.0).",
    },
];

/// One project.
const PROJECTS: [Offer; 2] = [
    Offer {
        form: Form::Markdown,
        uri: "resume://markdown/projects/{project}",
        name: "project",
        title: "A project, to read",
        description: "One project as Markdown; `project` is its name, percent-encoded.",
    },
    Offer {
        form: Form::Json,
        uri: "resume://json/projects/{project}",
        name: "project-json",
        title: "A project, as data",
        description: "One project as an object of the JSON Resume format, with `featured` beside \
            it; `project` is its name, percent-encoded.",
    },
];

/// All offers, for the manifest.
pub(crate) fn offers() -> impl Iterator<Item = Offer> {
    WHOLE.into_iter().chain(SECTIONS).chain(PROJECTS)
}

/// The variable of a section's URI.
#[derive(Debug, Deserialize, JsonSchema)]
struct SectionName {
    /// The section's name.
    section: String,
}

/// The variable of a project's URI.
#[derive(Debug, Deserialize, JsonSchema)]
struct ProjectName {
    /// The project's name.
    project: String,
}

/// Registers the resources and templates.
pub(crate) fn register(
    server: ServerBuilder<Arc<Portfolio>>,
    documents: &Documents,
) -> ServerBuilder<Arc<Portfolio>> {
    let whole = WHOLE.into_iter().map(|offer| {
        let text = &documents.edition(offer.form).whole;
        let resource = fixed(offer.uri, offer.name, text);
        let resource = resource.title(offer.title).description(offer.description);
        let priority = match offer.form {
            Form::Markdown => 1.0,
            Form::Json => 0.6,
        };
        (offer.form, priority, resource)
    });
    let parts = Part::ALL.into_iter().filter_map(|part| {
        let text = documents.markdown.sections.get(part.name())?;
        Some((Form::Markdown, 0.5, section(part, text)))
    });
    let sections = SECTIONS.map(|offer| (offer.form, 0.5, any_section(offer)));
    let projects = PROJECTS.map(|offer| (offer.form, 0.5, any_project(offer)));
    whole
        .chain(parts)
        .chain(sections)
        .chain(projects)
        .fold(server, |server, (form, priority, resource)| {
            server.resource(presented(resource, form, priority))
        })
}

/// A section that is written, as a resource that clients see in their lists.
fn section(part: Part, text: &Arc<str>) -> Resource<Arc<Portfolio>> {
    let name = part.name();
    let uri = format!("{}/sections/{name}", Form::Markdown.uri());
    fixed(&uri, name, text)
        .title(part.title())
        .description(format!("The section `{name}` of the résumé as Markdown."))
}

fn any_section(offer: Offer) -> Resource<Arc<Portfolio>> {
    let Offer { form, .. } = offer;
    let read = move |State(portfolio): State<Arc<Portfolio>>,
                     Args(SectionName { section }): Args<SectionName>| async move {
        found(portfolio.documents.edition(form).sections.get(&section))
    };
    let names = move |State(portfolio): State<Arc<Portfolio>>| async move {
        owned(portfolio.documents.edition(form).sections.names())
    };
    resource_template(offer.uri, offer.name, read)
        .title(offer.title)
        .description(offer.description)
        .complete("section", names)
}

fn any_project(offer: Offer) -> Resource<Arc<Portfolio>> {
    let Offer { form, .. } = offer;
    let read = move |State(portfolio): State<Arc<Portfolio>>,
                     Args(ProjectName { project }): Args<ProjectName>| async move {
        found(portfolio.documents.edition(form).projects.get(&project))
    };
    let names = move |State(portfolio): State<Arc<Portfolio>>| async move {
        owned(portfolio.documents.edition(form).projects.names())
    };
    resource_template(offer.uri, offer.name, read)
        .title(offer.title)
        .description(offer.description)
        .complete("project", names)
}

/// A resource whose text is known at start.
fn fixed(uri: &str, name: &str, text: &Arc<str>) -> Resource<Arc<Portfolio>> {
    let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
    let text = Arc::clone(text);
    let read = move || {
        let text = text.to_string();
        async move { text }
    };
    resource(uri, name, read).size(bytes)
}

/// What all of them have: a media type, hints, and that they are public.
fn presented(
    resource: Resource<Arc<Portfolio>>,
    form: Form,
    priority: f64,
) -> Resource<Arc<Portfolio>> {
    let hints = match form {
        Form::Markdown => Annotations::new()
            .audience(Role::User)
            .audience(Role::Assistant),
        Form::Json => Annotations::new().audience(Role::Assistant),
    };
    resource
        .mime_type(form.mime_type())
        .annotations(hints.priority(priority))
        .public_cache()
}

fn found(text: Option<&Arc<str>>) -> Result<String, RequestError> {
    text.map(ToString::to_string)
        .ok_or_else(RequestError::not_found)
}

fn owned<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    names.map(str::to_owned).collect()
}
