//! The résumé as resources, to attach to a conversation or to fetch by a program.
//!
//! [`documents`] lists the URIs, and [`offers`](offers()) what clients see of them. Every resource is
//! public: its contents are the same for all callers.

mod documents;
mod offers;

use std::sync::Arc;

use lambda_mcp::content::{Annotations, Role};
use lambda_mcp::handler::RequestError;
use lambda_mcp::server::Resource;
use lambda_mcp::{Args, resource, resource_template};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::content::{ByLanguage, Localized};
use crate::markdown::Part;

pub(crate) use documents::{Documents, Form};
pub(crate) use offers::{Offer, offers};

use documents::{DocumentSet, NamedDocuments};
use offers::{OFFERS, OfferedPart, TRANSLATED};

/// The variables of the URI templates. A template has some of them.
#[derive(Debug, Default, Deserialize)]
struct Variables {
    section: Option<String>,
    project: Option<String>,
    language: Option<String>,
}

/// Declares the arguments of a template, which the library compares with its variables.
macro_rules! variables {
    ($($name:ident { $($field:ident),+ })+) => {
        $(
            #[derive(Debug, Deserialize, JsonSchema)]
            struct $name {
                $($field: String,)+
            }

            impl From<$name> for Variables {
                fn from($name { $($field),+ }: $name) -> Self {
                    Self { $($field: Some($field),)+ ..Self::default() }
                }
            }
        )+
    };
}

variables! {
    Whole { language }
    ASection { section }
    AProject { project }
    ASectionIn { language, section }
    AProjectIn { language, project }
}

/// What the templates serve.
#[derive(Debug, Clone)]
struct Library {
    content: Arc<Localized>,
    documents: Arc<ByLanguage<Documents>>,
}

/// Returns the documents of a content, written on first need.
pub(crate) fn documents_of(content: &Arc<Localized>) -> Arc<ByLanguage<Documents>> {
    Arc::new(ByLanguage::new(content, Documents::new))
}

/// Builds the resources and templates: the whole résumé, its sections, then the templates.
pub(crate) fn resources(
    content: &Arc<Localized>,
    documents: &Arc<ByLanguage<Documents>>,
) -> Vec<Resource<()>> {
    let library = Library {
        content: Arc::clone(content),
        documents: Arc::clone(documents),
    };
    let is_whole = |offer: &Offer| offer.part == OfferedPart::Whole;
    let (whole, templates): (Vec<_>, Vec<_>) = OFFERS.into_iter().partition(is_whole);
    let whole = whole.into_iter().map(|offer| {
        let priority = if offer.form == Form::Markdown {
            1.0
        } else {
            0.6
        };
        let fixed = library.fixed(offer.uri, offer.name, move |all| {
            Some(&all.of(offer.form).whole)
        });
        described(fixed, offer, priority)
    });
    let mut templates = templates;
    if content.has_languages() {
        templates.extend(TRANSLATED);
    }
    let templates = templates
        .into_iter()
        .map(|offer| described(library.template(offer), offer, 0.5));
    let sections = library.sections();
    whole.chain(sections).chain(templates).collect()
}

fn described(resource: Resource<()>, offer: Offer, priority: f64) -> Resource<()> {
    let resource = resource.title(offer.title).description(offer.description);
    with_hints(resource, offer.form, priority)
}

impl Library {
    /// The sections that have entries, so that clients see them in `resources/list`.
    fn sections(&self) -> impl Iterator<Item = Resource<()>> {
        let content = self.content.default_content();
        let written = Part::ALL
            .into_iter()
            .filter(move |part| part.is_written(content));
        written.map(move |part| {
            let name = part.name();
            let uri = format!("{}/sections/{name}", Form::Markdown.uri());
            let section = self
                .fixed(&uri, name, move |all| {
                    all.of(Form::Markdown).sections.get(name)
                })
                .title(part.title())
                .description(format!("The section `{name}` of the résumé as Markdown."));
            with_hints(section, Form::Markdown, 0.5)
        })
    }

    /// A resource that always has the same text: one of the documents in the default language.
    fn fixed(
        &self,
        uri: &str,
        name: &str,
        text: impl Fn(&Documents) -> Option<&Arc<str>> + Clone + Send + Sync + 'static,
    ) -> Resource<()> {
        let documents = Arc::clone(&self.documents);
        let (of_size, text_of_size) = (Arc::clone(&documents), text.clone());
        let read = move || {
            let written = documents.get(None).map_err(RequestError::from);
            let text = written.and_then(|all| {
                text(all)
                    .map(ToString::to_string)
                    .ok_or_else(RequestError::not_found)
            });
            async move { text }
        };
        resource(uri, name, read).size_with(move || {
            let text = text_of_size(of_size.get(None).ok()?)?;
            u64::try_from(text.len()).ok()
        })
    }

    fn template(&self, offer: Offer) -> Resource<()> {
        match (offer.part, offer.is_translated) {
            (OfferedPart::Whole, _) => self.of::<Whole>(offer),
            (OfferedPart::AnySection, false) => self.of::<ASection>(offer),
            (OfferedPart::AnySection, true) => self.of::<ASectionIn>(offer),
            (OfferedPart::AnyProject, false) => self.of::<AProject>(offer),
            (OfferedPart::AnyProject, true) => self.of::<AProjectIn>(offer),
        }
    }

    /// A template with the variables of `V`, and their completion.
    fn of<V>(&self, offer: Offer) -> Resource<()>
    where
        V: Into<Variables> + for<'de> Deserialize<'de> + JsonSchema + Send + 'static,
    {
        let library = self.clone();
        let read = move |Args(variables): Args<V>| {
            let text = library.text(offer.form, &variables.into());
            async move { text }
        };
        let template = resource_template(offer.uri, offer.name, read);
        let template = match offer.part {
            OfferedPart::Whole => template,
            OfferedPart::AnySection => {
                self.completed(template, "section", offer.form, |set| &set.sections)
            }
            OfferedPart::AnyProject => {
                self.completed(template, "project", offer.form, |set| &set.projects)
            }
        };
        if !offer.is_translated {
            return template;
        }
        let content = Arc::clone(&self.content);
        template.complete("language", move || {
            let tags: Vec<String> = content.languages().map(str::to_owned).collect();
            async move { tags }
        })
    }

    /// Completes a variable to the names of documents in the default language.
    fn completed(
        &self,
        template: Resource<()>,
        variable: &str,
        form: Form,
        documents: fn(&DocumentSet) -> &NamedDocuments,
    ) -> Resource<()> {
        let library = self.clone();
        template.complete(variable, move || {
            // Documents that cannot be written have no names.
            let names = library.documents.get(None).map_or_else(
                |_| Vec::new(),
                |all| documents(all.of(form)).names().map(str::to_owned).collect(),
            );
            async move { names }
        })
    }

    /// Returns the document that the variables name.
    fn text(&self, form: Form, variables: &Variables) -> Result<String, RequestError> {
        let documents = self.documents.get(variables.language.as_deref())?;
        let set = documents.of(form);
        let text = match (&variables.section, &variables.project) {
            (Some(name), _) => set.sections.get(name),
            (None, Some(name)) => set.projects.get(name),
            (None, None) => Some(&set.whole),
        };
        Ok(text.ok_or_else(RequestError::not_found)?.to_string())
    }
}

/// Adds what all resources have: the media type, annotations, and that they are public.
fn with_hints(resource: Resource<()>, form: Form, priority: f64) -> Resource<()> {
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
