//! What agents see of the owner's files, and what they do not.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::Value;

use crate::content::blank::is_blank;
use crate::content::{Content, Loaded, Localized, Section};

/// Returns the withheld members by their path, each with the line of `[publish]` that publishes it,
/// in the order of the file.
pub(super) fn withheld(loaded: &Loaded) -> Vec<(&str, String)> {
    let mut paths: Vec<(&str, String)> = Vec::new();
    for member in &loaded.members.withheld {
        if paths.iter().all(|(path, _)| *path != member.path) {
            paths.push((&member.path, member.line()));
        }
    }
    paths
}

/// Writes the summary.
pub(super) fn write(loaded: &Loaded, content: &Localized, out: &mut impl Write) -> io::Result<()> {
    let default = content.default_content();
    writeln!(out, "\nAgents see:")?;
    writeln!(out, "  basics: {}", basics(default))?;
    writeln!(out, "  sections: {}", sections(default))?;
    let languages: Vec<&str> = content.languages().collect();
    if languages.len() > 1 {
        writeln!(
            out,
            "  languages: {} (the first is the default)",
            languages.join(", ")
        )?;
    }
    let withheld = withheld(loaded);
    if !withheld.is_empty() {
        writeln!(
            out,
            "\nAgents do not see, unless [publish] in profile.toml says so:"
        )?;
        write_withheld(&withheld, out)?;
    }
    if !loaded.removed.is_empty() {
        writeln!(out, "\nThe same values were removed where they recur:")?;
        for place in &loaded.removed {
            writeln!(out, "  {place}")?;
        }
    }
    Ok(())
}

/// The members of `basics` that are served.
fn basics(content: &Content) -> String {
    let basics = serde_json::to_value(&content.resume.basics).unwrap_or_default();
    let members = basics.as_object().into_iter().flatten();
    // A place or list of which nothing is served is not something that agents see.
    let members = members.filter(|(_, value)| !is_blank(Some(value)));
    let members = members.map(|(name, value)| match value {
        Value::Object(inner) => {
            let inner: Vec<&str> = inner.keys().map(String::as_str).collect();
            format!("{name} ({})", inner.join(", "))
        }
        Value::Array(items) => format!("{name} ({})", items.len()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => name.clone(),
    });
    members.collect::<Vec<_>>().join(", ")
}

/// The other sections that are served, with their number of entries.
fn sections(content: &Content) -> String {
    let resume = &content.resume;
    let written = Section::ALL.into_iter().filter_map(|section| {
        let entries = section.entries(resume);
        let name = section.name();
        if entries == 0 || section == Section::Basics {
            None
        } else if section == Section::Meta {
            Some(name.to_owned())
        } else {
            Some(format!("{name} ({entries})"))
        }
    });
    let published = resume.extra.keys().cloned();
    written.chain(published).collect::<Vec<_>>().join(", ")
}

fn write_withheld(withheld: &[(&str, String)], out: &mut impl Write) -> io::Result<()> {
    let mut by_line: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut also: Vec<&str> = Vec::new();
    for (path, line) in withheld {
        if line.starts_with("also") {
            also.push(path);
        } else {
            by_line.entry(line).or_default().push(path);
        }
    }
    for (line, paths) in by_line {
        writeln!(out, "  {}: {line}", paths.join(", "))?;
    }
    for path in &also {
        writeln!(out, "  {path}: also = [\"{path}\"]")?;
    }
    if also.len() > 1 {
        let list: Vec<String> = also.iter().map(|path| format!("\"{path}\"")).collect();
        writeln!(
            out,
            "  the last {}: also = [{}]",
            also.len(),
            list.join(", ")
        )?;
    }
    Ok(())
}
