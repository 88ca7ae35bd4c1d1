//! Tests of the wiring.

use super::*;
use crate::content::Sources;

fn logged(error: &StartError) -> Vec<serde_json::Value> {
    let mut out = Vec::new();
    log_start_error(error, &mut out);
    let text = String::from_utf8(out).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Keeps what each write wrote.
struct Writes(Vec<String>);

impl Write for Writes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.push(String::from_utf8(bytes.to_vec()).unwrap());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn each_line_of_a_start_error_is_one_write() {
    let faults = vec!["A: x".to_owned(), "B: y".to_owned()];
    let mut out = Writes(Vec::new());
    log_start_error(&StartError::Config(InvalidConfig { faults }), &mut out);
    assert_eq!(out.0.len(), 2, "{:?}", out.0);
    assert!(out.0.iter().all(|write| write.ends_with("}\n")));
}

#[test]
fn the_shipped_content_makes_a_server() {
    let config = Config::read(|_| None).unwrap();
    let content = content(&config).unwrap();
    assert!(server(config, &content).is_ok());
}

#[test]
fn the_build_checked_the_shipped_content() {
    let sources = crate::built_in::sources();
    let (checked, _) = content::load(&sources);
    assert!(checked.is_some());
    assert_eq!(crate::built_in::checked(&sources), checked);
}

#[test]
fn each_fault_is_one_log_line_with_the_text_of_the_check() {
    let sources = Sources::of_text(
        r#"{"basics": {}, "work": 1}"#,
        "[projects]\nfeatured = [\"x\"]",
    );
    let (_, report) = content::load(&sources);
    let lines = logged(&StartError::Content(report));
    assert_eq!(lines.len(), 2);
    assert_eq!(
        lines[0]["message"],
        "error: resume.json: /basics/name: is missing; the person's name is required"
    );
    let faults = vec!["A: x".to_owned(), "B: y\nz".to_owned()];
    let lines = logged(&StartError::Config(InvalidConfig { faults }));
    assert_eq!(lines[1]["message"], "B: y\nz");
}
