//! YAML files.

mod merge;
mod render;

use std::collections::BTreeMap;

use contract::json::{Limits, Number, Value};
use saphyr::{LoadableYamlNode as _, MarkedYamlOwned, ScalarOwned, ScalarStyle, YamlDataOwned};
use saphyr_parser::{Event, Parser, Span};

pub use self::merge::update;
pub(super) use self::render::render;

/// Parses a file with one document.
///
/// # Errors
/// Returns the first error with its position.
pub fn parse(text: &str) -> Result<Value, String> {
    to_value(&load(text)?)
}

/// The maximum nesting depth, which is that of JSON files.
const DEPTH_MAX: usize = Limits::BUNDLE_FILE.depth;

/// Checks what the nodes no longer show: how deep they are, because they are dropped recursively, and how numbers are
/// written.
fn check_events(text: &str) -> Result<(), String> {
    let mut depths = Depths::default();
    for event in Parser::new_from_str(text) {
        // The loader reports errors of the syntax.
        let Ok((event, span)) = event else { return Ok(()) };
        match event {
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                depths.open.push((anchor, 0));
            }
            Event::SequenceEnd | Event::MappingEnd => depths.close(),
            Event::Alias(anchor) => {
                depths.add(depths.anchors.get(&anchor).copied().unwrap_or_default());
            }
            Event::Scalar(scalar, ScalarStyle::Plain, _, None) if is_ambiguous(&scalar) => {
                let message = format!(
                    "`{scalar}` is not a decimal number; write it in quotes if it is a text"
                );
                return Err(at_span(span, &message));
            }
            _ => {}
        }
        if depths.depth() > DEPTH_MAX {
            return Err(at_span(span, "arrays and objects are nested too deeply"));
        }
    }
    Ok(())
}

/// The depths of the collections of a document.
#[derive(Default)]
struct Depths {
    /// The anchor and the depth below it of each open collection.
    open: Vec<(usize, usize)>,
    /// The depths of the closed collections with an anchor.
    anchors: BTreeMap<usize, usize>,
}

impl Depths {
    fn close(&mut self) {
        let Some((anchor, below)) = self.open.pop() else { return };
        if anchor > 0 {
            self.anchors.insert(anchor, below + 1);
        }
        self.add(below + 1);
    }

    /// Adds a value of this depth to the innermost open collection.
    fn add(&mut self, depth: usize) {
        if let Some((_, below)) = self.open.last_mut() {
            *below = depth.max(*below);
        }
    }

    /// Returns the depth of the innermost open collection with all that it contains.
    fn depth(&self) -> usize {
        self.open.len() + self.open.last().map_or(0, |(_, below)| *below)
    }
}

/// Returns whether a plain scalar is a number that people do not read as YAML does: an identifier with zeros in front,
/// which would lose them, or a hexadecimal or octal number.
fn is_ambiguous(scalar: &str) -> bool {
    let digits = scalar.strip_prefix(['+', '-']).unwrap_or(scalar);
    let Some(rest) = digits.strip_prefix('0') else { return false };
    let is_number =
        |rest: &str| rest.parse::<f64>().is_ok() && !rest.contains(['n', 'N', 'i', 'I']);
    let has_only = |digits: &str, is_digit: fn(&u8) -> bool| {
        !digits.is_empty() && digits.as_bytes().iter().all(is_digit)
    };
    if let Some(digits) = rest.strip_prefix('x') {
        has_only(digits, u8::is_ascii_hexdigit)
    } else if let Some(digits) = rest.strip_prefix('o') {
        has_only(digits, u8::is_ascii_digit)
    } else {
        rest.starts_with(|first: char| first.is_ascii_digit()) && is_number(rest)
    }
}

fn load(text: &str) -> Result<MarkedYamlOwned, String> {
    check_events(text)?;
    let documents = MarkedYamlOwned::load_from_str(text).map_err(|error| {
        let at = error.marker();
        format!("line {}, column {}: {}", at.line(), at.col() + 1, error.info())
    })?;
    let count = documents.len();
    let only = documents.into_iter().next().filter(|_| count == 1);
    only.ok_or_else(|| format!("must contain one YAML document, not {count}"))
}

/// Returns the JSON tree of a node.
fn to_value(node: &MarkedYamlOwned) -> Result<Value, String> {
    let number = |number: Option<Number>| {
        let number = number.map(Value::Number);
        number.ok_or_else(|| at(node, "a number does not fit a double within ±(2^53 − 1)"))
    };
    match &node.data {
        YamlDataOwned::Value(ScalarOwned::Null) => Ok(Value::Null),
        YamlDataOwned::Value(ScalarOwned::Boolean(boolean)) => Ok(Value::Bool(*boolean)),
        YamlDataOwned::Value(ScalarOwned::Integer(integer)) => {
            number(Number::try_from(*integer).ok())
        }
        YamlDataOwned::Value(ScalarOwned::FloatingPoint(float)) => {
            number(Number::new(float.into_inner()))
        }
        YamlDataOwned::Value(ScalarOwned::String(text)) => Ok(Value::from(text.as_str())),
        YamlDataOwned::Sequence(elements) => {
            elements.iter().map(to_value).collect::<Result<_, _>>().map(Value::Array)
        }
        YamlDataOwned::Mapping(members) => {
            let member = |(key, value): (&MarkedYamlOwned, &MarkedYamlOwned)| {
                let name = name(key).ok_or_else(|| at(key, "a member name must be a string"))?;
                let value = to_value(value)?;
                // YAML 1.2 has no merge keys, and a field of this name is not what the author means.
                if name == "<<" && matches!(value, Value::Object(_) | Value::Array(_)) {
                    return Err(at(key, "merge keys are not supported; repeat the members"));
                }
                Ok((name.to_owned(), value))
            };
            members.iter().map(member).collect::<Result<_, String>>().map(Value::Object)
        }
        YamlDataOwned::Tagged(..) => Err(at(node, "tags are not supported")),
        _ => Err(at(node, "an anchor is unknown, or a value is not valid for its tag")),
    }
}

fn name(key: &MarkedYamlOwned) -> Option<&str> {
    match &key.data {
        YamlDataOwned::Value(ScalarOwned::String(name)) => Some(name),
        _ => None,
    }
}

fn at(node: &MarkedYamlOwned, message: &str) -> String {
    at_span(node.span, message)
}

fn at_span(span: Span, message: &str) -> String {
    let start = span.start;
    format!("line {}, column {}: {message}", start.line(), start.col() + 1)
}

/// Returns the line (from 1) of the value at a JSON Pointer, or of the closest value around it.
pub(super) fn line_of(text: &str, pointer: &str) -> Option<usize> {
    let document = load(text).ok()?;
    let mut node = &document;
    let mut line = node.span.start.line();
    for segment in pointer.split('/').skip(1) {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        let next = match &node.data {
            YamlDataOwned::Sequence(elements) => {
                let element = segment.parse().ok().and_then(|index: usize| elements.get(index));
                element.map(|element| (element.span.start.line(), element))
            }
            YamlDataOwned::Mapping(members) => members
                .iter()
                .find(|(key, _)| name(key) == Some(segment.as_str()))
                .map(|(key, value)| (key.span.start.line(), value)),
            _ => None,
        };
        let Some(next) = next else { break };
        (line, node) = next;
    }
    Some(line)
}
