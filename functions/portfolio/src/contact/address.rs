//! E-mail addresses, in the form that every mail service accepts.
//!
//! Quoted local parts, comments and address literals are valid in mail but allow header injection:
//! they are rejected here.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use thiserror::Error;

use super::characters;

/// Maximum length of an address (RFC 5321).
const MAX_ADDRESS: usize = 254;
const MAX_LOCAL: usize = 64;
const MAX_LABEL: usize = 63;
/// Maximum bytes of UTF-8 in one encoded word, which has at most 75 characters (RFC 2047).
const MAX_ENCODED_BYTES: usize = 45;

/// An address such as `ada@example.org`.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct EmailAddress(String);

/// Text that is not an e-mail address or mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be an e-mail address, such as `ada@example.org`")]
pub(crate) struct InvalidAddress;

impl FromStr for EmailAddress {
    type Err = InvalidAddress;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::checked(text).ok_or(InvalidAddress)
    }
}

impl EmailAddress {
    fn checked(text: &str) -> Option<Self> {
        let (local, domain) = text.rsplit_once('@')?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c);
        let is_local = local.len() <= MAX_LOCAL
            && local
                .split('.')
                .all(|part| !part.is_empty() && part.chars().all(is_plain));
        let is_label = |label: &str| {
            (1..=MAX_LABEL).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        };
        let top = domain.rsplit_once('.').map(|(_, top)| top)?;
        let is_domain = domain.split('.').all(is_label)
            && top.len() > 1
            && !top.chars().all(|c| c.is_ascii_digit());
        (text.len() <= MAX_ADDRESS && is_local && is_domain).then(|| Self(text.to_owned()))
    }

    /// Returns the e-mail address in a text that a person wrote, such as `Ada <ada@example.org>`,
    /// `mailto:ada@example.org` or `ada@example.org, +44 20 5550 0100`.
    ///
    /// Returns `None` if the text has no address or different ones, and if anything beside an `@`
    /// leaves room for doubt: a reply must not go to somebody else.
    pub(crate) fn find_in(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Ok(address) = text.parse() {
            return Some(address);
        }
        let mut found = text
            .match_indices('@')
            .map(|(at, _)| Self::around(text, at));
        let first = found.next()??;
        let is_same =
            |other: Option<Self>| other.is_some_and(|other| other.0.eq_ignore_ascii_case(&first.0));
        found.all(is_same).then_some(first)
    }

    /// The address whose `@` is at this byte, if its ends are clear.
    fn around(text: &str, at: usize) -> Option<Self> {
        let (before, after) = (text.get(..at)?, text.get(at + 1..)?);
        let is_local = |c: char| c.is_ascii_alphanumeric() || "._+'-".contains(c);
        let rest = before.trim_end_matches(is_local);
        let local = before.get(rest.len()..)?;
        let opens = |c: char| c.is_whitespace() || "<([\":,;".contains(c);
        let is_open = rest
            .chars()
            .next_back()
            .is_none_or(|c| opens(c) || (!c.is_ascii() && !c.is_alphanumeric()));
        let is_domain = |c: char| c.is_ascii_alphanumeric() || ".-".contains(c);
        let rest = after.trim_start_matches(is_domain);
        let domain = after
            .get(..after.len() - rest.len())?
            .trim_end_matches(['.', '-']);
        let is_closed = rest
            .chars()
            .next()
            .is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | '@' | '%' | '\\'));
        let address = format!("{}@{domain}", local.trim_start_matches(['.', '\'', '-']));
        (is_open && is_closed)
            .then(|| address.parse().ok())
            .flatten()
    }

    /// The address that a local outbox shows when none is configured.
    pub(crate) fn local() -> Self {
        Self("owner@localhost".to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The owner's address is confidential, also in a printed configuration.
        f.write_str("[address]")
    }
}

/// An address with an optional display name: `Ada's portfolio <portfolio@example.org>`.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Mailbox {
    name: Option<String>,
    address: EmailAddress,
}

impl FromStr for Mailbox {
    type Err = InvalidAddress;

    /// Parses `name <address>` or an address alone.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let Some((name, rest)) = text.split_once('<') else {
            return text.trim().parse::<EmailAddress>().map(Self::from);
        };
        let address = rest.strip_suffix('>').ok_or(InvalidAddress)?.parse()?;
        let name = name.trim();
        let is_plain = |c: char| !"\"\\<>".contains(c);
        if !name.chars().all(is_plain) || characters::unfit_for_line(name).is_some() {
            return Err(InvalidAddress);
        }
        Ok(Self {
            name: (!name.is_empty()).then(|| name.to_owned()),
            address,
        })
    }
}

impl Mailbox {
    pub(crate) fn address(&self) -> &EmailAddress {
        &self.address
    }

    /// Returns the mailbox for services that encode the name themselves.
    pub(crate) fn unicode(&self) -> String {
        match &self.name {
            Some(name) => format!("\"{name}\" <{}>", self.address.0),
            None => self.address.0.clone(),
        }
    }

    /// Returns the mailbox as a header value: names outside ASCII are encoded words (RFC 2047).
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
        if part.len() + c.len_utf8() > MAX_ENCODED_BYTES {
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
    fn only_plain_addresses_are_accepted() {
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
            assert_eq!(text.parse::<EmailAddress>().is_ok(), is_address, "{text:?}");
        }
    }

    #[test]
    fn the_one_address_in_a_text_is_found() {
        let rows = [
            ("ada@example.org", Some("ada@example.org")),
            (" Ada <ada@example.org> ", Some("ada@example.org")),
            ("Ada Lovelace (ada@example.org)", Some("ada@example.org")),
            (
                "\"Ada\" <ada.l+work@mail.example.org>",
                Some("ada.l+work@mail.example.org"),
            ),
            ("mailto:ada@example.org", Some("ada@example.org")),
            (
                "mailto:ada@example.org?subject=Hello",
                Some("ada@example.org"),
            ),
            ("ada@example.org.", Some("ada@example.org")),
            ("e-mail: ada@example.org!", Some("ada@example.org")),
            ("ada@example.org, +44 20 5550 0100", Some("ada@example.org")),
            (
                "+44 20 5550 0100 / ada@example.org",
                Some("ada@example.org"),
            ),
            ("邮箱：ada@example.org", Some("ada@example.org")),
            ("Ada@example.org <ada@example.org>", Some("Ada@example.org")),
            ("a/b!c@example.org", Some("a/b!c@example.org")),
            // No address, or doubt about it.
            ("+44 20 5550 0100", None),
            ("https://example.org/@ada", None),
            ("https://ada@example.org/", None),
            ("ada@example.org, eve@example.org", None),
            ("ada@example.org?bcc=eve@example.org", None),
            ("\"x\\\" <eve@example.org>\"@example.org", None),
            ("\"a b\"@example.org", None),
            ("x%ada@example.org", Some("x%ada@example.org")),
            ("write to x%ada@example.org", None),
            ("to zoëada@example.org", None),
            ("zoë@example.org", None),
            ("to ada@example.orgé", None),
            ("to ada@example", None),
            ("to ada@127.0.0.1", None),
            ("علي@example.org", None),
            ("@ada", None),
            ("", None),
        ];
        for (text, expected) in rows {
            let found = EmailAddress::find_in(text);
            assert_eq!(found.as_ref().map(EmailAddress::as_str), expected, "{text}");
        }
    }

    #[test]
    fn a_mailbox_may_have_a_name_and_is_never_printed() {
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
            let read = text.parse::<Mailbox>().map(|mailbox| mailbox.unicode());
            assert_eq!(read.as_deref().ok(), expected, "{text:?}");
        }
        let mailbox: Mailbox = "Ada <a@b.example>".parse().unwrap();
        assert_eq!(format!("{mailbox:?}"), "[address]");
    }

    #[test]
    fn a_name_beyond_ascii_is_encoded_for_the_header() {
        let encoded = |text: &str| text.parse::<Mailbox>().unwrap().encoded();
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
