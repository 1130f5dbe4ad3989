//! The differences between two texts or sentences, word by word.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::sentence::{Piece, Sentence};

/// The maximum size of the table that compares words. Longer texts are shown as replaced.
const CELLS_MAX: usize = 40_000;

/// Which of the two texts contains a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    Both,
    Before,
    After,
}

/// A part of two compared texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    pub side: Side,
    pub piece: Piece,
}

/// Returns the parts of two plain texts, in reading order.
pub fn of_texts(before: &str, after: &str) -> Vec<Run> {
    of_sentences(&Sentence::default().words(before), &Sentence::default().words(after))
}

/// Returns the parts of two sentences, in reading order. A removed part precedes the part that replaces it.
pub fn of_sentences(before: &Sentence, after: &Sentence) -> Vec<Run> {
    let (before, after) = (words(before), words(after));
    let start = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let (before_rest, after_rest) = (&before[start..], &after[start..]);
    let ends = before_rest.iter().rev().zip(after_rest.iter().rev());
    let end = ends.take_while(|(a, b)| a == b).count();
    let before_middle = &before_rest[..before_rest.len() - end];
    let after_middle = &after_rest[..after_rest.len() - end];
    let both = |piece: &Piece| (Side::Both, piece.clone());
    let mut parts: Vec<(Side, Piece)> = before[..start].iter().map(both).collect();
    parts.extend(compare(before_middle, after_middle));
    parts.extend(before[before.len() - end..].iter().map(both));
    runs(&parts)
}

/// Returns the parts that one of the two texts contains.
pub fn of_side(runs: &[Run], side: Side) -> Vec<Run> {
    runs.iter().filter(|run| run.side == Side::Both || run.side == side).cloned().collect()
}

/// Splits the words of a sentence at spaces. Names of fields and values stay whole.
fn words(sentence: &Sentence) -> Vec<Piece> {
    let mut words = Vec::new();
    for piece in &sentence.0 {
        let Piece::Words(text) = piece else {
            words.push(piece.clone());
            continue;
        };
        let mut word = String::new();
        for letter in text.chars() {
            let is_mark = |letter: char| matches!(letter, ',' | ';' | '.' | ':' | '(' | ')');
            let is_boundary = word.chars().next_back().is_some_and(|last| {
                last.is_whitespace() != letter.is_whitespace()
                    || (is_mark(letter) && !last.is_ascii_digit())
            });
            if is_boundary {
                words.push(Piece::Words(std::mem::take(&mut word)));
            }
            word.push(letter);
        }
        if !word.is_empty() {
            words.push(Piece::Words(word));
        }
    }
    words
}

/// Compares words by their longest common subsequence.
fn compare(before: &[Piece], after: &[Piece]) -> Vec<(Side, Piece)> {
    let columns = after.len() + 1;
    if before.len().saturating_mul(after.len()) > CELLS_MAX {
        let removed = before.iter().map(|piece| (Side::Before, piece.clone()));
        return removed.chain(after.iter().map(|piece| (Side::After, piece.clone()))).collect();
    }
    // Numbers of equal words are equal. A comparison of a thousand rules compares millions of words.
    let mut numbers: HashMap<&Piece, usize> = HashMap::new();
    let mut number_of = |piece| {
        let next = numbers.len();
        *numbers.entry(piece).or_insert(next)
    };
    let left_numbers: Vec<usize> = before.iter().map(&mut number_of).collect();
    let right_numbers: Vec<usize> = after.iter().map(&mut number_of).collect();
    // `lengths` contains the length of the longest common subsequence of the rest of both lists.
    let mut lengths = vec![0_usize; (before.len() + 1) * columns];
    for (row, left) in left_numbers.iter().enumerate().rev() {
        for (column, right) in right_numbers.iter().enumerate().rev() {
            let at = row * columns + column;
            lengths[at] = if left == right {
                lengths[at + columns + 1] + 1
            } else {
                lengths[at + columns].max(lengths[at + 1])
            };
        }
    }
    let (mut row, mut column, mut parts) = (0, 0, Vec::new());
    while row < before.len() || column < after.len() {
        let at = row * columns + column;
        match (before.get(row), after.get(column)) {
            (Some(left), Some(right)) if left == right => {
                parts.push((Side::Both, left.clone()));
                (row, column) = (row + 1, column + 1);
            }
            (Some(left), right) if right.is_none() || lengths[at + columns] >= lengths[at + 1] => {
                parts.push((Side::Before, left.clone()));
                row += 1;
            }
            (_, Some(right)) => {
                parts.push((Side::After, right.clone()));
                column += 1;
            }
            (_, None) => break,
        }
    }
    parts
}

/// Joins adjacent words of the same side. A space between two changed words counts as changed.
fn runs(parts: &[(Side, Piece)]) -> Vec<Run> {
    let is_changed = |index: usize| parts.get(index).is_some_and(|(side, _)| *side != Side::Both);
    let is_space = |piece: &Piece| matches!(piece, Piece::Words(text) if text.trim().is_empty());
    let (mut runs, mut removed, mut added) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (side, piece)) in parts.iter().enumerate() {
        let is_between = is_space(piece)
            && index.checked_sub(1).is_some_and(is_changed)
            && is_changed(index + 1)
            && !removed.is_empty()
            && !added.is_empty();
        match side {
            Side::Before => join(&mut removed, Side::Before, piece),
            Side::After => join(&mut added, Side::After, piece),
            Side::Both if is_between => {
                join(&mut removed, Side::Before, piece);
                join(&mut added, Side::After, piece);
            }
            Side::Both => {
                runs.append(&mut removed);
                runs.append(&mut added);
                join(&mut runs, Side::Both, piece);
            }
        }
    }
    runs.append(&mut removed);
    runs.append(&mut added);
    runs
}

/// Appends a piece, or its words to the words of the last run of the same side.
fn join(runs: &mut Vec<Run>, side: Side, piece: &Piece) {
    if let (Some(Run { side: last, piece: Piece::Words(text) }), Piece::Words(more)) =
        (runs.last_mut(), piece)
        && *last == side
    {
        text.push_str(more);
    } else {
        runs.push(Run { side, piece: piece.clone() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats runs with `[-removed-]` and `{+added+}`.
    fn marked(runs: &[Run]) -> String {
        let mark = |run: &Run| {
            let (Piece::Words(text) | Piece::Field(text) | Piece::Value(text)) = &run.piece;
            match run.side {
                Side::Both => text.clone(),
                Side::Before => format!("[-{text}-]"),
                Side::After => format!("{{+{text}+}}"),
            }
        };
        runs.iter().map(mark).collect()
    }

    #[test]
    fn changed_words_are_marked() {
        for (before, after, expected) in [
            ("", "", ""),
            ("same words", "same words", "same words"),
            ("", "new", "{+new+}"),
            ("old", "", "[-old-]"),
            ("at most 180 days", "at most 90 days", "at most [-180-]{+90+} days"),
            ("a c", "a b c", "a {+b +}c"),
            ("a b c", "a c", "a [-b -]c"),
            ("one two", "three four", "[-one two-]{+three four+}"),
            ("250,000 euros.", "9,000 euros.", "[-250,000-]{+9,000+} euros."),
            ("x, y", "x, z", "x, [-y-]{+z+}"),
        ] {
            assert_eq!(marked(&of_texts(before, after)), expected, "{before} to {after}");
        }
    }

    #[test]
    fn fields_and_values_of_sentences_stay_whole() {
        let sentence = |value: &str| {
            Sentence::default().field("amount").words(" is at most ").value(value).finish()
        };
        let runs = of_sentences(&sentence("500"), &sentence("450"));
        assert_eq!(marked(&runs), "amount is at most [-500-]{+450+}.");
        assert_eq!(runs[0].piece, Piece::Field("amount".into()));
        assert_eq!(runs[2].piece, Piece::Value("500".into()));
    }

    #[test]
    fn both_texts_can_be_read_from_the_runs() {
        let texts = ["", "a", "a b", "b a c", "c, b (a)", "a b c d e", "e d c b a"];
        for before in texts {
            for after in texts {
                let runs = of_texts(before, after);
                let text = |side: Side| -> String {
                    let own = runs.iter().filter(|run| run.side == Side::Both || run.side == side);
                    own.map(|run| Sentence(vec![run.piece.clone()]).to_string()).collect()
                };
                assert_eq!((text(Side::Before), text(Side::After)), (before.into(), after.into()));
            }
        }
    }

    #[test]
    fn long_texts_are_replaced_as_a_whole() {
        let text = |word: &str| format!("start {}end", format!("{word} ").repeat(2_000));
        let runs = of_texts(&text("a"), &text("b"));
        assert_eq!(runs.iter().filter(|run| run.side != Side::Both).count(), 2);
    }
}
