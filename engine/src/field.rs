//! Field names as slots: a context is read once into an array, and a rule then costs an index.

#[expect(clippy::disallowed_types, reason = "names are looked up, the map is never walked")]
use std::collections::HashMap;
use std::{collections::BTreeMap, sync::Arc};

use contract::json::{Object, Value};
use foldhash::fast::FixedState;

/// A place in the array that a context is read into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Slot(pub(crate) usize);

/// A field that a rule names.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Arc<str>,
    pub(crate) slot: Slot,
}

/// The number of a reason: gates that would say the same of a field share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reason(pub(crate) usize);

/// All field names of a program, and what its gates may say of them.
#[derive(Debug, Default)]
pub(crate) struct Names {
    #[expect(clippy::disallowed_types, reason = "names are looked up, the map is never walked")]
    by_name: HashMap<Arc<str>, Named, FixedState>,
    slots: usize,
    /// By the field and by what its value would not be.
    reasons: BTreeMap<Slot, BTreeMap<Box<str>, Reason>>,
    reason_count: usize,
}

/// What a member of the context may stand for.
#[derive(Debug, Default)]
struct Named {
    whole: Option<Slot>,
    paths: Vec<Path>,
}

/// A name with dots, as seen from the member that its first step names.
#[derive(Debug)]
struct Path {
    slot: Slot,
    steps: Box<[Box<str>]>,
}

impl Names {
    /// The field called `name`; the same name always has the same slot.
    pub(crate) fn field(&mut self, name: &str) -> Field {
        if let Some((name, Named { whole: Some(slot), .. })) = self.by_name.get_key_value(name) {
            return Field { name: Arc::clone(name), slot: *slot };
        }
        let (name, slot) = (Arc::<str>::from(name), Slot(self.slots));
        self.slots = self.slots.saturating_add(1);
        self.by_name.entry(Arc::clone(&name)).or_default().whole = Some(slot);
        if let Some((first, rest)) = name.split_once('.') {
            let steps = rest.split('.').map(Box::from).collect();
            self.by_name.entry(first.into()).or_default().paths.push(Path { slot, steps });
        }
        Field { name, slot }
    }

    /// How many slots there are.
    pub(crate) fn slots(&self) -> usize {
        self.slots
    }

    /// The reason that a gate on `field` has, when it refuses all but `wanted`.
    pub(crate) fn reason(&mut self, field: &Field, wanted: &str) -> Reason {
        let of_field = self.reasons.entry(field.slot).or_default();
        if let Some(reason) = of_field.get(wanted) {
            return *reason;
        }
        let reason = Reason(self.reason_count);
        self.reason_count = self.reason_count.saturating_add(1);
        of_field.insert(wanted.into(), reason);
        reason
    }

    /// How many reasons there are.
    pub(crate) fn reasons(&self) -> usize {
        self.reason_count
    }

    /// Reads `fields` into slots. Tells `found` of each value; where a path and a member of the
    /// whole name give one slot two values, of both, and the member's is the one that counts.
    pub(crate) fn read<'c>(
        &self,
        fields: &'c Object,
        mut found: impl FnMut(Slot, &'c Value),
    ) -> Vec<Option<&'c Value>> {
        let mut values = vec![None; self.slots];
        for (name, value) in fields {
            let Some(named) = self.by_name.get(name) else { continue };
            if let Some(slot) = named.whole {
                set(&mut values, slot, value);
                found(slot, value);
            }
            for path in &named.paths {
                let Some(value) = path.steps.iter().try_fold(value, |at, step| inside(at, step))
                else {
                    continue;
                };
                if let Some(place @ None) = values.get_mut(path.slot.0) {
                    *place = Some(value);
                    found(path.slot, value);
                }
            }
        }
        values
    }
}

fn set<'c>(values: &mut [Option<&'c Value>], slot: Slot, value: &'c Value) {
    if let Some(place) = values.get_mut(slot.0) {
        *place = Some(value);
    }
}

/// One step down: objects by name, arrays by index.
fn inside<'c>(value: &'c Value, step: &str) -> Option<&'c Value> {
    match value {
        Value::Object(members) => members.get(step),
        Value::Array(elements) => elements.get(index(step)?),
        _ => None,
    }
}

/// An array index in its one spelling: digits without a leading zero.
fn index(step: &str) -> Option<usize> {
    let plain = step.bytes().all(|byte| byte.is_ascii_digit());
    if !plain || (step.len() > 1 && step.starts_with('0')) { None } else { step.parse().ok() }
}

#[cfg(test)]
mod tests {
    use contract::json::Limits;

    use super::*;

    fn look_up(name: &str, fields: &str) -> Option<String> {
        let mut names = Names::default();
        let field = names.field(name);
        let fields = Value::parse(fields.as_bytes(), &Limits::REQUEST).unwrap();
        let values = names.read(fields.as_object().unwrap(), |_, _| ());
        values.get(field.slot.0).copied().flatten().map(Value::to_canonical)
    }

    #[test]
    fn a_name_is_a_member_first_and_a_path_second() {
        assert_eq!(look_up("a.b", r#"{"a.b":1,"a":{"b":2}}"#).as_deref(), Some("1"));
        assert_eq!(look_up("a.b", r#"{"a.b":null,"a":{"b":2}}"#).as_deref(), Some("null"));
        assert_eq!(look_up("a.b", r#"{"a":{"b":2}}"#).as_deref(), Some("2"));
        assert_eq!(look_up("a.b.c", r#"{"a.b":{"c":1}}"#), None, "a path splits at every dot");
    }

    #[test]
    fn arrays_are_entered_by_a_plain_index() {
        let fields = r#"{"lines":[{"sku":"x"},{"sku":"y"}]}"#;
        assert_eq!(look_up("lines.1.sku", fields).as_deref(), Some("\"y\""));
        for name in ["lines.2.sku", "lines.01.sku", "lines.+1.sku", "lines.-1.sku", "lines..sku"] {
            assert_eq!(look_up(name, fields), None, "{name}");
        }
    }

    #[test]
    fn one_name_has_one_slot() {
        let mut names = Names::default();
        let (a, b) = (names.field("a.b").slot, names.field("a").slot);
        assert_eq!((names.field("a.b").slot, names.field("a").slot), (a, b));
        assert_eq!(names.slots(), 2);
    }
}
