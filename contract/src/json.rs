//! The JSON tree that is parsed strictly, evaluated, canonicalized and stored.

mod ascii_scan;
mod number;
mod object;
mod parse;
mod parse_error;
mod serde_impl;
mod write;

pub use number::{Number, NumberOutOfRange};
pub use object::{Iter, Object, canonical_order};
pub use parse_error::{Limits, ParseError, ParseErrorCode};
pub use write::{number as write_number, string as write_string};

/// A JSON value.
///
/// Numbers are IEEE 754 doubles within ±(2^53 − 1). The members of an object have unique names and are in
/// canonical order (UTF-16 code units, RFC 8785).
#[derive(Clone, Debug, Default, PartialEq, derive_more::From)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    #[from]
    Bool(bool),
    /// A number
    #[from(i32, u32, Number)]
    Number(Number),
    /// A string
    #[from(&str, String)]
    String(String),
    /// An array
    #[from]
    Array(Vec<Value>),
    /// An object
    #[from]
    Object(Object),
}

impl Value {
    /// Parses a JSON text strictly (receipts, section 2).
    ///
    /// # Errors
    /// Returns the first error in reading order.
    pub fn parse(text: &[u8], limits: &Limits) -> Result<Self, ParseError> {
        parse::parse(text, limits)
    }

    /// Returns the string if the value is a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// Returns the number if the value is a number.
    pub fn as_f64(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(number.get()) } else { None }
    }

    /// Returns the boolean if the value is a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(boolean) = self { Some(*boolean) } else { None }
    }

    /// Returns the elements if the value is an array.
    pub fn as_array(&self) -> Option<&[Self]> {
        if let Self::Array(elements) = self { Some(elements) } else { None }
    }

    /// Returns the members if the value is an object.
    pub fn as_object(&self) -> Option<&Object> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }

    /// Returns the member `name` if the value is an object with such a member.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.as_object()?.get(name)
    }

    /// Appends the canonical text (RFC 8785) to `out`.
    pub fn write_canonical(&self, out: &mut String) {
        write::value(self, out);
    }

    /// Returns the canonical text (RFC 8785).
    pub fn to_canonical(&self) -> String {
        let mut out = String::new();
        self.write_canonical(&mut out);
        out
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_canonical())
    }
}

impl<V: Into<Self>> FromIterator<V> for Value {
    fn from_iter<I: IntoIterator<Item = V>>(elements: I) -> Self {
        Self::Array(elements.into_iter().map(Into::into).collect())
    }
}
