//! [`Outbox`]: appends mails to a file, for local runs.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use super::address::EmailAddress;
use super::failure::{Failure, Outcome};
use super::mail::Mail;
use super::mailer::{Mailer, Receipt};

/// How long a repeated mail is recognized: as long as Resend does.
const KNOWN: Duration = Duration::from_hours(24);

/// Appends each mail as a JSON line, unless the file has the same mail from the last 24 hours.
#[derive(Debug)]
pub(crate) struct Outbox {
    path: PathBuf,
}

impl Outbox {
    pub(super) const fn new(path: PathBuf) -> Self {
        Self { path }
    }
}

impl Mailer for Outbox {
    fn name(&self) -> &'static str {
        "outbox"
    }

    fn knows_repeats(&self) -> bool {
        true
    }

    fn send<'a>(&'a self, mail: &'a Mail) -> BoxFuture<'a, Result<Receipt, Failure>> {
        let line = line(mail, SystemTime::now());
        let path = self.path.clone();
        let written = tokio::task::spawn_blocking(move || append(&path, &line));
        async move {
            match written.await {
                Ok(Ok(())) => Ok(Receipt::default()),
                Ok(Err(error)) => Err(cannot_write(&error)),
                Err(error) => Err(cannot_write(&io::Error::other(error))),
            }
        }
        .boxed()
    }
}

fn cannot_write(error: &io::Error) -> Failure {
    Failure::new(
        Outcome::Refused,
        format!("the outbox file cannot be written: {error}"),
    )
}

fn line(mail: &Mail, now: SystemTime) -> Value {
    let seconds = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    json!({
        "sent_at_s": seconds,
        "key": mail.key,
        "reference": mail.reference,
        "from": mail.from.unicode(),
        "to": mail.to.as_str(),
        "reply_to": mail.reply_to().map(EmailAddress::as_str),
        "subject": mail.subject,
        "text": mail.text,
    })
}

fn append(path: &Path, line: &Value) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    // Only the owner may read messages.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    // Other processes may write too. The lock is released when the file is closed.
    file.lock()?;
    if !has(&file, line)? {
        file.write_all(format!("{line}\n").as_bytes())?;
    }
    Ok(())
}

/// Returns whether the file has the same mail from the last 24 hours.
fn has(file: &File, line: &Value) -> io::Result<bool> {
    let seconds = |line: &Value| {
        line.get("sent_at_s")
            .and_then(Value::as_u64)
            .unwrap_or_default()
    };
    for known in BufReader::new(file).lines() {
        // Lines that are not mails are ignored.
        let Ok(known) = serde_json::from_str::<Value>(&known?) else {
            continue;
        };
        let age = seconds(line).saturating_sub(seconds(&known));
        if known.get("key") == line.get("key") && age < KNOWN.as_secs() {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Mailbox, Message};

    fn mail(brief: &str) -> Mail {
        let message = Message::new(brief, "ada@example.org", None).unwrap();
        let to = EmailAddress::local();
        Mail::compose(message, None, &Mailbox::from(to.clone()), &to)
    }

    /// A folder of this test alone, deleted with it.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("outbox-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[tokio::test]
    async fn each_mail_is_one_line_and_a_repeat_is_none() {
        let folder = Folder::new("lines");
        let path = folder.0.join("outbox.jsonl");
        std::fs::write(&path, "not of ours\n").unwrap();
        let outbox = Outbox::new(path.clone());
        for brief in ["one\ntwo", "three", "one\ntwo"] {
            assert_eq!(outbox.send(&mail(brief)).await, Ok(Receipt::default()));
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<Value> = text
            .lines()
            .skip(1)
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert_eq!(lines[0]["reply_to"], "ada@example.org");
        assert_eq!(lines[0]["text"], mail("one\ntwo").text);
        assert_eq!(lines[1]["key"], mail("three").key);
    }

    #[test]
    fn a_mail_of_yesterday_is_written_again() {
        let folder = Folder::new("days");
        let path = folder.0.join("outbox.jsonl");
        let sent = SystemTime::now();
        let later = [Duration::ZERO, KNOWN - Duration::from_secs(2), KNOWN];
        for (passed, lines) in later.into_iter().zip([1, 1, 2]) {
            append(&path, &line(&mail("a"), sent + passed)).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(text.lines().count(), lines, "{passed:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_the_owners_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = Folder::new("mode");
        let path = folder.0.join("outbox.jsonl");
        append(&path, &line(&mail("a"), UNIX_EPOCH)).unwrap();
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0);
    }

    #[tokio::test]
    async fn a_file_that_cannot_be_written_is_a_failure_without_the_mail() {
        let folder = Folder::new("missing");
        let outbox = Outbox::new(folder.0.join("no-such-folder/outbox.jsonl"));
        let failure = outbox.send(&mail("confidential")).await.unwrap_err();
        assert_eq!(failure.outcome(), Outcome::Refused);
        assert!(!failure.to_string().contains("confidential"), "{failure}");
    }
}
