//! Email addresses: how they are compared, and which ones an account can have.
//!
//! Only ASCII letters are compared without regard to case. With the case rules of Unicode, different addresses would be
//! equal: the lower case of the Kelvin sign is the letter `k`.

use std::collections::BTreeSet;

use unicode_normalization::is_nfkc;

use crate::{
    json::Value,
    read::{FieldErrors, JsonPath, schema, text},
    text::is_invisible,
};

/// The maximum length of an email address in characters.
pub const ADDRESS_MAX: usize = 320;

/// The maximum length of the part before `@` in bytes (RFC 5321, section 4.5.3.1.1).
const MAILBOX_BYTES_MAX: usize = 64;

/// The maximum length of a label of the host in characters (RFC 1035, section 2.3.4).
const LABEL_MAX: usize = 63;

/// Characters with a meaning in mail headers, which no supported address contains.
const RESERVED: &[char] = &['<', '>', '(', ')', '[', ']', ',', ';', ':', '\\', '"'];

const NO_ADDRESS: &str = "must be an email address";

const NOT_PLAIN: &str = "must not contain invisible characters, or characters with a plain form such as full-width \
                         letters; type the address again";

/// Returns an address in the form in which addresses are stored and compared: without surrounding white space, and with
/// ASCII letters in lower case. It may not be an address.
pub fn fold_email(text: &str) -> String {
    text.trim().to_ascii_lowercase()
}

/// Returns an address that is entered for an account, in the form of [`fold_email`].
///
/// Does not check whether the mailbox exists.
///
/// # Errors
/// A message, for a text that cannot be one address or that looks like another address: it contains characters of mail
/// headers, control characters, invisible characters, or characters that change under the normalization NFKC.
pub fn parse_email(text: &str) -> Result<String, &'static str> {
    let address = fold_email(text);
    if address.contains(is_invisible) || !is_nfkc(&address) {
        return Err(NOT_PLAIN);
    }
    if is_address(&address) { Ok(address) } else { Err(NO_ADDRESS) }
}

fn is_address(address: &str) -> bool {
    let Some((mailbox, host)) = address.split_once('@') else { return false };
    let is_safe = |c: char| !c.is_whitespace() && !c.is_control() && !RESERVED.contains(&c);
    address.chars().count() <= ADDRESS_MAX
        && address.chars().all(is_safe)
        && mailbox.len() <= MAILBOX_BYTES_MAX
        && mailbox.split('.').all(|atom| !atom.is_empty())
        && host.split('.').all(is_label)
}

/// Returns whether a text can be a label of a host name, also of an internationalized one.
fn is_label(label: &str) -> bool {
    let is_edge_valid = !label.is_empty() && !label.starts_with('-') && !label.ends_with('-');
    // Resolvers read an ideographic full stop as the dot between two labels.
    let is_letter = |c: char| c.is_ascii_alphanumeric() || (!c.is_ascii() && c != '\u{3002}');
    let is_permitted = |c: char| is_letter(c) || c == '-' || c == '_';
    is_edge_valid && label.chars().count() <= LABEL_MAX && label.chars().all(is_permitted)
}

/// Returns the addresses that a text mentions, each once: words that consist of `@` and an address.
/// Punctuation around a word is ignored.
pub fn mentioned_emails(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| c.is_whitespace() || RESERVED.contains(&c));
    let address = |word: &str| {
        let word = word.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '@');
        let word = word.strip_prefix('@')?.trim_end_matches(|c: char| !c.is_alphanumeric());
        let address = fold_email(word);
        is_address(&address).then_some(address)
    };
    words.filter_map(address).collect()
}

/// Reads an address that is entered for an account.
pub(crate) fn email(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<String> {
    if errors.describes(|| schema::address(ADDRESS_MAX)) {
        return None;
    }
    let address = parse_email(&text(1, ADDRESS_MAX)(value, at, errors)?);
    address.map_err(|message| errors.push(at, "format", message)).ok()
}

#[cfg(test)]
mod tests {
    use super::{NO_ADDRESS, NOT_PLAIN, fold_email, mentioned_emails, parse_email};

    #[test]
    fn address_is_stored_without_surrounding_space_and_with_ascii_letters_in_lower_case() {
        for (text, stored) in [
            (" Ada@Example.COM\n", "ada@example.com"),
            ("ada+govern@example.com", "ada+govern@example.com"),
            ("O'Neil_{1}@mail-1.example", "o'neil_{1}@mail-1.example"),
            ("ADA@localhost", "ada@localhost"),
            ("Élodie@Bücher.example", "Élodie@bücher.example"),
            ("用户@例子.example", "用户@例子.example"),
        ] {
            assert_eq!(parse_email(text).as_deref(), Ok(stored), "{text}");
        }
    }

    #[test]
    fn text_that_is_not_one_address_is_rejected() {
        let long = "a".repeat(65);
        for text in [
            "",
            "ada",
            "@example.com",
            "ada@",
            "a@b@c",
            "a da@example.com",
            "ada@example.com.",
            "ada@.example.com",
            "ada@example..com",
            "ada@example\u{3002}com",
            ".ada@example.com",
            "ada.@example.com",
            "a..da@example.com",
            "ada@-example.com",
            "ada@example.com/path",
            "ada@exa\u{7f}mple.com",
            "ada@example.com\r\nBcc: eve@example.com",
            "ada\0@example.com",
            "ada@example.com,eve@example.com",
            "ada@example.com;eve@example.com",
            "Ada <ada@example.com>",
            "mailto:ada@example.com",
            "\"ada\"@example.com",
            "ada@[127.0.0.1]",
            &format!("{long}@example.com"),
            &format!("ada@{long}.example"),
        ] {
            assert_eq!(parse_email(text), Err(NO_ADDRESS), "{text:?}");
        }
    }

    #[test]
    fn address_that_looks_like_another_one_is_rejected() {
        for text in [
            "\u{212a}im@example.com",
            "kim@example\u{ff0e}com",
            "\u{ff4b}im@example.com",
            "o\u{fb03}ce@example.com",
            "e\u{301}lodie@example.com",
            "ki\u{200b}m@example.com",
            "ki\u{ad}m@example.com",
            "\u{202e}kim@example.com",
            "kim@example.com\u{2060}",
            "kim\u{fe0f}@example.com",
        ] {
            assert_eq!(parse_email(text), Err(NOT_PLAIN), "{text:?}");
        }
    }

    #[test]
    fn only_ascii_letters_are_compared_without_regard_to_case() {
        assert_eq!(fold_email(" KIM@Example.COM "), "kim@example.com");
        assert_eq!(fold_email("\u{212a}im@example.com"), "\u{212a}im@example.com");
        assert_eq!(fold_email("İda@example.com"), "İda@example.com");
    }

    #[test]
    fn mention_is_a_word_of_at_sign_and_address() {
        let text = "@Ada@Acme.example, please read. (@ben@acme.example) \"@ben@acme.example\"!\n\
                    ada@acme.example @ada a@ada@acme.example @ada@acme.example/@ben@acme.example";
        let mentioned: Vec<String> = mentioned_emails(text).into_iter().collect();
        assert_eq!(mentioned, ["ada@acme.example", "ben@acme.example"]);
        assert!(mentioned_emails("mail ada@acme.example or @acme").is_empty());
        assert!(
            mentioned_emails("@\u{212a}im@acme.example").iter().all(|e| e != "kim@acme.example")
        );
    }
}
