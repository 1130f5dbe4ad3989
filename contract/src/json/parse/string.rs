//! String and name parsing: escapes, lone surrogates, noncharacters and U+0000.

use super::{ParseError, ParseErrorCode, Reader};
use crate::{json::ascii_scan::ascii_run_len, text::is_noncharacter};

impl Reader<'_> {
    /// Reads a string from its opening to its closing quote.
    pub(super) fn string(&mut self) -> Result<String, ParseError> {
        self.offset += 1;
        let mut out = String::new();
        loop {
            let start = self.offset;
            let end = self.skip_plain()?;
            out.push_str(self.text.get(start..self.offset).unwrap_or_default());
            if end == RunEnd::Quote {
                self.offset += 1;
                return Ok(out);
            }
            out.push(self.escape()?);
        }
    }

    /// Skips characters that need no unescaping.
    fn skip_plain(&mut self) -> Result<RunEnd, ParseError> {
        loop {
            let rest = self.rest();
            let ascii = ascii_run_len(rest);
            self.offset += ascii;
            let width = match rest.get(ascii..).unwrap_or_default() {
                [b'"', ..] => return Ok(RunEnd::Quote),
                [b'\\', ..] => return Ok(RunEnd::Escape),
                [] | [..0x80, ..] => return Err(self.syntax()),
                [0xEF, 0xB7, 0x90..=0xAF, ..]
                | [0xEF, 0xBF, 0xBE | 0xBF, ..]
                | [0xF0..=0xF4, 0x8F | 0x9F | 0xAF | 0xBF, 0xBF, 0xBE | 0xBF, ..] => {
                    return Err(self.error(ParseErrorCode::StringNoncharacter));
                }
                [..0xE0, ..] => 2,
                [..0xF0, ..] => 3,
                [_, ..] => 4,
            };
            self.offset += width;
        }
    }

    /// Reads one escape sequence, or the two sequences of a surrogate pair.
    fn escape(&mut self) -> Result<char, ParseError> {
        let start = self.offset;
        let character = match self.rest() {
            [_, b'u', ..] => return self.unicode_escape(),
            [_, plain @ (b'"' | b'\\' | b'/'), ..] => char::from(*plain),
            [_, b'b', ..] => '\x08',
            [_, b'f', ..] => '\x0c',
            [_, b'n', ..] => '\n',
            [_, b'r', ..] => '\r',
            [_, b't', ..] => '\t',
            _ => return Err(self.syntax()),
        };
        self.offset = start + 2;
        Ok(character)
    }

    fn unicode_escape(&mut self) -> Result<char, ParseError> {
        let start = self.offset;
        let mut code = self.code_unit()?;
        if let 0xD800..=0xDBFF = code {
            let low = self.low_surrogate(start)?;
            code = 0x1_0000 + ((code & 0x3FF) << 10 | low & 0x3FF);
        }
        let error = |code| ParseError { code, offset: start };
        match char::from_u32(code) {
            None => Err(error(ParseErrorCode::JsonSyntax)),
            Some('\0') if !self.limits.allow_nul => Err(error(ParseErrorCode::StringNul)),
            Some(_) if is_noncharacter(code) => Err(error(ParseErrorCode::StringNoncharacter)),
            Some(character) => Ok(character),
        }
    }

    /// Reads the low surrogate that must follow the high surrogate at offset `high`.
    fn low_surrogate(&mut self, high: usize) -> Result<u32, ParseError> {
        let start = self.offset;
        if !self.rest().starts_with(b"\\u") {
            return Err(ParseError { code: ParseErrorCode::JsonSyntax, offset: high });
        }
        match self.code_unit()? {
            low @ 0xDC00..=0xDFFF => Ok(low),
            _ => Err(ParseError { code: ParseErrorCode::JsonSyntax, offset: start }),
        }
    }

    /// Reads `\u` and four hexadecimal digits.
    fn code_unit(&mut self) -> Result<u32, ParseError> {
        let digits = self.rest().get(2..6).and_then(|digits| {
            digits
                .iter()
                .try_fold(0, |sum, digit| Some(sum << 4 | char::from(*digit).to_digit(16)?))
        });
        let code = digits.ok_or(self.syntax())?;
        self.offset += 6;
        Ok(code)
    }
}

/// The character that ends a run of plain characters.
#[derive(PartialEq)]
enum RunEnd {
    Quote,
    Escape,
}
