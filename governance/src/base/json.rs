//! Conversion of serializable values to JSON values of the contract.

use contract::json::Value;
use serde::Serialize;

use crate::base::error::{Error, Result};

/// Returns the JSON value of a serializable value.
///
/// # Errors
/// Internal error if the value has no JSON form.
pub fn to_json(value: &(impl Serialize + ?Sized)) -> Result<Value> {
    let value = serde_json::to_value(value).and_then(serde_json::from_value);
    value.map_err(|error| Error::Bug(error.into()))
}
