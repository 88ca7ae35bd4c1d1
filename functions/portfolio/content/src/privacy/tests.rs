//! Tests of what is withheld, where its values are removed, and how `[publish]` changes that.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::place::Place;
use crate::resume_shape::RESUME;

fn map(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// What is served, what is withheld (with the line that publishes it), and where values recurred.
fn served(publish: &Value, resume: &Value) -> (Value, Vec<String>, Vec<String>) {
    let publish = Publish::read(&map(&json!({"publish": publish})));
    let mut resume = map(resume);
    let members = withhold(&mut resume, &publish);
    let redactor = Redactor::new(&members, &[&resume]);
    let removed = redactor.redact(&mut resume, &RESUME, &|at: Place<'_>| at.pointer());
    let withheld = members.withheld.iter();
    let withheld = withheld.map(|member| format!("{}: {}", member.pointer, member.line()));
    (Value::Object(resume), withheld.collect(), removed)
}

fn rest(resume: &Value) -> Value {
    served(&json!({}), resume).0
}

fn person() -> Value {
    json!({
        "basics": {
            "name": "A",
            "email": "a@example.com",
            "phone": "+1 202-555-0142",
            "location": {"address": "17 Quay", "postalCode": "1000", "city": "Harbourtown", "lat": 50.71842},
            "profiles": [{"network": "Code", "url": "https://code.example/a", "id": "x"}],
            "desk": "B-1742",
            "badge": {"numbers": [47_110]},
        },
        "work": [{"name": "W", "tech": ["Rust"], "location": "Harbourtown"}],
        "references": [{"name": "B", "email": "b@example.com", "reference": "Good."}],
        "patents": [{"title": "P"}],
    })
}

#[test]
fn contact_fields_and_undefined_members_and_sections_are_withheld() {
    let (rest, withheld, removed) = served(&json!({}), &person());
    assert_eq!(
        rest,
        json!({
            "basics": {
                "name": "A",
                "location": {"city": "Harbourtown"},
                "profiles": [{"network": "Code", "url": "https://code.example/a"}],
            },
            "work": [{"name": "W", "tech": ["Rust"], "location": "Harbourtown"}],
            "references": [{"name": "B", "reference": "Good."}],
        })
    );
    assert_eq!(
        withheld,
        [
            "/basics/email: email = true",
            "/basics/phone: phone = true",
            "/basics/location/address: address = true",
            "/basics/location/postalCode: address = true",
            "/basics/location/lat: also = [\"basics.location.lat\"]",
            "/basics/profiles/0/id: also = [\"basics.profiles.id\"]",
            "/basics/desk: also = [\"basics.desk\"]",
            "/basics/badge: also = [\"basics.badge\"]",
            "/references/0/email: also = [\"references.email\"]",
            "/patents: also = [\"patents\"]",
        ]
    );
    assert_eq!(removed, Vec::<String>::new());
}

#[test]
fn each_line_of_publish_publishes_its_members_alone() {
    let all = served(&json!({}), &person()).1.len();
    let rows = [
        (json!({"email": true}), "/basics/email", 1),
        (json!({"phone": true}), "/basics/phone", 1),
        (json!({"address": true}), "/basics/location/address", 2),
        (
            json!({"reference_contacts": true}),
            "/references/0/email",
            1,
        ),
        (
            json!({"also": ["references.email"]}),
            "/references/0/email",
            1,
        ),
        (json!({"also": ["basics.desk"]}), "/basics/desk", 1),
        (
            json!({"also": ["basics.badge.numbers"]}),
            "/basics/badge/numbers/0",
            1,
        ),
        (
            json!({"also": ["basics.location.lat", "patents"]}),
            "/patents/0/title",
            2,
        ),
    ];
    for (publish, place, published) in rows {
        let (rest, withheld, _) = served(&publish, &person());
        assert_eq!(rest.pointer(place), person().pointer(place), "{publish}");
        assert_eq!(withheld.len(), all - published, "{publish}: {withheld:?}");
    }
    for publish in [
        json!({"also": ["basics.email"]}),
        json!({"also": ["basics"]}),
    ] {
        let (rest, ..) = served(&publish, &person());
        assert_eq!(rest.pointer("/basics/email"), None, "{publish}");
    }
}

#[test]
fn a_withheld_value_is_removed_wherever_it_recurs() {
    let (rest, _, removed) = served(
        &json!({}),
        &json!({
            "basics": {
                "email": "ada@quill.example",
                "phone": "+1 202-555-0142",
                "location": {"address": "17 Lighthouse Steps, Harbourtown", "lat": 50.71842},
                "desk": "B-1742",
                "image": "https://pictures.example/22a7c6427eb0af8d41fa44e9439dda7a?s=80",
                "summary": "Visit 17 lighthouse steps, or ring 202.555.0142. Harbourtown is nice.",
                "profiles": [
                    {"network": "Mail", "url": "mailto:ada%40quill.example"},
                    {"network": "Map", "url": "https://m.example/?q=50.718420,-3.5"},
                    {"network": "Code", "url": "https://code.example/ada"},
                ],
            },
            "work": [{
                "summary": "My desk is b 1742. [Map](geo:50.7184,-3.53)",
                "ticket": 2_025_550_142_u64,
                "startDate": "2020-01",
            }],
            "projects": [{"name": "X", "+1 202-555-0142": true, "keywords": ["ada at quill dot example", "Rust"]}],
        }),
    );
    assert_eq!(
        rest,
        json!({
            "basics": {
                "location": {},
                "summary": "Visit [withheld], or ring [withheld]. Harbourtown is nice.",
                "profiles": [
                    {"network": "Mail"},
                    {"network": "Map"},
                    {"network": "Code", "url": "https://code.example/ada"},
                ],
            },
            "work": [{"summary": "My desk is [withheld]. [Map]([withheld])", "startDate": "2020-01"}],
            "projects": [{"name": "X", "keywords": ["Rust"]}],
        })
    );
    assert_eq!(
        removed,
        [
            "/basics/image",
            "/basics/summary",
            "/basics/profiles/0/url",
            "/basics/profiles/1/url",
            "/work/0/summary",
            "/work/0/ticket",
            "/projects/0/+1 202-555-0142",
            "/projects/0/keywords/0",
        ]
    );
}

#[test]
fn facts_stay_as_they_are() {
    let resume = json!({
        "basics": {
            "name": "Ada Quill",
            "summary": "License number 1234567. Patent number 10123456. Worked in Germany for 10 years.",
        },
        "work": [{
            "summary": "Cut call 120000 to 80000 on 2020-01-15.",
            "highlights": ["10 000 users", "Python3 and ISO 9001", "Write to press@quill.example"],
            "startDate": "2020-01-15",
            "url": "https://github.example/ada42/x",
        }],
    });
    let mut with_private = resume.clone();
    with_private["basics"]["email"] = json!("ada@quill.example");
    with_private["basics"]["phone"] = json!("000-000-0000");
    with_private["basics"]["location"] =
        json!({"country": "Germany", "address": "Germany", "postalCode": "10000"});
    with_private["basics"]["experience"] = json!("10 years");
    with_private["basics"]["firstName"] = json!("Ada");
    with_private["basics"]["github"] = json!("ada42");
    with_private["basics"]["started"] = json!("2020-01-15");
    with_private["basics"]["salary"] = json!(80_000);
    with_private["tools"] = json!(["Python3", "ISO 9001"]);
    let (mut rest, withheld, removed) = served(&json!({}), &with_private);
    assert_eq!(withheld.len(), 11);
    // The date of a member is removed from prose, but not from the dates of a job.
    assert_eq!(removed, ["/work/0/summary"]);
    rest["work"][0]["summary"] = resume["work"][0]["summary"].clone();
    rest["basics"].as_object_mut().unwrap().remove("location");
    assert_eq!(rest, resume);
}

#[test]
fn a_value_that_the_owner_also_publishes_is_not_removed() {
    let resume = json!({
        "basics": {"email": "a@example.com", "handle": "ada.quill", "profiles": [{"username": "ada.quill"}]},
        "references": [{"name": "B", "email": "a@example.com"}],
        "work": [{"summary": "Ask a@example.com or ada.quill."}],
    });
    let (rest, ..) = served(&json!({"email": true}), &resume);
    assert_eq!(rest["work"], resume["work"]);
    let (rest, ..) = served(&json!({}), &resume);
    assert_eq!(rest["work"][0]["summary"], "Ask [withheld] or ada.quill.");
}

#[test]
fn withholding_again_finds_nothing_more() {
    let once = rest(&person());
    let (again, withheld, removed) = served(&json!({}), &once);
    assert_eq!((again, withheld, removed), (once, vec![], vec![]));
}

/// The ways of writing a value that are undone before it is compared.
fn disguised(value: &str, way: usize) -> String {
    let each = |f: &dyn Fn(char) -> String| value.chars().map(f).collect::<String>();
    match way {
        0 => value.to_owned(),
        1 => value.to_uppercase(),
        2 => each(&|c| format!("%{:02X}", u32::from(c))),
        3 => each(&|c| format!("&#{};", u32::from(c))),
        4 => each(&|c| format!("&#x{:x};", u32::from(c))),
        5 => each(&|c| format!("{c}\u{200b}")),
        6 => each(&|c| format!("{c}\u{ad}")),
        7 => each(&|c| match c {
            '!'..='~' => char::from_u32(u32::from(c) + 0xFEE0).unwrap().to_string(),
            _ => c.to_string(),
        }),
        8 => each(&|c| match c.to_digit(10) {
            Some(digit) => char::from_u32(0x0660 + digit).unwrap().to_string(),
            None => c.to_string(),
        }),
        9 => each(&|c| {
            if c.is_alphanumeric() || c == '@' {
                c.to_string()
            } else {
                " - ".to_owned()
            }
        }),
        _ => format!("{value}."),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_value_of_a_contact_field_is_served_however_it_is_written(
        mailbox in "[a-z]{2,8}[.][a-z0-9]{2,8}",
        number in "[1-9][0-9]{2} [0-9]{3} [0-9]{3}[1-9]",
        street in "[1-9][0-9] [A-Z][a-z]{4,9} (Road|Lane)",
        ways in prop::collection::vec(0_usize..11, 6),
        place in 0_usize..4,
    ) {
        let email = format!("{mailbox}@quill.example");
        let phone = format!("+44 {number}");
        let mut written = [&email, &phone, &street, &number, &email, &street].into_iter().zip(ways);
        let mut hidden = Vec::new();
        let mut next = || {
            let (value, way) = written.next().unwrap();
            hidden.push(disguised(value, way));
            hidden.last().unwrap().clone()
        };
        let texts = [
            format!("Write to {} or call {} now", next(), next()),
            format!("See https://m.example/?q={}&z=1 and tel:{}", next(), next()),
            next(),
            format!("Before {} after", next()),
        ];
        let mut resume = json!({
            "basics": {"email": email, "phone": phone, "location": {"address": street}},
            "work": [{"summary": texts[0], "x": {"y": [texts[1]]}}],
            "projects": [{"highlights": [texts[2]], "url": texts[3]}],
        });
        resume["basics"][["summary", "label", "name", "url"][place]] = json!(texts[place]);
        let rest = rest(&resume).to_string();
        let folded: String = super::fold::folded(&rest).into_iter().collect();
        let number: String = number.chars().filter(char::is_ascii_digit).collect();
        let street: String = street.to_lowercase().chars().filter(|c| *c != ' ').collect();
        let email: String = email.chars().filter(|c| *c != '.').collect();
        for written in &hidden {
            prop_assert!(!rest.contains(written.as_str()), "{written} is in {rest}");
        }
        for private in [&email, &number, &street] {
            prop_assert!(!folded.contains(private.as_str()), "{private} is in {rest}");
        }
    }

    #[test]
    fn a_résumé_without_private_values_is_served_as_written(text in "\\PC{0,60}", number in any::<i64>()) {
        let resume = json!({
            "basics": {"name": text, "summary": text, "location": {"city": text}},
            "work": [{"summary": text, "x": number}],
            "y": {"z": 1},
        });
        let mut expected = resume.clone();
        expected.as_object_mut().unwrap().remove("y");
        prop_assert_eq!(rest(&resume), expected);
    }
}
