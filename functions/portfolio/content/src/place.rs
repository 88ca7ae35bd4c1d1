//! [`Place`]: where a value is in a document, while the document is walked.

use std::fmt;

/// A member or an item, with the value that contains it.
///
/// A place borrows its parent, so that a walk allocates nothing until a finding is written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'p> {
    /// The document.
    Root,
    /// A member of an object, by its name.
    Member(&'p Self, &'p str),
    /// An item of a list, from 0.
    Item(&'p Self, usize),
}

impl<'p> Place<'p> {
    /// Returns the place of a member.
    pub(crate) const fn member(&'p self, name: &'p str) -> Self {
        Self::Member(self, name)
    }

    /// Returns the place of an item.
    pub(crate) const fn item(&'p self, index: usize) -> Self {
        Self::Item(self, index)
    }

    /// Returns whether this is the document itself.
    pub(crate) const fn is_root(&self) -> bool {
        matches!(self, Self::Root)
    }

    /// Returns the place as a JSON Pointer (RFC 6901): `/work/0/startDate`. Empty for the document.
    pub(crate) fn pointer(&self) -> String {
        let mut text = String::new();
        self.each(&mut |token| {
            text.push('/');
            match token {
                Token::Name(name) => text.push_str(&name.replace('~', "~0").replace('/', "~1")),
                Token::Index(index) => text.push_str(&index.to_string()),
            }
        });
        text
    }

    /// Returns the place as a dotted key: `projects.featured[0]`.
    pub(crate) fn dotted(&self) -> String {
        self.joined(true)
    }

    /// Returns the names of the members, without the positions in lists: `basics.profiles.handle`.
    pub(crate) fn path(&self) -> String {
        self.joined(false)
    }

    fn joined(&self, has_indices: bool) -> String {
        let mut text = String::new();
        self.each(&mut |token| match token {
            Token::Name(name) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(name);
            }
            Token::Index(index) if has_indices => text.push_str(&format!("[{index}]")),
            Token::Index(_) => {}
        });
        text
    }

    fn each(&self, token: &mut impl FnMut(Token<'_>)) {
        match self {
            Self::Root => {}
            Self::Member(parent, name) => {
                parent.each(token);
                token(Token::Name(name));
            }
            Self::Item(parent, index) => {
                parent.each(token);
                token(Token::Index(*index));
            }
        }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.pointer())
    }
}

enum Token<'t> {
    Name(&'t str),
    Index(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_pointer_a_dotted_key_or_a_path() {
        let work = Place::Root.member("work");
        let first = work.item(0);
        let place = first.member("a/b~c");
        assert_eq!(place.pointer(), "/work/0/a~1b~0c");
        assert_eq!(place.dotted(), "work[0].a/b~c");
        assert_eq!(place.path(), "work.a/b~c");
        assert_eq!(Place::Root.pointer(), "");
        assert!(Place::Root.is_root() && !work.is_root());
    }
}
