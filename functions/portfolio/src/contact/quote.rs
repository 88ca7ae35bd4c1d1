//! [`quote()`]: a service's own words, as far as a log may hold them.

use super::Mail;
use super::characters::cut;

/// What a service says can be long.
const LONGEST: usize = 300;
/// So many characters of a text that was sent, in a row, are a copy of it.
const COPY: usize = 12;

/// The service's words, on one line and cut; instead of words that repeat what was sent — fields,
/// addresses, the key — a note that they do.
pub(super) fn quote(words: &str, mail: &Mail, secret: Option<&str>) -> String {
    let quoted = cut(&one_line(words), LONGEST);
    let repeats = |sent: &str| {
        let sent: Vec<char> = one_line(sent).chars().collect();
        sent.windows(COPY.min(sent.len()).max(1))
            .any(|window| quoted.contains(&window.iter().collect::<String>()))
    };
    if quoted.contains('@') || mail.confidential().chain(secret).any(repeats) {
        "(its words repeat what was sent)".to_owned()
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
    use crate::contact::{Caller, Draft, EmailAddress, Mailbox, Message};

    #[test]
    fn words_are_quoted_unless_they_repeat_what_was_sent() {
        let draft = Draft {
            brief: "A long brief about the harbour lights",
            contact: "phone 0100",
            name: Some("Ada"),
            caller: Some(Caller {
                id: "6:agency",
                name: "agency",
            }),
        };
        let to = EmailAddress::parse("owner@owner.example").unwrap();
        let message = Message::check(draft).unwrap();
        let mail = Mail::compose(message, &Mailbox::from(to.clone()), &to);
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
            assert_eq!(quoted(words), "(its words repeat what was sent)", "{words}");
        }
    }
}
