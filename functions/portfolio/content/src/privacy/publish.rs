//! [`Publish`]: the table `[publish]` of `profile.toml`, which names what is not withheld.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A key of `[publish]` that publishes contact data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Switch {
    /// The street and the postal code.
    Address,
    /// E-mail addresses.
    Email,
    /// Phone numbers.
    Phone,
    /// Contact data in references.
    ReferenceContacts,
}

impl Switch {
    const ALL: [Self; 4] = [
        Self::Address,
        Self::Email,
        Self::Phone,
        Self::ReferenceContacts,
    ];

    /// Returns the key.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Email => "email",
            Self::Phone => "phone",
            Self::ReferenceContacts => "reference_contacts",
        }
    }
}

/// JSON Resume's contact fields, by their path.
const CONTACT_FIELDS: [(&str, Switch); 6] = [
    ("basics.email", Switch::Email),
    ("basics.otherEmails", Switch::Email),
    ("basics.phone", Switch::Phone),
    ("basics.otherPhones", Switch::Phone),
    ("basics.location.address", Switch::Address),
    ("basics.location.postalCode", Switch::Address),
];

/// Returns the switch of a contact field.
pub(super) fn contact_switch(path: &str) -> Option<Switch> {
    let mut fields = CONTACT_FIELDS.iter();
    fields
        .find(|(field, _)| *field == path)
        .map(|(_, switch)| *switch)
}

/// Returns whether a path is that of a contact field.
pub(crate) fn is_contact_field(path: &str) -> bool {
    contact_switch(path).is_some()
}

/// What the owner publishes. Nothing by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Publish {
    switches: Vec<Switch>,
    /// Members and sections that JSON Resume does not define, by their path.
    also: Vec<String>,
}

impl Publish {
    /// Reads the table. Values of a wrong type publish nothing; the check of the profile reports
    /// them.
    pub(crate) fn read(profile: &Map<String, Value>) -> Self {
        let table = profile.get("publish");
        let get = |key: &str| table.and_then(|table| table.get(key));
        let is_on = |switch: &Switch| get(switch.key()) == Some(&Value::Bool(true));
        let also = get("also").and_then(Value::as_array);
        let also = also.into_iter().flatten().filter_map(Value::as_str);
        Self {
            switches: Switch::ALL.into_iter().filter(is_on).collect(),
            also: also.map(|path| path.trim().to_owned()).collect(),
        }
    }

    /// Returns whether contact data of this kind is published.
    pub(crate) fn has(&self, switch: Switch) -> bool {
        self.switches.contains(&switch)
    }

    /// Returns the paths in `also`.
    pub(crate) fn also(&self) -> &[String] {
        &self.also
    }

    /// Returns whether `also` names this path, or one that contains it.
    pub(crate) fn names(&self, path: &str) -> bool {
        self.also.iter().any(|named| contains(named, path))
    }

    /// Returns whether `also` names something inside this path.
    pub(crate) fn names_inside(&self, path: &str) -> bool {
        let mut named = self.also.iter();
        named.any(|named| named != path && contains(path, named))
    }

    /// Returns whether a link of this scheme is served. `https` and `http` always are; schemes that
    /// hold contact data are if it is published.
    pub(crate) fn allows_scheme(&self, scheme: &str) -> bool {
        match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" => true,
            "mailto" => self.has(Switch::Email),
            "tel" | "sms" => self.has(Switch::Phone),
            "geo" => self.has(Switch::Address),
            _ => false,
        }
    }
}

/// Returns whether `path` is `outer`, or a path inside it.
fn contains(outer: &str, path: &str) -> bool {
    path.strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn publish(table: &Value) -> Publish {
        Publish::read(json!({"publish": table}).as_object().unwrap())
    }

    #[test]
    fn only_what_is_true_or_named_is_published() {
        let none = [
            json!({}),
            json!({"phone": false}),
            json!({"phone": "true"}),
            json!(true),
        ];
        for table in none {
            assert_eq!(publish(&table), Publish::default(), "{table}");
        }
        let some = publish(&json!({"email": true, "also": ["basics.desk", " hobbies "]}));
        assert!(some.has(Switch::Email) && !some.has(Switch::Phone));
        assert!(some.names("basics.desk") && some.names("basics.desk.floor"));
        assert!(some.names("hobbies") && !some.names("basics.desktop"));
        assert!(some.names_inside("basics") && !some.names_inside("basics.desk"));
    }

    #[test]
    fn links_with_contact_data_follow_its_switch() {
        let none = Publish::default();
        let email = publish(&json!({"email": true}));
        for (scheme, by_default, with_email) in [
            ("https", true, true),
            ("HTTP", true, true),
            ("mailto", false, true),
            ("tel", false, false),
            ("javascript", false, false),
            ("data", false, false),
        ] {
            assert_eq!(none.allows_scheme(scheme), by_default, "{scheme}");
            assert_eq!(email.allows_scheme(scheme), with_email, "{scheme}");
        }
    }
}
