//! Local runs: messages go to a file.

use serde_json::{Value, json};

use super::{NO_LIMIT, arguments, refusal, send, sent};
use harness::ServerConfig;

/// A folder of one test, deleted with it.
pub(super) struct Folder(std::path::PathBuf);

impl Folder {
    pub(super) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("contact-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(super) fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(super) fn with_outbox(file: &str) -> ServerConfig {
    ServerConfig::new("portfolio")
        .env("CONTACT_PROVIDER", "log")
        .env("CONTACT_AUTH", "none")
        .env("RATE_LIMITS", NO_LIMIT)
        .env("CONTACT_OUTBOX", file)
}

#[test]
fn messages_are_lines_of_a_file_and_a_repeat_is_none() {
    let folder = Folder::new("lines");
    let file = folder.file("outbox.jsonl");
    let server = with_outbox(&file).children(2).start();
    let first = sent(&send(&server, arguments()));
    assert_eq!(sent(&send(&server, arguments())), first);
    sent(&send(&server, json!({"brief": "b", "contact": "c"})));
    let text = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert_eq!(lines[0]["reference"], first["reference"]);
    assert_eq!(lines[0]["subject"], "Message from Ada SENTINEL");
    assert_eq!(lines[1]["reply_to"], Value::Null);
    let log = server.finish();
    assert!(!log.contains("SENTINEL"), "{log}");
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_in_our_words() {
    let folder = Folder::new("missing");
    let server = with_outbox(&folder.file("none/outbox.jsonl")).start();
    let words = refusal(&send(&server, arguments()));
    assert!(words.contains("was not sent"), "{words}");
    assert!(!words.contains("outbox"), "{words}");
    assert!(
        server
            .finish()
            .contains("the outbox file cannot be written")
    );
}

#[test]
fn on_aws_lambda_a_file_is_refused_at_start() {
    let folder = Folder::new("lambda");
    let server = with_outbox(&folder.file("outbox.jsonl"))
        .env("LAMBDA_TASK_ROOT", "/var/task")
        .start();
    let ended = format!("{:?}", server.post(&json!({})).outcome());
    assert!(
        ended.contains("CONTACT_PROVIDER: `log` is for local runs"),
        "{ended}"
    );
}
