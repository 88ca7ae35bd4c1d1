//! `portfolio new-key [NAME [SCOPE …]]`: generates an API key, and its entry for `API_KEYS`.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use lambda_mcp::auth::{ApiKeys, InvalidScopes, NewApiKey, Scopes};

use crate::contact;

/// The default name of a key.
const NAME: &str = "client";

/// Generates a key and prints it with its entry for `API_KEYS`.
///
/// The name defaults to `client` and the scopes to `contact:send`. The key is shown only once; its
/// entry holds a digest of it.
///
/// # Errors
///
/// Returns an error if the output cannot be written.
pub(crate) fn run(
    arguments: impl Iterator<Item = OsString>,
    out: &mut impl Write,
) -> io::Result<ExitCode> {
    let mut words = arguments.map(|word| word.to_string_lossy().into_owned());
    let name = words.next().unwrap_or_else(|| NAME.to_owned());
    let scopes: Vec<_> = words.collect();
    let scopes = if scopes.is_empty() {
        contact::SCOPE.to_owned()
    } else {
        scopes.join(" ")
    };
    match make(&name, &scopes) {
        Ok((key, entry)) => {
            let key = key.key();
            writeln!(
                out,
                "Key for the client (shown only once):\n{key}\n\nEntry for API_KEYS:\n{entry}"
            )?;
            Ok(ExitCode::SUCCESS)
        }
        Err(fault) => {
            writeln!(out, "{fault}")?;
            Ok(ExitCode::FAILURE)
        }
    }
}

fn make(name: &str, scopes: &str) -> Result<(NewApiKey, String), String> {
    let scopes: Scopes = scopes
        .parse()
        .map_err(|error: InvalidScopes| error.to_string())?;
    let key = NewApiKey::generate().map_err(|error| error.to_string())?;
    let entry = format!("{name} {} {scopes}", key.digest());
    let entry = entry.trim_end().to_owned();
    // Prints only what the function accepts.
    match entry.parse::<ApiKeys>() {
        Ok(keys) if keys.len() == 1 && !name.contains(char::is_whitespace) => Ok((key, entry)),
        Ok(_) | Err(_) => Err(format!(
            "`{name}` is not a valid name: use visible ASCII characters without spaces and `;`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(words: &[&str]) -> (ExitCode, String) {
        let mut out = Vec::new();
        let code = run(words.iter().map(OsString::from), &mut out).unwrap();
        (code, String::from_utf8(out).unwrap())
    }

    #[test]
    fn the_entry_holds_the_digest_of_the_key() {
        let (code, text) = printed(&["ada", "contact:send", "read"]);
        assert_eq!(code, ExitCode::SUCCESS);
        let lines: Vec<_> = text.lines().collect();
        let (key, entry) = (lines[1], lines[4]);
        let expected = format!("ada {} contact:send read", ApiKeys::digest(key));
        assert_eq!(entry, expected);
        let (_, other) = printed(&[]);
        let entry = other.lines().last().unwrap();
        assert!(!other.contains(key));
        assert!(entry.starts_with("client sha256:") && entry.ends_with(" contact:send"));
    }

    #[test]
    fn an_entry_that_the_function_rejects_is_not_printed() {
        for (name, scope) in [
            ("", "a"),
            ("a b", "a"),
            ("a;b", "a"),
            ("ä", "a"),
            ("a", "\""),
        ] {
            let (code, text) = printed(&[name, scope]);
            assert_eq!(code, ExitCode::FAILURE, "{name}");
            assert!(!text.contains("lmk_"), "{text}");
        }
    }
}
