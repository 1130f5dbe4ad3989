//! JSON values of the contract.

use contract::json::Value;
use serde::Serialize;

/// Returns the JSON value of a serializable value.
///
/// # Errors
/// If the value has no JSON form.
pub fn to_json(value: &(impl Serialize + ?Sized)) -> serde_json::Result<Value> {
    serde_json::to_value(value).and_then(serde_json::from_value)
}
