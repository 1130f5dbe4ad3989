//! Output of the commands: JSON of the service, or text for people with colors on a terminal.
//!
//! Texts of the service and of files cannot control the terminal: control characters are printed as escapes. Styles are
//! marked with noncharacters, which become escape sequences after that.

use std::{
    fmt::{Display, Write as _},
    io::{self, Write as _},
};

use anstyle::AnsiColor;
use contract::evaluation::Verdict;

/// Standard output could not be written.
#[derive(Debug)]
pub(crate) struct WriteError(pub(crate) io::Error);

/// A style of a text: an index of [`STYLES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style(u8);

pub(crate) const BOLD: Style = Style(0);
pub(crate) const DIM: Style = Style(1);
pub(crate) const GREEN: Style = Style(2);
pub(crate) const RED: Style = Style(3);
pub(crate) const YELLOW: Style = Style(4);

const STYLES: [anstyle::Style; 8] = [
    anstyle::Style::new().bold(),
    anstyle::Style::new().dimmed(),
    AnsiColor::Green.on_default(),
    AnsiColor::Red.on_default(),
    AnsiColor::Yellow.on_default(),
    AnsiColor::Green.on_default().bold(),
    AnsiColor::Red.on_default().bold(),
    AnsiColor::Yellow.on_default().bold(),
];

/// The mark before a text in the first style. The marks are noncharacters, which no text of the service contains.
const FIRST_MARK: u32 = 0xfdd0;

/// The mark after a text with a style.
const END_MARK: char = '\u{fddf}';

/// Prints a line on standard output. Styles are removed if it is not a terminal or `NO_COLOR` is set.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub(crate) fn print(line: &str) -> Result<(), WriteError> {
    let mut out = anstream::stdout().lock();
    let written = writeln!(out, "{}", rendered(line.trim_end_matches('\n')));
    written.and_then(|()| out.flush()).map_err(WriteError)
}

/// Prints JSON on standard output, with the characters escaped that control a terminal.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub(crate) fn print_json(json: &str) -> Result<(), WriteError> {
    print_bytes((escaped_json(json) + "\n").as_bytes())
}

fn escaped_json(json: &str) -> String {
    // Line breaks and tabs are white space between the values.
    let is_escaped = |character: char| !character.is_ascii_control() || character == '\u{7f}';
    escaped(json.trim_end_matches('\n'), |character| is_escaped(character) && is_control(character))
}

/// Prints a result: as JSON, or as a text for people.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub(crate) fn print_as(is_json: bool, json: &str, text: &str) -> Result<(), WriteError> {
    if is_json { print_json(json) } else { print(text) }
}

/// Prints bytes on standard output, unchanged.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), WriteError> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(WriteError)
}

/// Prints a message for people on standard error.
pub(crate) fn note(line: &str) {
    // There is no other place for a message.
    let _ = writeln!(anstream::stderr(), "{}", rendered(line));
}

/// Prints the error envelope on standard error, with the characters escaped that control a terminal.
pub(crate) fn note_json(json: &str) {
    let _ = writeln!(io::stderr(), "{}", escaped_json(json));
}

/// Returns the text in a style.
pub(crate) fn styled(text: impl Display, Style(index): Style) -> String {
    let mark = char::from_u32(FIRST_MARK + u32::from(index)).unwrap_or(END_MARK);
    format!("{mark}{text}{END_MARK}")
}

/// Returns a verdict in its color.
pub(crate) fn verdict(verdict: Verdict) -> String {
    let style = match verdict {
        Verdict::Allow => Style(5),
        Verdict::Deny => Style(6),
        Verdict::Alert | Verdict::Review => Style(7),
    };
    styled(verdict, style)
}

/// Returns names and values as aligned lines. Empty values are omitted.
pub(crate) fn table(rows: &[(&str, String)]) -> String {
    let rows = rows.iter().filter(|(_, value)| !value.is_empty());
    let width = rows.clone().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let line = |(name, value): &(&str, String)| {
        let padding = " ".repeat(width - name.chars().count());
        format!("{}{padding}  {}", styled(name, DIM), one_line(value))
    };
    rows.map(line).collect::<Vec<_>>().join("\n")
}

/// Returns a text whose line breaks are escaped, so that it cannot look like further lines of the output.
pub(crate) fn one_line(text: &str) -> String {
    text.replace('\n', "\\n")
}

/// Returns whether a character controls the terminal or reverses the direction of the text around it.
fn is_control(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_escaped(character) {
            let _ = write!(out, "\\u{:04x}", u32::from(character));
        } else {
            out.push(character);
        }
    }
    out
}

/// Returns the text for a terminal: control characters are escaped, and marks become escape sequences.
fn rendered(text: &str) -> String {
    let text =
        escaped(text, |character| is_control(character) && !matches!(character, '\n' | '\t'));
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let index = u32::from(character).checked_sub(FIRST_MARK);
        let style = index.and_then(|index| STYLES.get(usize::try_from(index).ok()?));
        match style {
            Some(style) => drop(write!(out, "{}", style.render())),
            None if character == END_MARK => drop(write!(out, "{}", anstyle::Reset.render())),
            None => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_from_outside_cannot_control_the_terminal() {
        let hostile = "\u{1b}[2J\u{9b}31m\u{202e}\r\u{7}\ttab";
        let shown = rendered(&styled(hostile, RED));
        let escapes = "\\u001b[2J\\u009b31m\\u202e\\u000d\\u0007\ttab";
        assert_eq!(shown, format!("\u{1b}[31m{escapes}\u{1b}[0m"));
        assert_eq!(rendered("two\nlines é😀"), "two\nlines é😀");
        let rows = table(&[("actor", "a\nverdict  ALLOW".to_owned()), ("empty", String::new())]);
        assert_eq!(rows.lines().count(), 1, "{rows}");
        let json = "{\"a\":\"\u{9b}\u{202e}\u{7f}é\",\n\t\"b\":1}\n";
        assert_eq!(escaped_json(json), "{\"a\":\"\\u009b\\u202e\\u007fé\",\n\t\"b\":1}");
    }
}
