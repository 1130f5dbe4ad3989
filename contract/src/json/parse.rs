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
