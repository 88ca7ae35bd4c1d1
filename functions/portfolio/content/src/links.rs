//! Links: which URLs are served as links, and what is wrong with the others.

/// What a text in the place of a link is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link<'t> {
    /// An absolute `https` or `http` URL.
    Web,
    /// A URL of another scheme, in lower case or not.
    Scheme(&'t str),
    /// Not an absolute URL, with the reason.
    Malformed(&'static str),
}

/// Reads a text in the place of a link (RFC 3986).
pub(crate) fn read(text: &str) -> Link<'_> {
    let not_absolute = Link::Malformed("not an absolute URL; it must start with `https://`");
    let Some((scheme, rest)) = text.split_once(':') else {
        return not_absolute;
    };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    if !is_web(scheme) {
        // `example.com:8080` is a host with a port.
        return if is_scheme && !scheme.contains('.') {
            Link::Scheme(scheme)
        } else {
            not_absolute
        };
    }
    if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Link::Malformed("not a URL; it contains a space");
    }
    let host = rest
        .strip_prefix("//")
        .and_then(|rest| rest.split(['/', '?', '#']).next());
    match host {
        None | Some("") => Link::Malformed("not a URL; the host is missing"),
        Some(_) => Link::Web,
    }
}

/// Returns whether a text is a web address that satisfies `format: uri` of JSON Schema (RFC 3986):
/// ASCII alone, without the characters that must be escaped. Fields of the protocol require this.
#[must_use]
pub fn is_web_uri(text: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c);
    read(text) == Link::Web && text.chars().all(is_allowed)
}

fn is_web(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

/// Returns whether the text has the form of an e-mail address: one `@` between a name and a host.
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
    fn absolute_web_addresses_are_links() {
        for text in [
            "https://example.com",
            "http://example.com/a?b#c",
            "HTTPS://example.com",
            "https://münchen.example/ü",
            "https://localhost:8080/",
        ] {
            assert_eq!(read(text), Link::Web, "{text}");
        }
    }

    #[test]
    fn only_ascii_web_addresses_are_uris() {
        let rows = [
            ("https://example.com/a?b=%C3%BC#c", true),
            ("https://münchen.example/", false),
            ("https://example.com/{id}", false),
            ("mailto:a@example.com", false),
            ("example.com", false),
        ];
        for (text, expected) in rows {
            assert_eq!(is_web_uri(text), expected, "{text}");
        }
    }

    #[test]
    fn other_schemes_are_named() {
        for (text, scheme) in [
            ("mailto:a@example.com", "mailto"),
            ("tel:+1 555 0100", "tel"),
            ("data:image/png;base64,AA==", "data"),
            ("JavaScript:alert(1)", "JavaScript"),
            ("geo:50.7,-3.5", "geo"),
        ] {
            assert_eq!(read(text), Link::Scheme(scheme), "{text}");
        }
    }

    #[test]
    fn malformed_links_have_a_reason() {
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
                matches!(read(text), Link::Malformed(reason) if reason.contains(words)),
                "{text}"
            );
        }
    }

    #[test]
    fn an_email_address_has_one_at_sign_between_a_name_and_a_host() {
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
