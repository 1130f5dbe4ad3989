//! Unicode simple case folding (`CaseFolding.txt`, statuses C and S), without normalisation.

use std::cmp::Ordering;

/// Returns the folded text.
pub(crate) fn folded(text: &str) -> String {
    text.chars().map(fold).collect()
}

/// Compares `folded` with the folded form of `text` without allocating it.
pub(crate) fn order(folded: &str, text: &str) -> Ordering {
    folded.chars().cmp(text.chars().map(fold))
}

fn fold(char: char) -> char {
    if char.is_ascii() {
        return char.to_ascii_lowercase();
    }
    unicode_case_mapping::case_folded(char)
        .and_then(|folded| char::from_u32(folded.get()))
        .unwrap_or(char)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_case_folding_differs_from_lower_casing() {
        assert_eq!(folded("STRASSE"), "strasse");
        assert_eq!(folded("Straẞe"), "straße", "one scalar value to one");
        assert_eq!(folded("ΣΊΣΥΦΟΣ"), folded("σίσυφος"), "final sigma folds too");
        assert_eq!(folded("\u{212A}ſ"), "ks", "Kelvin sign and long s");
        assert_eq!(folded("İI"), "İi", "the Turkic mappings are not used");
        assert_eq!(order(&folded("Ünal"), "ÜNAL"), Ordering::Equal);
        assert_eq!(order("b", "A"), Ordering::Greater);
    }
}
