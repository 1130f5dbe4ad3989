//! The search of the documentation: sections that contain all words of a query.

use documents::documentation::{Hit, Link};

use super::markdown::Section;

/// The maximum number of sections in a result.
const HITS_MAX: usize = 30;

/// The maximum number of words of a query. Further words are ignored.
const WORDS_MAX: usize = 8;

/// The number of bytes of an excerpt before and after the first match.
const EXCERPT_BEFORE: usize = 60;
const EXCERPT_AFTER: usize = 160;

/// The sections of all pages. Letters match in either case if they are ASCII.
#[derive(Debug, Default)]
pub(super) struct Index(Vec<Entry>);

#[derive(Debug)]
struct Entry {
    link: Link,
    text: String,
    /// The title and the text in lower case, with the same length in bytes.
    lower_title: String,
    lower_text: String,
}

impl Index {
    /// Adds the sections of the page `title` at `url`.
    pub(super) fn add(&mut self, url: &str, title: &str, sections: &[Section]) {
        self.0.extend(sections.iter().map(|section| {
            let (url, title) = if section.id.is_empty() {
                (url.to_owned(), title.to_owned())
            } else {
                (format!("{url}#{}", section.id), format!("{title}: {}", section.heading))
            };
            let text = section.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let (lower_title, lower_text) = (title.to_ascii_lowercase(), text.to_ascii_lowercase());
            Entry { link: Link { url, title }, text, lower_title, lower_text }
        }));
    }

    /// Returns the sections that contain all words, best first: words in titles count more than words in texts.
    pub(super) fn search(&self, query: &str) -> Vec<Hit> {
        let lower = query.to_ascii_lowercase();
        let words: Vec<&str> = lower.split_whitespace().take(WORDS_MAX).collect();
        if words.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<(usize, &Entry)> = self
            .0
            .iter()
            .filter_map(|entry| entry.score(&words).map(|score| (score, entry)))
            .collect();
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        found.truncate(HITS_MAX);
        let hit = |(_, entry): (usize, &Entry)| Hit {
            link: entry.link.clone(),
            excerpt: entry.excerpt(&words),
        };
        found.into_iter().map(hit).collect()
    }
}

impl Entry {
    /// Returns a number that is higher for a better match, or `None` if a word is missing.
    fn score(&self, words: &[&str]) -> Option<usize> {
        words.iter().try_fold(0, |score, word| {
            let in_title = usize::from(self.lower_title.contains(word));
            let in_text = self.lower_text.matches(word).count();
            (in_title + in_text > 0).then_some(score + 20 * in_title + in_text.min(10))
        })
    }

    /// Returns the text around the first match, in pieces that match or do not.
    fn excerpt(&self, words: &[&str]) -> Vec<(String, bool)> {
        let first = words.iter().filter_map(|word| self.lower_text.find(word)).min().unwrap_or(0);
        let start = self.text.floor_char_boundary(first.saturating_sub(EXCERPT_BEFORE));
        let end =
            self.text.ceil_char_boundary(first.saturating_add(EXCERPT_AFTER).min(self.text.len()));
        let mut pieces = Vec::new();
        if start > 0 {
            pieces.push(("… ".to_owned(), false));
        }
        let mut at = start;
        while let Some((from, to)) = next_match(&self.lower_text[at..end], words) {
            pieces.push((self.text[at..at + from].to_owned(), false));
            pieces.push((self.text[at + from..at + to].to_owned(), true));
            at += to;
        }
        pieces.push((self.text[at..end].to_owned(), false));
        if end < self.text.len() {
            pieces.push((" …".to_owned(), false));
        }
        pieces.retain(|(piece, _)| !piece.is_empty());
        pieces
    }
}

/// Returns the range of the first word that occurs in the text.
fn next_match(text: &str, words: &[&str]) -> Option<(usize, usize)> {
    let ranges =
        words.iter().filter_map(|word| text.find(word).map(|from| (from, from + word.len())));
    ranges.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index() -> Index {
        let section = |id: &str, heading: &str, text: &str| Section {
            id: id.to_owned(),
            heading: heading.to_owned(),
            text: text.to_owned(),
        };
        let mut index = Index::default();
        let start = section("", "", "Ünïcode before a Receipt of a decision.");
        index.add("/docs/a", "A page", &[start, section("keys", "Receipt keys", "One key.")]);
        index
    }

    #[test]
    fn sections_with_all_words_are_found_and_titles_come_first() {
        let urls = |query: &str| -> Vec<String> {
            index().search(query).into_iter().map(|hit| hit.link.url).collect()
        };
        assert_eq!(urls("RECEIPT"), ["/docs/a#keys", "/docs/a"]);
        assert_eq!(urls("receipt decision"), ["/docs/a"]);
        assert_eq!(urls("receipt nothing"), [""; 0]);
        assert_eq!(urls("  "), [""; 0]);
    }

    #[test]
    fn excerpts_mark_each_match() {
        let hits = index().search("receipt decision");
        let marked: Vec<&str> = hits[0]
            .excerpt
            .iter()
            .filter_map(|(piece, is_match)| is_match.then_some(piece.as_str()))
            .collect();
        assert_eq!(marked, ["Receipt", "decision"]);
        let text: String = hits[0].excerpt.iter().map(|(piece, _)| piece.as_str()).collect();
        assert_eq!(text, "Ünïcode before a Receipt of a decision.");
    }
}
