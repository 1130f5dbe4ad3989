//! Changes the value of a YAML text, and leaves the lines of unchanged parts as they are.
//!
//! A block mapping or sequence consists of segments: the comments above an entry, and its lines. Entries that
//! did not change are copied, and collections that changed are merged entry by entry. All other values are
//! written again. The result is parsed, and the whole text is written again if its value is not the new one.

use std::ops::Range;

use contract::json::{Object, Value};
use saphyr::{MarkedYamlOwned, YamlDataOwned};

use super::{load, name, parse, render, to_value};
use crate::document::{identity, order};

/// Returns the text `old`, changed to have the value `new`.
pub fn update(old: &str, new: &Value) -> String {
    let merged = load(old).ok().and_then(|document| {
        let text = Text { lines: old.lines().map(str::to_owned).collect() };
        let all = 0..text.lines.len();
        let lines = text.mapping(&document, all, new.as_object()?)?;
        Some(lines.join("\n") + "\n")
    });
    match merged {
        Some(merged) if parse(&merged).as_ref() == Ok(new) => merged,
        _ => header(old) + &render(new),
    }
}

/// Returns the comments at the top of a text.
fn header(text: &str) -> String {
    let comments = text.lines().take_while(|line| line.starts_with('#'));
    comments.flat_map(|line| [line, "\n"]).collect()
}

/// The lines of a text.
#[derive(Clone)]
struct Text {
    lines: Vec<String>,
}

/// An entry of a block collection.
struct Entry<'y> {
    /// The name of a member; empty for an element.
    name: &'y str,
    /// The index of the line with the key or the hyphen.
    line: usize,
    value: &'y MarkedYamlOwned,
    /// The lines of the entry, with the comments above it.
    segment: Range<usize>,
}

/// The entries of a block collection and the lines around them.
struct Entries<'y> {
    column: usize,
    list: Vec<Entry<'y>>,
    /// The lines before the first segment.
    before: Range<usize>,
    /// The lines after the last segment.
    after: Range<usize>,
}

impl Text {
    /// Returns the lines `range` of a block mapping, changed to the members `new`.
    fn mapping(
        &self,
        node: &MarkedYamlOwned,
        range: Range<usize>,
        new: &Object,
    ) -> Option<Vec<String>> {
        let YamlDataOwned::Mapping(members) = &node.data else { return None };
        let mut starts = Vec::new();
        for (key, value) in members {
            let start = key.span.start;
            starts.push((name(key)?, start.line().checked_sub(1)?, start.col(), value));
        }
        if self.character(node) == Some('{') {
            return None;
        }
        let is_start =
            |line: &str, column: usize| line.chars().take(column).all(|character| character == ' ');
        let entries = self.entries(starts, range, is_start)?;
        let mut parts: Vec<(&str, Vec<String>)> = Vec::new();
        for entry in &entries.list {
            if let Some(value) = new.get(entry.name) {
                parts.push((entry.name, self.member(entry, entries.column, value)));
            }
        }
        for (name, value) in order::members(new) {
            if parts.iter().any(|(other, _)| *other == name) {
                continue;
            }
            let rank = order::rank(name);
            let place = parts.iter().position(|(other, _)| order::rank(other) > rank);
            let lines = render::indented(&render::member(name, value), entries.column);
            parts.insert(place.unwrap_or(parts.len()), (name, lines));
        }
        let lines = parts.into_iter().flat_map(|(_, lines)| lines);
        Some(self.surround(&entries, lines))
    }

    /// Returns the lines `range` of a block sequence, changed to the elements `new`.
    fn sequence(
        &self,
        node: &MarkedYamlOwned,
        range: Range<usize>,
        new: &[Value],
    ) -> Option<Vec<String>> {
        let YamlDataOwned::Sequence(elements) = &node.data else { return None };
        let mut starts = Vec::new();
        for element in elements {
            let start = first(element).span.start;
            let line = start.line().checked_sub(1)?;
            let before: String = self.lines.get(line)?.chars().take(start.col()).collect();
            let column = before.find('-').filter(|_| before.trim() == "-")?;
            starts.push(("", line, column, element));
        }
        let entries =
            self.entries(starts, range, |line, column| line.chars().nth(column) == Some('-'))?;
        let is_spaced = entries.list.iter().skip(1).any(|entry| self.is_blank(entry.segment.start));
        let mut old: Vec<Option<(&Entry<'_>, Value)>> = Vec::new();
        for entry in &entries.list {
            old.push(Some((entry, to_value(entry.value).ok()?)));
        }
        let mut lines: Vec<String> = Vec::new();
        for value in new {
            let same = |slot: &&mut Option<(&Entry<'_>, Value)>| {
                slot.as_ref().is_some_and(|(_, old)| identity(old) == identity(value))
            };
            let mut element = match old.iter_mut().find(same).and_then(Option::take) {
                Some((entry, old)) => self.element(entry, entries.column, &old, value),
                None => render::indented(&render::item(value), entries.column),
            };
            if is_spaced && lines.is_empty() {
                let blank = element.iter().take_while(|line| line.is_empty()).count();
                element.drain(..blank);
            }
            if is_spaced
                && !lines.is_empty()
                && element.first().is_some_and(|line| !line.is_empty())
            {
                lines.push(String::new());
            }
            lines.extend(element);
        }
        Some(self.surround(&entries, lines))
    }

    fn surround(
        &self,
        entries: &Entries<'_>,
        lines: impl IntoIterator<Item = String>,
    ) -> Vec<String> {
        let copy = |range: &Range<usize>| self.lines[range.clone()].iter().cloned();
        copy(&entries.before).chain(lines).chain(copy(&entries.after)).collect()
    }

    /// Returns the lines of a member with the value `new`.
    fn member(&self, entry: &Entry<'_>, column: usize, new: &Value) -> Vec<String> {
        let copy = |range: Range<usize>| self.lines[range].to_vec();
        let segment = entry.segment.clone();
        if to_value(entry.value).as_ref() == Ok(new) {
            return copy(segment);
        }
        let body = entry.line + 1..segment.end;
        let body = match new {
            Value::Object(new) => self.mapping(entry.value, body, new),
            Value::Array(new) => self.sequence(entry.value, body, new),
            _ => None,
        };
        if let Some(body) = body {
            let mut lines = copy(segment.start..entry.line + 1);
            lines.extend(body);
            return lines;
        }
        let mut lines = copy(segment.start..entry.line);
        let mut written = render::indented(&render::member(entry.name, new), column);
        if let ([line], Some(comment)) = (written.as_mut_slice(), self.comment_after(entry)) {
            line.push_str(&comment);
        }
        lines.extend(written);
        lines
    }

    /// Returns the lines of an element with the value `new`.
    fn element(&self, entry: &Entry<'_>, column: usize, old: &Value, new: &Value) -> Vec<String> {
        let copy = |range: Range<usize>| self.lines[range].to_vec();
        let segment = entry.segment.clone();
        if old == new {
            return copy(segment);
        }
        let merged = new.as_object().and_then(|new| {
            // Without its hyphen, the element is a mapping.
            let mut text = self.clone();
            replace(text.lines.get_mut(entry.line)?, column, ' ');
            let mut body = text.mapping(entry.value, entry.line..segment.end, new)?;
            let first = body.iter_mut().find(|line| !is_blank_or_comment(line))?;
            replace(first, column, '-');
            Some(body)
        });
        let mut lines = copy(segment.start..entry.line);
        let written = || render::indented(&render::item(new), column);
        lines.extend(merged.unwrap_or_else(written));
        lines
    }

    /// Returns the entries of a collection, or `None` if it is not in block style with one entry per line.
    fn entries<'y>(
        &self,
        starts: Vec<(&'y str, usize, usize, &'y MarkedYamlOwned)>,
        range: Range<usize>,
        is_start: impl Fn(&str, usize) -> bool,
    ) -> Option<Entries<'y>> {
        let column = starts.first()?.2;
        let mut list: Vec<Entry<'y>> = Vec::new();
        for (name, line, other_column, value) in starts {
            let floor = list.last().map_or(range.start, |last| last.line + 1);
            let is_valid = (floor..range.end).contains(&line) && column == other_column;
            if !is_valid || !is_start(self.lines.get(line)?, column) {
                return None;
            }
            let start = self.comments_above(line, floor, column);
            if let Some(last) = list.last_mut() {
                last.segment.end = start;
            }
            list.push(Entry { name, line, value, segment: start..range.end });
        }
        let first = list.first()?.segment.start;
        let last = list.last_mut()?;
        last.segment.end = self.comments_above(range.end, last.line + 1, column);
        let end = last.segment.end;
        Some(Entries { column, list, before: range.start..first, after: end..range.end })
    }

    /// Returns the first line of the comments and empty lines directly above `line`. Comments with a larger
    /// indentation than `column` belong to the value above, and may be the text of a literal.
    fn comments_above(&self, line: usize, floor: usize, column: usize) -> usize {
        let is_comment = |line: &String| {
            is_blank_or_comment(line) && line.len() - line.trim_start().len() <= column
        };
        let above = self.lines[floor..line].iter().rev();
        line - above.take_while(|line| is_comment(line)).count()
    }

    /// Returns the comment after a value in one line, with the space before it.
    fn comment_after(&self, entry: &Entry<'_>) -> Option<String> {
        let span = entry.value.span;
        if span.end.line() != entry.line + 1 {
            return None;
        }
        let rest: String = self.lines.get(entry.line)?.chars().skip(span.end.col()).collect();
        let rest = rest.trim_start_matches([']', '}']);
        let is_comment = rest.starts_with(' ') && rest.trim_start().starts_with('#');
        is_comment.then(|| rest.to_owned())
    }

    fn is_blank(&self, line: usize) -> bool {
        self.lines.get(line).is_some_and(|line| line.trim().is_empty())
    }

    /// Returns the character at the start of a node.
    fn character(&self, node: &MarkedYamlOwned) -> Option<char> {
        let start = node.span.start;
        self.lines.get(start.line().checked_sub(1)?)?.chars().nth(start.col())
    }
}

/// Returns the first key of a mapping, and otherwise the node.
fn first(node: &MarkedYamlOwned) -> &MarkedYamlOwned {
    match &node.data {
        YamlDataOwned::Mapping(members) => members.keys().next().unwrap_or(node),
        _ => node,
    }
}

fn is_blank_or_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

/// Replaces the character at `column`, which is ASCII as all characters before it.
fn replace(line: &mut String, column: usize, with: char) {
    if line.is_char_boundary(column) && line.is_char_boundary(column + 1) && column < line.len() {
        line.replace_range(column..=column, with.encode_utf8(&mut [0; 4]));
    }
}
