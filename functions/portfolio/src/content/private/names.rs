//! Tells from a member's name that it holds contact data: `email`, `e-mail`, `x-phone`,
//! `mobileNumber`, `streetAddress`, `postalCode`.
//!
//! A name is read by its words, so that `microphone` or `ipAddress` stay.

use serde_json::{Map, Value};

use super::{Area, Contact, text};

const EMAIL: &[&str] = &[
    "email",
    "emails",
    "emailaddress",
    "mail",
    "mails",
    "mailto",
    "gmail",
    "courriel",
    "correo",
];

const PHONE: &[&str] = &[
    "phone",
    "phones",
    "phonenumber",
    "phonenumbers",
    "telephone",
    "telephones",
    "cellphone",
    "mobilephone",
    "mobilenumber",
    "telefon",
    "telefono",
    "teléfono",
    "téléphone",
    "telefone",
    "whatsapp",
    "fax",
    "msisdn",
];

/// These words have other meanings too: the value must be a number one can call.
const MAYBE_PHONE: &[&str] = &[
    "tel", "mobile", "cell", "handy", "gsm", "mob", "ph", "sms", "signal", "viber", "telegram",
    "wechat", "móvil", "movil", "portable", "contact",
];

const ADDRESS: &[&str] = &[
    "address",
    "addresses",
    "addr",
    "street",
    "streetaddress",
    "homeaddress",
    "postaladdress",
    "mailingaddress",
    "postalcode",
    "postcode",
    "zip",
    "zipcode",
    "plz",
    "pobox",
    "housenumber",
    "adresse",
    "anschrift",
    "strasse",
    "straße",
    "dirección",
    "direccion",
    "indirizzo",
    "endereço",
];

/// Addresses of other things than houses.
const NOT_A_HOUSE: &[&str] = &[
    "ip", "web", "site", "mac", "url", "wallet", "contract", "crypto", "btc", "eth", "bitcoin",
    "ethereum", "wall",
];

const COORDINATES: &[&str] = &[
    "lat",
    "lng",
    "lon",
    "latitude",
    "longitude",
    "coordinates",
    "coords",
    "geo",
    "geolocation",
    "geohash",
];

/// Members that say what kind of contact their object is: `{"type": "phone", "value": "…"}`.
const KIND_MEMBERS: &[&str] = &["type", "kind", "network", "medium", "channel", "method"];

/// What a member holds by its name, in view of its value.
pub(super) fn contact(name: &str, value: &Value, area: Area) -> Option<Contact> {
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let is_address = has(ADDRESS) && !has(NOT_A_HOUSE);
    if matches!(value, Value::Null | Value::Bool(_)) {
        None
    } else if has(EMAIL) {
        Some(Contact::Email)
    } else if has(PHONE) || (has(MAYBE_PHONE) && is_number_to_call(value)) {
        Some(Contact::Phone)
    } else if is_address || (area != Area::Elsewhere && has(COORDINATES)) {
        Some(Contact::Address)
    } else if area == Area::References && has(&["contact", "contacts"]) {
        Some(Contact::Email)
    } else {
        None
    }
}

/// What an object is an entry of, by its own say: a profile on the network `Phone`, for example.
pub(super) fn contact_of_entry(object: &Map<String, Value>, area: Area) -> Option<Contact> {
    if area == Area::Elsewhere {
        return None;
    }
    KIND_MEMBERS
        .iter()
        .filter_map(|name| object.get(*name)?.as_str())
        .find_map(|kind| {
            let words = words(kind);
            let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
            let maybe_phone = has(MAYBE_PHONE) && object.values().any(is_number_to_call);
            if has(EMAIL) {
                Some(Contact::Email)
            } else if has(PHONE) || maybe_phone {
                Some(Contact::Phone)
            } else if has(ADDRESS) && !has(NOT_A_HOUSE) {
                Some(Contact::Address)
            } else {
                None
            }
        })
}

/// Calls `found` with every value that stands under a name for contact data.
pub(super) fn each_contact<'v>(
    name: &str,
    value: &'v Value,
    area: Area,
    found: &mut impl FnMut(Contact, &'v Value),
) {
    if let Some(contact) = contact(name, value, area) {
        found(contact, value);
        return;
    }
    match value {
        Value::Object(object) => match contact_of_entry(object, area) {
            Some(contact) => found(contact, value),
            None => object
                .iter()
                .for_each(|(name, value)| each_contact(name, value, area, found)),
        },
        Value::Array(items) => items
            .iter()
            .for_each(|item| each_contact("", item, area, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn is_number_to_call(value: &Value) -> bool {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return false,
    };
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    letters <= 4 && text::digits(&text).len() >= 6
}

/// The words of a name in lower case, and each two neighbours as one: `homePhone_2` is `home`,
/// `phone`, `homephone`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphabetic() || (c.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = c.is_lowercase();
        if let (true, Some(word)) = (c.is_alphabetic(), words.last_mut()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    let joined: Vec<String> = words.windows(2).map(<[String]>::concat).collect();
    words.extend(joined);
    words
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_read_by_their_words() {
        let rows = [
            ("homePhone_2", vec!["home", "phone", "homephone"]),
            ("E-Mail", vec!["e", "mail", "email"]),
            ("EMAIL", vec!["email"]),
            ("postal code", vec!["postal", "code", "postalcode"]),
            ("", vec![]),
        ];
        for (name, expected) in rows {
            assert_eq!(words(name), expected, "{name}");
        }
    }

    #[test]
    fn contact_data_is_known_by_its_name() {
        let (email, phone, address) = (
            Some(Contact::Email),
            Some(Contact::Phone),
            Some(Contact::Address),
        );
        let rows = [
            ("email", json!("x"), email),
            ("e-mail", json!("x"), email),
            ("otherEmails", json!(["x"]), email),
            ("mailAddress", json!("x"), email),
            ("x-phone", json!("x"), phone),
            ("phone", json!(5), phone),
            ("whatsapp", json!("x"), phone),
            ("mobile", json!("+1 555 0100"), phone),
            ("mobile", json!(15_550_100), phone),
            ("mobile", json!("iOS and Android"), None),
            ("mobile", json!(true), None),
            ("tel", json!("5550100"), phone),
            ("streetAddress", json!("x"), address),
            ("address_line_1", json!("x"), address),
            ("postalCode", json!("x"), address),
            ("zip-code", json!(1000), address),
            ("ZIP", json!("x"), address),
            ("ipAddress", json!("x"), None),
            ("microphone", json!("x"), None),
            ("city", json!("x"), None),
            ("mailing", json!("x"), None),
            ("latitude", json!(1.5), address),
            ("contact", json!("a form"), None),
        ];
        for (name, value, expected) in rows {
            assert_eq!(
                contact(name, &value, Area::Person),
                expected,
                "{name}: {value}"
            );
        }
        assert_eq!(contact("latitude", &json!(1.5), Area::Elsewhere), None);
        assert_eq!(
            contact("contact", &json!("a form"), Area::References),
            email
        );
    }

    #[test]
    fn an_entry_can_say_what_it_is() {
        let rows = [
            (json!({"type": "phone", "value": "x"}), Some(Contact::Phone)),
            (
                json!({"network": "WhatsApp", "username": "x"}),
                Some(Contact::Phone),
            ),
            (
                json!({"network": "Telegram", "username": "+15550100"}),
                Some(Contact::Phone),
            ),
            (json!({"network": "Telegram", "username": "quill"}), None),
            (json!({"kind": "E-Mail"}), Some(Contact::Email)),
            (json!({"type": "Home address"}), Some(Contact::Address)),
            (json!({"network": "GitHub", "username": "x"}), None),
        ];
        for (entry, expected) in rows {
            let object = entry.as_object().unwrap();
            assert_eq!(contact_of_entry(object, Area::Person), expected, "{entry}");
            assert_eq!(contact_of_entry(object, Area::Elsewhere), None, "{entry}");
        }
    }
}
