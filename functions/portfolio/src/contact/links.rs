//! [`without_links()`]: text in which no mail program finds a link.

/// Returns the text with the links taken apart: `https://a.example/b` becomes
/// `https[:]//a[.]example/b`.
///
/// Mail programs make links of URLs and of bare host names. The owner can still read and copy the
/// text, but cannot follow a stranger's link by accident. E-mail addresses stay as they are.
pub(super) fn without_links(text: &str) -> String {
    text.split_inclusive(char::is_whitespace)
        .map(|word| {
            if word.contains("://") {
                let mut parts = word.split("://");
                let scheme = parts.next().unwrap_or_default().to_owned();
                parts.fold(scheme, |taken_apart, part| {
                    format!("{taken_apart}[:]//{}", without_host(part))
                })
            } else if is_host(word) {
                without_host(word)
            } else {
                word.to_owned()
            }
        })
        .collect()
}

/// Replaces the dots of the host name that a text starts with.
fn without_host(text: &str) -> String {
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    let (host, rest) = text.split_at(end);
    let name = host.trim_end_matches(|c: char| !c.is_alphanumeric());
    let after = host.get(name.len()..).unwrap_or_default();
    format!("{}{after}{rest}", name.replace('.', "[.]"))
}

/// Returns whether a word starts with a host name, such as `www.example.org/a`: labels with dots
/// between them, the last one of two letters or more.
fn is_host(word: &str) -> bool {
    let end = word.find(['/', '?', '#', ':']).unwrap_or(word.len());
    let host = word.get(..end).unwrap_or_default();
    let host = host.trim_matches(|c: char| !c.is_alphanumeric());
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .chars()
                .all(|c| c.is_alphanumeric() || c == '-' || c == '_')
    };
    let Some((_, top)) = host.rsplit_once('.') else {
        return false;
    };
    host.split('.').all(is_label) && top.chars().filter(|c| c.is_alphabetic()).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_taken_apart_and_other_text_is_not() {
        let rows = [
            (
                "https://a.example/b.c?d=e.f",
                "https[:]//a[.]example/b.c?d=e.f",
            ),
            (
                "see (http://a.example).\nBye",
                "see (http[:]//a[.]example).\nBye",
            ),
            ("x:https://a.example", "x:https[:]//a[.]example"),
            ("javascript://a.example", "javascript[:]//a[.]example"),
            (
                "https://a.example/?to=https://b.example",
                "https[:]//a[.]example/?to=https[:]//b[.]example",
            ),
            ("www.a.example", "www[.]a[.]example"),
            ("a.example, b", "a[.]example, b"),
            ("a.example/login", "a[.]example/login"),
            ("a.example:8080/x", "a[.]example:8080/x"),
            ("<a.example>", "<a[.]example>"),
            ("bücher.example", "bücher[.]example"),
            ("ada@example.org", "ada@example.org"),
            (
                "e.g. 3.5 hours, v1.2/v1.3, and/or U.S.",
                "e.g. 3.5 hours, v1.2/v1.3, and/or U.S.",
            ),
            ("End. Next… ok.", "End. Next… ok."),
        ];
        for (text, expected) in rows {
            assert_eq!(without_links(text), expected);
        }
    }
}
