//! Canonical text and its digest (receipts, section 2): the only source of hashed bytes.

use contract::json::{Limits, Number, Value, canonical_order, write_number, write_string};

use crate::digest::Digest;

/// A canonical text with its digest. The text is what is stored, signed and sent, byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Canonical {
    /// The canonical text, `J(x)`.
    pub text: String,
    /// Its SHA-256, `H(x)`.
    pub digest: Digest,
}

/// A text that is not canonical JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the text is not canonical JSON")]
pub struct NotCanonical;

impl Canonical {
    /// Writes `value` canonically and digests it.
    pub fn of(value: &Value) -> Self {
        Part::Value(value).canonical()
    }

    /// Takes a text that is canonical already, such as a stored or a received one.
    ///
    /// # Errors
    /// It is no JSON, or has another canonical text.
    pub fn read(text: &[u8]) -> Result<Self, NotCanonical> {
        let (_, text) = value_and_text(text)?;
        Ok(Self::kept(text))
    }

    /// The value of a text that is canonical, for those who have its digest.
    ///
    /// # Errors
    /// It is no JSON, or has another canonical text.
    pub fn value(text: &[u8]) -> Result<Value, NotCanonical> {
        value_and_text(text).map(|(value, _)| value)
    }

    /// Takes a text as it was kept, whatever it is by now: for those who pass on what they do not judge.
    pub fn kept(text: String) -> Self {
        let digest = Digest::of(text.as_bytes());
        Self { text, digest }
    }
}

fn value_and_text(text: &[u8]) -> Result<(Value, String), NotCanonical> {
    let value = Value::parse(text, &Limits::BUNDLE_MEMBER).map_err(|_| NotCanonical)?;
    let mut canonical = String::with_capacity(text.len());
    value.write_canonical(&mut canonical);
    if canonical.as_bytes() == text { Ok((value, canonical)) } else { Err(NotCanonical) }
}

/// A piece of a statement. It borrows what it can, so that a large context is not copied to be hashed.
pub(crate) enum Part<'a> {
    Value(&'a Value),
    Canonical(&'a Canonical),
    Text(&'a str),
    Made(String),
    Json(Value),
    Digest(Digest),
    Number(Number),
    Truth(bool),
    Array(Vec<Self>),
    Object(Members<'a>),
}

impl Part<'_> {
    pub(crate) fn canonical(&self) -> Canonical {
        let mut text = String::with_capacity(1_024);
        self.write(&mut text);
        let digest = Digest::of(text.as_bytes());
        Canonical { text, digest }
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Value(value) => value.write_canonical(out),
            Self::Canonical(canonical) => out.push_str(&canonical.text),
            Self::Text(text) => write_string(text, out),
            Self::Made(text) => write_string(text, out),
            Self::Json(value) => value.write_canonical(out),
            Self::Digest(digest) => write_string(&digest.to_string(), out),
            Self::Number(number) => write_number(number.get(), out),
            Self::Truth(truth) => out.push_str(if *truth { "true" } else { "false" }),
            Self::Array(elements) => {
                list(out, ['[', ']'], elements, Self::write);
            }
            Self::Object(members) => list(out, ['{', '}'], &members.0, |(name, member), out| {
                write_string(name, out);
                out.push(':');
                member.write(out);
            }),
        }
    }
}

fn list<T>(out: &mut String, around: [char; 2], items: &[T], write: impl Fn(&T, &mut String)) {
    let [open, close] = around;
    out.push(open);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(close);
}

/// The members of an object, kept in canonical order, whatever the order in which they are named.
#[derive(Default)]
pub(crate) struct Members<'a>(Vec<(&'a str, Part<'a>)>);

impl<'a> Members<'a> {
    /// An object whose kind is `schema`, so that no two kinds share a preimage.
    pub(crate) fn schema(schema: &'a str) -> Self {
        Self::default().with("schema", schema)
    }

    /// Adds a member. A name that is there already keeps its first value.
    pub(crate) fn with(mut self, name: &'a str, part: impl Into<Part<'a>>) -> Self {
        let place = self.0.binary_search_by(|(other, _)| canonical_order(other, name));
        if let Err(place) = place {
            self.0.insert(place, (name, part.into()));
        }
        self
    }

    /// Adds a member that may be absent.
    pub(crate) fn maybe(self, name: &'a str, part: Option<impl Into<Part<'a>>>) -> Self {
        match part {
            Some(part) => self.with(name, part),
            None => self,
        }
    }

    pub(crate) fn canonical(self) -> Canonical {
        Part::Object(self).canonical()
    }
}

impl<'a> FromIterator<(&'a str, Part<'a>)> for Members<'a> {
    fn from_iter<I: IntoIterator<Item = (&'a str, Part<'a>)>>(members: I) -> Self {
        members.into_iter().fold(Self::default(), |all, (name, part)| all.with(name, part))
    }
}

macro_rules! part_from {
    ($($kind:ty => $part:ident),+ $(,)?) => {$(
        impl<'a> From<$kind> for Part<'a> {
            fn from(part: $kind) -> Self {
                Self::$part(part)
            }
        }
    )+};
}

part_from! {
    &'a Value => Value,
    &'a Canonical => Canonical,
    &'a str => Text,
    String => Made,
    Digest => Digest,
    Number => Number,
    bool => Truth,
    Vec<Part<'a>> => Array,
    Members<'a> => Object,
}

impl From<u64> for Part<'_> {
    /// No tree, size or count of ours comes near 2^53; beyond it the greatest number is written.
    fn from(number: u64) -> Self {
        Self::Number(Number::try_from(number).ok().or(Number::new(Number::MAX)).unwrap_or_default())
    }
}

impl From<u32> for Part<'_> {
    fn from(number: u32) -> Self {
        Self::Number(Number::from(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_written_in_canonical_order() {
        let inner =
            Members::default().with("b", 1_u32).with("a", vec![Part::from("x"), true.into()]);
        let members = Members::schema("s/v1")
            .with("\u{fb33}", "2")
            .with("\u{1f600}", "1".to_owned())
            .maybe("absent", None::<&str>)
            .with("inner", inner);
        assert_eq!(
            members.canonical().text,
            "{\"inner\":{\"a\":[\"x\",true],\"b\":1},\"schema\":\"s/v1\",\"\u{1f600}\":\"1\",\"\u{fb33}\":\"2\"}"
        );
    }

    #[test]
    fn a_member_stands_once() {
        assert_eq!(
            Members::default().with("a", 1_u32).with("a", 2_u32).canonical().text,
            r#"{"a":1}"#
        );
    }
}
