//! Reads one JSON text strictly (receipts, section 2).

mod number;
mod string;

use std::collections::BTreeSet;

use super::{Fault, FaultCode, Limits, Object, Value};

/// Reads `bytes` as one value, or finds the first fault in reading order.
///
/// The length is known before the first byte is read, so a text that is too long has no other
/// fault. Broken UTF-8 is met where it stands: what comes before is read first.
pub(super) fn parse(bytes: &[u8], limits: &Limits) -> Result<Value, Fault> {
    if bytes.len() > limits.bytes {
        return Err(Fault { code: FaultCode::LimitSize, offset: limits.bytes });
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => read(text, limits),
        Err(broken) => {
            let sound = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
            read(sound, limits)?;
            Err(Fault { code: FaultCode::JsonSyntax, offset: broken.valid_up_to() })
        }
    }
}

/// Sorting the members when an object closes is the quick way to see a name twice, but by then the
/// reader has passed the place. So a text with any fault is read again, looking at each name.
fn read(text: &str, limits: &Limits) -> Result<Value, Fault> {
    Reader::new(text, limits, Names::WhenSorted)
        .document()
        .or_else(|_| Reader::new(text, limits, Names::AtOnce).document())
}

/// When two members of one name are found.
#[derive(Clone, Copy, PartialEq)]
enum Names {
    WhenSorted,
    AtOnce,
}

struct Reader<'a> {
    text: &'a str,
    /// The next byte to read.
    at: usize,
    limits: &'a Limits,
    names: Names,
    /// Arrays and objects that are open.
    depth: usize,
    /// Members read so far.
    members: usize,
}

impl<'a> Reader<'a> {
    const fn new(text: &'a str, limits: &'a Limits, names: Names) -> Self {
        Self { text, at: 0, limits, names, depth: 0, members: 0 }
    }

    fn document(mut self) -> Result<Value, Fault> {
        let value = self.value()?;
        self.white_space();
        if self.peek().is_none() { Ok(value) } else { Err(self.syntax()) }
    }

    fn value(&mut self) -> Result<Value, Fault> {
        self.white_space();
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number().map(Value::Number),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            _ => Err(self.syntax()),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value, Fault>) -> Result<Value, Fault> {
        if self.depth == self.limits.depth {
            return Err(self.fault(FaultCode::LimitDepth));
        }
        self.at += 1;
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn array(&mut self) -> Result<Value, Fault> {
        let mut elements = Vec::new();
        if self.ends(b']') {
            return Ok(Value::Array(elements));
        }
        loop {
            elements.push(self.value()?);
            if self.ends(b']') {
                return Ok(Value::Array(elements));
            }
            self.expect(b',')?;
        }
    }

    fn object(&mut self) -> Result<Value, Fault> {
        let mut members = Vec::new();
        let mut seen = BTreeSet::new();
        if self.ends(b'}') {
            return Ok(Value::Object(Object::new()));
        }
        loop {
            let name = self.name(&mut seen)?;
            self.expect(b':')?;
            members.push((name, self.value()?));
            if self.ends(b'}') {
                let object = Object::from_members(members);
                return object.map(Value::Object).ok_or(self.fault(FaultCode::DuplicateKey));
            }
            self.expect(b',')?;
        }
    }

    fn name(&mut self, seen: &mut BTreeSet<String>) -> Result<String, Fault> {
        self.white_space();
        let offset = self.at;
        let name = if self.peek() == Some(b'"') { self.string() } else { Err(self.syntax()) }?;
        if self.names == Names::AtOnce && !seen.insert(name.clone()) {
            return Err(Fault { code: FaultCode::DuplicateKey, offset });
        }
        self.members += 1;
        if self.members > self.limits.members {
            return Err(Fault { code: FaultCode::LimitMembers, offset });
        }
        Ok(name)
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Fault> {
        if !self.rest().starts_with(word.as_bytes()) {
            return Err(self.syntax());
        }
        self.at += word.len();
        Ok(value)
    }

    /// Passes over `closing`, if it comes next.
    fn ends(&mut self, closing: u8) -> bool {
        self.white_space();
        let ends = self.peek() == Some(closing);
        self.at += usize::from(ends);
        ends
    }

    fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        if self.ends(byte) { Ok(()) } else { Err(self.syntax()) }
    }

    fn white_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    const fn syntax(&self) -> Fault {
        self.fault(FaultCode::JsonSyntax)
    }

    const fn fault(&self, code: FaultCode) -> Fault {
        Fault { code, offset: self.at }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The canonical text, or code and offset of the fault.
    fn read_with(text: &[u8], limits: Limits) -> String {
        match parse(text, &limits) {
            Ok(value) => value.to_canonical(),
            Err(fault) => format!("{} {}", fault.code, fault.offset),
        }
    }

    fn read(text: &str) -> String {
        read_with(text.as_bytes(), Limits::REQUEST)
    }

    #[test]
    fn members_are_sorted_and_white_space_goes() {
        assert_eq!(
            read(" { \"b\" : [ 1.50 , -0 , {} ] ,\n\"\\u0061\":\ttrue } "),
            r#"{"a":true,"b":[1.5,0,{}]}"#
        );
        assert_eq!(read(r#""\ud83d\ude00\/\u00e9""#), "\"😀/é\"");
    }

    #[test]
    fn the_first_fault_in_reading_order_is_reported() {
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
    fn noncharacters_and_nul_are_refused_raw_and_escaped() {
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
        for sound in ["\u{fdcf}", "\u{fdf0}", "\u{fffd}", "\u{1fffd}", "\u{ffff0}", "\u{e000}"] {
            assert_eq!(read(&format!("\"{sound}\"")), format!("\"{sound}\""));
        }
        assert_eq!(read(r#""a\u0000""#), "STRING_NUL 2");
        assert_eq!(read_with(br#""a\u0000""#, Limits::BUNDLE_MEMBER), r#""a\u0000""#);
        assert_eq!(read("\"a\u{0}\""), "JSON_SYNTAX 2");
    }

    #[test]
    fn limits_hold_at_their_last_value() {
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(read(&nested(64)), nested(64));
        assert_eq!(read(&nested(65)), "LIMIT_DEPTH 64");
        let limits = Limits { members: 2, ..Limits::REQUEST.with_bytes(20) };
        assert_eq!(read_with(br#"[{"a":1},{"b":2}]"#, limits), r#"[{"a":1},{"b":2}]"#);
        assert_eq!(read_with(br#"[{"a":1,"b":2,"c":3}"#, limits), "LIMIT_MEMBERS 14");
        assert_eq!(read_with(br#"[{"a":1,"b":2},"abcde"]"#, limits), "LIMIT_SIZE 20");
    }

    #[test]
    fn a_hostile_text_costs_no_more_than_its_length() {
        let members: Vec<_> =
            (0..9_000).rev().map(|index| format!("\"{index:0100}\":[]")).collect();
        let text = format!("{{{},\"{:0100}\":[]}}", members.join(","), 0);
        assert_eq!(read(&text), format!("DUPLICATE_KEY {}", text.len() - 106));
        let text = format!("\"{}\"", "\\\"".repeat(500_000));
        assert_eq!(read(&text), text);
    }

    proptest! {
        #[test]
        fn both_ways_to_find_a_name_twice_agree(
            members in prop::collection::vec("\"[ab\u{e9}\u{fb33}\u{1f600}]{1,2}\":(1|\\{\"a\":1(,\"a\":1)?\\}|x)", 0..8),
        ) {
            let text = format!("{{{}}}", members.join(","));
            let at_once = Reader::new(&text, &Limits::REQUEST, Names::AtOnce).document();
            let sorted = Reader::new(&text, &Limits::REQUEST, Names::WhenSorted).document();
            prop_assert_eq!(sorted.is_ok(), at_once.is_ok());
            prop_assert_eq!(parse(text.as_bytes(), &Limits::REQUEST), at_once);
        }
    }
}
