//! The résumé in HTML: of the same Markdown that agents read.
//!
//! Owners' texts are escaped in that Markdown already. HTML that was in it nevertheless would be shown as
//! text, and a link that is not to the web or to an address would lose its target.

use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};

/// The résumé in parts.
#[derive(Debug, Default)]
pub(super) struct ResumeHtml {
    /// What the person says about themselves.
    pub(super) lead: String,
    /// The sections, in their order.
    pub(super) sections: Vec<SectionHtml>,
}

/// A section of the résumé.
#[derive(Debug)]
pub(super) struct SectionHtml {
    pub(super) title: String,
    /// With its heading.
    pub(super) html: String,
}

/// Reads the Markdown of a résumé. `has_facts` says whether it begins with a line of facts, which the page
/// shows in another form.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "all other events pass as they are"
)]
pub(super) fn resume_html(markdown: &str, has_facts: bool) -> ResumeHtml {
    let mut resume = ResumeHtml::default();
    let mut open: Option<Section<'_>> = Some(Section::person());
    for event in Parser::new_ext(markdown, Options::ENABLE_STRIKETHROUGH) {
        let event = safe(event);
        match event {
            Event::Start(Tag::Heading {
                level: HeadingLevel::H1 | HeadingLevel::H2,
                ..
            }) => {
                close(open.take(), has_facts, &mut resume);
                open = None;
            }
            Event::End(TagEnd::Heading(HeadingLevel::H1)) => open = Some(Section::person()),
            Event::End(TagEnd::Heading(HeadingLevel::H2)) => {}
            Event::Text(ref text) if open.is_none() => {
                open = Some(Section::titled(text));
            }
            event => {
                if let Some(section) = &mut open {
                    section.events.push(lowered(event));
                }
            }
        }
    }
    close(open, has_facts, &mut resume);
    resume
}

/// A section that is being read.
struct Section<'m> {
    title: String,
    events: Vec<Event<'m>>,
}

impl Section<'_> {
    /// What comes before the first section.
    fn person() -> Self {
        Self {
            title: String::new(),
            events: Vec::new(),
        }
    }

    fn titled(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            events: Vec::new(),
        }
    }
}

fn close(section: Option<Section<'_>>, has_facts: bool, resume: &mut ResumeHtml) {
    let Some(Section { title, events }) = section else {
        return;
    };
    if !title.is_empty() {
        resume.sections.push(written(&title, events));
        return;
    }
    let (prose, lists) = split(events);
    let lead = prose.into_iter().skip(usize::from(has_facts));
    html::push_html(&mut resume.lead, lead.flatten());
    let lists: Vec<_> = lists.into_iter().flatten().collect();
    if !lists.is_empty() {
        resume.sections.push(written("Person", lists));
    }
}

fn written(title: &str, events: Vec<Event<'_>>) -> SectionHtml {
    let mut text = maud::html! { h3 { (title) } }.into_string();
    text.insert_str(0, "<section>");
    text.push_str("<div>");
    html::push_html(&mut text, marked(events).into_iter());
    text.push_str("</div></section>\n");
    SectionHtml {
        title: title.to_owned(),
        html: text,
    }
}

/// Marks the lists whose items all begin with a name in bold, for the style sheet, and shows addresses of
/// web pages without their scheme.
fn marked(mut events: Vec<Event<'_>>) -> Vec<Event<'_>> {
    let mut lists: Vec<(usize, bool)> = Vec::new();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut is_address = false;
    for at in 0..events.len() {
        let is_bold = matches!(events.get(at + 1), Some(Event::Start(Tag::Strong)))
            || matches!(
                (events.get(at + 1), events.get(at + 2)),
                (
                    Some(Event::Start(Tag::Paragraph)),
                    Some(Event::Start(Tag::Strong))
                )
            );
        match events.get_mut(at) {
            Some(Event::Start(Tag::List(None))) => lists.push((at, true)),
            Some(Event::Start(Tag::Item)) => {
                if let Some((_, is_named)) = lists.last_mut() {
                    *is_named &= is_bold;
                }
            }
            Some(Event::End(TagEnd::List(false))) => {
                if let Some((start, true)) = lists.pop() {
                    pairs.push((start, at));
                }
            }
            Some(Event::Start(Tag::Link { link_type, .. })) => {
                is_address = *link_type == LinkType::Autolink;
            }
            Some(Event::Text(text)) if is_address => {
                *text = super::address::bare(text).to_owned().into();
                is_address = false;
            }
            _ => {}
        }
    }
    for (start, end) in pairs {
        for (at, tag) in [(start, "<ul class=\"pairs\">"), (end, "</ul>")] {
            if let Some(event) = events.get_mut(at) {
                *event = Event::Html(tag.into());
            }
        }
    }
    events
}

type Blocks<'m> = Vec<Vec<Event<'m>>>;

/// Splits events into the blocks that are prose and those that are lists, without the link to the picture.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "all other events pass as they are"
)]
fn split(events: Vec<Event<'_>>) -> (Blocks<'_>, Blocks<'_>) {
    let (mut prose, mut lists) = (Vec::new(), Vec::new());
    let mut block = Vec::new();
    let mut depth = 0_usize;
    for event in events {
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        block.push(event);
        if depth == 0 {
            let block = std::mem::take(&mut block);
            if matches!(block.first(), Some(Event::Start(Tag::List(_)))) {
                lists.push(without_picture(block));
            } else {
                prose.push(block);
            }
        }
    }
    lists.retain(|list| list.len() > 2);
    (prose, lists)
}

/// A list without the item that links to the picture: the page shows the picture itself.
fn without_picture(list: Vec<Event<'_>>) -> Vec<Event<'_>> {
    let mut kept = Vec::with_capacity(list.len());
    let mut item = Vec::new();
    let mut is_item = false;
    for event in list {
        let (starts, ends) = (
            matches!(event, Event::Start(Tag::Item)),
            matches!(event, Event::End(TagEnd::Item)),
        );
        is_item |= starts;
        if !is_item {
            kept.push(event);
            continue;
        }
        item.push(event);
        if ends {
            is_item = false;
            let is_text =
                |event: &Event<'_>| matches!(event, Event::Text(text) if &**text == "Picture:");
            let item = std::mem::take(&mut item);
            if !item.iter().any(is_text) {
                kept.extend(item);
            }
        }
    }
    kept.extend(item);
    kept
}

/// Headings in a section are one level lower than in the document of its own.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "all other events pass as they are"
)]
fn lowered(event: Event<'_>) -> Event<'_> {
    const ENTRY: HeadingLevel = HeadingLevel::H4;
    match event {
        Event::Start(Tag::Heading {
            id, classes, attrs, ..
        }) => Event::Start(Tag::Heading {
            level: ENTRY,
            id,
            classes,
            attrs,
        }),
        Event::End(TagEnd::Heading(_)) => Event::End(TagEnd::Heading(ENTRY)),
        other => other,
    }
}

/// An event without effects of its own.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "all other events pass as they are"
)]
pub(super) fn safe(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
        Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
        Event::Start(Tag::Link {
            link_type,
            dest_url,
            id,
            ..
        }) => Event::Start(Tag::Link {
            link_type,
            dest_url: target(dest_url, link_type),
            title: CowStr::Borrowed(""),
            id,
        }),
        Event::Start(Tag::Image { .. }) => Event::Start(Tag::Emphasis),
        Event::End(TagEnd::Image) => Event::End(TagEnd::Emphasis),
        other => other,
    }
}

fn target(url: CowStr<'_>, link_type: LinkType) -> CowStr<'_> {
    let lower = url.to_ascii_lowercase();
    let is_safe = ["https://", "http://", "mailto:"]
        .iter()
        .any(|scheme| lower.starts_with(scheme))
        || link_type == LinkType::Email;
    if is_safe { url } else { CowStr::Borrowed("#") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_resume_are_found() {
        let markdown = "# A\n\n**Label** · <https://a.example>\n\nI am *A*.\n\n- **Picture:** <https://a.example/p.png>\n- **Pronouns:** she\n\n## Work\n\n### Job\n\nDid it.\n\n## Skills\n\n- Rust\n";
        let resume = resume_html(markdown, true);
        assert_eq!(resume.lead, "<p>I am <em>A</em>.</p>\n");
        let [person, work, skills] = resume.sections.as_slice() else {
            panic!("{resume:#?}");
        };
        assert_eq!(
            [&person.title, &work.title, &skills.title],
            ["Person", "Work", "Skills"]
        );
        let [person, work, skills] = [&person.html, &work.html, &skills.html];
        assert!(
            person.contains("<h3>Person</h3>") && person.contains("she"),
            "{person}"
        );
        assert!(!person.contains("p.png"), "{person}");
        assert!(
            work.contains("<h3>Work</h3><div><h4>Job</h4>\n<p>Did it.</p>"),
            "{work}"
        );
        assert!(skills.contains("<ul>\n<li>Rust</li>"), "{skills}");
        assert!(person.contains("<ul class=\"pairs\">"), "{person}");
        assert!(resume_html("# A\n\nI am.", false).lead.contains("I am."));
    }

    #[test]
    fn nothing_in_the_markdown_takes_effect_as_html() {
        let markdown = "# A\n\n<script>x</script>\n\n## <b>B</b>\n\na <img src=x onerror=y> b [c](javascript:z) ![d](https://e.example/f)\n\n<div onclick=x>\n";
        let resume = resume_html(markdown, false);
        let sections = resume.sections.iter().map(|section| section.html.as_str());
        let all = format!("{}{}", resume.lead, sections.collect::<String>());
        for markup in ["<script", "<img", "<b>", "<div onclick", "javascript:"] {
            assert!(!all.contains(markup), "{markup} in {all}");
        }
        assert!(all.contains("&lt;img src=x onerror=y&gt;"), "{all}");
    }
}
