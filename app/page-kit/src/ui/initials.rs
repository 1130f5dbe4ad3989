//! The initials of a user.

/// Returns the initials of the first and the last word of a name.
pub fn initials(name: &str) -> String {
    let mut words = name.split_whitespace();
    let first = words.next();
    let last = words.next_back();
    let letter = |word: &str| word.chars().find(|c| c.is_alphanumeric());
    let initials = [first, last].into_iter().flatten().filter_map(letter);
    initials.flat_map(char::to_uppercase).collect()
}
