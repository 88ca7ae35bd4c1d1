//! Advice for the owner, in a check: text that looks like contact data, and likely spelling
//! mistakes in what is withheld. Nothing here changes what is served.

use serde_json::{Map, Value};

use super::contact_forms::{emails, phones};
use super::finding::FileReport;
use super::place::Place;
use super::privacy::{PrivateMember, is_contact_field};
use super::suggestion::did_you_mean;

/// Warns about served text that looks like contact data.
pub(crate) fn check_contact_data(document: &Map<String, Value>, report: &mut FileReport<'_>) {
    for (name, value) in document {
        look_at(value, Place::Root.member(name), report);
    }
}

fn look_at(value: &Value, at: Place<'_>, report: &mut FileReport<'_>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                look_at(value, at.member(name), report);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                look_at(item, at.item(index), report);
            }
        }
        Value::String(text) if !is_contact_field(&at.path()) => {
            let what = match (!emails(text).is_empty(), !phones(text).is_empty()) {
                (true, true) => "an e-mail address and a phone number",
                (true, false) => "an e-mail address",
                (false, true) => "a phone number",
                (false, false) => return,
            };
            let message =
                format!("looks like {what}, and is served; remove it if it is not for everyone");
            report.warning(at, message);
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Warns about withheld members whose name is close to a field that is absent.
pub(crate) fn check_names(
    withheld: &[PrivateMember],
    resume: &Map<String, Value>,
    report: &mut FileReport<'_>,
) {
    for member in withheld {
        let Some(shape) = member.siblings else {
            continue;
        };
        let (parent, name) = member.pointer.rsplit_once('/').unwrap_or_default();
        let is_absent = |field: &&str| value_at(resume, &format!("{parent}/{field}")).is_none();
        let is_name = name.starts_with(char::is_alphabetic);
        let meant = did_you_mean(name, shape.names().filter(is_absent));
        if is_name && !meant.is_empty() {
            report.warning_at(
                &member.pointer,
                format!("is not a field of JSON Resume{meant}"),
            );
        }
    }
}

fn value_at<'v>(document: &'v Map<String, Value>, pointer: &str) -> Option<&'v Value> {
    let mut tokens = pointer.split('/').skip(1);
    let first = document.get(tokens.next()?)?;
    tokens.try_fold(first, |value, token| value.pointer(&format!("/{token}")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::finding::Report;

    #[test]
    fn text_that_looks_like_contact_data_is_pointed_out_and_not_quoted() {
        let document = json!({
            "basics": {"email": "a@b.example", "summary": "Write to me@b.example or +1 202-555-0142."},
            "work": [{"summary": "Patent number 10123456", "phone": "(202) 555-0142"}],
        });
        let mut report = Report::default();
        let mut file = FileReport::json("r", &mut report);
        check_contact_data(document.as_object().unwrap(), &mut file);
        let found: Vec<String> = report.sorted().iter().map(|f| f.to_string()).collect();
        let advice = "and is served; remove it if it is not for everyone";
        assert_eq!(
            found,
            [
                format!(
                    "warning: r: /basics/summary: looks like an e-mail address and a phone number, {advice}"
                ),
                format!("warning: r: /work/0/phone: looks like a phone number, {advice}"),
            ]
        );
    }
}
