//! Lines in a stream of bytes. Specification: *stdio*: "Messages are delimited by newlines".
//!
//! A line that is too long is reported when its limit is reached. The rest of it is skipped as it
//! arrives, so no more than the limit and one piece of input is held.

use bytes::{Buf as _, Bytes, BytesMut};

/// A line, without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    Whole(Bytes),
    /// Longer than the limit.
    TooLong,
}

/// The lines of the bytes that arrived.
#[derive(Debug)]
pub(super) struct Lines {
    limit: usize,
    arrived: BytesMut,
    /// How many of these bytes are known to have no newline.
    searched: usize,
    /// Whether the bytes belong to a line that was reported as too long.
    is_skipping: bool,
}

impl Lines {
    /// `limit`: the largest number of bytes in a line.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            arrived: BytesMut::new(),
            searched: 0,
            is_skipping: false,
        }
    }

    /// Adds bytes to the end. Take all lines before: only what is left of them is kept.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.arrived.extend_from_slice(bytes);
    }

    /// Takes the next line that is complete, or that is known to be too long.
    pub(super) fn next(&mut self) -> Option<Line> {
        loop {
            let unsearched = self.arrived.get(self.searched..).unwrap_or_default();
            let end = unsearched.iter().position(|&byte| byte == b'\n');
            let Some(end) = end.map(|end| self.searched + end) else {
                self.searched = self.arrived.len();
                if self.is_skipping {
                    self.clear();
                } else if self.arrived.len() > self.limit {
                    self.clear();
                    self.is_skipping = true;
                    return Some(Line::TooLong);
                }
                return None;
            };
            let line = self.arrived.split_to(end);
            self.arrived.advance(1);
            self.searched = 0;
            if std::mem::take(&mut self.is_skipping) {
                continue;
            }
            return Some(if line.len() > self.limit {
                Line::TooLong
            } else {
                Line::Whole(line.freeze())
            });
        }
    }

    /// Takes what is left at the end of the input: a line without its end.
    pub(super) fn rest(&mut self) -> Option<Line> {
        let rest = std::mem::take(&mut self.arrived).freeze();
        self.searched = 0;
        (!rest.is_empty() && !self.is_skipping).then_some(Line::Whole(rest))
    }

    fn clear(&mut self) {
        self.arrived.clear();
        self.searched = 0;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All lines of a text that arrives in pieces, and the most that was held.
    fn lines(pieces: &[&[u8]], limit: usize) -> (Vec<Line>, usize) {
        let mut lines = Lines::new(limit);
        let (mut found, mut held) = (Vec::new(), 0);
        for piece in pieces {
            lines.push(piece);
            held = held.max(lines.arrived.len());
            while let Some(line) = lines.next() {
                found.push(line);
            }
        }
        found.extend(lines.rest());
        (found, held)
    }

    fn whole(text: &str) -> Line {
        Line::Whole(Bytes::copy_from_slice(text.as_bytes()))
    }

    #[test]
    fn lines_end_at_newlines_and_at_the_end_of_the_input() {
        let rows: [(&[&[u8]], Vec<Line>); 5] = [
            (&[b"ab\ncd\n"], vec![whole("ab"), whole("cd")]),
            (
                &[b"a", b"b", b"\n\nc"],
                vec![whole("ab"), whole(""), whole("c")],
            ),
            (&[b"ab\r\n"], vec![whole("ab\r")]),
            (&[b""], vec![]),
            (&[b"\n"], vec![whole("")]),
        ];
        for (pieces, expected) in rows {
            assert_eq!(lines(pieces, 10).0, expected, "{pieces:?}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_reported_once_and_not_held() {
        let piece = [b'x'; 8];
        let mut pieces: Vec<&[u8]> = vec![b"one\n"];
        pieces.extend(std::iter::repeat_n(piece.as_slice(), 1000));
        pieces.extend([
            b"\ntwo\n".as_slice(),
            b"exactly-10\n",
            b"eleven-more\n",
            b"three",
        ]);
        let (found, held) = lines(&pieces, 10);
        let expected = [
            whole("one"),
            Line::TooLong,
            whole("two"),
            whole("exactly-10"),
            Line::TooLong,
            whole("three"),
        ];
        assert_eq!(found, expected);
        assert!(held <= 10 + piece.len() + 4, "{held}");
        // The input ends within one.
        assert_eq!(lines(&[b"0123456789ab", b"cd"], 10).0, [Line::TooLong]);
    }

    proptest! {
        #[test]
        fn it_does_not_matter_in_which_pieces_lines_arrive(
            text in "[ab\n]{0,60}",
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
            at.extend([0, text.len()]);
            at.sort_unstable();
            let pieces: Vec<&[u8]> = at.windows(2).map(|cut| &text.as_bytes()[cut[0]..cut[1]]).collect();
            prop_assert_eq!(lines(&pieces, 5).0, lines(&[text.as_bytes()], 5).0);
        }
    }
}
