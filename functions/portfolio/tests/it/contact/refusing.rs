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
fn an_answer_goes_to_one_plain_address_or_nowhere() {
    let provider = Provider::start([]);
    let server = start(&provider);
    let contacts = [
        "Ada <ada@example.org>",
        "ada@example.org, eve@example.org",
        "ada@example.org?bcc=eve@example.org",
        "\"x\\\" <eve@example.org>\"@example.org",
        "+44 20 5550 0100",
        "علي 🙂",
    ];
    for contact in contacts {
        sent(&send(&server, with("contact", contact)));
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
