//! Field slots: a context is read once into an array, so that a rule accesses a field by index.

#[expect(clippy::disallowed_types, reason = "names are looked up; the map is never iterated")]
use std::collections::HashMap;
use std::{collections::BTreeMap, sync::Arc};

use contract::{
    field_path,
    json::{Object, Value},
};
use foldhash::fast::FixedState;

use crate::pattern::StateBudget;

/// An index into the array that a context is read into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Slot(pub(crate) usize);

/// A field that a rule uses.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Arc<str>,
    pub(crate) slot: Slot,
}

/// The number of a not-applicable reason. Gates with the same reason for a field share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReasonId(pub(crate) usize);

/// The slots of all field names of a program, and the numbers of the reasons of its gates.
#[derive(Debug, Default)]
pub(crate) struct SlotTable {
    #[expect(clippy::disallowed_types, reason = "names are looked up; the map is never iterated")]
    by_name: HashMap<Arc<str>, FieldMapping, FixedState>,
    slots: usize,
    /// Reason numbers by field and by expected value.
    reasons: BTreeMap<Slot, BTreeMap<Box<str>, ReasonId>>,
    reason_count: usize,
    /// The states of the patterns read so far, which are limited when rules are saved.
    pub(crate) new_patterns: Option<StateBudget>,
}

/// The slots that read a top-level member of the context.
#[derive(Debug, Default)]
struct FieldMapping {
    member: Option<Slot>,
    paths: Vec<FieldPath>,
}

/// A field name with several segments, relative to the member of its first segment.
#[derive(Debug)]
struct FieldPath {
    slot: Slot,
    steps: Box<[Box<str>]>,
}

impl SlotTable {
    /// Creates the table for rules that are saved: their patterns have limits.
    pub(crate) fn for_new_rules() -> Self {
        Self { new_patterns: Some(StateBudget::default()), ..Self::default() }
    }

    /// Returns the field `name`. The same name always has the same slot.
    pub(crate) fn field(&mut self, name: &str) -> Field {
        if let Some((name, FieldMapping { member: Some(slot), .. })) =
            self.by_name.get_key_value(name)
        {
            return Field { name: Arc::clone(name), slot: *slot };
        }
        let (name, slot) = (Arc::<str>::from(name), Slot(self.slots));
        self.slots = self.slots.saturating_add(1);
        self.by_name.entry(Arc::clone(&name)).or_default().member = Some(slot);
        let segments = field_path::segments(&name).unwrap_or_default();
        if let [first, rest @ ..] = &*segments
            && **first != *name
        {
            let steps = rest.iter().map(|step| Box::from(&**step)).collect();
            self.by_name
                .entry((&**first).into())
                .or_default()
                .paths
                .push(FieldPath { slot, steps });
        }
        Field { name, slot }
    }

    pub(crate) fn slot_count(&self) -> usize {
        self.slots
    }

    /// Returns the number of the reason for which a gate on `field` that expects `expected` does not match.
    pub(crate) fn reason_id(&mut self, field: &Field, expected: &str) -> ReasonId {
        let field_reasons = self.reasons.entry(field.slot).or_default();
        if let Some(reason) = field_reasons.get(expected) {
            return *reason;
        }
        let reason = ReasonId(self.reason_count);
        self.reason_count = self.reason_count.saturating_add(1);
        field_reasons.insert(expected.into(), reason);
        reason
    }

    pub(crate) fn reason_count(&self) -> usize {
        self.reason_count
    }

    /// Reads `fields` into slots and calls `on_value` for each value.
    ///
    /// If both a dotted path and a member with the full name set a slot, `on_value` is called for both and
    /// the member wins.
    pub(crate) fn read<'c>(
        &self,
        fields: &'c Object,
        mut on_value: impl FnMut(Slot, &'c Value),
    ) -> Vec<Option<&'c Value>> {
        let mut values = vec![None; self.slots];
        for (name, value) in fields {
            let Some(mapping) = self.by_name.get(name) else { continue };
            if let Some(slot) = mapping.member {
                if let Some(value_slot) = values.get_mut(slot.0) {
                    *value_slot = Some(value);
                }
                on_value(slot, value);
            }
            for path in &mapping.paths {
                let Some(value) =
                    path.steps.iter().try_fold(value, |value, step| child(value, step))
                else {
                    continue;
                };
                if let Some(value_slot @ None) = values.get_mut(path.slot.0) {
                    *value_slot = Some(value);
                    on_value(path.slot, value);
                }
            }
        }
        values
    }
}

/// Returns a member of an object by name, or an element of an array by index.
fn child<'c>(value: &'c Value, step: &str) -> Option<&'c Value> {
    match value {
        Value::Object(members) => members.get(step),
        Value::Array(elements) => elements.get(index(step)?),
        _ => None,
    }
}

/// Parses an array index: digits without a leading zero.
fn index(step: &str) -> Option<usize> {
    let is_number = step.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || (step.len() > 1 && step.starts_with('0')) { None } else { step.parse().ok() }
}

#[cfg(test)]
mod tests {
    use contract::json::Limits;

    use super::*;

    fn value_of(name: &str, fields: &str) -> Option<String> {
        let mut names = SlotTable::default();
        let field = names.field(name);
        let fields = Value::parse(fields.as_bytes(), &Limits::REQUEST).unwrap();
        let values = names.read(fields.as_object().unwrap(), |_, _| ());
        values.get(field.slot.0).copied().flatten().map(Value::to_canonical)
    }

    #[test]
    fn member_with_the_full_name_takes_precedence_over_path() {
        assert_eq!(value_of("a.b", r#"{"a.b":1,"a":{"b":2}}"#).as_deref(), Some("1"));
        assert_eq!(value_of("a.b", r#"{"a.b":null,"a":{"b":2}}"#).as_deref(), Some("null"));
        assert_eq!(value_of("a.b", r#"{"a":{"b":2}}"#).as_deref(), Some("2"));
        assert_eq!(value_of("a.b.c", r#"{"a.b":{"c":1}}"#), None, "a path splits at every dot");
        let fields = r#"{"labels":{"app.io/name":{"value":3}}}"#;
        assert_eq!(value_of(r#"labels["app.io/name"].value"#, fields).as_deref(), Some("3"));
        assert_eq!(value_of(r#"["a.b"].c"#, r#"{"a.b":{"c":1}}"#).as_deref(), Some("1"));
        assert_eq!(value_of(r#"["a.b"]"#, r#"{"a.b":2}"#).as_deref(), Some("2"));
    }

    #[test]
    fn array_elements_are_read_by_plain_index() {
        let fields = r#"{"lines":[{"sku":"x"},{"sku":"y"}]}"#;
        assert_eq!(value_of("lines.1.sku", fields).as_deref(), Some("\"y\""));
        for name in ["lines.2.sku", "lines.01.sku", "lines.+1.sku", "lines.-1.sku", "lines..sku"] {
            assert_eq!(value_of(name, fields), None, "{name}");
        }
    }

    #[test]
    fn same_name_returns_same_slot() {
        let mut names = SlotTable::default();
        let (a, b) = (names.field("a.b").slot, names.field("a").slot);
        assert_eq!((names.field("a.b").slot, names.field("a").slot), (a, b));
        assert_eq!(names.slot_count(), 2);
    }
}
