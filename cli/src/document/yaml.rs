//! YAML files.

mod merge;
mod render;

use contract::json::{Number, Value};
use saphyr::{LoadableYamlNode as _, MarkedYamlOwned, ScalarOwned, YamlDataOwned};

pub use self::merge::update;
pub(super) use self::render::render;

/// Parses a file with one document.
///
/// # Errors
/// Returns the first error with its position.
pub fn parse(text: &str) -> Result<Value, String> {
    to_value(&load(text)?)
}

fn load(text: &str) -> Result<MarkedYamlOwned, String> {
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
                Ok((name.to_owned(), to_value(value)?))
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
    let start = node.span.start;
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
