//! The values of a decision context, as rules read them.

use std::cell::Cell;

use contract::{json::Value, time::Timestamp};

use crate::{
    field::{Field, Slot, SlotTable},
    input::{Evidence, Input},
};

/// The input values of one evaluation.
#[derive(Debug)]
pub(crate) struct ContextValues<'c> {
    values: Vec<Option<&'c Value>>,
    input: &'c Input<'c>,
    as_of_consulted: Cell<bool>,
}

impl<'c> ContextValues<'c> {
    /// Reads the fields in `names` and calls `on_value` for each value.
    pub(crate) fn read(
        names: &SlotTable,
        input: &'c Input<'c>,
        on_value: impl FnMut(Slot, &'c Value),
    ) -> Self {
        let values = names.read(input.fields, on_value);
        Self { values, input, as_of_consulted: Cell::new(false) }
    }

    /// Returns the value of `field` for gates, including values that count as missing.
    pub(crate) fn member(&self, field: &Field) -> Option<&'c Value> {
        self.values.get(field.slot.0).copied().flatten()
    }

    /// Returns the value of `field` for rules, or `None` if it counts as missing.
    pub(crate) fn value(&self, field: &Field) -> Option<&'c Value> {
        self.member(field).filter(|value| !is_missing(value))
    }

    pub(crate) fn evidence(&self) -> &'c [Evidence<'c>] {
        self.input.evidence
    }

    /// Returns the ID of the actor, or `None` if it is blank.
    pub(crate) fn actor_id(&self) -> Option<&'c str> {
        self.input.actor_id.filter(|id| !is_blank(id))
    }

    /// Returns the evaluation time, and records that the result depends on it.
    pub(crate) fn as_of(&self) -> Timestamp {
        self.as_of_consulted.set(true);
        self.input.as_of
    }

    pub(crate) fn as_of_consulted(&self) -> bool {
        self.as_of_consulted.get()
    }
}

/// Returns whether a value counts as missing: `null`, blank text, `[]` and `{}`.
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
