//! Tokens of a clause, and the search for phrases among them.

/// A token: a run of letters and digits, or one other character.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) lower: String,
    /// Whether white space precedes the token.
    is_spaced: bool,
}

impl Token {
    pub(super) fn is(&self, lower: &str) -> bool {
        self.lower == lower
    }

    /// Returns whether the token is one of `words`, which are in lower case and separated by spaces.
    pub(super) fn is_any(&self, words: &str) -> bool {
        words.split(' ').any(|word| self.is(word))
    }

    pub(super) fn is_name(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }

    pub(super) fn is_numeral(&self) -> bool {
        self.text.starts_with(|first: char| first.is_ascii_digit())
    }

    fn is_symbol(&self) -> bool {
        !self.text.starts_with(char::is_alphanumeric)
    }
}

/// The tokens of a text in order, and the start of each token's sentence.
#[derive(Clone, Debug)]
pub(super) struct Tokens {
    tokens: Vec<Token>,
    sentence_starts: Vec<usize>,
}

impl Tokens {
    pub(super) fn new(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let mut tokens = Vec::new();
        let mut rest = chars.as_slice();
        let mut is_spaced = false;
        while let Some((first, after)) = rest.split_first() {
            if first.is_whitespace() {
                is_spaced = true;
                rest = after;
                continue;
            }
            let length = if first.is_alphanumeric() { run_length(rest) } else { 1 };
            let (token, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
            let text: String = token.iter().collect();
            let lower = text.to_lowercase().replace('’', "'");
            tokens.push(Token { text, lower, is_spaced });
            is_spaced = false;
            rest = after;
        }
        let sentence_starts = sentence_starts(&tokens);
        Self { tokens, sentence_starts }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<&Token> {
        self.tokens.get(index)
    }

    /// Returns the token `back` positions before `index`.
    pub(super) fn before(&self, index: usize, back: usize) -> Option<&Token> {
        self.tokens.get(index.checked_sub(back)?)
    }

    /// Returns the token `forward` positions after `index`.
    pub(super) fn after(&self, index: usize, forward: usize) -> Option<&Token> {
        self.tokens.get(index.saturating_add(forward))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &Token)> {
        self.tokens.iter().enumerate()
    }

    /// Returns whether `phrase`, in lower case and separated by spaces, starts at `index`.
    pub(super) fn begins(&self, index: usize, phrase: &str) -> bool {
        let mut index = index;
        phrase.split(' ').all(|part| {
            let is_equal = self.get(index).is_some_and(|token| token.is(part));
            index = index.saturating_add(1);
            is_equal
        })
    }

    /// Returns the length in tokens of the first of `phrases` that starts at `index`. The phrases are separated by `|`,
    /// and longer ones must come first.
    pub(super) fn first_phrase(&self, index: usize, phrases: &str) -> Option<usize> {
        let phrase = phrases.split('|').find(|phrase| self.begins(index, phrase))?;
        Some(phrase.split(' ').count())
    }

    /// Returns whether one of `words` occurs in the `reach` tokens before `index` in the same sentence.
    pub(super) fn near_before(&self, index: usize, reach: usize, words: &str) -> bool {
        let start = self.sentence(index).max(index.saturating_sub(reach));
        (start..index).any(|position| self.get(position).is_some_and(|token| token.is_any(words)))
    }

    /// Returns the start of the sentence that contains `index`.
    pub(super) fn sentence(&self, index: usize) -> usize {
        self.sentence_starts.get(index).or(self.sentence_starts.last()).copied().unwrap_or(0)
    }

    /// Returns whether a sentence, or an item of a list such as `(a)`, starts at `index`.
    pub(super) fn starts_sentence(&self, index: usize) -> bool {
        let previous = self.before(index, 1);
        self.sentence(index) == index
            || previous.is_some_and(|token| token.is_any(") : — – “ \""))
                && self.get(index).is_some_and(Token::is_name)
    }

    /// Returns the original text of `count` tokens from `index`, with white space reduced to single spaces.
    pub(super) fn source_text(&self, index: usize, count: usize) -> String {
        let mut text = String::new();
        for token in self.tokens.iter().skip(index).take(count) {
            if token.is_spaced && !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&token.text);
        }
        text
    }
}

/// Returns the start of each token's sentence. A sentence starts after a stop that is followed by a
/// capitalized word, a numeral or a symbol.
fn sentence_starts(tokens: &[Token]) -> Vec<usize> {
    let mut start = 0;
    let mut after_stop = false;
    tokens
        .iter()
        .enumerate()
        .map(|(index, token)| {
            if after_stop && (token.is_name() || token.is_numeral() || token.is_symbol()) {
                start = index;
            }
            after_stop = token.is_any(". ; ? !");
            start
        })
        .collect()
}

/// Returns the length of the run of letters and digits at the start of `chars`. It includes points and commas
/// between digits, and apostrophes between letters.
fn run_length(chars: &[char]) -> usize {
    let mut length: usize = 1;
    while let Some(character) = chars.get(length) {
        let last = length.checked_sub(1).and_then(|position| chars.get(position));
        let next = chars.get(length.saturating_add(1));
        let joins = |of: fn(&char) -> bool| last.is_some_and(of) && next.is_some_and(of);
        let belongs = character.is_alphanumeric()
            || matches!(character, '.' | ',') && joins(char::is_ascii_digit)
            || matches!(character, '\'' | '’') && joins(|character| character.is_alphabetic());
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
    fn numbers_and_possessives_are_single_tokens() {
        let tokens = Tokens::new("§ 1026.19(e): $1,000.50, the consumer's thirty-day notice.");
        let texts: Vec<&str> = tokens.tokens.iter().map(|token| &*token.text).collect();
        let expected = "§|1026.19|(|e|)|:|$|1,000.50|,|the|consumer's|thirty|-|day|notice|.";
        assert_eq!(texts.join("|"), expected);
        assert_eq!(tokens.source_text(6, 10), "$1,000.50, the consumer's thirty-day notice.");
        assert_eq!(tokens.source_text(0, 5), "§ 1026.19(e)");
    }

    #[test]
    fn sentences_start_after_a_stop() {
        let tokens = Tokens::new("One. Two three; (a) Four");
        assert_eq!(tokens.sentence(3), 2);
        assert!(tokens.starts_sentence(2) && !tokens.starts_sentence(3));
        assert!(tokens.starts_sentence(8), "{:?}", tokens.get(8));
    }
}
