//! Numbers in figures and in words.

use super::word::Words;

/// A number among words: its value, and how many words it takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spelt {
    pub(super) value: f64,
    pub(super) length: usize,
}

/// The number in figures that `text` is: `1,000.50`, `30`, `30th`.
pub(super) fn figures(text: &str) -> Option<f64> {
    let bare = text.trim_end_matches(|sign: char| sign.is_ascii_alphabetic());
    let suffix = text.strip_prefix(bare)?.to_ascii_lowercase();
    if !matches!(&*suffix, "" | "st" | "nd" | "rd" | "th") {
        return None;
    }
    bare.replace(',', "").parse().ok()
}

/// The number that begins at `place`, in figures or in words, with its `million`.
pub(super) fn at(words: &Words, place: usize) -> Option<Spelt> {
    let word = words.get(place)?;
    let mut spelt = match figures(&word.text) {
        Some(value) => Spelt { value, length: 1 },
        None => cardinal(words, place)?,
    };
    while let Some(scale) = words.after(place, spelt.length).and_then(|word| scale(&word.lower)) {
        spelt.value *= scale;
        spelt.length = spelt.length.saturating_add(1);
    }
    Some(spelt)
}

fn scale(word: &str) -> Option<f64> {
    Some(match word {
        "thousand" => 1e3,
        "million" => 1e6,
        "billion" => 1e9,
        _ => return None,
    })
}

const UNITS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];

const TENS: [&str; 8] =
    ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

const ORDINALS: [&str; 20] = [
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
];

fn place_of(list: &[&str], word: &str) -> Option<u32> {
    list.iter().position(|known| *known == word).and_then(|place| u32::try_from(place).ok())
}

/// One word that is a number below a hundred.
fn simple(word: &str) -> Option<u32> {
    let tens = || Some(place_of(&TENS, word)?.saturating_add(2).saturating_mul(10));
    place_of(&UNITS, word).or_else(tens)
}

/// The number that one word names: `third`, `thirty`.
pub(super) fn named(word: &str) -> Option<f64> {
    simple(word).or_else(|| place_of(&ORDINALS, word)).map(f64::from)
}

/// A number in words: `twenty-five`, `one hundred and twenty`, `one and one-half`.
fn cardinal(words: &Words, place: usize) -> Option<Spelt> {
    let mut value = 0;
    let mut length = 0_usize;
    while let Some(word) = words.after(place, length) {
        let next = words.after(place, length.saturating_add(1));
        let goes_on = next.is_some_and(|next| simple(&next.lower).is_some());
        if let Some(number) = simple(&word.lower) {
            value = u32::saturating_add(value, number);
        } else if word.is("hundred") && length > 0 {
            value = value.max(1).saturating_mul(100);
        } else if !(length > 0 && goes_on && word.is_any(&["-", "and"])) {
            break;
        }
        if words.begins(place.saturating_add(length), "and one - half") {
            break;
        }
        length = length.saturating_add(1);
    }
    if length == 0 {
        return None;
    }
    if words.begins(place.saturating_add(length), "- half") {
        // "one-half": the one before the dash is counted already.
        return Some(Spelt { value: 0.5 * f64::from(value), length: length.saturating_add(2) });
    }
    Some(Spelt { value: f64::from(value), length })
}

/// "One and one-half" at `place`.
pub(super) fn and_a_half(words: &Words, place: usize) -> Option<Spelt> {
    let whole = simple(&words.get(place)?.lower)?;
    let length = ["and one - half", "and one half", "and a half"]
        .iter()
        .find(|phrase| words.begins(place.saturating_add(1), phrase))?
        .split(' ')
        .count();
    Some(Spelt { value: f64::from(whole) + 0.5, length: length.saturating_add(1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_and_words_are_the_same_numbers() {
        for (text, value) in [
            ("30", 30.0),
            ("30th", 30.0),
            ("1,000.50", 1000.5),
            ("1.5 million", 1_500_000.0),
            ("thirty", 30.0),
            ("twenty-five", 25.0),
            ("one hundred and twenty", 120.0),
            ("two hundred", 200.0),
        ] {
            assert_eq!(at(&Words::of(text), 0).map(|spelt| spelt.value), Some(value), "{text}");
        }
        for text in ["1681c", "section", "hundred", "and"] {
            assert_eq!(at(&Words::of(text), 0), None, "{text}");
        }
        let half = and_a_half(&Words::of("one and one-half times"), 0);
        assert_eq!(half, Some(Spelt { value: 1.5, length: 5 }));
    }
}
