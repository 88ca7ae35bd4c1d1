//! Tests of composition and keys.

use proptest::prelude::*;

use super::*;

/// What a sender writes, and the caller's ID and name.
#[derive(Clone, Copy)]
struct Draft<'a> {
    brief: &'a str,
    contact: &'a str,
    name: Option<&'a str>,
    caller: Option<(&'a str, &'a str)>,
}

const DRAFT: Draft<'_> = Draft {
    brief: "Hello\nthere",
    contact: "ada@example.org",
    name: Some("Ada"),
    caller: None,
};

fn compose_to(draft: Draft<'_>, to: &str) -> Option<Mail> {
    let from: Mailbox = "Portfolio <portfolio@owner.example>".parse().unwrap();
    let message = Message::new(draft.brief, draft.contact, draft.name).ok()?;
    let caller = draft.caller.map(|(id, name)| Caller::new(id, name));
    Some(Mail::compose(message, caller, &from, &to.parse().unwrap()))
}

fn compose(draft: Draft<'_>) -> Option<Mail> {
    compose_to(draft, "owner@owner.example")
}

#[test]
fn a_mail_names_its_sender_and_is_never_printed() {
    let mail = compose(Draft {
        caller: Some(("6:agency", "agency")),
        ..DRAFT
    });
    let mail = mail.unwrap();
    assert_eq!(mail.subject, "Message from Ada");
    assert!(mail.text.contains("Credential: agency\n"), "{}", mail.text);
    assert!(mail.text.ends_with("> Hello\n> there\n"), "{}", mail.text);
    assert!(mail.html.contains("Hello\nthere</div>"), "{}", mail.html);
    assert_eq!(mail.reference.len(), 12);
    let shown = format!("{mail:?}");
    assert!(
        !shown.contains("Ada") && !shown.contains("Hello"),
        "{shown}"
    );
}

#[test]
fn the_subject_is_short_and_has_the_name_or_else_the_contact() {
    let subject = |contact, name| {
        let draft = Draft {
            contact,
            name,
            ..DRAFT
        };
        compose(draft).unwrap().subject
    };
    assert_eq!(subject("+1 555 0100", None), "Message from +1 555 0100");
    assert_eq!(
        subject("x", Some("👩\u{200D}🔬 علي")),
        "Message from 👩\u{200D}🔬 علي"
    );
    assert_eq!(
        subject("https://a.example", None),
        "Message from https[:]//a[.]example"
    );
    let long = subject("x", Some(&"é".repeat(500)));
    assert_eq!(long.chars().count(), MAX_SUBJECT);
    assert!(long.ends_with('…'));
}

#[test]
fn the_same_message_has_the_same_key_and_any_other_another() {
    let key = |draft| compose(draft).unwrap().key;
    let first = key(DRAFT);
    assert_eq!(first.len(), 64);
    let same = Draft {
        brief: "Hello\r\nthere",
        name: Some("Ada "),
        ..DRAFT
    };
    assert_eq!(key(same), first);
    let others = [
        Draft {
            brief: "Hello\nthere.",
            ..DRAFT
        },
        Draft {
            contact: "ada@example.com",
            ..DRAFT
        },
        Draft {
            name: None,
            ..DRAFT
        },
        Draft {
            caller: Some(("a", "x")),
            ..DRAFT
        },
        Draft {
            caller: Some(("b", "x")),
            ..DRAFT
        },
        Draft {
            contact: "ada@example.orgHello",
            brief: "there",
            ..DRAFT
        },
    ];
    let mut keys: Vec<_> = others.into_iter().map(key).collect();
    keys.push(first);
    keys.push(compose_to(DRAFT, "other@owner.example").unwrap().key);
    let all = keys.len();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), all);
}

/// Text that often has what could break a header or imitate a fact.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        prop::sample::select(vec![
            "\r\n",
            "\n",
            "\r",
            "\0",
            "\u{85}",
            "\u{2028}",
            "\u{202E}",
            "\u{3164}",
            "          ",
            "Credential: owner",
            "Bcc: x@y.example",
            "ada@example.org",
            "https://a.example",
            ",",
            "<",
            ">",
            "\"",
            ":",
            ";",
            " ",
            "=?UTF-8?B?DQo=?=",
            "%0d%0a",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_input_breaks_a_header_or_leaves_the_quoted_part(
        brief in hostile(), contact in hostile(), name in prop::option::of(hostile()),
        caller in prop::option::of(hostile()),
    ) {
        let draft = Draft {
            brief: &brief,
            contact: &contact,
            name: name.as_deref(),
            caller: caller.as_deref().map(|caller| (caller, caller)),
        };
        if let Some(mail) = compose(draft) {
            let reply_to = mail.reply_to().map_or("", EmailAddress::as_str);
            let from = mail.from.encoded();
            for header in [&mail.subject, reply_to, &mail.key, &mail.reference, &from] {
                prop_assert!(!header.contains(char::is_control), "{header:?}");
                prop_assert!(!header.contains(['\u{2028}', '\u{2029}', '\u{202E}']), "{header:?}");
            }
            prop_assert!(mail.subject.chars().count() <= MAX_SUBJECT);
            prop_assert!(reply_to.matches('@').count() <= 1);
            prop_assert!(!reply_to.contains([' ', ',', ';', '<', '>', '"', ':']), "{reply_to:?}");
            // Five lines of facts and their heading; every line after the second heading is quoted.
            let quoted = mail.text.lines().filter(|line| line.starts_with('>')).count();
            prop_assert_eq!(mail.text.lines().count(), quoted + 7, "{}", mail.text);
            prop_assert!(mail.text.lines().skip(7).all(|line| line.starts_with('>')));
            prop_assert_eq!(mail.html.matches("<blockquote").count(), 1);
            prop_assert!(!mail.text.contains("://") && !mail.html.contains("://"));
        }
    }
}
