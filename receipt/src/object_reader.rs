//! Reads members of signed objects, each in its only permitted form (receipts, section 1). Members
//! that are not read are ignored.

use std::{fmt::Display, str::FromStr};

use contract::json::{Object, Value};

/// The reason why an object cannot be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseFieldError {
    /// `schema` has an unexpected value.
    #[error("`schema` has an unexpected value")]
    Schema,
    /// The value is not an object, or this member is missing or malformed.
    #[error("`{0}` is missing or malformed")]
    Member(&'static str),
}

/// A reader for the members of an object.
#[derive(Clone, Copy, Debug)]
pub struct SignedObjectReader<'a>(&'a Object);

impl<'a> SignedObjectReader<'a> {
    /// Creates a reader for `value`. Errors name it as `name`.
    ///
    /// # Errors
    /// Returns an error if `value` is not an object.
    pub fn new(value: &'a Value, name: &'static str) -> Result<Self, ParseFieldError> {
        value.as_object().map(Self).ok_or(ParseFieldError::Member(name))
    }

    /// Creates a reader for `value`, whose `schema` must equal `schema`.
    ///
    /// # Errors
    /// Returns an error if `value` is not an object or has another schema.
    pub fn with_schema(value: &'a Value, schema: &str) -> Result<Self, ParseFieldError> {
        let fields = Self::new(value, "schema")?;
        if fields.optional_text("schema")? == Some(schema) {
            Ok(fields)
        } else {
            Err(ParseFieldError::Schema)
        }
    }

    /// Returns the required member `name`.
    ///
    /// # Errors
    /// Returns an error if the member is missing.
    pub fn value(&self, name: &'static str) -> Result<&'a Value, ParseFieldError> {
        self.0.get(name).ok_or(ParseFieldError::Member(name))
    }

    /// Returns the member `name`, if present.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name)
    }

    /// Returns a string.
    ///
    /// # Errors
    /// Returns an error if the member is missing or not a string.
    pub fn text(&self, name: &'static str) -> Result<&'a str, ParseFieldError> {
        self.value(name)?.as_str().ok_or(ParseFieldError::Member(name))
    }

    /// Returns an optional string. `null` is refused.
    ///
    /// # Errors
    /// Returns an error if the member is present and not a string.
    pub fn optional_text(&self, name: &'static str) -> Result<Option<&'a str>, ParseFieldError> {
        self.get(name).map(|value| value.as_str().ok_or(ParseFieldError::Member(name))).transpose()
    }

    /// Parses a digest, ID or timestamp in its canonical text form.
    ///
    /// # Errors
    /// Returns an error if the member is missing or not in this form.
    pub fn parsed<T: FromStr + Display>(&self, name: &'static str) -> Result<T, ParseFieldError> {
        parsed(self.text(name)?).ok_or(ParseFieldError::Member(name))
    }

    /// Parses an optional digest, ID or timestamp in its canonical text form.
    ///
    /// # Errors
    /// Returns an error if the member is present and not in this form.
    pub fn optional<T: FromStr + Display>(
        &self,
        name: &'static str,
    ) -> Result<Option<T>, ParseFieldError> {
        let text = self.optional_text(name)?;
        text.map(|text| parsed(text).ok_or(ParseFieldError::Member(name))).transpose()
    }

    /// Returns an integer of type `N`.
    ///
    /// # Errors
    /// Returns an error if the member is missing or not in the range of `N`.
    pub fn integer<N: TryFrom<i64>>(&self, name: &'static str) -> Result<N, ParseFieldError> {
        integer(self.value(name)?).ok_or(ParseFieldError::Member(name))
    }

    /// Returns an optional integer of type `N`.
    ///
    /// # Errors
    /// Returns an error if the member is present and not in the range of `N`.
    pub fn optional_integer<N: TryFrom<i64>>(
        &self,
        name: &'static str,
    ) -> Result<Option<N>, ParseFieldError> {
        self.get(name).map(|value| integer(value).ok_or(ParseFieldError::Member(name))).transpose()
    }

    /// Returns a boolean.
    ///
    /// # Errors
    /// Returns an error if the member is missing or not a boolean.
    pub fn boolean(&self, name: &'static str) -> Result<bool, ParseFieldError> {
        self.value(name)?.as_bool().ok_or(ParseFieldError::Member(name))
    }

    /// Returns an array.
    ///
    /// # Errors
    /// Returns an error if the member is missing or not an array.
    pub fn list(&self, name: &'static str) -> Result<&'a [Value], ParseFieldError> {
        self.value(name)?.as_array().ok_or(ParseFieldError::Member(name))
    }

    /// Returns a reader for a nested object.
    ///
    /// # Errors
    /// Returns an error if the member is missing or not an object.
    pub fn object(&self, name: &'static str) -> Result<Self, ParseFieldError> {
        Self::new(self.value(name)?, name)
    }

    /// Parses an array of strings, each in the canonical text form of `T`.
    ///
    /// # Errors
    /// Returns an error if the array is missing or an element is not in this form.
    pub fn parsed_list<T: FromStr + Display>(
        &self,
        name: &'static str,
    ) -> Result<Vec<T>, ParseFieldError> {
        let element = |value: &Value| value.as_str().and_then(parsed);
        let elements = self.list(name)?.iter().map(element).collect::<Option<_>>();
        elements.ok_or(ParseFieldError::Member(name))
    }
}

/// Parses `text` if it is the canonical text form of the value.
pub fn parsed<T: FromStr + Display>(text: &str) -> Option<T> {
    text.parse().ok().filter(|value: &T| value.to_string() == text)
}

fn integer<N: TryFrom<i64>>(value: &Value) -> Option<N> {
    let Value::Number(number) = value else { return None };
    N::try_from(number.as_i64()?).ok()
}
