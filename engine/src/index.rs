//! The gate index: maps the values of a context to the rules whose gates can match.
//!
//! Each gate has a *necessary* condition: a set of keys of which a context must contain at least one.
//! `equals` has one key, `in` several, and `exists` the key of the field. `all` uses its most selective
//! member, and `any` the keys of all its members. A gate without keys (`exists: false`) is always evaluated,
//! as is a rule without a gate. Candidates are then checked with the full gate, so the index saves time
//! without changing results.

use std::{cmp::Ordering, collections::BTreeMap};

use contract::{fold, json::Value};

use crate::{
    bit_set::BitSet,
    field::Slot,
    gate::Gate,
    rule::Rule,
    scalar_set::{Case, ScalarSet},
};

/// Indices of rules in ascending order.
type RuleIndices = Vec<usize>;

#[derive(Debug)]
pub(crate) struct RuleIndex {
    always: BitSet,
    by_slot: Vec<Option<Box<FieldIndex>>>,
}

/// The candidate rules of one field by its value.
#[derive(Debug, Default)]
struct FieldIndex {
    present: RuleIndices,
    if_false: RuleIndices,
    if_true: RuleIndices,
    /// Keyed by the bits of the double. There is only one zero and no NaN, so equal numbers have equal bits.
    numbers: Vec<(u64, RuleIndices)>,
    texts: Vec<(Box<str>, RuleIndices)>,
    folded: Vec<(Box<str>, RuleIndices)>,
}

/// A property of a context that a gate can require.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum IndexKey<'g> {
    Present(Slot),
    Boolean(Slot, bool),
    Number(Slot, u64),
    Text(Slot, &'g str),
    Folded(Slot, &'g str),
}

/// The number of gates that contain a key. A lower number is more selective.
type KeyCounts<'g> = BTreeMap<IndexKey<'g>, usize>;

impl RuleIndex {
    /// Creates the index of `rules`, whose fields use `slots` slots.
    pub(crate) fn new(rules: &[Rule], slots: usize) -> Self {
        let mut counts = KeyCounts::new();
        for when in rules.iter().filter_map(|rule| rule.when.as_ref()) {
            count_keys(&when.gate, &mut counts);
        }
        let mut always = BitSet::new(rules.len());
        let mut rules_by_key: BTreeMap<IndexKey<'_>, RuleIndices> = BTreeMap::new();
        for (index, rule) in rules.iter().enumerate() {
            match rule.when.as_ref().and_then(|when| required_keys(&when.gate, &counts)) {
                Some(keys) => {
                    for key in keys {
                        rules_by_key.entry(key).or_default().push(index);
                    }
                }
                None => always.insert(index),
            }
        }
        let mut by_slot: Vec<Option<Box<FieldIndex>>> = Vec::new();
        by_slot.resize_with(slots, || None);
        for (key, rules) in rules_by_key {
            if let Some(field) = by_slot.get_mut(key.slot().0) {
                field.get_or_insert_default().add_key(key, rules);
            }
        }
        Self { always, by_slot }
    }

    /// Creates an index that returns all of `rules` rules as candidates.
    pub(crate) fn match_all(rules: usize) -> Self {
        let mut always = BitSet::new(rules);
        (0..rules).for_each(|index| always.insert(index));
        Self { always, by_slot: Vec::new() }
    }

    /// Returns the rules that are always candidates.
    pub(crate) fn always(&self) -> BitSet {
        self.always.clone()
    }

    /// Adds the candidate rules for `value` in `slot`.
    pub(crate) fn add(&self, slot: Slot, value: &Value, candidates: &mut BitSet) {
        let Some(Some(field)) = self.by_slot.get(slot.0) else { return };
        let mut add = |rules: &[usize]| {
            for index in rules {
                candidates.insert(*index);
            }
        };
        add(&field.present);
        match value {
            Value::Bool(false) => add(&field.if_false),
            Value::Bool(true) => add(&field.if_true),
            Value::Number(number) => {
                let bits = number.get().to_bits();
                add(lookup(&field.numbers, |known| known.cmp(&bits)));
            }
            Value::String(text) => {
                add(lookup(&field.texts, |known| (**known).cmp(text)));
                add(lookup(&field.folded, |known| fold::compare_folded(known, text)));
            }
            Value::Null | Value::Array(_) | Value::Object(_) => {}
        }
    }
}

/// Returns the rules of the entry for which `order` returns `Equal`.
fn lookup<K>(sorted: &[(K, RuleIndices)], order: impl Fn(&K) -> Ordering) -> &[usize] {
    let index = sorted.binary_search_by(|(known, _)| order(known)).ok();
    index.and_then(|index| sorted.get(index)).map_or(&[], |(_, rules)| rules)
}

impl FieldIndex {
    /// Adds the rules of a key. Keys must be added in ascending order, so that each list is sorted.
    fn add_key(&mut self, key: IndexKey<'_>, rules: RuleIndices) {
        match key {
            IndexKey::Present(_) => self.present = rules,
            IndexKey::Boolean(_, false) => self.if_false = rules,
            IndexKey::Boolean(_, true) => self.if_true = rules,
            IndexKey::Number(_, bits) => self.numbers.push((bits, rules)),
            IndexKey::Text(_, text) => self.texts.push((text.into(), rules)),
            IndexKey::Folded(_, text) => self.folded.push((text.into(), rules)),
        }
    }
}

impl IndexKey<'_> {
    fn slot(&self) -> Slot {
        match self {
            Self::Present(slot)
            | Self::Boolean(slot, _)
            | Self::Number(slot, _)
            | Self::Text(slot, _)
            | Self::Folded(slot, _) => *slot,
        }
    }
}

/// Returns keys of which a context must contain at least one for `gate` to match, or `None` if there is no
/// such set.
fn required_keys<'g>(gate: &'g Gate, counts: &KeyCounts<'_>) -> Option<Vec<IndexKey<'g>>> {
    let weight = |keys: &Vec<IndexKey<'g>>| {
        let count = |key: &IndexKey<'g>| counts.get(key).copied().unwrap_or_default();
        keys.iter().map(count).fold(0, usize::saturating_add)
    };
    match gate {
        Gate::OneOf { field, scalars, .. } => Some(keys(field.slot, scalars)),
        Gate::Exists { field, exists: true, .. } => Some(vec![IndexKey::Present(field.slot)]),
        Gate::Exists { exists: false, .. } => None,
        Gate::All(members) => {
            members.iter().filter_map(|member| required_keys(member, counts)).min_by_key(weight)
        }
        Gate::Any(members) => {
            let all: Option<Vec<_>> =
                members.iter().map(|member| required_keys(member, counts)).collect();
            all.map(|keys| keys.concat())
        }
    }
}

fn count_keys<'g>(gate: &'g Gate, counts: &mut KeyCounts<'g>) {
    let keys = match gate {
        Gate::OneOf { field, scalars, .. } => keys(field.slot, scalars),
        Gate::Exists { field, .. } => vec![IndexKey::Present(field.slot)],
        Gate::All(members) | Gate::Any(members) => {
            return members.iter().for_each(|member| count_keys(member, counts));
        }
    };
    for key in keys {
        let count = counts.entry(key).or_default();
        *count = count.saturating_add(1);
    }
}

fn keys(slot: Slot, scalars: &ScalarSet) -> Vec<IndexKey<'_>> {
    let texts = scalars.texts().map(|text| match scalars.case() {
        Case::Strict => IndexKey::Text(slot, text),
        Case::Folded => IndexKey::Folded(slot, text),
    });
    let numbers = scalars.numbers().map(|number| IndexKey::Number(slot, number.to_bits()));
    let booleans = scalars.booleans().map(|boolean| IndexKey::Boolean(slot, boolean));
    texts.chain(numbers).chain(booleans).collect()
}
