//! Translation of patterns for JSON Schema, whose regular expressions are those of ECMA-262 with the flag `u`.

use std::fmt::Write as _;

use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind, Look, Repetition};

use super::parse;

/// Returns an ECMA-262 pattern that matches the same texts, or `None` if there is none.
pub(crate) fn to_ecma(pattern: &str) -> Option<String> {
    let mut out = String::new();
    write(&parse(pattern).ok()?, &mut out)?;
    Some(out)
}

fn write(hir: &Hir, out: &mut String) -> Option<()> {
    match hir.kind() {
        HirKind::Empty => {}
        HirKind::Literal(literal) => {
            std::str::from_utf8(&literal.0)
                .ok()?
                .chars()
                .for_each(|char| write_char(char, false, out));
        }
        HirKind::Class(Class::Unicode(class)) => write_class(class, out),
        HirKind::Class(Class::Bytes(class)) => write_class(&class.to_unicode_class()?, out),
        HirKind::Look(look) => out.push_str(assertion(*look)?),
        HirKind::Repetition(repetition) => write_repetition(repetition, out)?,
        HirKind::Capture(capture) => write(&capture.sub, out)?,
        HirKind::Concat(parts) => {
            for part in parts {
                write(part, out)?;
            }
        }
        HirKind::Alternation(alternatives) => write_group(alternatives, out)?,
    }
    Some(())
}

fn write_group(alternatives: &[Hir], out: &mut String) -> Option<()> {
    out.push_str("(?:");
    for (index, alternative) in alternatives.iter().enumerate() {
        out.push_str(if index > 0 { "|" } else { "" });
        write(alternative, out)?;
    }
    out.push(')');
    Some(())
}

/// Writes a repetition. Whether it is greedy does not affect which texts match.
fn write_repetition(repetition: &Repetition, out: &mut String) -> Option<()> {
    let mut repeated = &*repetition.sub;
    while let HirKind::Capture(capture) = repeated.kind() {
        repeated = &capture.sub;
    }
    match repeated.kind() {
        HirKind::Class(_) | HirKind::Alternation(_) => write(repeated, out)?,
        HirKind::Literal(literal) if literal.0.len() == 1 => write(repeated, out)?,
        _ => write_group(std::slice::from_ref(repeated), out)?,
    }
    match (repetition.min, repetition.max) {
        (0, Some(1)) => out.push('?'),
        (0, None) => out.push('*'),
        (1, None) => out.push('+'),
        (min, None) => write!(out, "{{{min},}}").ok()?,
        (min, Some(max)) if min == max => write!(out, "{{{min}}}").ok()?,
        (min, Some(max)) => write!(out, "{{{min},{max}}}").ok()?,
    }
    Some(())
}

/// Writes a class, negated if it contains the last scalar value, which is usually shorter.
fn write_class(class: &ClassUnicode, out: &mut String) {
    let mut class = class.clone();
    if class.ranges().is_empty() {
        // Matches nothing, and can be repeated, unlike an assertion.
        return out.push_str(r"[^\s\S]");
    }
    let is_negated = class.ranges().last().is_some_and(|range| range.end() == char::MAX);
    if is_negated {
        class.negate();
    }
    if class.ranges().is_empty() {
        return out.push_str(r"[\s\S]");
    }
    out.push_str(if is_negated { "[^" } else { "[" });
    for range in class.ranges() {
        write_char(range.start(), true, out);
        if range.start() != range.end() {
            out.push('-');
            write_char(range.end(), true, out);
        }
    }
    out.push(']');
}

/// Writes a character so that it has no special meaning.
fn write_char(char: char, is_in_class: bool, out: &mut String) {
    let code = u32::from(char);
    let _ = match char {
        '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' => {
            write!(out, "\\{char}")
        }
        '-' | '/' if is_in_class => write!(out, "\\{char}"),
        ' '..='~' => write!(out, "{char}"),
        '\t' | '\n' | '\r' => write!(out, "{}", char.escape_default()),
        _ if char.is_alphanumeric() => write!(out, "{char}"),
        '\0'..='\u{ffff}' => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\u{{{code:x}}}"),
    };
}

/// Returns an assertion. There is none for line ends of two characters.
///
/// Where the text begins or ends is `^` or `$`, never a negated look-around: engines that match UTF-16 also try positions
/// within a surrogate pair, where a negated one holds.
fn assertion(look: Look) -> Option<&'static str> {
    match look {
        Look::Start => Some("^"),
        Look::End => Some("$"),
        Look::StartLF => Some(r"(?:^|(?<=\n))"),
        Look::EndLF => Some(r"(?:$|(?=\n))"),
        Look::WordAscii => Some(r"\b"),
        Look::WordAsciiNegate => Some(r"(?:(?<=\w)(?=\w)|(?:^|(?<=\W))(?:$|(?=\W)))"),
        Look::WordStartAscii => Some(r"\b(?=\w)"),
        Look::WordEndAscii => Some(r"\b(?<=\w)"),
        Look::WordStartHalfAscii => Some(r"(?:^|(?<=\W))"),
        Look::WordEndHalfAscii => Some(r"(?:$|(?=\W))"),
        _ => None,
    }
}
