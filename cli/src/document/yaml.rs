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

/// Checks what the nodes no longer show: how deep they are, because they are dropped recursively, how values are written,
/// and tags.
fn check_events(text: &str) -> Result<(), String> {
    let mut depths = Depths::default();
    for event in Parser::new_from_str(text) {
        // The loader reports errors of the syntax.
        let Ok((event, span)) = event else { return Ok(()) };
        match event {
            Event::SequenceStart(_, Some(_))
            | Event::MappingStart(_, Some(_))
            | Event::Scalar(_, _, _, Some(_)) => {
                return Err(at_span(span, "tags are not supported"));
            }
            Event::SequenceStart(anchor, None) => depths.open(anchor, false),
            Event::MappingStart(anchor, None) => depths.open(anchor, true),
            Event::SequenceEnd | Event::MappingEnd => depths.close(),
            Event::Alias(anchor) => {
                depths.add(depths.anchors.get(&anchor).copied().unwrap_or_default());
            }
            Event::Scalar(scalar, style, _, None) => {
                let is_name = depths.add(0);
                let misread = misread(&scalar, is_name).filter(|_| style == ScalarStyle::Plain);
                if let Some(reason) = misread {
                    return Err(at_span(span, &format!("`{scalar}` {reason}")));
                }
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
    open: Vec<Collection>,
    /// The depths of the closed collections with an anchor.
    anchors: BTreeMap<usize, usize>,
}

/// An open collection.
struct Collection {
    anchor: usize,
    /// The depth below it.
    below: usize,
    is_mapping: bool,
    /// Whether the next node of a mapping is a name.
    is_name_next: bool,
}

impl Depths {
    fn open(&mut self, anchor: usize, is_mapping: bool) {
        self.open.push(Collection { anchor, below: 0, is_mapping, is_name_next: is_mapping });
    }

    fn close(&mut self) {
        let Some(Collection { anchor, below, .. }) = self.open.pop() else { return };
        if anchor > 0 {
            self.anchors.insert(anchor, below + 1);
        }
        self.add(below + 1);
    }

    /// Adds a node of this depth to the innermost open collection. Returns whether it is a member name.
    fn add(&mut self, depth: usize) -> bool {
        let Some(collection) = self.open.last_mut() else { return false };
        collection.below = depth.max(collection.below);
        let is_name = collection.is_name_next;
        collection.is_name_next = collection.is_mapping && !is_name;
        is_name
    }

    /// Returns the depth of the innermost open collection with all that it contains.
    fn depth(&self) -> usize {
        self.open.len() + self.open.last().map_or(0, |collection| collection.below)
    }
}

/// Returns why people do not read a plain scalar as YAML 1.2 does, if they do not.
fn misread(scalar: &str, is_name: bool) -> Option<&'static str> {
    if !is_name && BOOLEANS.contains(&scalar.to_ascii_lowercase().as_str()) {
        return Some(
            "is a text in YAML 1.2 and a boolean in YAML 1.1; write `true` or `false`, or write it in quotes",
        );
    }
    let digits = scalar.strip_prefix(['+', '-']).unwrap_or(scalar);
    if is_other_number(digits) {
        return Some("is not a decimal number; write it in quotes if it is a text");
    }
    let has_plus = scalar.starts_with('+') && is_number(digits);
    has_plus.then_some("would lose its sign as a number; write it in quotes if it is a text")
}

/// The booleans of YAML 1.1 that are texts in YAML 1.2.
const BOOLEANS: [&str; 4] = ["yes", "no", "on", "off"];

/// Returns whether a text without a sign is a number that is not written as a decimal number: an identifier with zeros in
/// front, which would lose them, a hexadecimal, octal or binary number, or one with underscores.
fn is_other_number(digits: &str) -> bool {
    let has_only = |digits: &str, is_digit: fn(&u8) -> bool| {
        !digits.is_empty() && digits.as_bytes().iter().all(is_digit)
    };
    if digits.contains('_') && digits.starts_with(|first: char| first.is_ascii_digit()) {
        return is_number(&digits.replace('_', ""));
    }
    let Some(rest) = digits.strip_prefix('0') else { return false };
    if let Some(digits) = rest.strip_prefix('x') {
        has_only(digits, u8::is_ascii_hexdigit)
    } else if let Some(digits) = rest.strip_prefix(['o', 'b']) {
        has_only(digits, u8::is_ascii_digit)
    } else {
        rest.starts_with(|first: char| first.is_ascii_digit()) && is_number(rest)
    }
}

fn is_number(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && text.parse::<f64>().is_ok()
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
