//! What the build writes of the content, for a start to read. Compiled for the build script and for tests.

use crate::prepared::{digest, read};
use crate::{Content, Sources, load};

/// Returns what [`read`] reads: the digest of the files in a line, then the content in every language as
/// JSON. It has no private value.
///
/// Returns `None` if the files have findings, or if reading would not return the same content.
#[must_use]
pub fn prepare(sources: &Sources) -> Option<String> {
    let (content, report) = load(sources);
    let content = content.filter(|_| report.sorted().is_empty())?;
    let contents: Vec<&Content> = content.contents().collect();
    let digest = digest(sources)?;
    let prepared = format!("{digest}\n{}", serde_json::to_string(&contents).ok()?);
    (read(&prepared, sources).as_ref() == Some(&content)).then_some(prepared)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::io;

    use serde_json::json;

    use super::*;
    use crate::source::Source;

    const PROFILE: &str = "language = \"en\"\n[page]\naccent = \"#0F5e78\"\n[server]\nsearch = true\n\
        [availability]\nstatus = \"open\"\nhours_per_week = 20\n";

    fn sources() -> Sources {
        let resume = json!({
            "basics": {"name": "Ada", "url": "https://a.example", "phone": "+43 660 1234567", "summary": "Call +43 660 1234567"},
            "skills": [{"name": "Rust", "weight": 0.1, "years": 9}],
            "projects": [{"name": "a \"quoted\" name\n", "url": "https://a.example"}],
        });
        let french = json!({"basics": {"name": "Ada", "summary": "Bonjour"}}).to_string();
        let mut sources = Sources::of_text(&resume.to_string(), PROFILE).translation("fr", &french);
        sources.well_known.push((
            "security.txt".to_owned(),
            Source {
                name: "security.txt".to_owned(),
                bytes: Ok(Cow::Borrowed(b"Contact: https://a.example/")),
            },
        ));
        sources
    }

    #[test]
    fn what_is_prepared_is_what_a_check_returns_without_private_values() {
        let (checked, report) = load(&sources());
        assert!(report.sorted().is_empty(), "{:?}", report.sorted());
        let prepared = prepare(&sources()).unwrap();
        assert!(!prepared.contains("1234567"), "{prepared}");
        assert_eq!(read(&prepared, &sources()), checked);
        assert!(checked.is_some());
    }

    #[test]
    fn other_files_have_another_digest() {
        let prepared = prepare(&sources()).unwrap();
        let not_found = || io::Error::from(io::ErrorKind::NotFound);
        let changes: [fn(&mut Sources); 6] = [
            |s| s.resume.bytes = Ok(Cow::Borrowed(b"{\"basics\": {\"name\": \"Ada\"}}")),
            |s| s.profile.bytes.as_mut().unwrap().to_mut().push(b'\n'),
            |s| s.translations[0].0 = "de".to_owned(),
            |s| s.translations.clear(),
            |s| s.well_known[0].0 = "atproto-did".to_owned(),
            |s| {
                s.ignored
                    .push(("resume_de.json".to_owned(), "is not read".to_owned()))
            },
        ];
        for (at, change) in changes.iter().enumerate() {
            let mut other = sources();
            change(&mut other);
            assert_eq!(read(&prepared, &other), None, "{at}");
        }
        let mut unreadable = sources();
        unreadable.profile.bytes = Err(not_found());
        assert_eq!(read(&prepared, &unreadable), None);
        assert_eq!(read("", &sources()), None);
    }

    #[test]
    fn files_with_findings_are_not_prepared() {
        let mut with_warning = sources();
        let level = br#"{"basics": {"name": "Ada"}, "skills": [{"name": "Rust", "level": 3}]}"#;
        with_warning.resume.bytes = Ok(Cow::Borrowed(level));
        let (content, report) = load(&with_warning);
        assert!(content.is_some() && !report.sorted().is_empty());
        assert_eq!(prepare(&with_warning), None);
    }
}
