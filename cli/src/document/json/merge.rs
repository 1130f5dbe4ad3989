//! Changes the value of a JSON text, and leaves the text of unchanged parts as it is.
//!
//! Entries that did not change are copied with the space around them, and objects and arrays that changed are merged
//! entry by entry. New values are written with the indentation of the text. The result is parsed, and the whole text is
//! written again if its value is not the new one.

use std::ops::Range;

use contract::json::{Limits, Object, Value, write_string};
use jsonc_parser::{
    CollectOptions, ParseOptions,
    ast::{ObjectProp, Value as Node},
    common::Ranged,
    parse_to_ast,
};

use super::{render, write};
use crate::document::{identity, order};

/// Returns the text `old`, changed to have the value `new`.
pub(in crate::document) fn update(old: &str, new: &Value) -> String {
    let parsed = parse_to_ast(old, &CollectOptions::default(), &ParseOptions::default()).ok();
    let merged = parsed.and_then(|parsed| parsed.value).and_then(|root| {
        let text = Text { text: old, unit: unit(old, &root) };
        let (before, after) = (old.get(..root.start())?, old.get(root.end()..)?);
        Some(format!("{before}{}{after}", text.merged(&root, new)?))
    });
    match merged {
        Some(merged) if read(&merged).as_ref() == Some(new) => merged,
        _ => render(new),
    }
}

fn read(text: &str) -> Option<Value> {
    Value::parse(text.as_bytes(), &Limits::BUNDLE_FILE).ok()
}

/// Returns the indentation of one level: that of the first entry of the text, or `None` if it is in one line.
fn unit(text: &str, root: &Node<'_>) -> Option<String> {
    let start = match root {
        Node::Object(object) => object.properties.first()?.start(),
        Node::Array(array) => array.elements.first()?.start(),
        _ => return None,
    };
    let lead = text.get(root.start() + 1..start)?;
    lead.contains('\n').then(|| indentation(lead).to_owned())
}

fn span(node: &impl Ranged) -> Range<usize> {
    node.start()..node.end()
}

/// Returns the white space after the last line break.
fn indentation(lead: &str) -> &str {
    lead.rsplit('\n').next().unwrap_or_default()
}

struct Text<'t> {
    text: &'t str,
    unit: Option<String>,
}

/// An entry of the new text: the place of its start in the old text if it was there, and its text.
struct Part {
    old: Option<Range<usize>>,
    text: String,
}

impl Text<'_> {
    fn get(&self, range: Range<usize>) -> Option<&str> {
        self.text.get(range)
    }

    /// Returns the text of a node, changed to have the value `new`.
    fn merged(&self, node: &Node<'_>, new: &Value) -> Option<String> {
        let text = self.get(span(node))?;
        if read(text).as_ref() == Some(new) {
            return Some(text.to_owned());
        }
        match (node, new) {
            (Node::Object(old), Value::Object(new))
                if !old.properties.is_empty() && !new.is_empty() =>
            {
                self.object(node, &old.properties, new)
            }
            (Node::Array(old), Value::Array(new))
                if !old.elements.is_empty() && !new.is_empty() =>
            {
                self.array(node, &old.elements, new)
            }
            _ => Some(self.fresh(new, self.indentation_of(node.start()))),
        }
    }

    fn object(&self, node: &Node<'_>, members: &[ObjectProp<'_>], new: &Object) -> Option<String> {
        let lead = self.get(node.start() + 1..members.first()?.start())?;
        let mut parts: Vec<(&str, Part)> = Vec::new();
        for member in members {
            if let Some(value) = new.get(member.name.as_str()) {
                let head = self.get(member.start()..member.value.start())?;
                let text = head.to_owned() + &self.merged(&member.value, value)?;
                parts.push((member.name.as_str(), Part { old: Some(span(member)), text }));
            }
        }
        for (name, value) in order::members(new) {
            if parts.iter().any(|(other, _)| *other == name) {
                continue;
            }
            let rank = order::rank(name);
            let place = parts.iter().position(|(other, _)| order::rank(other) > rank);
            let mut text = String::new();
            write_string(name, &mut text);
            text.push_str(if self.unit.is_some() { ": " } else { ":" });
            text.push_str(&self.fresh(value, indentation(lead)));
            parts.insert(place.unwrap_or(parts.len()), (name, Part { old: None, text }));
        }
        let old: Vec<Range<usize>> = members.iter().map(span).collect();
        self.joined(node, &old, parts.into_iter().map(|(_, part)| part))
    }

    fn array(&self, node: &Node<'_>, elements: &[Node<'_>], new: &[Value]) -> Option<String> {
        let lead = self.get(node.start() + 1..elements.first()?.start())?;
        let mut old: Vec<Option<(&Node<'_>, Value)>> = Vec::new();
        for element in elements {
            old.push(Some((element, read(self.get(span(element))?)?)));
        }
        let mut parts = Vec::new();
        for value in new {
            let same = |slot: &&mut Option<(&Node<'_>, Value)>| {
                slot.as_ref().is_some_and(|(_, old)| identity(old) == identity(value))
            };
            parts.push(match old.iter_mut().find(same).and_then(Option::take) {
                Some((element, _)) => {
                    let text = self.merged(element, value)?;
                    Part { old: Some(span(element)), text }
                }
                None => Part { old: None, text: self.fresh(value, indentation(lead)) },
            });
        }
        let old: Vec<Range<usize>> = elements.iter().map(span).collect();
        self.joined(node, &old, parts.into_iter())
    }

    /// Joins the entries between the brackets of `node`. `old` has the places of the entries in the old text. An entry
    /// keeps the space before it, and a new one gets that of the first entry.
    fn joined(
        &self,
        node: &Node<'_>,
        old: &[Range<usize>],
        parts: impl Iterator<Item = Part>,
    ) -> Option<String> {
        let first = self.get(node.start() + 1..old.first()?.start)?;
        let tail = self.get(old.last()?.end..node.end())?;
        // In one line, the first entry may have no space before it.
        let between = match old {
            [one, two, ..] => self.get(one.end..two.start)?.trim_start().trim_start_matches(','),
            _ if first.is_empty() => " ",
            _ => first,
        };
        let mut out = self.get(node.start()..node.start() + 1)?.to_owned();
        for (index, part) in parts.enumerate() {
            let position =
                part.old.as_ref().and_then(|part| old.iter().position(|old| old == part));
            let before = position.and_then(|position| {
                let previous = old.get(position.checked_sub(1)?)?;
                self.get(previous.end..old.get(position)?.start)
            });
            if index == 0 {
                out.push_str(first);
            } else if let Some(before) = before {
                out.push_str(before);
            } else {
                out.push(',');
                out.push_str(between);
            }
            out.push_str(&part.text);
        }
        out.push_str(tail);
        Some(out)
    }

    /// Returns the indentation of the line with the byte `at`.
    fn indentation_of(&self, at: usize) -> &str {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        &line[..line.len() - line.trim_start().len()]
    }

    /// Returns the text of a new value, whose further lines have the indentation `around`.
    fn fresh(&self, value: &Value, around: &str) -> String {
        let Some(unit) = &self.unit else { return value.to_canonical() };
        let mut text = String::new();
        write(value, 0, &mut text);
        let line = |(index, line): (usize, &str)| {
            if index == 0 {
                return line.to_owned();
            }
            let content = line.trim_start_matches(' ');
            let levels = (line.len() - content.len()) / 2;
            format!("\n{around}{}{content}", unit.repeat(levels))
        };
        text.lines().enumerate().map(line).collect()
    }
}
