//! Tests of what is kept back, where, and by which switch.

use serde_json::json;

use super::*;

const OPEN: Publish = Publish {
    phone: true,
    email: true,
    address: true,
    reference_contacts: true,
};

fn map(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn withheld(publish: Publish, resume: &Value) -> (Value, Vec<String>) {
    let mut resume = map(resume);
    let found = Redactor::new(publish, &resume).withhold_from_resume(&mut resume);
    let found = found
        .iter()
        .map(|withheld| format!("{} {}", withheld.switch, withheld.at));
    (Value::Object(resume), found.collect())
}

fn person() -> Value {
    json!({
        "basics": {
            "name": "A",
            "email": "a@example.com",
            "phone": "+1 202-555-0142",
            "location": {"address": "17 Quay", "postalCode": "1000", "city": "Harbourtown"},
            "x-phone": "call the office",
            "profiles": [
                {"network": "Mail", "url": "mailto:a@example.com"},
                {"network": "Code", "url": "https://code.example/a"},
            ],
        },
        "references": [{"name": "B", "contact": "b@example.com", "reference": "Good."}],
    })
}

#[test]
fn each_kind_is_kept_back_until_its_switch_is_on() {
    let (served, found) = withheld(Publish::default(), &person());
    assert_eq!(
        served,
        json!({
            "basics": {
                "name": "A",
                "location": {"city": "Harbourtown"},
                "profiles": [{"network": "Code", "url": "https://code.example/a"}],
            },
            "references": [{"name": "B", "reference": "Good."}],
        })
    );
    assert_eq!(
        found,
        [
            "email /basics/email",
            "phone /basics/phone",
            "address /basics/location/address",
            "address /basics/location/postalCode",
            "phone /basics/x-phone",
            "email /basics/profiles/0",
            "reference_contacts /references/0/contact",
        ]
    );
    assert_eq!(withheld(OPEN, &person()), (person(), vec![]));
}

#[test]
fn one_switch_publishes_its_kind_alone() {
    let rows = [
        (
            Publish {
                email: true,
                ..Publish::default()
            },
            "/basics/email",
            "email",
        ),
        (
            Publish {
                phone: true,
                ..Publish::default()
            },
            "/basics/phone",
            "phone",
        ),
        (
            Publish {
                address: true,
                ..Publish::default()
            },
            "/basics/location/address",
            "address",
        ),
        (
            Publish {
                reference_contacts: true,
                ..Publish::default()
            },
            "/references/0/contact",
            "reference_contacts",
        ),
    ];
    for (publish, place, switch) in rows {
        let (served, found) = withheld(publish, &person());
        assert!(served.pointer(place).is_some(), "{switch}");
        assert!(
            !found.is_empty() && found.iter().all(|line| !line.starts_with(switch)),
            "{found:?}"
        );
    }
}

#[test]
fn a_value_known_to_be_private_is_found_in_other_texts() {
    let (served, _) = withheld(
        Publish::default(),
        &json!({
            "basics": {
                "phone": "+1 202-555-0142",
                "location": {"address": "17 Lighthouse Steps, Harbourtown"},
                "summary": "Visit 17 lighthouse steps, or ring 5550142. Harbourtown is nice.",
            },
            "work": [{"summary": "ContactService phone 202 555 0142", "ticket": 2_025_550_142_u64}],
            "projects": [{"name": "X", "+1 202-555-0142": true}],
        }),
    );
    assert_eq!(
        served,
        json!({
            "basics": {
                "summary": "Visit [withheld], or ring [withheld]. Harbourtown is nice.",
            },
            "work": [{"summary": "ContactService phone [withheld]"}],
            "projects": [{"name": "X"}],
        })
    );
}

#[test]
fn the_owners_published_address_may_stand_elsewhere_too() {
    let publish = Publish {
        email: true,
        ..Publish::default()
    };
    let resume = json!({
        "basics": {"email": "a@example.com"},
        "references": [{"name": "B", "email": "a@example.com"}],
    });
    let (served, _) = withheld(publish, &resume);
    assert_eq!(
        served,
        json!({"basics": {"email": "a@example.com"}, "references": [{"name": "B"}]})
    );
}

#[test]
fn withholding_again_finds_nothing_more() {
    let (served, _) = withheld(Publish::default(), &person());
    assert_eq!(withheld(Publish::default(), &served), (served, vec![]));
}
