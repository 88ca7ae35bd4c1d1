//! A Markdown document, taken apart by its parser.

use std::collections::BTreeSet;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A document and what it names.
#[derive(Debug, Default)]
pub(super) struct Document {
    /// Its path below the root of the project.
    pub(super) path: String,
    /// The targets of its links.
    pub(super) links: Vec<String>,
    /// Its inline code.
    pub(super) code: Vec<String>,
    pub(super) blocks: Vec<Block>,
    /// Its headings, as links name them.
    pub(super) headings: BTreeSet<String>,
}

/// A block of code.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) language: String,
    pub(super) text: String,
}

impl Document {
    pub(super) fn read(path: &str, text: &str) -> Self {
        let mut document = Self {
            path: path.to_owned(),
            ..Self::default()
        };
        let mut block: Option<Block> = None;
        let mut heading: Option<String> = None;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    document.links.push(dest_url.into_string());
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    let language = match kind {
                        CodeBlockKind::Fenced(info) => info.to_string(),
                        CodeBlockKind::Indented => String::new(),
                    };
                    block = Some(Block {
                        language,
                        text: String::new(),
                    });
                }
                Event::End(TagEnd::CodeBlock) => document.blocks.extend(block.take()),
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    document
                        .headings
                        .extend(heading.take().map(|text| slug(&text)));
                }
                Event::Code(code) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&code);
                    }
                    document.code.push(code.into_string());
                }
                Event::Text(text) => {
                    if let Some(block) = &mut block {
                        block.text.push_str(&text);
                    } else if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                _ => {}
            }
        }
        document
    }

    /// A path that the document names relative to itself, below the root of the project.
    pub(super) fn beside(&self, path: &str) -> String {
        if path.is_empty() {
            return self.path.clone();
        }
        let mut parts: Vec<&str> = self.path.split('/').collect();
        parts.pop();
        for part in path.split('/') {
            match part {
                "." | "" => {}
                ".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        parts.join("/")
    }
}

/// The anchor of a heading, as GitHub makes it.
fn slug(heading: &str) -> String {
    let kept = heading
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[test]
fn a_document_is_taken_apart() {
    let text = "# Run `it`, now\n\nSee [a](b.md#c) and `make run`.\n\n```sh\nmake\n```\n";
    let document = Document::read("docs/x.md", text);
    assert_eq!(document.links, ["b.md#c"]);
    assert_eq!(document.code, ["it", "make run"]);
    assert_eq!(document.blocks[0].language, "sh");
    assert_eq!(document.blocks[0].text, "make\n");
    assert!(document.headings.contains("run-it-now"));
    assert_eq!(document.beside("../src/./a.rs"), "src/a.rs");
}
