//! One context, as rules see it.

use std::cell::Cell;

use contract::{json::Value, time::Timestamp};

use crate::{
    field::{Field, Names, Slot},
    input::{Evidence, Input},
};

/// The facts that one evaluation rests on.
#[derive(Debug)]
pub(crate) struct Facts<'c> {
    values: Vec<Option<&'c Value>>,
    input: &'c Input<'c>,
    as_of_consulted: Cell<bool>,
}

impl<'c> Facts<'c> {
    /// Reads the fields that `names` knows, and tells `found` of each value.
    pub(crate) fn read(
        names: &Names,
        input: &'c Input<'c>,
        found: impl FnMut(Slot, &'c Value),
    ) -> Self {
        let values = names.read(input.fields, found);
        Self { values, input, as_of_consulted: Cell::new(false) }
    }

    /// The member `field`, missing or not: gates ask for this.
    pub(crate) fn member(&self, field: &Field) -> Option<&'c Value> {
        self.values.get(field.slot.0).copied().flatten()
    }

    /// The value of `field`, unless it is missing: rules ask for this.
    pub(crate) fn value(&self, field: &Field) -> Option<&'c Value> {
        self.member(field).filter(|value| !is_missing(value))
    }

    /// The items of evidence.
    pub(crate) fn evidence(&self) -> &'c [Evidence<'c>] {
        self.input.evidence
    }

    /// The actor's id, unless it is blank.
    pub(crate) fn actor_id(&self) -> Option<&'c str> {
        self.input.actor_id.filter(|id| !is_blank(id))
    }

    /// The evaluation instant. Asking for it is noted: the result then depends on it.
    pub(crate) fn as_of(&self) -> Timestamp {
        self.as_of_consulted.set(true);
        self.input.as_of
    }

    /// Whether a rule has asked for the evaluation instant.
    pub(crate) fn as_of_consulted(&self) -> bool {
        self.as_of_consulted.get()
    }
}

/// Whether a value counts as missing: `null`, blank text, `[]`, `{}`.
fn is_missing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(_) | Value::Number(_) => false,
        Value::String(text) => is_blank(text),
        Value::Array(elements) => elements.is_empty(),
        Value::Object(members) => members.is_empty(),
    }
}

fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}
