//! Unicode simple case folding (`CaseFolding.txt`, statuses C and S), without normalisation.

use std::cmp::Ordering;

/// Returns the folded form of `text`.
///
/// The database has the same function for stored texts (`migration/src/m0001_schema/folded_texts.sql`).
pub fn fold_text(text: &str) -> String {
    text.chars().map(fold_char).collect()
}

/// Compares `folded` with the folded form of `text` without allocating it.
pub fn compare_folded(folded: &str, text: &str) -> Ordering {
    // Equal ASCII bytes at the start need no decoding.
    let is_same = |(known, byte): &(u8, u8)| *known == byte.to_ascii_lowercase() && byte.is_ascii();
    let same = folded.bytes().zip(text.bytes()).take_while(is_same).count();
    let (folded, text) = (folded.get(same..), text.get(same..));
    let (folded, text) = (folded.unwrap_or_default(), text.unwrap_or_default());
    folded.chars().cmp(text.chars().map(fold_char))
}

/// Returns whether `text` contains the folded text `part`, regardless of the case of `text`.
pub fn contains_folded(text: &str, part: &str) -> bool {
    fold_text(text).contains(part)
}

/// Returns the folded form of a character.
pub fn fold_char(char: char) -> char {
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
        assert_eq!(fold_text("STRASSE"), "strasse");
        assert_eq!(fold_text("Straẞe"), "straße", "one scalar value to one");
        assert_eq!(fold_text("ΣΊΣΥΦΟΣ"), fold_text("σίσυφος"), "final sigma folds too");
        assert_eq!(fold_text("\u{212A}ſ"), "ks", "Kelvin sign and long s");
        assert_eq!(fold_text("İI"), "İi", "the Turkic mappings are not used");
        assert_eq!(compare_folded(&fold_text("Ünal"), "ÜNAL"), Ordering::Equal);
        assert_eq!(compare_folded("b", "A"), Ordering::Greater);
    }
}
