//! The page for people, as HTML. Every value is escaped by the template, except what [`super::resume`] has
//! written.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::address::bare;
use super::clients::{Client, Link};
use super::picture::picture;
use super::questions::{Example, Question};
use super::resume::ResumeHtml;
use crate::content::{Content, Status};

/// What the page shows.
#[derive(Debug)]
pub(super) struct View<'v> {
    pub(super) content: &'v Content,
    pub(super) resume: &'v ResumeHtml,
    /// How many sections of the résumé are shown.
    pub(super) shown: usize,
    pub(super) questions: &'v [Question],
    pub(super) examples: &'v [Example],
    pub(super) clients: &'v [Client],
    /// What clients call the server.
    pub(super) short_name: &'v str,
    /// The URL of the page, if it is known.
    pub(super) page_url: Option<&'v str>,
    /// The URL of the endpoint, if it is known.
    pub(super) endpoint: Option<&'v str>,
    /// The URL that is shown if the endpoint is not known.
    pub(super) placeholder: &'v str,
    pub(super) style: &'v str,
    pub(super) script: &'v str,
    pub(super) policy: &'v str,
    pub(super) json_ld: &'v str,
    /// The footer in HTML.
    pub(super) footer: &'v str,
}

/// The longest text in an attribute or a title, in characters.
const MAX_CHARS: usize = 300;

/// Returns the page.
pub(super) fn page(view: &View<'_>) -> String {
    let content = view.content;
    let person = shortened(&content.person());
    let basics = content.resume.basics.as_ref();
    let label = basics
        .and_then(|basics| basics.label.as_deref())
        .map(shortened);
    let title = match &label {
        Some(label) => format!("{person} – {label}"),
        None => person.clone(),
    };
    let picture = picture(content);
    let page = html! {
        (DOCTYPE)
        html lang="en" data-endpoint=[view.endpoint] data-placeholder=(view.placeholder) {
            (head(view, &title, label.as_deref().unwrap_or(&person)))
            body {
                a.skip href="#resume" { "Skip to the résumé" }
                div.wrap {
                    (hero(view, &person, label.as_deref(), picture.as_deref()))
                    main {
                        (ask(view))
                        (connect(view))
                        (try_it(view))
                        (resume(view))
                    }
                    (footer(view))
                }
                p #live .skip role="status" {}
                script { (PreEscaped(view.script)) }
            }
        }
    };
    page.into_string()
}

/// What crawlers, previews and the browser read. `description` is used if the person says nothing.
fn head(view: &View<'_>, title: &str, description: &str) -> Markup {
    let content = view.content;
    let basics = content.resume.basics.as_ref();
    let summary = basics.and_then(|basics| basics.summary.as_deref());
    let summary = summary.map(shortened);
    let description = summary.as_deref().unwrap_or(description);
    let is_public = |url: &String| url.starts_with("https:");
    let picture = picture(content).filter(is_public);
    let picture = picture.or_else(|| content.icon().map(|icon| icon.src).filter(is_public));
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(view.policy);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) }
            meta name="description" content=(description);
            meta property="og:type" content="profile";
            meta property="og:title" content=(title);
            meta property="og:description" content=(description);
            @if let Some(url) = view.page_url {
                meta property="og:url" content=(url);
                link rel="canonical" href=(url);
            }
            @if let Some(url) = &picture { meta property="og:image" content=(url); }
            meta name="twitter:card" content="summary";
            link rel="icon" href="data:,";
            link rel="alternate" type="application/json" href="resume.json" title="JSON Resume";
            link rel="alternate" type="text/markdown" href="resume.md" title="Résumé as Markdown";
            style { (PreEscaped(view.style)) }
            script type="application/ld+json" { (PreEscaped(view.json_ld)) }
        }
    }
}

/// A text of at most [`MAX_CHARS`] characters.
fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX_CHARS {
        return text.to_owned();
    }
    let cut: String = text.chars().take(MAX_CHARS - 1).collect();
    format!("{cut}…")
}

fn hero(view: &View<'_>, person: &str, label: Option<&str>, picture: Option<&str>) -> Markup {
    let content = view.content;
    let basics = content.resume.basics.as_ref();
    let location = basics.and_then(|basics| basics.location.as_ref());
    let place: Vec<&str> = location.map_or_else(Vec::new, |place| {
        let parts = [&place.city, &place.region, &place.country_code];
        parts.into_iter().flatten().map(String::as_str).collect()
    });
    let language = content.language.as_deref();
    html! {
        header.hero lang=[language] {
            div.who {
                @if let Some(url) = picture { img src=(url) alt="" width="112" height="112"; }
                div {
                    h1 { (person) }
                    @if let Some(label) = label { p.label { (label) } }
                }
            }
            div.meta {
                (status(content))
                @if !place.is_empty() { span.muted { (shortened(&place.join(", "))) } }
                @if let Some(url) = content.website_url() {
                    a href=(url) rel="me" { (shortened(bare(url))) }
                }
            }
            @if !view.resume.lead.is_empty() { div.lead { (PreEscaped(&view.resume.lead)) } }
            p.actions lang="en" {
                a.button.primary href="#connect" { "Connect your agent" }
                a.button href="#resume" { "Read the résumé" }
            }
        }
    }
}

/// A date in words, as far as it is known: `April 2026` for `2026-04`.
fn month(date: &str) -> String {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let mut parts = date.splitn(3, '-');
    let (year, month, day) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let number = month.and_then(|month| month.parse::<usize>().ok());
    let name = number.and_then(|number| MONTHS.get(number.checked_sub(1)?));
    match (name, day.map(|day| day.trim_start_matches('0'))) {
        (Some(name), Some(day)) => shortened(&format!("{day} {name} {year}")),
        (Some(name), None) => shortened(&format!("{name} {year}")),
        (None, _) => shortened(date),
    }
}

fn status(content: &Content) -> Markup {
    let availability = &content.profile.availability;
    let (class, words) = match availability.status.unwrap_or_default() {
        Status::Open => ("open", "Open to offers"),
        Status::Limited => ("limited", "Has time for some work"),
        Status::Booked => ("booked", "Booked"),
        Status::Closed => ("closed", "Takes no offers"),
        Status::Unknown => return html! {},
    };
    let from = availability.from.as_deref().map(month);
    html! {
        span.status.(class) lang="en" {
            (words) @if let Some(from) = from { ", from " (from) }
        }
    }
}

fn ask(view: &View<'_>) -> Markup {
    html! {
        section #ask aria-labelledby="ask-title" {
            h2 #ask-title { "What an agent can ask" }
            p.intro { "This is a résumé that AI agents can query with the Model Context Protocol. Each question leads to a tool of this server." }
            ul.asks {
                @for question in view.questions {
                    li { q { (question.text) } code { (question.answered_by) } }
                }
            }
        }
    }
}

fn connect(view: &View<'_>) -> Markup {
    let endpoint = view.endpoint.unwrap_or(view.placeholder);
    html! {
        section #connect aria-labelledby="connect-title" {
            h2 #connect-title { "Connect your agent" }
            p.intro { "Any MCP client can use this address. Reading needs no account and no key." }
            div.url {
                code #endpoint { (endpoint) }
                (copy_button("endpoint", "Copy the URL"))
            }
            div role="tablist" aria-label="Clients" hidden {
                @for client in view.clients {
                    button type="button" role="tab" id=(format!("tab-{}", client.id)) aria-controls=(client.id) { (client.name) }
                }
            }
            @for client in view.clients {
                div.panel id=(client.id) role="tabpanel" aria-labelledby=(format!("tab-{}", client.id)) {
                    h3 { (client.name) }
                    p { (client.steps) }
                    @if let Some(snippet) = &client.snippet {
                        @let id = format!("{}-text", client.id);
                        div.snippet {
                            pre id=(id) { (snippet) }
                            (copy_button(&id, &format!("Copy for {}", client.name)))
                        }
                    }
                    @if let Some((link, words)) = &client.link {
                        p.actions {
                            @match link {
                                Link::Page(url) => a.button href=(url) rel="noopener" { (words) },
                                Link::Install(kind) => a.button data-link=(kind) data-name=(view.short_name) hidden { (words) },
                            }
                        }
                    }
                }
            }
        }
    }
}

fn copy_button(source: &str, label: &str) -> Markup {
    html! {
        button.button.small type="button" data-copy=(source) aria-label=(label) hidden { "Copy" }
    }
}

fn try_it(view: &View<'_>) -> Markup {
    html! {
        section #try aria-labelledby="try-title" hidden {
            h2 #try-title { "Try it" }
            p.intro { "Your browser sends a request to the server and shows the answer, as an agent would receive it." }
            div.try {
                form {
                    fieldset.choices {
                        legend { "Ask the server:" }
                        @for (at, example) in view.examples.iter().enumerate() {
                            label {
                                input type="radio" name="choice" value=(at) checked[at == 0] data-tool=(example.tool) data-arguments=(example.arguments);
                                (example.text)
                            }
                        }
                        button.button.primary type="submit" { "Send" }
                    }
                }
                div.panes {
                    div {
                        h3 #request-title { "Request" }
                        pre.request #request tabindex="0" role="region" aria-labelledby="request-title" {}
                    }
                    div {
                        h3 #response-title { "Answer" span #timing {} }
                        pre #response tabindex="0" role="region" aria-labelledby="response-title" aria-live="polite" { "Press “Send” to see the answer." }
                    }
                }
            }
        }
    }
}

fn resume(view: &View<'_>) -> Markup {
    let language = view.content.language.as_deref();
    let sections = view.resume.sections.iter().take(view.shown);
    html! {
        section #resume aria-labelledby="resume-title" {
            h2 #resume-title { "Résumé" }
            p.intro {
                "The same text that agents read. Also as " a href="resume.md" { "Markdown" } " and as "
                a href="resume.json" { "JSON Resume" } "."
            }
            div.resume lang=[language] {
                @for section in sections { (PreEscaped(&section.html)) }
            }
            @if view.shown < view.resume.sections.len() {
                p { "This page shows the beginning. " a href="resume.md" { "Read the whole résumé" } "." }
            }
        }
    }
}

fn footer(view: &View<'_>) -> Markup {
    let language = view.content.language.as_deref();
    html! {
        footer {
            @if !view.footer.is_empty() { div lang=[language] { (PreEscaped(view.footer)) } }
            ul {
                li { a href="resume.json" { "resume.json" } }
                li { a href="resume.md" { "resume.md" } }
                li { a href="llms.txt" { "llms.txt" } }
                li { a href="mcp/server-card" { "Server card" } }
                li { "Served by " a href="https://github.com/lambda-mcp/lambda-mcp" rel="noopener" { "lambda-mcp" } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_urls_are_shown_in_a_short_form() {
        let rows = [
            ("2026", "2026"),
            ("2026-04", "April 2026"),
            ("2026-04-01", "1 April 2026"),
            ("2026-13", "2026-13"),
            ("soon", "soon"),
        ];
        for (date, words) in rows {
            assert_eq!(month(date), words);
        }
        assert_eq!(bare("https://a.example/"), "a.example");
    }
}
