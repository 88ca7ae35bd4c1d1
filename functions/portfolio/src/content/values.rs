//! Small checks of single values: is this an address of the web, of a mailbox?

/// What is wrong with a URL, if anything is: JSON Resume asks for absolute ones (RFC 3986).
pub(crate) fn url_fault(text: &str) -> Option<&'static str> {
    if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Some("not a URL: it contains a space");
    }
    let Some((scheme, rest)) = text.split_once(':') else {
        return Some("not an absolute URL: it should start with `https://`");
    };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    if !is_scheme || (!is_web && scheme.contains('.')) {
        return Some("not an absolute URL: it should start with `https://`");
    }
    let host = rest
        .strip_prefix("//")
        .and_then(|rest| rest.split(['/', '?', '#']).next());
    match host {
        None | Some("") if is_web => Some("not a URL: the host is missing"),
        _ => None,
    }
}

/// Whether the text has the form of a mailbox: one `@` between a name and a host.
pub(crate) fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else {
        return false;
    };
    let is_plain = !text.chars().any(|c| c.is_whitespace() || c.is_control());
    is_plain
        && !name.is_empty()
        && !host.contains('@')
        && host.split('.').count() >= 2
        && host.split('.').all(|label| !label.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_that_are_absolute_are_fine() {
        for text in [
            "https://example.com",
            "http://example.com/a?b#c",
            "HTTPS://example.com",
            "mailto:a@example.com",
            "tel:+15550100",
            "data:image/png;base64,AA==",
            "https://münchen.example/ü",
            "https://localhost:8080/",
        ] {
            assert_eq!(url_fault(text), None, "{text}");
        }
    }

    #[test]
    fn urls_that_are_not_say_why() {
        let rows = [
            ("example.com", "start with"),
            ("www.example.com/me", "start with"),
            ("example.com:8080/me", "start with"),
            ("/images/me.png", "start with"),
            ("@someone", "start with"),
            ("https://exa mple.com", "space"),
            ("https://", "host"),
            ("https:///path", "host"),
            ("https:example.com", "host"),
        ];
        for (text, words) in rows {
            assert!(
                url_fault(text).is_some_and(|fault| fault.contains(words)),
                "{text}"
            );
        }
    }

    #[test]
    fn mailboxes_have_one_at_between_a_name_and_a_host() {
        let rows = [
            ("a@example.com", true),
            ("a.b+c@mail.example.co", true),
            ("a@localhost", false),
            ("@example.com", false),
            ("a@example.", false),
            ("a@b@example.com", false),
            ("a at example.com", false),
            ("a @example.com", false),
        ];
        for (text, expected) in rows {
            assert_eq!(is_email(text), expected, "{text}");
        }
    }
}
