//! The parts of statements, and the objects that contain them.

use contract::json::{Number, Value, canonical_order, write_number, write_string};

use super::CanonicalJson;
use crate::digest::Digest;

/// A part of a statement. It borrows its content where possible, so that hashing does not copy
/// large contexts.
#[derive(Debug)]
pub enum JsonPart<'a> {
    Value(&'a Value),
    Canonical(&'a CanonicalJson),
    Text(&'a str),
    OwnedText(String),
    Json(Value),
    Digest(Digest),
    Number(Number),
    Bool(bool),
    Array(Vec<Self>),
    Object(ObjectBuilder<'a>),
}

impl JsonPart<'_> {
    pub(crate) fn canonical(&self) -> CanonicalJson {
        let mut text = String::with_capacity(1_024);
        self.write(&mut text);
        let digest = Digest::compute(text.as_bytes());
        CanonicalJson { text, digest }
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Value(value) => value.write_canonical(out),
            Self::Canonical(canonical) => out.push_str(&canonical.text),
            Self::Text(text) => write_string(text, out),
            Self::OwnedText(text) => write_string(text, out),
            Self::Json(value) => value.write_canonical(out),
            Self::Digest(digest) => write_string(&digest.to_string(), out),
            Self::Number(number) => write_number(number.get(), out),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Array(elements) => {
                write_list(out, ['[', ']'], elements, Self::write);
            }
            Self::Object(members) => {
                write_list(out, ['{', '}'], &members.0, |(name, member), out| {
                    write_string(name, out);
                    out.push(':');
                    member.write(out);
                });
            }
        }
    }
}

fn write_list<T>(
    out: &mut String,
    brackets: [char; 2],
    items: &[T],
    write: impl Fn(&T, &mut String),
) {
    let [open, close] = brackets;
    out.push(open);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(close);
}

/// The members of an object in canonical order, independent of the order of insertion.
#[derive(Debug, Default)]
pub struct ObjectBuilder<'a>(Vec<(&'a str, JsonPart<'a>)>);

impl<'a> ObjectBuilder<'a> {
    /// Creates an object with a `schema` member, which separates the preimages of different object
    /// kinds.
    pub(crate) fn with_schema(schema: &'a str) -> Self {
        Self::default().member("schema", schema)
    }

    /// Adds a member. If the name already exists, the first value is retained.
    pub(crate) fn member(mut self, name: &'a str, part: impl Into<JsonPart<'a>>) -> Self {
        let index = self.0.binary_search_by(|(other, _)| canonical_order(other, name));
        if let Err(index) = index {
            self.0.insert(index, (name, part.into()));
        }
        self
    }

    /// Adds a member that may be absent.
    pub(crate) fn optional(self, name: &'a str, part: Option<impl Into<JsonPart<'a>>>) -> Self {
        match part {
            Some(part) => self.member(name, part),
            None => self,
        }
    }

    pub(crate) fn canonical(self) -> CanonicalJson {
        JsonPart::Object(self).canonical()
    }
}

impl<'a> FromIterator<(&'a str, JsonPart<'a>)> for ObjectBuilder<'a> {
    fn from_iter<I: IntoIterator<Item = (&'a str, JsonPart<'a>)>>(members: I) -> Self {
        members.into_iter().fold(Self::default(), |object, (name, part)| object.member(name, part))
    }
}

macro_rules! part_from {
    ($($kind:ty => $part:ident),+ $(,)?) => {$(
        impl<'a> From<$kind> for JsonPart<'a> {
            fn from(part: $kind) -> Self {
                Self::$part(part)
            }
        }
    )+};
}

part_from! {
    &'a Value => Value,
    &'a CanonicalJson => Canonical,
    &'a str => Text,
    String => OwnedText,
    Digest => Digest,
    Number => Number,
    bool => Bool,
    Vec<JsonPart<'a>> => Array,
    ObjectBuilder<'a> => Object,
}

impl From<u64> for JsonPart<'_> {
    /// Numbers above 2^53 are written as the largest exact integer. Tree indexes, sizes and counts
    /// stay below it.
    fn from(number: u64) -> Self {
        Self::Number(Number::try_from(number).ok().or(Number::new(Number::MAX)).unwrap_or_default())
    }
}

impl From<u32> for JsonPart<'_> {
    fn from(number: u32) -> Self {
        Self::Number(Number::from(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_written_in_canonical_order() {
        let inner = ObjectBuilder::default()
            .member("b", 1_u32)
            .member("a", vec![JsonPart::from("x"), true.into()]);
        let members = ObjectBuilder::with_schema("s/v1")
            .member("\u{fb33}", "2")
            .member("\u{1f600}", "1".to_owned())
            .optional("absent", None::<&str>)
            .member("inner", inner);
        assert_eq!(
            members.canonical().text,
            "{\"inner\":{\"a\":[\"x\",true],\"b\":1},\"schema\":\"s/v1\",\"\u{1f600}\":\"1\",\"\u{fb33}\":\"2\"}"
        );
    }

    #[test]
    fn first_value_of_a_repeated_member_is_retained() {
        assert_eq!(
            ObjectBuilder::default().member("a", 1_u32).member("a", 2_u32).canonical().text,
            r#"{"a":1}"#
        );
    }
}
