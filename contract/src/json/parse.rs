//! The strict JSON parser (receipts, section 2).

mod number;
mod string;

use std::collections::BTreeSet;

use super::{Limits, Object, ParseError, ParseErrorCode, Value};

/// Parses `bytes` as one value, or returns the first error in reading order.
///
/// The length is checked before the first byte is read, so a text that is too long reports no other error.
/// Invalid UTF-8 is reported at its position; the text before it is parsed first.
pub(super) fn parse(bytes: &[u8], limits: &Limits) -> Result<Value, ParseError> {
    if bytes.len() > limits.bytes {
        return Err(ParseError { code: ParseErrorCode::LimitSize, offset: limits.bytes });
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => read(text, limits),
        Err(error) => {
            let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
            read(valid, limits)?;
            Err(ParseError { code: ParseErrorCode::JsonSyntax, offset: error.valid_up_to() })
        }
    }
}

/// Parses `text`, and parses it a second time with eager duplicate checks if the first pass fails.
///
/// Sorting the members when an object closes detects duplicate names quickly, but only after the reader has
/// passed the duplicate. The second pass finds the first error in reading order.
fn read(text: &str, limits: &Limits) -> Result<Value, ParseError> {
    Reader::new(text, limits, DuplicateCheck::OnClose)
        .document()
        .or_else(|_| Reader::new(text, limits, DuplicateCheck::Eager).document())
}

/// The time at which duplicate names are detected.
#[derive(Clone, Copy, PartialEq)]
enum DuplicateCheck {
    OnClose,
    Eager,
}

struct Reader<'a> {
    text: &'a str,
    /// The offset of the next byte to read.
    offset: usize,
    limits: &'a Limits,
    duplicate_check: DuplicateCheck,
    /// The number of open arrays and objects.
    depth: usize,
    /// The number of members read so far.
    members: usize,
}

impl<'a> Reader<'a> {
    const fn new(text: &'a str, limits: &'a Limits, duplicate_check: DuplicateCheck) -> Self {
        Self { text, offset: 0, limits, duplicate_check, depth: 0, members: 0 }
    }

    fn document(mut self) -> Result<Value, ParseError> {
        let value = self.value()?;
        self.skip_white_space();
        if self.peek().is_none() { Ok(value) } else { Err(self.syntax()) }
    }

    fn value(&mut self) -> Result<Value, ParseError> {
        self.skip_white_space();
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number().map(Value::Number),
            Some(b't') => self.literal("true", Value::Bool(true)),
            Some(b'f') => self.literal("false", Value::Bool(false)),
            Some(b'n') => self.literal("null", Value::Null),
            _ => Err(self.syntax()),
        }
    }

    fn nested(
        &mut self,
        read: fn(&mut Self) -> Result<Value, ParseError>,
    ) -> Result<Value, ParseError> {
        if self.depth == self.limits.depth {
            return Err(self.error(ParseErrorCode::LimitDepth));
        }
        self.offset += 1;
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn array(&mut self) -> Result<Value, ParseError> {
        let mut elements = Vec::new();
        if self.skip_if(b']') {
            return Ok(Value::Array(elements));
        }
        loop {
            elements.push(self.value()?);
            if self.skip_if(b']') {
                return Ok(Value::Array(elements));
            }
            self.expect(b',')?;
        }
    }

    fn object(&mut self) -> Result<Value, ParseError> {
        let mut members = Vec::new();
        let mut names = BTreeSet::new();
        if self.skip_if(b'}') {
            return Ok(Value::Object(Object::new()));
        }
        loop {
            let name = self.name(&mut names)?;
            self.expect(b':')?;
            members.push((name, self.value()?));
            if self.skip_if(b'}') {
                let object = Object::from_members(members);
                return object.map(Value::Object).ok_or(self.error(ParseErrorCode::DuplicateKey));
            }
            self.expect(b',')?;
        }
    }

    fn name(&mut self, names: &mut BTreeSet<String>) -> Result<String, ParseError> {
        self.skip_white_space();
        let offset = self.offset;
        let name = if self.peek() == Some(b'"') { self.string() } else { Err(self.syntax()) }?;
        if self.duplicate_check == DuplicateCheck::Eager && !names.insert(name.clone()) {
            return Err(ParseError { code: ParseErrorCode::DuplicateKey, offset });
        }
        self.members += 1;
        if self.members > self.limits.members {
            return Err(ParseError { code: ParseErrorCode::LimitMembers, offset });
        }
        Ok(name)
    }

    fn literal(&mut self, literal: &str, value: Value) -> Result<Value, ParseError> {
        if !self.rest().starts_with(literal.as_bytes()) {
            return Err(self.syntax());
        }
        self.offset += literal.len();
        Ok(value)
    }

    /// Skips white space, then `byte` if it comes next. Returns whether it did.
    fn skip_if(&mut self, byte: u8) -> bool {
        self.skip_white_space();
        let matches = self.peek() == Some(byte);
        self.offset += usize::from(matches);
        matches
    }

    fn expect(&mut self, byte: u8) -> Result<(), ParseError> {
        if self.skip_if(byte) { Ok(()) } else { Err(self.syntax()) }
    }

    fn skip_white_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.offset += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.offset..).unwrap_or_default()
    }

    const fn syntax(&self) -> ParseError {
        self.error(ParseErrorCode::JsonSyntax)
    }

    const fn error(&self, code: ParseErrorCode) -> ParseError {
        ParseError { code, offset: self.offset }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the canonical text, or the code and offset of the error.
    fn read_with(text: &[u8], limits: Limits) -> String {
        match parse(text, &limits) {
            Ok(value) => value.to_canonical(),
            Err(error) => format!("{} {}", error.code, error.offset),
        }
    }

    fn read(text: &str) -> String {
        read_with(text.as_bytes(), Limits::REQUEST)
    }

    #[test]
    fn parsed_objects_are_sorted_and_white_space_is_dropped() {
        assert_eq!(
            read(" { \"b\" : [ 1.50 , -0 , {} ] ,\n\"\\u0061\":\ttrue } "),
            r#"{"a":true,"b":[1.5,0,{}]}"#
        );
        assert_eq!(read(r#""\ud83d\ude00\/\u00e9""#), "\"😀/é\"");
    }

    #[test]
    fn first_error_in_reading_order_is_reported() {
        assert_eq!(read(r#"{"a":1,"a":2}"#), "DUPLICATE_KEY 7");
        assert_eq!(read(r#"{"a":1,"\u0061":1e400}"#), "DUPLICATE_KEY 7");
        assert_eq!(read(r#"{"a":1,"b":1e400,"a":2}"#), "NUMBER_OUT_OF_RANGE 11");
        assert_eq!(read(r#"{"a":1,"a":{"b":1,"b":2}}"#), "DUPLICATE_KEY 7");
        assert_eq!(read(r#"{"a":{"b":1,"b":2},"a":2}"#), "DUPLICATE_KEY 12");
        assert_eq!(read(r#"{"a":1,"a":2,]"#), "DUPLICATE_KEY 7");
        assert_eq!(read(r#"[1e400,"\ud800"]"#), "NUMBER_OUT_OF_RANGE 1");
        assert_eq!(read(r#"["\ud800",1e400]"#), "JSON_SYNTAX 2");
        assert_eq!(read_with(b"[1e400\xff", Limits::REQUEST), "NUMBER_OUT_OF_RANGE 1");
        assert_eq!(read_with(b"[\"\xff\",1e400", Limits::REQUEST), "JSON_SYNTAX 2");
        assert_eq!(read_with(b"1 \xff", Limits::REQUEST), "JSON_SYNTAX 2");
    }

    #[test]
    fn texts_that_are_not_json_are_rejected() {
        for text in [
            "",
            "{",
            "{} {}",
            "[1,]",
            "\u{feff}{}",
            "{} // really",
            "{'a':1}",
            "NaN",
            "01",
            "\"\n\"",
            r#""\ud800""#,
            r#""\udc00\ud800""#,
        ] {
            assert!(read(text).starts_with("JSON_SYNTAX "), "{text}");
        }
    }

    #[test]
    fn raw_and_escaped_noncharacters_and_nul_are_rejected() {
        for (raw, escaped) in [
            ("\u{fdd0}", "\\ufdd0"),
            ("\u{fdef}", "\\uFDEF"),
            ("\u{fffe}", "\\ufffe"),
            ("\u{1ffff}", "\\ud83f\\udfff"),
            ("\u{10fffe}", "\\udbff\\udffe"),
        ] {
            assert_eq!(read(&format!("[\"ab{raw}\"]")), "STRING_NONCHARACTER 4");
            assert_eq!(read(&format!("{{\"ab{escaped}\":1}}")), "STRING_NONCHARACTER 4");
        }
        for valid in ["\u{fdcf}", "\u{fdf0}", "\u{fffd}", "\u{1fffd}", "\u{ffff0}", "\u{e000}"] {
            assert_eq!(read(&format!("\"{valid}\"")), format!("\"{valid}\""));
        }
        assert_eq!(read(r#""a\u0000""#), "STRING_NUL 2");
        assert_eq!(read_with(br#""a\u0000""#, Limits::BUNDLE_FILE), r#""a\u0000""#);
        assert_eq!(read("\"a\u{0}\""), "JSON_SYNTAX 2");
    }

    #[test]
    fn limits_are_inclusive() {
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(read(&nested(64)), nested(64));
        assert_eq!(read(&nested(65)), "LIMIT_DEPTH 64");
        let limits = Limits { members: 2, ..Limits::REQUEST.with_bytes(20) };
        assert_eq!(read_with(br#"[{"a":1},{"b":2}]"#, limits), r#"[{"a":1},{"b":2}]"#);
        assert_eq!(read_with(br#"[{"a":1,"b":2,"c":3}"#, limits), "LIMIT_MEMBERS 14");
        assert_eq!(read_with(br#"[{"a":1,"b":2},"abcde"]"#, limits), "LIMIT_SIZE 20");
    }

    #[test]
    fn parsing_time_is_proportional_to_text_length() {
        let members: Vec<_> =
            (0..9_000).rev().map(|index| format!("\"{index:0100}\":[]")).collect();
        let text = format!("{{{},\"{:0100}\":[]}}", members.join(","), 0);
        assert_eq!(read(&text), format!("DUPLICATE_KEY {}", text.len() - 106));
        let text = format!("\"{}\"", "\\\"".repeat(500_000));
        assert_eq!(read(&text), text);
    }

    proptest! {
        #[test]
        fn eager_and_deferred_duplicate_checks_agree(
            members in prop::collection::vec("\"[ab\u{e9}\u{fb33}\u{1f600}]{1,2}\":(1|\\{\"a\":1(,\"a\":1)?\\}|x)", 0..8),
        ) {
            let text = format!("{{{}}}", members.join(","));
            let eager = Reader::new(&text, &Limits::REQUEST, DuplicateCheck::Eager).document();
            let on_close = Reader::new(&text, &Limits::REQUEST, DuplicateCheck::OnClose).document();
            prop_assert_eq!(on_close.is_ok(), eager.is_ok());
            prop_assert_eq!(parse(text.as_bytes(), &Limits::REQUEST), eager);
        }
    }
}
