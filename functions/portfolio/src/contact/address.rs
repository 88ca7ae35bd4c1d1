//! E-mail addresses, in the plain form that every mail service takes.
//!
//! Quoted local parts, comments and address literals are valid mail, and the places where header
//! injection hides; they are no addresses here.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

/// The longest address that can be mailed to (RFC 5321).
const LONGEST: usize = 254;
const LONGEST_LOCAL: usize = 64;
const LONGEST_LABEL: usize = 63;
/// Of UTF-8, in one encoded word of at most 75 characters (RFC 2047).
const ENCODED_BYTES: usize = 45;

/// An address such as `ada@example.org`.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct EmailAddress(String);

/// An address that nothing can be sent to.
pub(crate) const NO_ADDRESS: &str = "is not an e-mail address like `ada@example.org`";

impl EmailAddress {
    /// Reads an address; `None` if it is none.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (local, domain) = text.rsplit_once('@')?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c);
        let is_local = local.len() <= LONGEST_LOCAL
            && local
                .split('.')
                .all(|part| !part.is_empty() && part.chars().all(is_plain));
        let is_label = |label: &str| {
            (1..=LONGEST_LABEL).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        };
        let top = domain.rsplit_once('.').map(|(_, top)| top)?;
        let is_domain = domain.split('.').all(is_label)
            && top.len() > 1
            && !top.chars().all(|c| c.is_ascii_digit());
        (text.len() <= LONGEST && is_local && is_domain).then(|| Self(text.to_owned()))
    }

    /// Of this machine: what stands in an outbox when nothing is configured.
    pub(crate) fn local() -> Self {
        Self("owner@localhost".to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A configuration that is printed tells no one where the owner reads mail.
        f.write_str("[address]")
    }
}

/// An address with a name before it: `Ada's portfolio <portfolio@example.org>`.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Mailbox {
    name: Option<String>,
    address: EmailAddress,
}

impl Mailbox {
    /// Reads `name <address>` or an address alone.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let Some((name, rest)) = text.split_once('<') else {
            return EmailAddress::parse(text.trim()).map(Self::from);
        };
        let address = EmailAddress::parse(rest.strip_suffix('>')?)?;
        let name = name.trim();
        let is_fit = |c: char| !c.is_control() && !"\"\\<>".contains(c);
        (name.chars().all(is_fit) && super::characters::unfit_for_line(name).is_none()).then(|| {
            Self {
                name: (!name.is_empty()).then(|| name.to_owned()),
                address,
            }
        })
    }

    pub(crate) fn address(&self) -> &EmailAddress {
        &self.address
    }

    /// For services that encode the name themselves.
    pub(crate) fn unicode(&self) -> String {
        match &self.name {
            Some(name) => format!("\"{name}\" <{}>", self.address.0),
            None => self.address.0.clone(),
        }
    }

    /// For services that want it as it stands in the header: other names than ASCII in encoded
    /// words (RFC 2047).
    pub(crate) fn encoded(&self) -> String {
        match &self.name {
            Some(name) if !name.is_ascii() => {
                format!("{} <{}>", encoded_words(name), self.address.0)
            }
            Some(_) | None => self.unicode(),
        }
    }
}

impl From<EmailAddress> for Mailbox {
    fn from(address: EmailAddress) -> Self {
        Self {
            name: None,
            address,
        }
    }
}

impl fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(f)
    }
}

fn encoded_words(text: &str) -> String {
    let mut words = Vec::new();
    let mut part = String::new();
    for c in text.chars() {
        if part.len() + c.len_utf8() > ENCODED_BYTES {
            words.push(std::mem::take(&mut part));
        }
        part.push(c);
    }
    words.push(part);
    let encoded = words
        .iter()
        .map(|word| format!("=?UTF-8?B?{}?=", BASE64.encode(word)));
    encoded.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_addresses_are_read_and_nothing_else() {
        let long_local = format!("{}@example.org", "a".repeat(65));
        let long_label = format!("a@{}.org", "b".repeat(64));
        let long = format!("{}@{}org", "a".repeat(64), "b23456789.".repeat(19));
        let rows = [
            ("ada@example.org", true),
            ("ada.l+work@mail.example.co.uk", true),
            ("o'neil_x-1@ex-ample.org", true),
            ("ada@xn--bcher-kva.example", true),
            (&long_local, false),
            (&long_label, false),
            (&long, false),
            ("ada@example", false),
            ("ada@example.o", false),
            ("ada@127.0.0.1", false),
            ("ada@[127.0.0.1]", false),
            ("ada@example..org", false),
            ("ada@-example.org", false),
            (".ada@example.org", false),
            ("a..b@example.org", false),
            ("@example.org", false),
            ("ada@", false),
            ("ada", false),
            ("", false),
            ("ada@example.org,eve@example.org", false),
            ("ada@example.org\r\nBcc: eve@example.org", false),
            ("ada@example.org\n", false),
            ("<ada@example.org>", false),
            ("Ada <ada@example.org>", false),
            ("\"a b\"@example.org", false),
            ("ada(x)@example.org", false),
            ("ada@exämple.org", false),
            ("zoë@example.org", false),
            (" ada@example.org", false),
            ("mailto:ada@example.org", false),
        ];
        for (text, is_address) in rows {
            assert_eq!(EmailAddress::parse(text).is_some(), is_address, "{text:?}");
        }
    }

    #[test]
    fn a_mailbox_may_have_a_name_and_is_not_shown() {
        let rows = [
            ("a@b.example", Some("a@b.example")),
            (" a@b.example ", Some("a@b.example")),
            ("<a@b.example>", Some("a@b.example")),
            (
                "Ada, Inc. <a@b.example>",
                Some("\"Ada, Inc.\" <a@b.example>"),
            ),
            ("José <a@b.example>", Some("\"José\" <a@b.example>")),
            ("\"Ada\" <a@b.example>", None),
            ("Ada\r\nBcc: x <a@b.example>", None),
            ("Ada\u{202E} <a@b.example>", None),
            ("Ada <a@b.example", None),
            ("Ada <<a@b.example>", None),
            ("Ada a@b.example", None),
        ];
        for (text, expected) in rows {
            let read = Mailbox::parse(text).map(|mailbox| mailbox.unicode());
            assert_eq!(read.as_deref(), expected, "{text:?}");
        }
        let mailbox = Mailbox::parse("Ada <a@b.example>").unwrap();
        assert_eq!(format!("{mailbox:?}"), "[address]");
    }

    #[test]
    fn a_name_beyond_ascii_is_encoded_for_the_header() {
        let encoded = |text: &str| Mailbox::parse(text).unwrap().encoded();
        assert_eq!(encoded("Ada <a@b.example>"), "\"Ada\" <a@b.example>");
        assert_eq!(
            encoded("José <a@b.example>"),
            "=?UTF-8?B?Sm9zw6k=?= <a@b.example>"
        );
        let long = encoded(&format!("{} <a@b.example>", "é".repeat(60)));
        assert!(long.is_ascii());
        let words: Vec<_> = long.split(' ').collect();
        assert_eq!(words.len(), 4);
        assert!(words.iter().all(|word| word.len() <= 75), "{long}");
        for word in &words[..3] {
            let word = word.strip_prefix("=?UTF-8?B?").unwrap();
            let bytes = BASE64.decode(word.strip_suffix("?=").unwrap()).unwrap();
            assert!(String::from_utf8(bytes).is_ok());
        }
    }
}
