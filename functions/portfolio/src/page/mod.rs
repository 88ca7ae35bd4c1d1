//! The page for people at `/`, and the same content as plain documents: `/resume.json`, `/resume.md`,
//! `/llms.txt`, and the owner's texts for `/.well-known/`.
//!
//! Everything is static: made of the content, the same for every visitor, and written when it is first asked
//! for. `portfolio page` writes the same bytes as files.

mod address;
mod clients;
mod html;
mod json_ld;
mod llms;
mod picture;
mod questions;
mod resume;

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use lambda_mcp::http::HeaderMap;
use lambda_mcp::http::header::{CONTENT_SECURITY_POLICY, HeaderValue, REFERRER_POLICY};
use lambda_mcp::server::Document;
use pulldown_cmark::{Options, Parser};
use sha2::{Digest as _, Sha256};

use crate::content::{ByLanguage, Content, Localized};
use crate::offers::Offers;
use crate::resources::{Documents, Form};
use crate::style;
use html::View;
use picture::picture;
use resume::{ResumeHtml, SectionHtml, resume_html};

/// The largest page, in bytes. Sections of the résumé that would exceed it are left out.
pub(crate) const MAX_BYTES: usize = 60_000;
/// The longest text about the person above the résumé, in bytes of HTML, and the same for the footer.
const MAX_LEAD: usize = 6_000;
/// The URL that is shown if the endpoint is not known. The page's script replaces it with the actual one.
const PLACEHOLDER: &str = "https://this-server.example/mcp";
/// The path of the endpoint.
const ENDPOINT: &str = "/mcp";

const PAGE_CSS: &str = include_str!("assets/page.css");
const SCRIPT: &str = include_str!("assets/page.js");

/// A document: its path, its media type and its text.
pub(crate) struct Published {
    pub(crate) path: String,
    pub(crate) media_type: &'static str,
    pub(crate) headers: Box<dyn Fn() -> HeaderMap + Send + Sync>,
    pub(crate) text: Box<dyn Fn() -> String + Send + Sync>,
    /// The parts of the content that the text leaves out because of its size.
    #[cfg_attr(
        not(feature = "commands"),
        expect(dead_code, reason = "the command check-content reports them")
    )]
    pub(crate) left_out: Box<dyn Fn() -> Vec<String> + Send + Sync>,
}

/// What the documents are made of.
#[derive(Debug, Clone)]
struct Site {
    content: Arc<Localized>,
    documents: Arc<ByLanguage<Documents>>,
    offers: Arc<Offers>,
}

/// Returns the documents that the server publishes beside its endpoint.
pub(crate) fn documents(published: Vec<Published>) -> impl Iterator<Item = Document> {
    published.into_iter().map(|one| {
        let Published {
            path,
            media_type,
            headers,
            text,
            ..
        } = one;
        Document::lazy(path, media_type, move || Bytes::from(text())).headers_with(headers)
    })
}

/// Returns what is published: the owner's texts, and the page with its documents unless the owner has switched
/// it off.
pub(crate) fn published(
    content: &Arc<Localized>,
    documents: &Arc<ByLanguage<Documents>>,
    offers: &Offers,
) -> Vec<Published> {
    let texts = content.well_known().iter().map(|text| {
        let body = text.text.clone();
        plain(&text.path, text.media_type, move || body.clone())
    });
    let mut all: Vec<Published> = texts.collect();
    let page = &content.default_content().profile.page;
    if page.enabled == Some(false) {
        return all;
    }
    let site = Site {
        content: Arc::clone(content),
        documents: Arc::clone(documents),
        offers: Arc::new(offers.clone()),
    };
    all.push(site.page());
    all.push(site.form("/resume.json", "application/json", Form::Json));
    all.push(site.form("/resume.md", "text/markdown; charset=utf-8", Form::Markdown));
    all.push(plain("/llms.txt", "text/plain; charset=utf-8", move || {
        let base = site.offers.public_url.as_deref().unwrap_or_default();
        llms::llms_txt(site.content.default_content(), &site.offers, base)
    }));
    all
}

fn plain(
    path: &str,
    media_type: &'static str,
    text: impl Fn() -> String + Send + Sync + 'static,
) -> Published {
    Published {
        path: path.to_owned(),
        media_type,
        headers: Box::new(HeaderMap::new),
        text: Box::new(text),
        left_out: Box::new(Vec::new),
    }
}

impl Site {
    /// A whole document in one of its forms.
    fn form(&self, path: &str, media_type: &'static str, form: Form) -> Published {
        let documents = Arc::clone(&self.documents);
        // Documents that cannot be written are empty.
        plain(path, media_type, move || {
            let written = documents.get(None);
            written.map_or_else(|_| String::new(), |all| all.of(form).whole.to_string())
        })
    }

    fn page(&self) -> Published {
        let (site, of_headers, of_left_out) = (self.clone(), self.clone(), self.clone());
        Published {
            path: "/".to_owned(),
            media_type: "text/html; charset=utf-8",
            headers: Box::new(move || of_headers.headers()),
            text: Box::new(move || site.written().html),
            left_out: Box::new(move || of_left_out.written().left_out),
        }
    }

    fn headers(&self) -> HeaderMap {
        let (_, policy) = self.style_and_policy();
        // A `meta` element, which is all that a file has, cannot say `frame-ancestors`.
        let policy = HeaderValue::try_from(format!("{policy}; frame-ancestors 'none'"));
        // A URL that is not valid in a header is no URL of a picture either.
        let headers = policy.map(|policy| {
            let referrer = HeaderValue::from_static("strict-origin-when-cross-origin");
            HeaderMap::from_iter([
                (CONTENT_SECURITY_POLICY, policy),
                (REFERRER_POLICY, referrer),
            ])
        });
        headers.unwrap_or_default()
    }

    fn style_and_policy(&self) -> (String, String) {
        let content = self.content.default_content();
        let style = style_sheet(content);
        let policy = policy(content, &style, self.offers.public_url.as_deref());
        (style, policy)
    }

    /// Writes the page, with as many sections of the résumé as fit.
    fn written(&self) -> Written {
        let (style, policy) = self.style_and_policy();
        let mut left_out = Vec::new();
        let content = self.content.default_content();
        let written = self.documents.get(None);
        let markdown = written.map_or_else(|_| "", |all| &all.of(Form::Markdown).whole);
        let mut resume = resume_html(markdown, has_facts(content));
        resume.lead = bounded(resume.lead, "the summary", &mut left_out);
        let footer = content.profile.page.footer.as_deref().map(footer);
        let footer = bounded(footer.unwrap_or_default(), "the footer", &mut left_out);
        let public_url = self.offers.public_url.as_deref();
        let endpoint = public_url.map(|url| format!("{url}{ENDPOINT}"));
        let page_url = public_url.map(|url| format!("{url}/"));
        let person = content.person();
        let short_name = clients::short_name(&person);
        let mut view = View {
            content,
            resume: &resume,
            shown: 0,
            questions: &questions::questions(&brief(&person), &self.offers),
            examples: &questions::EXAMPLES,
            clients: &clients::clients(&short_name, endpoint.as_deref().unwrap_or(PLACEHOLDER)),
            short_name: &short_name,
            page_url: page_url.as_deref(),
            endpoint: endpoint.as_deref(),
            placeholder: PLACEHOLDER,
            style: &style,
            script: &script(),
            policy: &policy,
            json_ld: &json_ld::as_script(&json_ld::json_ld(content, page_url.as_deref())),
            footer: &footer,
        };
        let mut room = MAX_BYTES.saturating_sub(html::page(&view).len());
        view.shown = fitting(&resume, &mut room);
        let missing = resume.sections.iter().skip(view.shown);
        left_out.extend(missing.map(|section| section.title.clone()));
        Written {
            html: html::page(&view),
            left_out,
        }
    }
}

/// The page as it is written.
struct Written {
    html: String,
    /// What it has no room for: titles of sections, and other parts in words.
    left_out: Vec<String>,
}

/// Returns a text, or none if it is too long for the page.
fn bounded(text: String, name: &str, left_out: &mut Vec<String>) -> String {
    if text.len() <= MAX_LEAD {
        return text;
    }
    left_out.push(name.to_owned());
    String::new()
}

/// The number of sections that fit into a number of bytes.
fn fitting(resume: &ResumeHtml, room: &mut usize) -> usize {
    let fits = |section: &&SectionHtml| {
        let rest = room.checked_sub(section.html.len());
        *room = rest.unwrap_or_default();
        rest.is_some()
    };
    resume.sections.iter().take_while(fits).count()
}

/// A name that is short enough for a sentence.
fn brief(person: &str) -> String {
    if person.is_empty() || person.chars().count() > 60 {
        return "this person".to_owned();
    }
    person.to_owned()
}

/// Whether the Markdown begins with a line of facts.
fn has_facts(content: &Content) -> bool {
    let basics = content.resume.basics.as_ref();
    basics.is_some_and(|basics| {
        let has_place = basics.location.as_ref().is_some_and(|place| {
            place.city.is_some() || place.region.is_some() || place.country_code.is_some()
        });
        basics.label.is_some() || basics.url.is_some() || has_place
    })
}

/// The owner's footer in HTML.
fn footer(markdown: &str) -> String {
    let safe = crate::markdown::prose(markdown);
    let mut text = String::new();
    let events = Parser::new_ext(&safe, Options::empty()).map(resume::safe);
    pulldown_cmark::html::push_html(&mut text, events);
    text
}

/// The style sheet of the page. Its digest is in the policy.
fn style_sheet(content: &Content) -> String {
    let shared = style::components(content.profile.page.accent);
    format!("{shared}{}", style::compact(PAGE_CSS))
}

fn script() -> String {
    style::compact_script(SCRIPT)
}

/// What the browser may load and run: this style sheet and this script, requests to the endpoint, and the
/// owner's picture. Content Security Policy Level 3.
fn policy(content: &Content, style: &str, public_url: Option<&str>) -> String {
    let digest = |text: &str| STANDARD.encode(Sha256::digest(text));
    let picture = match picture(content) {
        Some(url) if url.starts_with("data:") => " data:".to_owned(),
        // Commas and semicolons end a source in a policy.
        Some(url) if !url.contains([',', ';', '?', '#']) => format!(" {url}"),
        Some(_) | None => String::new(),
    };
    let endpoint = public_url.map(|url| format!(" {url}{ENDPOINT}"));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; connect-src 'self'{}; \
         img-src 'self' data:{picture}; base-uri 'none'; form-action 'none'",
        digest(style),
        digest(&script()),
        endpoint.unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests;
