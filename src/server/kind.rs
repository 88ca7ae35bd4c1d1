//! [`Kind`]: what a name in a builder is the name of.

/// The kind of a definition. Each kind has names of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Tool,
    Resource,
    Prompt,
}

impl Kind {
    /// The word in the message of an error.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Resource => "resource",
            Self::Prompt => "prompt",
        }
    }
}
