//! The words of a clause, and how to look for phrases among them.

/// A run of letters and digits, or one other sign.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// As it stands.
    pub(super) text: String,
    /// In lower case.
    pub(super) lower: String,
    /// Whether white space stands before it.
    is_spaced: bool,
}

impl Word {
    pub(super) fn is(&self, lower: &str) -> bool {
        self.lower == lower
    }

    pub(super) fn is_any(&self, lower: &[&str]) -> bool {
        lower.contains(&&*self.lower)
    }

    pub(super) fn is_name(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }

    pub(super) fn is_numeral(&self) -> bool {
        self.text.starts_with(|first: char| first.is_ascii_digit())
    }

    fn is_sign(&self) -> bool {
        !self.text.starts_with(char::is_alphanumeric)
    }
}

/// The words of a text, in order, and where the sentence of each begins.
#[derive(Clone, Debug)]
pub(super) struct Words {
    words: Vec<Word>,
    sentences: Vec<usize>,
}

impl Words {
    pub(super) fn of(text: &str) -> Self {
        let signs: Vec<char> = text.chars().collect();
        let mut words = Vec::new();
        let mut rest = signs.as_slice();
        let mut is_spaced = false;
        while let Some((first, after)) = rest.split_first() {
            if first.is_whitespace() {
                is_spaced = true;
                rest = after;
                continue;
            }
            let length = if first.is_alphanumeric() { run(rest) } else { 1 };
            let (word, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
            let text: String = word.iter().collect();
            let lower = text.to_lowercase().replace('’', "'");
            words.push(Word { text, lower, is_spaced });
            is_spaced = false;
            rest = after;
        }
        let sentences = sentences(&words);
        Self { words, sentences }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn get(&self, place: usize) -> Option<&Word> {
        self.words.get(place)
    }

    /// The word `back` places before `place`.
    pub(super) fn before(&self, place: usize, back: usize) -> Option<&Word> {
        self.words.get(place.checked_sub(back)?)
    }

    /// The word `on` places after `place`.
    pub(super) fn after(&self, place: usize, on: usize) -> Option<&Word> {
        self.words.get(place.saturating_add(on))
    }

    /// Every word with its place.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &Word)> {
        self.words.iter().enumerate()
    }

    /// Whether `phrase`, in lower case and split at spaces, begins at `place`.
    pub(super) fn begins(&self, place: usize, phrase: &str) -> bool {
        let mut place = place;
        phrase.split(' ').all(|part| {
            let same = self.get(place).is_some_and(|word| word.is(part));
            place = place.saturating_add(1);
            same
        })
    }

    /// The phrase of `phrases` that begins at `place`; the first of them, so that longer ones stand first.
    pub(super) fn any<'p>(&self, place: usize, phrases: &[&'p str]) -> Option<&'p str> {
        phrases.iter().find(|phrase| self.begins(place, phrase)).copied()
    }

    /// Whether one of `lower` stands within the `reach` words before `place`, in the same sentence.
    pub(super) fn near_before(&self, place: usize, reach: usize, lower: &[&str]) -> bool {
        let start = self.sentence(place).max(place.saturating_sub(reach));
        (start..place).any(|at| self.get(at).is_some_and(|word| word.is_any(lower)))
    }

    /// Where the sentence begins that `place` stands in.
    pub(super) fn sentence(&self, place: usize) -> usize {
        self.sentences.get(place).or(self.sentences.last()).copied().unwrap_or(0)
    }

    /// Whether a sentence, or an item of a list such as `(a)`, begins at `place`.
    pub(super) fn starts_sentence(&self, place: usize) -> bool {
        let previous = self.before(place, 1);
        self.sentence(place) == place
            || previous.is_some_and(|word| word.is_any(&[")", ":", "—", "–", "“", "\""]))
                && self.get(place).is_some_and(Word::is_name)
    }

    /// The words from `place` on as they stand, with a single space where there is white space.
    pub(super) fn shown(&self, place: usize, count: usize) -> String {
        let mut shown = String::new();
        for word in self.words.iter().skip(place).take(count) {
            if word.is_spaced && !shown.is_empty() {
                shown.push(' ');
            }
            shown.push_str(&word.text);
        }
        shown
    }
}

/// Where the sentence of each word begins: behind a stop that a new beginning follows.
fn sentences(words: &[Word]) -> Vec<usize> {
    let mut start = 0;
    let mut after_stop = false;
    words
        .iter()
        .enumerate()
        .map(|(place, word)| {
            if after_stop && (word.is_name() || word.is_numeral() || word.is_sign()) {
                start = place;
            }
            after_stop = word.is_any(&[".", ";", "?", "!"]);
            start
        })
        .collect()
}

/// How long the run of letters and digits at the start of `signs` is. A point or a comma between
/// digits, and an apostrophe between letters, belong to it.
fn run(signs: &[char]) -> usize {
    let mut length: usize = 1;
    while let Some(sign) = signs.get(length) {
        let last = length.checked_sub(1).and_then(|at| signs.get(at));
        let next = signs.get(length.saturating_add(1));
        let joins = |of: fn(&char) -> bool| last.is_some_and(of) && next.is_some_and(of);
        let belongs = sign.is_alphanumeric()
            || matches!(sign, '.' | ',') && joins(char::is_ascii_digit)
            || matches!(sign, '\'' | '’') && joins(|sign| sign.is_alphabetic());
        if !belongs {
            break;
        }
        length = length.saturating_add(1);
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_possessives_are_one_word() {
        let words = Words::of("§ 1026.19(e): $1,000.50, the consumer's thirty-day notice.");
        let texts: Vec<&str> = words.words.iter().map(|word| &*word.text).collect();
        assert_eq!(
            texts,
            [
                "§",
                "1026.19",
                "(",
                "e",
                ")",
                ":",
                "$",
                "1,000.50",
                ",",
                "the",
                "consumer's",
                "thirty",
                "-",
                "day",
                "notice",
                "."
            ]
        );
        assert_eq!(words.shown(6, 10), "$1,000.50, the consumer's thirty-day notice.");
        assert_eq!(words.shown(0, 5), "§ 1026.19(e)");
    }

    #[test]
    fn a_sentence_begins_after_a_stop() {
        let words = Words::of("One. Two three; (a) Four");
        assert_eq!(words.sentence(3), 2);
        assert!(words.starts_sentence(2) && !words.starts_sentence(3));
        assert!(words.starts_sentence(8), "{:?}", words.get(8));
    }
}
