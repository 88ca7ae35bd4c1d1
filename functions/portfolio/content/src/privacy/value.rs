//! [`PrivateValue`]: one withheld value, in the form in which it is looked for elsewhere.

use md5::Md5;
use sha2::{Digest, Sha256};

use super::fold::folded;

/// Minimum length of a value that is looked for. Shorter ones are common words and numbers.
pub(super) const SHORTEST: usize = 5;

/// The digits by which a phone number is recognized: its last ones. Prefixes of countries and areas
/// are written in many ways.
pub(super) const PHONE_DIGITS: usize = 7;

/// How a value is recognized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// A text, between two boundaries.
    Text,
    /// The last digits of a phone number, anywhere in a number.
    Phone,
    /// A number, between two boundaries.
    Number,
    /// The first digits of a coordinate, after a boundary.
    Coordinate,
}

/// A value that is withheld.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct PrivateValue {
    pub(super) form: Form,
    /// What is looked for, folded. At least [`SHORTEST`] characters.
    pub(super) pattern: Vec<char>,
    /// The digits before the pattern of a phone number.
    pub(super) prefix: Vec<char>,
    /// Whether the value is of a contact field or has the form of contact data. Another value is
    /// not private if it is also served as the value of a field.
    pub(super) is_contact: bool,
}

impl PrivateValue {
    /// A text. `None` if it is too short.
    pub(super) fn text(text: &str, is_contact: bool) -> Option<Self> {
        Self::new(Form::Text, folded(text), is_contact)
    }

    /// A number that is not a phone number. `None` if it is short or round: such numbers are common.
    pub(super) fn number(text: &str, is_contact: bool) -> Option<Self> {
        let digits = folded(text);
        let is_round = digits.ends_with(&['0'; 3]);
        (!is_round)
            .then(|| Self::new(Form::Number, digits, is_contact))
            .flatten()
    }

    /// A phone number. `None` if it is too short, or a placeholder of zeros.
    pub(super) fn phone(text: &str) -> Option<Self> {
        let mut prefix = folded(text);
        let pattern = prefix.split_off(prefix.len().checked_sub(PHONE_DIGITS)?);
        let is_placeholder = pattern.ends_with(&['0'; 4]);
        let value = Self::new(Form::Phone, pattern, true).filter(|_| !is_placeholder)?;
        Some(Self { prefix, ..value })
    }

    /// A coordinate with at least three decimals: about a hundred metres. `None` if it has fewer.
    pub(super) fn coordinate(text: &str) -> Option<Self> {
        let (whole, decimals) = text.split_once('.')?;
        let whole = whole.trim_start_matches(['-', '+']);
        let is_number = |digits: &str| digits.chars().all(|c| c.is_ascii_digit());
        if whole.len() > 3 || !is_number(whole) || !is_number(decimals) {
            return None;
        }
        let decimals = decimals.get(..SHORTEST.saturating_sub(whole.len()).max(3))?;
        let pattern = folded(&format!("{whole}{decimals}"));
        Self::new(Form::Coordinate, pattern, true)
    }

    /// An e-mail address: as it is, spelled out (`ada at quill dot example`), and as the digests by
    /// which picture services name it.
    pub(super) fn email(address: &str) -> Vec<Self> {
        let address = address.trim().to_lowercase();
        let forms = [
            address.clone(),
            address.replace('@', " at "),
            address.replace('.', " dot "),
            address.replace('@', " at ").replace('.', " dot "),
            hex(&Md5::digest(&address)),
            hex(&Sha256::digest(&address)),
        ];
        let values = forms.iter().map(|form| Self::text(form, true));
        values.flatten().collect()
    }

    fn new(form: Form, pattern: Vec<char>, is_contact: bool) -> Option<Self> {
        (pattern.len() >= SHORTEST).then_some(Self {
            form,
            pattern,
            prefix: Vec::new(),
            is_contact,
        })
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(value: Option<PrivateValue>) -> Option<String> {
        value.map(|value| value.pattern.into_iter().collect())
    }

    #[test]
    fn short_and_round_values_are_not_looked_for() {
        let text = |text| pattern(PrivateValue::text(text, true));
        assert_eq!(text("17 Quay").as_deref(), Some("17quay"));
        assert_eq!(text("NY 1"), None);
        let number = |text| pattern(PrivateValue::number(text, true));
        assert_eq!(number("10115").as_deref(), Some("10115"));
        assert_eq!(number("95,000"), None);
        assert_eq!(number("1742"), None);
        let phone = |text| pattern(PrivateValue::phone(text));
        assert_eq!(phone("+1 202-555-0142").as_deref(), Some("5550142"));
        assert_eq!(phone("000-000-0000"), None);
        assert_eq!(phone("555 014"), None);
        let coordinate = |text| pattern(PrivateValue::coordinate(text));
        assert_eq!(coordinate("-3.53391").as_deref(), Some("35339"));
        assert_eq!(coordinate("50.7184").as_deref(), Some("50718"));
        assert_eq!(coordinate("50.7"), None);
        assert_eq!(coordinate("202.555.0142"), None);
        assert_eq!(coordinate("2020.1234"), None);
    }

    #[test]
    fn an_email_address_is_looked_for_in_six_forms() {
        let patterns: Vec<String> = PrivateValue::email("Ada@Quill.example")
            .into_iter()
            .map(|value| value.pattern.into_iter().collect())
            .collect();
        assert_eq!(
            patterns,
            [
                "ada@quillexample",
                "adaatquillexample",
                "ada@quilldotexample",
                "adaatquilldotexample",
                "22a7c6427eb0af8d41fa44e9439dda7a",
                "2b96eccecbb0e2eb5f614beb06bc2191753908063214e0e70a8148f9c0cc4511",
            ]
        );
    }
}
