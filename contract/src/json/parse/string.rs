//! Strings and names: escapes, lone surrogates, noncharacters, U+0000.

use super::{Fault, FaultCode, Reader};
use crate::json::plain::plain_ascii;

impl Reader<'_> {
    /// Reads a string from its opening quote to its closing one.
    pub(super) fn string(&mut self) -> Result<String, Fault> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let start = self.at;
            let stop = self.plain()?;
            out.push_str(self.text.get(start..self.at).unwrap_or_default());
            if stop == Stop::Quote {
                self.at += 1;
                return Ok(out);
            }
            out.push(self.escape()?);
        }
    }

    /// Passes over characters that stand for themselves.
    fn plain(&mut self) -> Result<Stop, Fault> {
        loop {
            let rest = self.rest();
            let ascii = plain_ascii(rest);
            self.at += ascii;
            let width = match rest.get(ascii..).unwrap_or_default() {
                [b'"', ..] => return Ok(Stop::Quote),
                [b'\\', ..] => return Ok(Stop::Escape),
                [] | [..0x80, ..] => return Err(self.syntax()),
                [0xEF, 0xB7, 0x90..=0xAF, ..]
                | [0xEF, 0xBF, 0xBE | 0xBF, ..]
                | [0xF0..=0xF4, 0x8F | 0x9F | 0xAF | 0xBF, 0xBF, 0xBE | 0xBF, ..] => {
                    return Err(self.fault(FaultCode::StringNoncharacter));
                }
                [..0xE0, ..] => 2,
                [..0xF0, ..] => 3,
                [_, ..] => 4,
            };
            self.at += width;
        }
    }

    /// Reads one escape, or the two escapes of a surrogate pair.
    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        let character = match self.rest() {
            [_, b'u', ..] => return self.unicode(),
            [_, plain @ (b'"' | b'\\' | b'/'), ..] => char::from(*plain),
            [_, b'b', ..] => '\x08',
            [_, b'f', ..] => '\x0c',
            [_, b'n', ..] => '\n',
            [_, b'r', ..] => '\r',
            [_, b't', ..] => '\t',
            _ => return Err(self.syntax()),
        };
        self.at = start + 2;
        Ok(character)
    }

    fn unicode(&mut self) -> Result<char, Fault> {
        let start = self.at;
        let mut code = self.code_unit()?;
        if let 0xD800..=0xDBFF = code {
            let low = self.low_surrogate(start)?;
            code = 0x1_0000 + ((code & 0x3FF) << 10 | low & 0x3FF);
        }
        let fault = |code| Fault { code, offset: start };
        match char::from_u32(code) {
            None => Err(fault(FaultCode::JsonSyntax)),
            Some('\0') if !self.limits.allow_nul => Err(fault(FaultCode::StringNul)),
            Some(_) if is_noncharacter(code) => Err(fault(FaultCode::StringNoncharacter)),
            Some(character) => Ok(character),
        }
    }

    /// Reads the escape that must follow the high surrogate at `high`.
    fn low_surrogate(&mut self, high: usize) -> Result<u32, Fault> {
        let start = self.at;
        if !self.rest().starts_with(b"\\u") {
            return Err(Fault { code: FaultCode::JsonSyntax, offset: high });
        }
        match self.code_unit()? {
            low @ 0xDC00..=0xDFFF => Ok(low),
            _ => Err(Fault { code: FaultCode::JsonSyntax, offset: start }),
        }
    }

    /// Reads `\u` and four hex digits.
    fn code_unit(&mut self) -> Result<u32, Fault> {
        let digits = self.rest().get(2..6).and_then(|digits| {
            digits
                .iter()
                .try_fold(0, |sum, digit| Some(sum << 4 | char::from(*digit).to_digit(16)?))
        });
        let code = digits.ok_or(self.syntax())?;
        self.at += 6;
        Ok(code)
    }
}

/// What ends a run of plain characters.
#[derive(PartialEq)]
enum Stop {
    Quote,
    Escape,
}

const fn is_noncharacter(code: u32) -> bool {
    matches!(code, 0xFDD0..=0xFDEF) || code & 0xFFFE == 0xFFFE
}
