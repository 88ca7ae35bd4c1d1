//! Finds the word an owner probably meant: "`avaliability` is not known; did you mean
//! `availability`?"

/// The candidate closest to `word`, if one is close enough to be a slip of the pen: at most a
/// third of its letters differ, upper and lower case are alike.
pub(crate) fn closest<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let word = folded(word);
    candidates
        .into_iter()
        .map(|candidate| (distance(&word, &folded(candidate)), candidate))
        .filter(|(distance, candidate)| *distance <= allowed(word.len(), candidate))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn allowed(length: usize, candidate: &str) -> usize {
    (length.max(candidate.chars().count()) / 3).max(1)
}

fn folded(text: &str) -> Vec<char> {
    text.chars()
        .flat_map(char::to_lowercase)
        .filter(|c| c.is_alphanumeric())
        .collect()
}

/// The number of insertions, deletions, replacements that turn `a` into `b` (Levenshtein), one row
/// of the table at a time.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (to, above) in b.iter().zip(row.iter().skip(1)) {
            let cost = usize::from(from != to);
            left = (left + 1).min(above + 1).min(diagonal + cost);
            diagonal = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_found_and_a_stranger_is_not() {
        let names = ["Tidewatch", "Lantern", "Paper Weather"];
        let rows = [
            ("Tidewach", Some("Tidewatch")),
            ("tide-watch", Some("Tidewatch")),
            ("paper weather", Some("Paper Weather")),
            ("Lanterne", Some("Lantern")),
            ("Zeppelin", None),
            ("", None),
        ];
        for (word, expected) in rows {
            assert_eq!(closest(word, names), expected, "{word}");
        }
    }

    #[test]
    fn the_distance_counts_single_letter_edits() {
        let rows = [
            ("", "", 0),
            ("a", "", 1),
            ("", "ab", 2),
            ("kitten", "sitting", 3),
        ];
        for (a, b, expected) in rows {
            let (a, b): (Vec<_>, Vec<_>) = (a.chars().collect(), b.chars().collect());
            assert_eq!(distance(&a, &b), expected);
        }
    }
}
