//! Positions in a JSON text: finds the line of the value at a JSON Pointer.

/// Returns the line and character of a byte offset, both starting at 1.
pub(super) fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |index| index + 1);
    (line, before[start..].chars().count() + 1)
}

/// Returns the line, starting at 1, of the value at `pointer`, or of its parent if the value does not exist.
/// `text` must be valid JSON.
pub(super) fn line(text: &str, pointer: &str) -> usize {
    let mut scan = Scan { text, at: 0 };
    scan.skip_whitespace();
    for segment in pointer.split('/').skip(1) {
        let name = segment.replace("~1", "/").replace("~0", "~");
        let parent = scan.at;
        if scan.enter(&name).is_none() {
            return position(text, parent).0;
        }
    }
    position(text, scan.at).0
}

/// A scanner over a text that is known to be valid JSON.
struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_whitespace(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Moves to the member or element `name` of the current value.
    fn enter(&mut self, name: &str) -> Option<()> {
        let open = self.peek()?;
        if open != b'{' && open != b'[' {
            return None;
        }
        self.at += 1;
        for index in 0_usize.. {
            self.skip_whitespace();
            if matches!(self.peek()?, b'}' | b']') {
                return None;
            }
            let is_match = if open == b'{' {
                let start = self.at;
                self.skip_string();
                let key: String = serde_json::from_str(&self.text[start..self.at]).ok()?;
                self.skip_whitespace();
                self.at += 1; // the colon
                self.skip_whitespace();
                key == name
            } else {
                index.to_string() == name
            };
            if is_match {
                return Some(());
            }
            self.skip_value();
            self.skip_whitespace();
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        None
    }

    /// Skips a string, from quote to quote.
    fn skip_string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                return;
            }
        }
    }

    fn skip_value(&mut self) {
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.skip_string();
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
    fn line_returns_the_line_of_a_pointer() {
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
    fn position_returns_line_and_character_of_a_byte() {
        assert_eq!(position("{\n é,}", 6), (2, 4));
        assert_eq!(position("", 0), (1, 1));
        assert_eq!(position("ab", 99), (1, 3));
    }
}
