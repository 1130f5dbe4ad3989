//! Reads the members of signed objects, each in the one form that the format allows (receipts,
//! section 1). Members that are not asked for are ignored.

use std::{fmt::Display, str::FromStr};

use contract::json::{Object, Value};

/// Why an object cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// Its `schema` is another one.
    #[error("`schema` is not the expected one")]
    Schema,
    /// It is no object, or this member is missing or not in its form.
    #[error("`{0}` is missing or malformed")]
    Member(&'static str),
}

/// The members of an object.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a>(&'a Object);

impl<'a> Fields<'a> {
    /// The members of `value`, which is called `name` in refusals.
    ///
    /// # Errors
    /// It is no object.
    pub fn of(value: &'a Value, name: &'static str) -> Result<Self, Malformed> {
        value.as_object().map(Self).ok_or(Malformed::Member(name))
    }

    /// The members of `value`, whose `schema` must be exactly this one.
    ///
    /// # Errors
    /// It is no object, or has another schema.
    pub fn of_schema(value: &'a Value, schema: &str) -> Result<Self, Malformed> {
        let fields = Self::of(value, "schema")?;
        if fields.maybe_text("schema")? == Some(schema) {
            Ok(fields)
        } else {
            Err(Malformed::Schema)
        }
    }

    /// The member `name`, which must be there.
    ///
    /// # Errors
    /// It is not.
    pub fn value(&self, name: &'static str) -> Result<&'a Value, Malformed> {
        self.0.get(name).ok_or(Malformed::Member(name))
    }

    /// The member `name`, if there is one.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name)
    }

    /// A text.
    ///
    /// # Errors
    /// It is missing, or no text.
    pub fn text(&self, name: &'static str) -> Result<&'a str, Malformed> {
        self.value(name)?.as_str().ok_or(Malformed::Member(name))
    }

    /// A text that may be absent, but not `null`.
    ///
    /// # Errors
    /// It is there and no text.
    pub fn maybe_text(&self, name: &'static str) -> Result<Option<&'a str>, Malformed> {
        self.get(name).map(|value| value.as_str().ok_or(Malformed::Member(name))).transpose()
    }

    /// A digest, id or instant, in the one text that it has.
    ///
    /// # Errors
    /// It is missing or written in another way.
    pub fn exact<T: FromStr + Display>(&self, name: &'static str) -> Result<T, Malformed> {
        exact(self.text(name)?).ok_or(Malformed::Member(name))
    }

    /// The same, where it may be absent.
    ///
    /// # Errors
    /// It is there and written in another way.
    pub fn maybe<T: FromStr + Display>(&self, name: &'static str) -> Result<Option<T>, Malformed> {
        let text = self.maybe_text(name)?;
        text.map(|text| exact(text).ok_or(Malformed::Member(name))).transpose()
    }

    /// A whole number from 0.
    ///
    /// # Errors
    /// It is missing, or does not fit.
    pub fn whole<N: TryFrom<i64>>(&self, name: &'static str) -> Result<N, Malformed> {
        whole(self.value(name)?).ok_or(Malformed::Member(name))
    }

    /// The same, where it may be absent.
    ///
    /// # Errors
    /// It is there and does not fit.
    pub fn maybe_whole<N: TryFrom<i64>>(&self, name: &'static str) -> Result<Option<N>, Malformed> {
        self.get(name).map(|value| whole(value).ok_or(Malformed::Member(name))).transpose()
    }

    /// A truth value.
    ///
    /// # Errors
    /// It is missing, or none.
    pub fn truth(&self, name: &'static str) -> Result<bool, Malformed> {
        self.value(name)?.as_bool().ok_or(Malformed::Member(name))
    }

    /// A list.
    ///
    /// # Errors
    /// It is missing, or none.
    pub fn list(&self, name: &'static str) -> Result<&'a [Value], Malformed> {
        self.value(name)?.as_array().ok_or(Malformed::Member(name))
    }

    /// An object.
    ///
    /// # Errors
    /// It is missing, or none.
    pub fn object(&self, name: &'static str) -> Result<Self, Malformed> {
        Self::of(self.value(name)?, name)
    }

    /// A list of texts, each in the one form of `T`.
    ///
    /// # Errors
    /// It is missing, or an element is written in another way.
    pub fn exact_list<T: FromStr + Display>(
        &self,
        name: &'static str,
    ) -> Result<Vec<T>, Malformed> {
        let element = |value: &Value| value.as_str().and_then(exact);
        let elements = self.list(name)?.iter().map(element).collect::<Option<_>>();
        elements.ok_or(Malformed::Member(name))
    }
}

/// Reads `text` when it is exactly what the value is written as.
pub fn exact<T: FromStr + Display>(text: &str) -> Option<T> {
    text.parse().ok().filter(|value: &T| value.to_string() == text)
}

fn whole<N: TryFrom<i64>>(value: &Value) -> Option<N> {
    let Value::Number(number) = value else { return None };
    N::try_from(number.as_i64()?).ok()
}
