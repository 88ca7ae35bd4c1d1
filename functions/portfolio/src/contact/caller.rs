//! [`Caller`]: the holder of the credential that came with a call.

use serde::{Deserialize, Serialize};

use super::characters::{cut, unfit_for_line, with_single_spaces};

const MAX_NAME: usize = 200;

/// The holder of a credential.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Caller {
    id: String,
    name: String,
}

impl Caller {
    /// Creates a caller; `id` is unique, `name` is a display name.
    ///
    /// The name comes from the issuer, and the caller cannot correct it: characters that are not
    /// allowed on one line are replaced.
    pub(crate) fn new(id: impl Into<String>, name: &str) -> Self {
        let is_fit = |c: char| unfit_for_line(c.encode_utf8(&mut [0; 4])).is_none();
        let shown = name.chars().map(|c| {
            if is_fit(c) {
                c
            } else {
                char::REPLACEMENT_CHARACTER
            }
        });
        Self {
            id: id.into(),
            name: cut(&with_single_spaces(&shown.collect::<String>()), MAX_NAME),
        }
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_caller_is_one_line() {
        let name = format!("key\r\nBcc: y{}", "z".repeat(300));
        let caller = Caller::new("1", &name);
        assert!(
            caller.name().starts_with("key\u{FFFD}\u{FFFD}Bcc: y"),
            "{caller:?}"
        );
        assert_eq!(caller.name().chars().count(), MAX_NAME);
    }
}
