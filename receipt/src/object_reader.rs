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
        let found = fields.get("schema").ok_or(ParseFieldError::Schema)?;
        if found.as_str().ok_or(ParseFieldError::Member("schema"))? == schema {
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
}

/// Parses `text` if it is the canonical text form of the value.
pub fn parsed<T: FromStr + Display>(text: &str) -> Option<T> {
    text.parse().ok().filter(|value: &T| value.to_string() == text)
}
