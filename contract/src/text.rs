//! Text of users within other text and in spreadsheets.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Returns the text of a user for plain text, such as a title, an option or a mail, so that it does not change the
/// direction of the text around it.
///
/// Directional formatting characters are removed. A text with letters or marks of a script that is written
/// from right to left is enclosed in an isolate (Unicode Standard Annex #9). Any other text is unchanged.
pub fn isolated(text: &str) -> Cow<'_, str> {
    if !text.contains(is_directional) {
        return Cow::Borrowed(text);
    }
    let plain: String = text.chars().filter(|c| !is_formatting(*c)).collect();
    Cow::Owned(if plain.contains(is_directional) {
        format!("\u{2068}{plain}\u{2069}")
    } else {
        plain
    })
}

/// Returns the text of a cell of a CSV file. A cell that a spreadsheet would read as a formula is prefixed with an
/// apostrophe: it begins with `=`, `+`, `-` or `@`, also in full width, or with a tab or a line break.
pub fn spreadsheet_cell(text: &str) -> Cow<'_, str> {
    const FORMULA_STARTS: [char; 11] =
        ['=', '+', '-', '@', '\u{FF1D}', '\u{FF0B}', '\u{FF0D}', '\u{FF20}', '\t', '\r', '\n'];
    if text.starts_with(FORMULA_STARTS) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns whether a text can be stored and signed: it has neither U+0000, which PostgreSQL rejects, nor a Unicode
/// noncharacter, which the JSON reader rejects.
pub fn is_storable(text: &str) -> bool {
    !text.contains(|c: char| c == '\0' || is_noncharacter(c.into()))
}

/// Returns whether a code point is a Unicode noncharacter.
pub(crate) const fn is_noncharacter(code: u32) -> bool {
    matches!(code, 0xFDD0..=0xFDEF) || code & 0xFFFE == 0xFFFE
}

/// Returns a password in the normalization form C (Unicode Standard Annex #15). Systems send the same letters as
/// different characters: `é` is one character on most, and `e` with an accent on others.
pub fn normalized_password(password: &str) -> Cow<'_, str> {
    if is_nfc(password) { Cow::Borrowed(password) } else { Cow::Owned(password.nfc().collect()) }
}

/// Returns whether a character starts or ends an embedding, an override or an isolate (Annex #9).
const fn is_formatting(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Returns whether a character can change the direction of text: it is a formatting character, a direction mark,
/// or in a block of a script that is written from right to left.
const fn is_directional(c: char) -> bool {
    is_formatting(c)
        || matches!(
            c,
            '\u{200F}'
                | '\u{590}'..='\u{8FF}'
                | '\u{FB1D}'..='\u{FDFF}'
                | '\u{FE70}'..='\u{FEFF}'
                | '\u{10800}'..='\u{10FFF}'
                | '\u{1E800}'..='\u{1EFFF}'
        )
}

/// Returns whether Unicode displays nothing for a character by default, such as a zero-width space, a formatting character
/// or a variation selector. Control characters and other white space are not among them.
pub const fn is_invisible(c: char) -> bool {
    is_formatting(c)
        || matches!(
            c,
            '\u{AD}'
                | '\u{34F}'
                | '\u{61C}'
                | '\u{115F}'..='\u{1160}'
                | '\u{17B4}'..='\u{17B5}'
                | '\u{180B}'..='\u{180F}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{2029}'
                | '\u{2060}'..='\u{206F}'
                | '\u{3164}'
                | '\u{FE00}'..='\u{FE0F}'
                | '\u{FEFF}'
                | '\u{FFA0}'
                | '\u{FFF0}'..='\u{FFFB}'
                | '\u{1BCA0}'..='\u{1BCA3}'
                | '\u{1D173}'..='\u{1D17A}'
                | '\u{E0000}'..='\u{E0FFF}'
        )
}

/// Returns whether a character cannot be part of one line of text: a control character, a separator of lines, or a
/// character that changes the direction of the text after it.
pub fn is_line_breaking(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{2029}') || is_formatting(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_that_would_be_a_formula_is_text() {
        for cell in [
            "=1+1", "+1", "-1", "@sum", "＝1", "＋1", "－1", "＠sum", "\tx", "\rx", "\n=1",
            "\r\n=1",
        ] {
            assert_eq!(spreadsheet_cell(cell), format!("'{cell}"));
        }
        for cell in ["", "a=1", "1-1", " =1", "ä"] {
            assert_eq!(spreadsheet_cell(cell), cell);
        }
    }

    #[test]
    fn text_within_other_text_does_not_change_its_direction() {
        assert_eq!(isolated("Ärztekammer (北京) 🙂"), "Ärztekammer (北京) 🙂");
        assert_eq!(isolated("gro\u{202E}txt.exe"), "grotxt.exe");
        assert_eq!(isolated("\u{2069}\u{2066}a\u{202A}"), "a");
        assert_eq!(isolated("שלום"), "\u{2068}שלום\u{2069}");
        assert_eq!(isolated("\u{2069}\u{202E}مرحبا"), "\u{2068}مرحبا\u{2069}");
        assert_eq!(isolated("12\u{200F}"), "\u{2068}12\u{200F}\u{2069}");
    }

    #[test]
    fn a_password_of_every_system_is_normalized_to_the_same_text() {
        let composed = "p\u{E9}ch\u{E9}-Stra\u{DF}e";
        assert_eq!(normalized_password("pe\u{301}che\u{301}-Stra\u{DF}e"), composed);
        assert!(matches!(normalized_password(composed), Cow::Borrowed(text) if text == composed));
        // Compatibility characters stay different.
        assert_eq!(normalized_password("\u{FB01}x\u{FF11}"), "\u{FB01}x\u{FF11}");
    }
}
