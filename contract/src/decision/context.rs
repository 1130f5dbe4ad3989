//! What a decision is about.

use crate::{
    json::{Number, Object, Value},
    read::{At, Errors, Members, Read, any, instant, list, object, schema, text},
    time::Timestamp,
};

/// How many evidence items one context holds.
pub const EVIDENCE_MAX: usize = 1_000;

/// A decision context, checked, and kept as the tree that was received: what is evaluated is what
/// is hashed and stored.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionContext {
    value: Value,
    timestamp: Option<Timestamp>,
}

impl DecisionContext {
    /// A context that was checked when it was recorded, as it is kept: without facts of the
    /// transport, and with digests in place of the evidence's data.
    pub fn kept(value: Value) -> Self {
        let timestamp = timestamp(&value);
        Self { value, timestamp }
    }

    /// The context as received.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// What kind of decision this is.
    pub fn decision_type(&self) -> &str {
        self.value.get("decision_type").and_then(Value::as_str).unwrap_or_default()
    }

    /// The fields that rules read.
    pub fn fields(&self) -> Option<&Object> {
        self.value.get("fields").and_then(Value::as_object)
    }

    /// The evidence items.
    pub fn evidence(&self) -> &[Value] {
        self.value.get("evidence").and_then(Value::as_array).unwrap_or_default()
    }

    /// A text of the metadata.
    pub fn metadata(&self, name: &str) -> Option<&str> {
        self.value.get("metadata")?.get(name)?.as_str()
    }

    /// The caller's own evaluation instant.
    pub fn timestamp(&self) -> Option<Timestamp> {
        self.timestamp
    }

    /// The same context with `metadata.correlation_id` set, if the caller gave none.
    #[must_use]
    pub fn correlated(mut self, correlation_id: &str) -> Self {
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

impl Read for DecisionContext {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::exact(value, at, errors)?;
        members.required("decision_type", text(1, 100));
        members.required("fields", fields);
        members.optional("evidence", list(EVIDENCE_MAX, evidence));
        members.optional("metadata", metadata);
        members.optional("source_artifact", source_artifact);
        members.finish()?;
        Some(Self { value: value.clone(), timestamp: timestamp(value) })
    }
}

/// The caller's own evaluation instant, when the context names one.
fn timestamp(context: &Value) -> Option<Timestamp> {
    context.get("metadata")?.get("timestamp")?.as_str()?.parse().ok()
}

/// The most bytes of one text among the fields. An answer repeats a text for every rule that it
/// fails, so texts without a bound would make answers without one.
const FIELD_TEXT_BYTES_MAX: usize = 65_536;

fn fields(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<()> {
    if errors.is_describing() {
        object(value, at, errors);
        return None;
    }
    if value.as_object().is_none() {
        errors.push(at, "type", "must be an object");
        return None;
    }
    bounded(value, at, errors);
    Some(())
}

/// Refuses every text beyond the bound. The reader has limited how deep a value goes.
fn bounded(value: &Value, at: &At<'_>, errors: &mut Errors) {
    match value {
        Value::String(text) if text.len() > FIELD_TEXT_BYTES_MAX => {
            errors.push(at, "too_long", "must have at most 65536 bytes");
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                bounded(element, &at.index(index), errors);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                bounded(member, &at.name(name), errors);
            }
        }
        _ => {}
    }
}

fn evidence(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<()> {
    let mut members = Members::exact(value, at, errors)?;
    for name in ["kind", "ref", "hash"] {
        members.optional(name, text(0, 2_000));
    }
    members.optional("data", any);
    members.finish()
}

/// Checks the members that have a meaning here; others are kept as they are.
fn metadata(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<()> {
    let mut members = Members::exact(value, at, errors)?;
    for name in ["actor_id", "correlation_id"] {
        members.optional(name, text(1, 255));
    }
    for name in ["ip_address", "user_agent"] {
        members.optional(name, text(0, 2_000));
    }
    members.optional("timestamp", instant);
    members.finish_open()
}

fn source_artifact(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<()> {
    let mut members = Members::exact(value, at, errors)?;
    for name in ["type", "hash", "hash_algorithm", "reference_id", "filename"] {
        members.optional(name, text(0, 2_000));
    }
    members.optional("byte_size", byte_size);
    members.finish()
}

fn byte_size(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<()> {
    if errors.describes(|| schema::whole(1.into(), Number::new(Number::MAX).unwrap_or_default())) {
        return None;
    }
    let is_size = value.as_f64().is_some_and(|size| size >= 1.0 && size.fract() == 0.0);
    if !is_size {
        errors.push(at, "range", "must be a whole number of at least 1");
    }
    is_size.then_some(())
}
