//! [`quote()`]: a mail service's error text, as far as the log may contain it.

use super::characters::cut;
use super::mail::Mail;

/// Maximum length of a quoted text, in characters.
const LONGEST: usize = 300;
/// Minimum length, in characters, of a run that counts as a copy of what was sent.
const COPY: usize = 12;

/// Returns the service's text on one line, shortened. A text that repeats what was sent (a field,
/// an address, the key) is replaced by a note.
pub(super) fn quote(words: &str, mail: &Mail, secret: Option<&str>) -> String {
    let quoted = cut(&one_line(words), LONGEST);
    let repeats = |sent: &str| {
        let sent: Vec<char> = one_line(sent).chars().collect();
        sent.windows(COPY.min(sent.len()).max(1))
            .any(|window| quoted.contains(&window.iter().collect::<String>()))
    };
    if quoted.contains('@') || mail.confidential().chain(secret).any(repeats) {
        "(text withheld: it repeats what was sent)".to_owned()
    } else {
        quoted
    }
}

fn one_line(text: &str) -> String {
    let breaks = |c: char| c.is_control() || ('\u{2028}'..='\u{202E}').contains(&c);
    text.replace(breaks, " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Caller, EmailAddress, Mailbox, Message};

    #[test]
    fn a_text_is_quoted_unless_it_repeats_what_was_sent() {
        let to: EmailAddress = "owner@owner.example".parse().unwrap();
        let brief = "A long brief about the harbour lights";
        let message = Message::new(brief, "phone 0100", Some("Ada")).unwrap();
        let caller = Caller::new("6:agency", "agency");
        let mail = Mail::compose(message, Some(caller), &Mailbox::from(to.clone()), &to);
        let quoted = |words: &str| quote(words, &mail, Some("re_secret_key_1234"));
        assert_eq!(
            quoted("The domain is\nnot verified"),
            "The domain is not verified"
        );
        assert_eq!(quoted(&"x".repeat(1000)).chars().count(), LONGEST);
        let repeating = [
            "bad text: …about the harbour…",
            "call phone 0100",
            "Ada",
            "no agency here",
            "only to someone@else.example",
            "key re_secret_key… is unknown",
            "long brief\nabout",
        ];
        for words in repeating {
            assert_eq!(
                quoted(words),
                "(text withheld: it repeats what was sent)",
                "{words}"
            );
        }
    }
}
