//! `portfolio new-key [NAME [SCOPE …]]`: makes an API key, and the entry by which the function
//! knows it.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use lambda_mcp::auth::{ApiKeys, InvalidScopes, NewApiKey, Scopes};

/// The name of a key that is given none.
const NAME: &str = "client";
/// What a key allows that is given no scope.
const SCOPE: &str = "contact:send";

/// Makes a key for a name, and prints it with its entry for the list of keys.
///
/// The key is shown this once; what the function is given is a digest of it.
///
/// # Errors
///
/// When the result cannot be written.
pub(crate) fn run(
    arguments: impl Iterator<Item = OsString>,
    out: &mut impl Write,
) -> io::Result<ExitCode> {
    let mut words = arguments.map(|word| word.to_string_lossy().into_owned());
    let name = words.next().unwrap_or_else(|| NAME.to_owned());
    let scopes: Vec<_> = words.collect();
    let scopes = if scopes.is_empty() {
        SCOPE.to_owned()
    } else {
        scopes.join(" ")
    };
    match make(&name, &scopes) {
        Ok((key, entry)) => {
            let key = key.key();
            writeln!(
                out,
                "For the client, shown this once:\n{key}\n\nFor the function:\n{entry}"
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
    // What is printed is what the function will take.
    match entry.parse::<ApiKeys>() {
        Ok(keys) if keys.len() == 1 && !name.contains(char::is_whitespace) => Ok((key, entry)),
        Ok(_) | Err(_) => Err(format!(
            "`{name}` is not a name; use letters, digits and signs without spaces or `;`"
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
    fn the_key_and_its_entry_belong_together() {
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
    fn what_the_function_would_not_take_is_not_printed() {
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
