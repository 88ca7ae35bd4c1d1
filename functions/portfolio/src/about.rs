//! How an offer of the server is presented, to clients in lists and in the manifest alike.

/// A name, and the words by which it is chosen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct About {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
}
