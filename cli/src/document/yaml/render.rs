//! The YAML text of a value: block style, short lists in one line.

use std::fmt::Write as _;

use contract::json::{Value, write_string};

use crate::document::order;

/// The maximum length of a list in one line, in characters.
const INLINE_MAX: usize = 80;

/// Plain words that a parser of YAML 1.1 or 1.2 reads as another type.
const KEYWORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

pub(crate) fn render(value: &Value) -> String {
    let mut text = match block(value) {
        Block::Inline(text) => text,
        Block::Literal(header, lines) => format!("{header}\n{}", indented(&lines, 2).join("\n")),
        Block::Lines(lines) => lines.join("\n"),
    };
    text.push('\n');
    text
}

/// A value without indentation.
enum Block {
    Inline(String),
    /// The header and the lines of a literal.
    Literal(&'static str, Vec<String>),
    Lines(Vec<String>),
}

fn block(value: &Value) -> Block {
    match value {
        Value::Array(elements) => match inline_list(elements) {
            Some(text) => Block::Inline(text),
            None => Block::Lines(elements.iter().flat_map(item).collect()),
        },
        Value::Object(object) if !object.is_empty() => {
            let members = order::members(object).into_iter();
            Block::Lines(members.flat_map(|(name, value)| member(name, value)).collect())
        }
        Value::String(text) if is_literal(text) => {
            let header = if text.ends_with('\n') { "|" } else { "|-" };
            Block::Literal(header, text.lines().map(str::to_owned).collect())
        }
        scalar => Block::Inline(inline(scalar)),
    }
}

/// Returns the lines of a member of a mapping.
pub(super) fn member(name: &str, value: &Value) -> Vec<String> {
    let key = string(name);
    match block(value) {
        Block::Inline(text) => vec![format!("{key}: {text}")],
        Block::Literal(header, lines) => with_head(format!("{key}: {header}"), &lines),
        Block::Lines(_) if name == "rules" => with_head(format!("{key}:"), &rules(value)),
        Block::Lines(lines) => with_head(format!("{key}:"), &lines),
    }
}

/// Returns the lines of an element of a sequence.
pub(super) fn item(value: &Value) -> Vec<String> {
    match block(value) {
        Block::Inline(text) => vec![format!("- {text}")],
        Block::Literal(header, lines) => with_head(format!("- {header}"), &lines),
        Block::Lines(lines) => {
            let mut lines = indented(&lines, 2);
            if let Some(first) = lines.first_mut() {
                first.replace_range(..1, "-");
            }
            lines
        }
    }
}

/// Returns the lines of rules, with an empty line between two rules.
fn rules(value: &Value) -> Vec<String> {
    let items = value.as_array().unwrap_or_default().iter().map(item);
    items.collect::<Vec<_>>().join(&String::new())
}

fn with_head(head: String, lines: &[String]) -> Vec<String> {
    std::iter::once(head).chain(indented(lines, 2)).collect()
}

/// Returns the lines with `count` more spaces. Empty lines stay empty.
pub(super) fn indented(lines: &[String], count: usize) -> Vec<String> {
    let spaces = " ".repeat(count);
    let indent = |line: &String| {
        if line.is_empty() { String::new() } else { format!("{spaces}{line}") }
    };
    lines.iter().map(indent).collect()
}

/// Returns a list of scalars in one line, if it is short.
fn inline_list(elements: &[Value]) -> Option<String> {
    let is_scalar = |value: &Value| !matches!(value, Value::Array(_) | Value::Object(_));
    if !elements.iter().all(is_scalar) {
        return None;
    }
    let elements: Vec<String> = elements.iter().map(inline).collect();
    let text = format!("[{}]", elements.join(", "));
    (text.chars().count() <= INLINE_MAX).then_some(text)
}

/// Returns a scalar, or an empty list or mapping, in one line.
fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => string(text),
        other => other.to_canonical(),
    }
}

fn string(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// Returns whether every parser reads the text as this string, also in a list.
fn is_plain(text: &str) -> bool {
    let is_plain = |character: char| {
        character.is_alphanumeric()
            || matches!(character, ' ' | '_' | '.' | '/' | '-' | '+' | '(' | ')')
    };
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && text.chars().all(is_plain)
        && !text.ends_with(' ')
        && !KEYWORDS.contains(&text.to_ascii_lowercase().as_str())
}

/// Returns whether the text has several lines and can be a literal without an indentation indicator.
fn is_literal(text: &str) -> bool {
    let is_printable = |character: char| {
        character == '\n'
            || !(character.is_control()
                || matches!(character, '\u{2028}'..='\u{2029}' | '\u{feff}'))
    };
    text.contains('\n')
        && !text.starts_with(char::is_whitespace)
        && !text.ends_with("\n\n")
        && text.chars().all(is_printable)
        && text.lines().all(|line| !line.ends_with(' '))
}

/// Returns a JSON string, which is a double-quoted scalar, with more characters escaped.
fn quoted(text: &str) -> String {
    let mut json = String::new();
    write_string(text, &mut json);
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            other => out.push(other),
        }
    }
    out
}
