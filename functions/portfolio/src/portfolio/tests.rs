//! Tests over all that is served — answers of tools, resources, prompts: private data is in none of
//! it, in whatever form it is written.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::content::{self, Sources};
use crate::prompts;
use crate::resources::Form;
use crate::tools;

/// Every text that is served, with where it is.
fn served(portfolio: &Portfolio) -> Vec<(String, String)> {
    let answers = tools::tests::each(&portfolio.answers).into_iter();
    let mut all: Vec<(String, String)> = answers
        .map(|(name, answer)| (name.to_owned(), answer.to_string()))
        .collect();
    for form in [Form::Markdown, Form::Json] {
        let edition = portfolio.documents.edition(form);
        all.push((form.uri().to_owned(), edition.whole.to_string()));
        for shelf in [&edition.sections, &edition.projects] {
            for name in shelf.names() {
                let text = shelf.get(name).unwrap();
                all.push((
                    format!("{}/…/{name}", form.uri()),
                    format!("{name}\n{text}"),
                ));
            }
        }
    }
    let words = portfolio
        .material
        .texts()
        .map(|text| ("completion".to_owned(), text.to_owned()));
    all.extend(words);
    all.extend(prompts::tests::each(portfolio));
    all
}

/// A text as it is seen, without the escapes of Markdown.
fn seen(text: &str) -> String {
    text.replace('\\', "").to_lowercase()
}

#[test]
fn nothing_served_of_the_shipped_content_holds_contact_data() {
    let content = content::load(&Sources::built_in())
        .0
        .unwrap()
        .default_content()
        .clone();
    let portfolio = Portfolio::new(&content, None).unwrap();
    let all = served(&portfolio);
    assert!(all.len() > 50, "{}", all.len());
    for (name, text) in all {
        for private in ["555-0142", "ottoline@", "lighthouse steps", "ex4"] {
            assert!(!seen(&text).contains(private), "{name}: {private}");
        }
    }
}

/// A value that must not be served, with the spellings in which it must not be found.
fn planted() -> impl Strategy<Value = (&'static str, String)> {
    let part = || "[a-z]{2,6}";
    prop_oneof![
        (part(), part()).prop_map(|(name, host)| ("email", format!("q{name}@{host}.example"))),
        "555[0-9]{4}"
            .prop_map(|digits| ("phone", format!("+1 202-{}-{}", &digits[..3], &digits[3..]))),
        (100..999_u16, part())
            .prop_map(|(number, name)| ("address", format!("{number} q{name} Street"))),
    ]
}

/// Wraps a private value in a text or a link, as it may hide.
fn disguised(kind: &str, value: &str, way: u8) -> Value {
    let digits: String = value.chars().filter(char::is_ascii_digit).collect();
    let text = match (way % 5, kind) {
        (0, _) => value.to_owned(),
        (1, _) => format!("Reach me: {value}, any time"),
        (2, "email") => format!("mailto:{value}?subject=hello"),
        (2, "phone") => format!("tel:+{digits}"),
        (3, "email") => format!("https://example.com/?to={}", value.replace('@', "%40")),
        (3, "phone") => format!("https://wa.me/{digits}"),
        (4, "phone") => digits,
        _ => value.to_uppercase(),
    };
    if way.is_multiple_of(2) {
        Value::from(text)
    } else {
        json!([text, "other"])
    }
}

fn names_of(kind: &str) -> &'static [&'static str] {
    match kind {
        "email" => &["email", "mail", "e-mail", "contactEmail"],
        "phone" => &["phone", "mobile", "x-phone", "telephone"],
        _ => &["address", "street", "homeAddress", "addressLine1"],
    }
}

/// The places in [`resume_with_places`] where a value is planted under a telling name.
const NAMED: [&str; 5] = [
    "/basics",
    "/basics/location",
    "/basics/extra",
    "/references/0",
    "/custom",
];

/// The places where it hides in other text; the last is the profile.
const HIDING: [&str; 10] = [
    "/basics",
    "/basics/location",
    "/basics/extra",
    "/basics/profiles/0",
    "/work/0",
    "/projects/0",
    "/references/0",
    "/references/0/more",
    "/custom",
    "",
];

fn resume_with_places() -> Value {
    json!({
        "basics": {
            "name": "A", "location": {"city": "Harbourtown"}, "extra": {},
            "profiles": [{"network": "n"}],
        },
        "work": [{"name": "W"}],
        "projects": [{"name": "P"}],
        "references": [{"name": "R", "more": {}}],
        "custom": {},
    })
}

/// Two files in which the value stands once under a name that says what it is, and once elsewhere
/// in disguise.
fn planted_files(
    kind: &str,
    value: &str,
    places: (usize, usize, usize),
    way: u8,
) -> (Value, String) {
    let (named, name, hiding) = places;
    let mut resume = resume_with_places();
    let mut profile = "[projects]\nfeatured = [\"P\"]\n".to_owned();
    resume.pointer_mut(NAMED[named]).unwrap()[names_of(kind)[name]] = value.into();
    let hidden = disguised(kind, value, way);
    match HIDING[hiding] {
        "" => {
            for table in ["availability", "capabilities", "contact"] {
                profile.push_str(&format!("[{table}]\nmore = {hidden}\n"));
            }
        }
        place => resume.pointer_mut(place).unwrap()["notes"] = hidden,
    }
    (resume, profile)
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_planted_private_value_is_in_nothing_that_is_served(
        (kind, value) in planted(),
        places in (0..NAMED.len(), 0..4_usize, 0..HIDING.len()),
        way in any::<u8>(),
    ) {
        let (resume, profile) = planted_files(kind, &value, places, way);
        let sources = Sources::of_text(&resume.to_string(), &profile);
        let (content, report) = content::load(&sources);
        let findings: String = report.sorted().iter().map(|f| format!("{f}\n")).collect();
        prop_assert!(content.is_some(), "{}", findings);
        let portfolio = Portfolio::new(content.unwrap().default_content(), None).unwrap();
        let mut texts = served(&portfolio);
        texts.push(("findings".to_owned(), findings));
        for (name, text) in texts {
            let seen = seen(&text);
            prop_assert!(!seen.contains(&value.to_lowercase()), "{}: {}", name, text);
            if kind == "email" {
                prop_assert!(!seen.contains(&value.replace('@', "%40")), "{}: {}", name, text);
            }
            if kind == "phone" {
                prop_assert!(!digits(&text).contains(&digits(&value)[1..]), "{}: {}", name, text);
            }
        }
    }

    #[test]
    fn the_same_value_is_there_when_its_owner_publishes_it(
        (kind, value) in planted(),
        name in 0..4_usize,
    ) {
        let mut resume = resume_with_places();
        let name = names_of(kind)[name];
        resume["basics"][name] = value.clone().into();
        let profile = match name {
            "email" | "phone" => format!("[publish]\n{name} = true"),
            _ => format!("[publish]\nalso = [\"basics.{name}\"]"),
        };
        let sources = Sources::of_text(&resume.to_string(), &profile);
        let portfolio = Portfolio::new(content::load(&sources).0.unwrap().default_content(), None).unwrap();
        let is_there = |start: &str| {
            let mut all = served(&portfolio).into_iter();
            all.any(|(place, text)| place.starts_with(start) && seen(&text).contains(&seen(&value)))
        };
        for place in ["get_resume", "resume://json", "resume://markdown", "prompt"] {
            prop_assert!(is_there(place), "{}", place);
        }
    }
}
