//! The values of a decision context, as rules read them.

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use contract::{json::Value, time::Timestamp};

use crate::{
    elements::Elements,
    field::{Field, Slot, SlotTable},
    input::{Evidence, Input},
    scalar_set::Case,
};

/// The maximum length of texts that are compared directly.
const SHORT_TEXT_MAX: usize = 64;

/// The input values of one evaluation.
#[derive(Debug)]
pub(crate) struct ContextValues<'c> {
    values: Vec<Option<&'c Value>>,
    input: &'c Input<'c>,
    as_of_consulted: Cell<bool>,
    /// The kinds of the evidence.
    evidence_kinds: OnceCell<BTreeSet<&'c str>>,
    /// The elements of list values.
    elements: RefCell<BTreeMap<(Slot, Case), Rc<Elements<'c>>>>,
    classes: RefCell<Classes>,
}

/// Numbers of large values: equal values have equal numbers. Otherwise a thousand rules that compare the pairs of 50
/// lists would take minutes.
#[derive(Debug, Default)]
struct Classes {
    of_slots: BTreeMap<Slot, usize>,
    by_text: BTreeMap<String, usize>,
}

impl Classes {
    fn of(&mut self, slot: Slot, value: &Value) -> usize {
        *self.of_slots.entry(slot).or_insert_with(|| {
            let next = self.by_text.len();
            *self.by_text.entry(value.to_canonical()).or_insert(next)
        })
    }
}

impl<'c> ContextValues<'c> {
    /// Reads the fields in `names` and calls `on_value` for each value.
    pub(crate) fn read(
        names: &SlotTable,
        input: &'c Input<'c>,
        on_value: impl FnMut(Slot, &'c Value),
    ) -> Self {
        let values = names.read(input.fields, on_value);
        Self {
            values,
            input,
            as_of_consulted: Cell::new(false),
            evidence_kinds: OnceCell::new(),
            elements: RefCell::default(),
            classes: RefCell::default(),
        }
    }

    /// Returns the value of `field` for gates, including values that count as missing.
    pub(crate) fn member(&self, field: &Field) -> Option<&'c Value> {
        self.values.get(field.slot.0).copied().flatten()
    }

    /// Returns the value of `field` for rules, or `None` if it counts as missing.
    pub(crate) fn value(&self, field: &Field) -> Option<&'c Value> {
        self.member(field).filter(|value| !is_missing(value))
    }

    /// Returns whether two fields have equal values for rules.
    pub(crate) fn is_equal(&self, a: &Field, b: &Field) -> bool {
        match (self.value(a), self.value(b)) {
            (Some(Value::String(a)), Some(Value::String(b)))
                if a.len() != b.len() || a.len() <= SHORT_TEXT_MAX =>
            {
                a == b
            }
            (Some(left), Some(right)) if is_large(left) && is_large(right) => {
                let mut classes = self.classes.borrow_mut();
                classes.of(a.slot, left) == classes.of(b.slot, right)
            }
            (left, right) => left == right,
        }
    }

    /// Returns the elements of `field` without repetitions, if it is a list.
    pub(crate) fn elements(&self, field: &Field, case: Case) -> Option<Rc<Elements<'c>>> {
        let elements = self.value(field)?.as_array()?;
        let mut cache = self.elements.borrow_mut();
        let cached = cache.entry((field.slot, case));
        Some(Rc::clone(cached.or_insert_with(|| Rc::new(Elements::new(elements, case)))))
    }

    /// Returns whether the context has evidence of this kind.
    pub(crate) fn has_evidence(&self, kind: &str) -> bool {
        let kinds = || self.evidence().iter().filter_map(|item| item.kind).collect();
        self.evidence_kinds.get_or_init(kinds).contains(kind)
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

/// Returns whether a comparison of the value may take long.
fn is_large(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Array(_) | Value::Object(_))
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
