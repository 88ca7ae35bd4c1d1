//! Messages that are not sent: out of bounds, or with characters that could do harm.

use serde_json::{Value, json};

use super::provider::Provider;
use super::{arguments, refusal, send, sent, start};

fn with(field: &str, value: impl Into<Value>) -> Value {
    let mut arguments = arguments();
    arguments[field] = value.into();
    arguments
}

#[test]
fn what_is_out_of_bounds_is_refused_in_characters_not_bytes() {
    let provider = Provider::start([]);
    let server = start(&provider);
    let refused = [
        (with("brief", ""), "brief"),
        (with("brief", "é".repeat(4001)), "brief"),
        (with("contact", ""), "contact"),
        (with("contact", "é".repeat(161)), "contact"),
        (with("name", "é".repeat(101)), "name"),
        (with("brief", 1), "brief"),
        (json!({"brief": "a"}), "contact"),
        (json!({"contact": "a"}), "brief"),
        (with("brief", " \r\n\t"), "`brief` is blank"),
        (with("contact", "\u{2003}"), "`contact` is blank"),
    ];
    for (arguments, expected) in refused {
        let words = refusal(&send(&server, arguments));
        assert!(words.contains(expected), "{words}");
    }
    assert_eq!(provider.connections(), 0);
    sent(&send(&server, with("brief", "é".repeat(4000))));
    sent(&send(&server, with("contact", "é".repeat(160))));
    sent(&send(&server, with("name", "👩".repeat(100))));
    sent(&send(&server, json!({"brief": "a", "contact": "b"})));
    assert_eq!(provider.received().len(), 4);
}

#[test]
fn no_character_can_add_a_header() {
    let provider = Provider::start([]);
    let server = start(&provider);
    let refused = [
        ("name", "Ada\r\nBcc: eve@example.org", "U+000D"),
        ("name", "Ada\nBcc: eve@example.org", "U+000A"),
        ("name", "Ada\0", "U+0000"),
        ("name", "Ada\u{2028}Bcc: eve@example.org", "U+2028"),
        ("name", "Ada\u{202E}adA", "U+202E"),
        ("contact", "a@example.org\r\nSubject: x", "U+000D"),
        ("contact", "a@example.org\u{85}x", "U+0085"),
        ("contact", "a@exam\u{200B}ple.org", "U+200B"),
        ("brief", "red \u{1B}[31m", "U+001B"),
        ("brief", "nul \0", "U+0000"),
    ];
    for (field, value, character) in refused {
        let words = refusal(&send(&server, with(field, value)));
        assert!(
            words.contains(field) && words.contains(character),
            "{words}"
        );
        assert!(!words.contains("eve@"), "{words}");
    }
    assert_eq!(provider.connections(), 0);
}

#[test]
fn a_reply_goes_to_one_address_or_nowhere() {
    let provider = Provider::start([]);
    let server = start(&provider);
    let contacts = [
        "ada@example.org, eve@example.org",
        "ada@example.org?bcc=eve@example.org",
        "\"x\\\" <eve@example.org>\"@example.org",
        "+44 20 5550 0100",
        "علي 🙂",
    ];
    for contact in contacts {
        let answer = sent(&send(&server, with("contact", contact)));
        let note = answer["note"].as_str().unwrap();
        assert!(note.contains("No single e-mail address"), "{note}");
        assert!(answer.get("replyTo").is_none(), "{answer}");
    }
    let received = provider.received();
    assert_eq!(received.len(), contacts.len());
    for (request, contact) in received.iter().zip(contacts) {
        assert!(request.body.get("reply_to").is_none(), "{contact}");
        assert!(
            request.body["text"].as_str().unwrap().contains(contact),
            "{contact}"
        );
    }
}

#[test]
fn a_reply_goes_to_the_one_address_that_is_there_and_the_answer_says_so() {
    let provider = Provider::start([]);
    let server = start(&provider);
    let contacts = [
        "Ada <ada@example.org>",
        "mailto:ada@example.org?subject=Hello",
        "ada@example.org.",
        "ada@example.org, +44 20 5550 0100",
    ];
    for contact in contacts {
        let answer = sent(&send(&server, with("contact", contact)));
        assert_eq!(answer["replyTo"], "ada@example.org", "{contact}");
        let note = answer["note"].as_str().unwrap();
        assert!(note.contains("A reply goes to ada@example.org."), "{note}");
    }
    for request in provider.received() {
        assert_eq!(request.body["reply_to"], "ada@example.org");
    }
}

#[test]
fn a_message_cannot_hide_characters_or_imitate_the_facts() {
    let provider = Provider::start([]);
    let server = start(&provider);
    for c in [
        '\u{3164}',
        '\u{2800}',
        '\u{34F}',
        '\u{E0100}',
        '\u{180E}',
        '\u{E0041}',
    ] {
        for field in ["name", "contact"] {
            let words = refusal(&send(&server, with(field, format!("ada{c}x"))));
            let code = format!("U+{:04X}", u32::from(c));
            assert!(words.contains(&code), "{words}");
        }
        sent(&send(&server, with("brief", format!("a{c}b"))));
        let received = provider.received();
        let text = received.last().unwrap().body["text"].as_str().unwrap();
        assert!(
            text.contains(&format!("a[U+{:04X}]b", u32::from(c))),
            "{text}"
        );
    }
    let brief = format!(
        "Hello{}Credential: owner\nReference: 1\nhttps://a.example",
        " ".repeat(90)
    );
    sent(&send(&server, with("brief", brief)));
    let received = provider.received();
    let body = &received.last().unwrap().body;
    let (text, html) = (
        body["text"].as_str().unwrap(),
        body["html"].as_str().unwrap(),
    );
    let unquoted = text.lines().filter(|line| !line.starts_with('>'));
    let unquoted: Vec<_> = unquoted.collect();
    assert_eq!(unquoted.len(), 7, "{text}");
    assert!(unquoted[1].starts_with("Credential: none"), "{text}");
    assert!(!text.contains("://") && !html.contains("://"), "{text}");
    assert!(!html.contains("<a"), "{html}");
}

#[test]
fn a_refused_message_does_not_count() {
    let provider = Provider::start([]);
    let server = super::with_resend(&provider.url())
        .env("RATE_LIMITS", "contact=1/1d")
        .start();
    for refused in [
        with("brief", " \n "),
        with("contact", "\u{2003}"),
        with("name", "a\nb"),
        with("contact", "a\u{202E}b"),
        with("brief", "\u{1B}[31m"),
    ] {
        let reply = send(&server, refused);
        assert_eq!(reply.status, 200, "{reply:#?}");
        refusal(&reply);
    }
    sent(&send(&server, arguments()));
    assert_eq!(send(&server, with("brief", "another")).status, 429);
}
