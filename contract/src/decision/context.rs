//! The decision context.

use crate::{
    error::FieldError,
    json::{Object, Value},
    read::{FieldErrors, FromJson, JsonPath, any, list, positive_integer, text},
    time::Timestamp,
};

/// The maximum number of evidence items of a context.
pub const EVIDENCE_MAX: usize = 1_000;

/// A validated decision context.
///
/// It stores the JSON tree as received, because the same tree is evaluated, hashed and stored.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionContext {
    value: Value,
    timestamp: Option<Timestamp>,
}

impl DecisionContext {
    /// Creates a context with the members `decision_type`, `fields` and `metadata`.
    ///
    /// # Errors
    /// Returns the errors of a request with this context.
    pub fn new(
        decision_type: &str,
        fields: Object,
        metadata: Object,
    ) -> Result<Self, Vec<FieldError>> {
        let value = Value::from(Object::from([
            ("decision_type", Value::from(decision_type)),
            ("fields", fields.into()),
            ("metadata", metadata.into()),
        ]));
        let mut errors = FieldErrors::default();
        ContextMembers::from_json(&value, &JsonPath::ROOT, &mut errors)
            .ok_or_else(|| errors.into_vec())?;
        let timestamp = metadata_timestamp(&value);
        Ok(Self { value, timestamp })
    }

    /// Creates a context from a stored tree that was validated when it was recorded.
    ///
    /// Stored contexts contain no network data of the request, and contain digests instead of the data of the
    /// evidence.
    pub fn from_stored(value: Value) -> Self {
        let timestamp = metadata_timestamp(&value);
        Self { value, timestamp }
    }

    /// Returns the context as received.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Converts the context to its JSON tree.
    pub fn into_value(self) -> Value {
        self.value
    }

    /// Returns the decision type.
    pub fn decision_type(&self) -> &str {
        self.value.get("decision_type").and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the fields that rules read.
    pub fn fields(&self) -> Option<&Object> {
        self.value.get("fields").and_then(Value::as_object)
    }

    /// Returns the evidence items.
    pub fn evidence(&self) -> &[Value] {
        self.value.get("evidence").and_then(Value::as_array).unwrap_or_default()
    }

    /// Returns the metadata member `name` if it is a string.
    pub fn metadata(&self, name: &str) -> Option<&str> {
        self.value.get("metadata")?.get(name)?.as_str()
    }

    /// Returns the evaluation time that the caller set in `metadata.timestamp`.
    pub fn timestamp(&self) -> Option<Timestamp> {
        self.timestamp
    }

    /// Returns the context with `metadata.correlation_id` set to `correlation_id`, unless the caller set one.
    #[must_use]
    pub fn with_correlation_id(mut self, correlation_id: &str) -> Self {
        if self.metadata("correlation_id").is_none()
            && let Value::Object(members) = &mut self.value
        {
            let mut metadata = members.remove("metadata").unwrap_or(Value::Object(Object::new()));
            if let Value::Object(metadata) = &mut metadata {
                metadata.insert("correlation_id", Value::from(correlation_id));
            }
            members.insert("metadata", metadata);
        }
        self
    }
}

impl FromJson for DecisionContext {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        ContextMembers::from_json(value, at, errors)?;
        Some(Self { value: value.clone(), timestamp: metadata_timestamp(value) })
    }
}

/// Returns the evaluation time of `metadata.timestamp`, if the context has one.
fn metadata_timestamp(context: &Value) -> Option<Timestamp> {
    context.get("metadata")?.get("timestamp")?.as_str()?.parse().ok()
}

/// The maximum number of bytes of a string among the fields. A response repeats a string for every rule that
/// it violates, so unbounded strings would make responses unbounded.
const FIELD_TEXT_BYTES_MAX: usize = 65_536;

fn fields(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<()> {
    if errors.is_describing() {
        Object::from_json(value, at, errors);
        return None;
    }
    if value.as_object().is_none() {
        errors.push(at, "type", "must be an object");
        return None;
    }
    check_text_lengths(value, at, errors);
    Some(())
}

/// Reports every string that is longer than the limit. The JSON parser has already limited the nesting depth.
fn check_text_lengths(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) {
    match value {
        Value::String(text) if text.len() > FIELD_TEXT_BYTES_MAX => {
            errors.push(at, "too_long", "must have at most 65536 bytes");
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                check_text_lengths(element, &at.index(index), errors);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                check_text_lengths(member, &at.name(name), errors);
            }
        }
        _ => {}
    }
}

/// The input of a decision.
#[derive(FromJson)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = DecisionContext))]
#[json(nulls)]
#[expect(dead_code, reason = "its values are checked, and the tree is kept as received")]
pub(super) struct ContextMembers {
    /// The decision type, 1 to 100 characters.
    #[json(with = text(1, 100))]
    decision_type: String,
    /// The fields that rules read.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    #[json(with = fields)]
    fields: (),
    /// The evidence for the fields; at most 1,000 items.
    #[json(with = list(EVIDENCE_MAX, Evidence::from_json))]
    evidence: Option<Vec<Evidence>>,
    /// Facts about the request; further members are stored unchanged.
    metadata: Option<Metadata>,
    /// The document that the fields were read from.
    source_artifact: Option<SourceArtifact>,
}

/// An item of evidence.
#[derive(FromJson)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[json(nulls)]
#[expect(dead_code, reason = "its values are checked, and the tree is kept as received")]
struct Evidence {
    #[json(with = text(0, 2_000))]
    kind: Option<String>,
    #[json(with = text(0, 2_000))]
    r#ref: Option<String>,
    /// SHA-256 of the canonical `data` in hexadecimal, with or without the prefix `sha256:`.
    #[json(with = text(0, 2_000))]
    hash: Option<String>,
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    #[json(with = any)]
    data: Option<Value>,
}

/// Facts about the request.
#[derive(FromJson)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[json(nulls, open)]
#[expect(dead_code, reason = "its values are checked, and the tree is kept as received")]
struct Metadata {
    #[json(with = text(1, 255))]
    actor_id: Option<String>,
    #[json(with = text(1, 255))]
    correlation_id: Option<String>,
    #[json(with = text(0, 2_000))]
    ip_address: Option<String>,
    #[json(with = text(0, 2_000))]
    user_agent: Option<String>,
    /// The evaluation time; absent means the time of the server.
    timestamp: Option<Timestamp>,
}

/// The document that the fields were read from.
#[derive(FromJson)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[json(nulls)]
#[expect(dead_code, reason = "its values are checked, and the tree is kept as received")]
struct SourceArtifact {
    #[json(with = text(0, 2_000))]
    r#type: Option<String>,
    #[json(with = text(0, 2_000))]
    hash: Option<String>,
    #[json(with = text(0, 2_000))]
    hash_algorithm: Option<String>,
    #[json(with = text(0, 2_000))]
    reference_id: Option<String>,
    #[json(with = text(0, 2_000))]
    filename: Option<String>,
    #[json(with = positive_integer)]
    byte_size: Option<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    #[test]
    fn new_context_has_the_limits_of_a_request() {
        for (decision_type, text_bytes, timestamp) in [
            ("payment", FIELD_TEXT_BYTES_MAX, "2026-09-01T10:00:00Z"),
            ("payment", FIELD_TEXT_BYTES_MAX + 1, "2026-09-01T10:00:00Z"),
            (" ", 0, "today"),
        ] {
            let fields = Object::from([("text", Value::from("x".repeat(text_bytes)))]);
            let metadata = Object::from([("timestamp", Value::from(timestamp))]);
            let request = Value::from(Object::from([
                ("decision_type", Value::from(decision_type)),
                ("fields", fields.clone().into()),
                ("metadata", metadata.clone().into()),
            ]));
            let context = DecisionContext::new(decision_type, fields, metadata);
            assert_eq!(context, read::body(&request), "{decision_type}");
        }
    }
}
