//! The places of the values in a JSON text.

use std::ops::Range;

use contract::json::{Limits, Value};

/// A value with its place in the text.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) span: Range<usize>,
    pub(super) entries: Entries,
}

/// The entries of a value.
#[derive(Debug)]
pub(super) enum Entries {
    Scalar,
    Elements(Vec<Node>),
    Members(Vec<Member>),
}

/// A member of an object.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: String,
    /// The start of the name.
    pub(super) start: usize,
    pub(super) value: Node,
}

/// Returns the places in a text that was parsed strictly before, or `None` for other texts.
pub(super) fn read(text: &str) -> Option<Node> {
    let mut reader = Reader { text, at: 0 };
    reader.skip_space();
    reader.value()
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Skips a character and the space after it.
    fn skip(&mut self, byte: u8) -> Option<()> {
        (self.peek() == Some(byte)).then_some(())?;
        self.at += 1;
        self.skip_space();
        Some(())
    }

    fn value(&mut self) -> Option<Node> {
        let start = self.at;
        let entries = match self.peek()? {
            b'{' => Entries::Members(self.list(b'{', b'}', Self::member)?),
            b'[' => Entries::Elements(self.list(b'[', b']', Self::value)?),
            b'"' => {
                self.string()?;
                Entries::Scalar
            }
            _ => {
                let is_end = |byte: u8| byte.is_ascii_whitespace() || b",]}".contains(&byte);
                while self.peek().is_some_and(|byte| !is_end(byte)) {
                    self.at += 1;
                }
                Entries::Scalar
            }
        };
        Some(Node { span: start..self.at, entries })
    }

    /// Reads the entries between two brackets. It ends directly after the last bracket.
    fn list<T>(
        &mut self,
        open: u8,
        close: u8,
        entry: impl Fn(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        self.skip(open)?;
        let mut entries = Vec::new();
        while self.peek()? != close {
            if !entries.is_empty() {
                self.skip(b',')?;
            }
            entries.push(entry(self)?);
            self.skip_space();
        }
        self.at += 1;
        Some(entries)
    }

    fn member(&mut self) -> Option<Member> {
        let start = self.at;
        let name = self.string()?;
        self.skip_space();
        self.skip(b':')?;
        Some(Member { name, start, value: self.value()? })
    }

    fn string(&mut self) -> Option<String> {
        let start = self.at;
        self.at += 1;
        while self.peek()? != b'"' {
            self.at += if self.peek() == Some(b'\\') { 2 } else { 1 };
        }
        self.at += 1;
        let text = self.text.get(start..self.at)?;
        let value = Value::parse(text.as_bytes(), &Limits::BUNDLE_FILE).ok()?;
        value.as_str().map(str::to_owned)
    }
}
