//! Places in a text: where a value stands that a JSON Pointer names.

/// Line and character of a byte, both from 1.
pub(super) fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |place| place + 1);
    (line, before[start..].chars().count() + 1)
}

/// The line, from 1, of the value that `pointer` names; of its parent when it is not there.
/// `text` is valid JSON.
pub(super) fn line(text: &str, pointer: &str) -> usize {
    let mut scan = Scan { text, at: 0 };
    scan.blank();
    for step in pointer.split('/').skip(1) {
        let name = step.replace("~1", "/").replace("~0", "~");
        let here = scan.at;
        if scan.enter(&name).is_none() {
            return position(text, here).0;
        }
    }
    position(text, scan.at).0
}

/// A walk over a text that has been read before, so that nothing in it can surprise.
struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blank(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Moves to the member or element `name` of the value at hand.
    fn enter(&mut self, name: &str) -> Option<()> {
        let open = self.peek()?;
        if open != b'{' && open != b'[' {
            return None;
        }
        self.at += 1;
        for index in 0_usize.. {
            self.blank();
            if matches!(self.peek()?, b'}' | b']') {
                return None;
            }
            let found = if open == b'{' {
                let start = self.at;
                self.string();
                let key: String = serde_json::from_str(&self.text[start..self.at]).ok()?;
                self.blank();
                self.at += 1; // the colon
                self.blank();
                key == name
            } else {
                index.to_string() == name
            };
            if found {
                return Some(());
            }
            self.value();
            self.blank();
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        None
    }

    /// Passes a string, from quote to quote.
    fn string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                return;
            }
        }
    }

    /// Passes a value.
    fn value(&mut self) {
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.string();
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' | b',' if depth == 0 => return,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "{\n  \"decision_type\": \"é, {\\\"x\\\"}\",\n  \"a/b\": [\n    1,\n    {\n      \
                        \"c\": [[], 2]\n    }\n  ],\n  \"last\": null\n}";

    #[test]
    fn a_pointer_leads_to_its_line() {
        for (pointer, expected) in [
            ("", 1),
            ("/decision_type", 2),
            ("/a~1b", 3),
            ("/a~1b/0", 4),
            ("/a~1b/1", 5),
            ("/a~1b/1/c/1", 6),
            ("/last", 9),
            ("/missing", 1),
            ("/a~1b/7", 3),
            ("/last/deeper", 9),
        ] {
            assert_eq!(line(TEXT, pointer), expected, "{pointer}");
        }
    }

    #[test]
    fn a_byte_is_told_as_line_and_character() {
        assert_eq!(position("{\n é,}", 6), (2, 4));
        assert_eq!(position("", 0), (1, 1));
        assert_eq!(position("ab", 99), (1, 3));
    }
}
