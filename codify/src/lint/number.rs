//! Numbers in digits and in words.

use super::token::Tokens;

/// A number with its value and its length in tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ParsedNumber {
    pub(super) value: f64,
    pub(super) length: usize,
}

/// Parses a number in digits: `1,000.50`, `30`, `30th`.
pub(super) fn parse_digits(text: &str) -> Option<f64> {
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let suffix = text.strip_prefix(digits)?.to_ascii_lowercase();
    if !matches!(&*suffix, "" | "st" | "nd" | "rd" | "th") {
        return None;
    }
    digits.replace(',', "").parse().ok()
}

/// Returns the number that starts at `index`, in digits or in words, including a scale such as `million`.
pub(super) fn parse_at(tokens: &Tokens, index: usize) -> Option<ParsedNumber> {
    let word = tokens.get(index)?;
    let mut parsed = match parse_digits(&word.text) {
        Some(value) => ParsedNumber { value, length: 1 },
        None => cardinal(tokens, index)?,
    };
    while let Some(scale) = tokens.after(index, parsed.length).and_then(|word| scale(&word.lower)) {
        parsed.value *= scale;
        parsed.length = parsed.length.saturating_add(1);
    }
    Some(parsed)
}

fn scale(word: &str) -> Option<f64> {
    Some(match word {
        "thousand" => 1e3,
        "million" => 1e6,
        "billion" => 1e9,
        _ => return None,
    })
}

const UNITS: &str = "\
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen \
    fifteen sixteen seventeen eighteen nineteen";

const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";

const ORDINALS: &str = "\
    zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth \
    thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth";

/// Returns the index of a word in a list of words that are separated by spaces.
pub(super) fn position_of(list: &str, word: &str) -> Option<u32> {
    list.split(' ').position(|known| known == word).and_then(|index| u32::try_from(index).ok())
}

fn number_below_100(word: &str) -> Option<u32> {
    let tens = || Some(position_of(TENS, word)?.saturating_add(2).saturating_mul(10));
    position_of(UNITS, word).or_else(tens)
}

/// Returns the value of a cardinal or ordinal word: `third`, `thirty`.
pub(super) fn number_word(word: &str) -> Option<f64> {
    number_below_100(word).or_else(|| position_of(ORDINALS, word)).map(f64::from)
}

/// Returns a number in words: `twenty-five`, `one hundred and twenty`, `one and one-half`.
fn cardinal(tokens: &Tokens, index: usize) -> Option<ParsedNumber> {
    let mut value = 0_u32;
    let mut length = 0_usize;
    while let Some(word) = tokens.after(index, length) {
        let next = tokens.after(index, length.saturating_add(1));
        let continues = next.is_some_and(|next| number_below_100(&next.lower).is_some());
        if let Some(number) = number_below_100(&word.lower) {
            value = value.saturating_add(number);
        } else if word.is("hundred") && length > 0 {
            value = value.max(1).saturating_mul(100);
        } else if !(length > 0 && continues && word.is_any("- and")) {
            break;
        }
        if tokens.begins(index.saturating_add(length), "and one - half") {
            break;
        }
        length = length.saturating_add(1);
    }
    if length == 0 {
        return None;
    }
    if tokens.begins(index.saturating_add(length), "- half") {
        // In "one-half", `value` already contains the "one".
        return Some(ParsedNumber {
            value: 0.5 * f64::from(value),
            length: length.saturating_add(2),
        });
    }
    Some(ParsedNumber { value: f64::from(value), length })
}

/// Returns a number such as "one and one-half" at `index`.
pub(super) fn and_a_half(tokens: &Tokens, index: usize) -> Option<ParsedNumber> {
    let integer = number_below_100(&tokens.get(index)?.lower)?;
    let halves = "and one - half|and one half|and a half";
    let length = tokens.first_phrase(index.saturating_add(1), halves)?;
    Some(ParsedNumber { value: f64::from(integer) + 0.5, length: length.saturating_add(1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_words_have_equal_values() {
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
            assert_eq!(
                parse_at(&Tokens::new(text), 0).map(|parsed| parsed.value),
                Some(value),
                "{text}"
            );
        }
        for text in ["1681c", "section", "hundred", "and"] {
            assert_eq!(parse_at(&Tokens::new(text), 0), None, "{text}");
        }
        let half = and_a_half(&Tokens::new("one and one-half times"), 0);
        assert_eq!(half, Some(ParsedNumber { value: 1.5, length: 5 }));
    }
}
