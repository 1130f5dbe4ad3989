//! The rules of a version as they are stored: a JSON array.

use crate::base::prelude::*;

/// Parses stored rules, as the JSON that is hashed and as the rules that are compiled.
pub(crate) fn parse(authored: &str) -> Result<(Vec<Value>, Vec<Rule>)> {
    let rules = serde_json::from_str(authored)?;
    Ok((values(authored)?, rules))
}

/// Parses stored rules as the JSON that is hashed.
pub(crate) fn values(authored: &str) -> Result<Vec<Value>> {
    let tree = parse_stored("stored rules", authored)?;
    let Value::Array(values) = tree else {
        return Err(Error::bug("stored rules are not an array"));
    };
    Ok(values)
}
