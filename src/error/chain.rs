//! An error with its sources, for the log.

use std::error::Error;

/// Returns the error's text followed by the text of each of its sources, separated by `: `.
///
/// A source often says more than the error that wraps it, such as a refused connection behind
/// "the request cannot be sent".
pub(crate) fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    for source in std::iter::successors(error.source(), |&error| error.source()) {
        text.push_str(": ");
        text.push_str(&source.to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use thiserror::Error;

    use super::*;

    #[derive(Debug, Error)]
    #[error("{text}")]
    struct Layer {
        text: &'static str,
        source: Option<Box<Self>>,
    }

    #[test]
    fn the_text_of_every_source_follows() {
        let layer = |text, source| Layer { text, source };
        let inner = layer("connection refused", None);
        let middle = layer("cannot connect", Some(Box::new(inner)));
        let outer = layer("the request cannot be sent", Some(Box::new(middle)));
        assert_eq!(
            chain(&outer),
            "the request cannot be sent: cannot connect: connection refused"
        );
        assert_eq!(chain(&layer("alone", None)), "alone");
    }
}
