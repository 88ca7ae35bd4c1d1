//! Blocks of a Markdown page, and how they are written one below the other.

/// One block. Its texts are Markdown already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    /// A heading, one level below that of the page or section.
    Heading(String),
    /// A paragraph, of one or more lines.
    Paragraph(String),
    /// A list. What belongs to an item after its first line is indented by two spaces.
    Bullets(Vec<String>),
    /// Lines of code, as they are.
    Code(Vec<String>),
}

/// Writes a page: its title, then its blocks.
pub(super) fn page(title: &str, blocks: &[Block]) -> String {
    let mut text = format!("# {title}\n");
    write(blocks, 1, &mut text);
    text
}

/// Writes blocks below a heading of a level, each after a blank line. Two lists in a row have
/// different marks, because equal marks would make them one list.
pub(super) fn write(blocks: &[Block], level: usize, text: &mut String) {
    let mut mark = None;
    for block in blocks {
        text.push('\n');
        mark = match (block, mark) {
            (Block::Bullets(_), Some('-')) => Some('*'),
            (Block::Bullets(_), _) => Some('-'),
            (Block::Heading(_) | Block::Paragraph(_) | Block::Code(_), _) => None,
        };
        match block {
            Block::Heading(title) => {
                let marks = "#".repeat(level + 1);
                text.push_str(&format!("{marks} {title}\n"));
            }
            Block::Paragraph(lines) => text.push_str(&format!("{lines}\n")),
            Block::Bullets(items) => {
                let mark = mark.unwrap_or('-');
                for item in items {
                    text.push_str(&format!("{mark} {item}\n"));
                }
            }
            Block::Code(lines) => write_code(lines, text),
        }
    }
}

/// Writes code between fences that are longer than any run of backticks in it.
fn write_code(lines: &[String], text: &mut String) {
    let runs = lines.iter().flat_map(|line| line.split(|c| c != '`'));
    let longest = runs.map(str::len).max().unwrap_or_default();
    let fence = "`".repeat((longest + 1).max(3));
    text.push_str(&format!("{fence}\n"));
    for line in lines {
        text.push_str(&format!("{line}\n"));
    }
    text.push_str(&format!("{fence}\n"));
}
