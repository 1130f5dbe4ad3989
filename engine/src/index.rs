//! The gate index: from the values of a context to the rules whose gates may match.
//!
//! Each gate yields a *necessary* condition: keys of which a context must have at least one.
//! `equals` gives one key, `in` several, `exists` the field; `all` takes its most selective member,
//! `any` all members together. A gate that yields nothing (`exists: false`) is always tried, as is
//! a rule without a gate. Candidates are then tested with the full gate, so the index saves time
//! and changes no result.

use std::{cmp::Ordering, collections::BTreeMap};

use contract::json::Value;

use crate::{
    bits::Bits,
    field::Slot,
    fold,
    gate::Gate,
    rule::Rule,
    scalars::{Case, Scalars},
};

/// Rule numbers, rising.
type Numbers = Vec<usize>;

/// The gate index of one program.
#[derive(Debug)]
pub(crate) struct Index {
    always: Bits,
    by_slot: Vec<Option<Box<Buckets>>>,
}

/// The rules that one field can bring in, by its value.
#[derive(Debug, Default)]
struct Buckets {
    present: Numbers,
    no: Numbers,
    yes: Numbers,
    /// By the bits of the double: there is one zero and no NaN, so equal numbers have equal bits.
    numbers: Vec<(u64, Numbers)>,
    texts: Vec<(Box<str>, Numbers)>,
    folded: Vec<(Box<str>, Numbers)>,
}

/// One thing that a context may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key<'g> {
    Present(Slot),
    Truth(Slot, bool),
    Number(Slot, u64),
    Text(Slot, &'g str),
    Folded(Slot, &'g str),
}

/// How many gates mention a key: the fewer, the more selective it is.
type Mentions<'g> = BTreeMap<Key<'g>, usize>;

impl Index {
    /// The index of `rules`, whose fields lie in `slots` slots.
    pub(crate) fn new(rules: &[Rule], slots: usize) -> Self {
        let mut mentions = Mentions::new();
        for when in rules.iter().filter_map(|rule| rule.when.as_ref()) {
            mention(&when.gate, &mut mentions);
        }
        let mut always = Bits::new(rules.len());
        let mut numbers: BTreeMap<Key<'_>, Numbers> = BTreeMap::new();
        for (number, rule) in rules.iter().enumerate() {
            match rule.when.as_ref().and_then(|when| needed(&when.gate, &mentions)) {
                Some(keys) => {
                    for key in keys {
                        numbers.entry(key).or_default().push(number);
                    }
                }
                None => always.insert(number),
            }
        }
        let mut by_slot: Vec<Option<Box<Buckets>>> = Vec::new();
        by_slot.resize_with(slots, || None);
        for (key, numbers) in numbers {
            if let Some(buckets) = by_slot.get_mut(key.slot().0) {
                buckets.get_or_insert_default().put(key, numbers);
            }
        }
        Self { always, by_slot }
    }

    /// The index that always tries each of `rules` rules.
    pub(crate) fn blind(rules: usize) -> Self {
        let mut always = Bits::new(rules);
        (0..rules).for_each(|number| always.insert(number));
        Self { always, by_slot: Vec::new() }
    }

    /// The rules that are always tried.
    pub(crate) fn always(&self) -> Bits {
        self.always.clone()
    }

    /// Adds the rules that `value` in `slot` brings in.
    pub(crate) fn add(&self, slot: Slot, value: &Value, candidates: &mut Bits) {
        let Some(Some(buckets)) = self.by_slot.get(slot.0) else { return };
        let mut add = |numbers: &[usize]| {
            for number in numbers {
                candidates.insert(*number);
            }
        };
        add(&buckets.present);
        match value {
            Value::Bool(false) => add(&buckets.no),
            Value::Bool(true) => add(&buckets.yes),
            Value::Number(number) => {
                let bits = number.get().to_bits();
                add(found(&buckets.numbers, |known| known.cmp(&bits)));
            }
            Value::String(text) => {
                add(found(&buckets.texts, |known| (**known).cmp(text)));
                add(found(&buckets.folded, |known| fold::order(known, text)));
            }
            Value::Null | Value::Array(_) | Value::Object(_) => {}
        }
    }
}

/// The numbers at the place where `order` is equal.
fn found<K>(sorted: &[(K, Numbers)], order: impl Fn(&K) -> Ordering) -> &[usize] {
    let place = sorted.binary_search_by(|(known, _)| order(known)).ok();
    place.and_then(|place| sorted.get(place)).map_or(&[], |(_, numbers)| numbers)
}

impl Buckets {
    /// Keys must come in their order, so that each list is sorted.
    fn put(&mut self, key: Key<'_>, numbers: Numbers) {
        match key {
            Key::Present(_) => self.present = numbers,
            Key::Truth(_, false) => self.no = numbers,
            Key::Truth(_, true) => self.yes = numbers,
            Key::Number(_, bits) => self.numbers.push((bits, numbers)),
            Key::Text(_, text) => self.texts.push((text.into(), numbers)),
            Key::Folded(_, text) => self.folded.push((text.into(), numbers)),
        }
    }
}

impl Key<'_> {
    fn slot(&self) -> Slot {
        match self {
            Self::Present(slot)
            | Self::Truth(slot, _)
            | Self::Number(slot, _)
            | Self::Text(slot, _)
            | Self::Folded(slot, _) => *slot,
        }
    }
}

/// The keys of which a context must have one for `gate` to match; `None` when none is needed.
fn needed<'g>(gate: &'g Gate, mentions: &Mentions<'_>) -> Option<Vec<Key<'g>>> {
    let weight = |keys: &Vec<Key<'g>>| {
        let count = |key: &Key<'g>| mentions.get(key).copied().unwrap_or_default();
        keys.iter().map(count).fold(0, usize::saturating_add)
    };
    match gate {
        Gate::Among { field, scalars, .. } => Some(keys(field.slot, scalars)),
        Gate::Exists { field, wanted: true, .. } => Some(vec![Key::Present(field.slot)]),
        Gate::Exists { wanted: false, .. } => None,
        Gate::All(members) => {
            members.iter().filter_map(|member| needed(member, mentions)).min_by_key(weight)
        }
        Gate::Any(members) => {
            let all: Option<Vec<_>> =
                members.iter().map(|member| needed(member, mentions)).collect();
            all.map(|keys| keys.concat())
        }
    }
}

/// Counts the keys that a gate mentions.
fn mention<'g>(gate: &'g Gate, mentions: &mut Mentions<'g>) {
    let keys = match gate {
        Gate::Among { field, scalars, .. } => keys(field.slot, scalars),
        Gate::Exists { field, .. } => vec![Key::Present(field.slot)],
        Gate::All(members) | Gate::Any(members) => {
            return members.iter().for_each(|member| mention(member, mentions));
        }
    };
    for key in keys {
        let count = mentions.entry(key).or_default();
        *count = count.saturating_add(1);
    }
}

fn keys(slot: Slot, scalars: &Scalars) -> Vec<Key<'_>> {
    let texts = scalars.texts().map(|text| match scalars.case() {
        Case::Strict => Key::Text(slot, text),
        Case::Folded => Key::Folded(slot, text),
    });
    let numbers = scalars.numbers().map(|number| Key::Number(slot, number.to_bits()));
    let truths = scalars.truths().map(|truth| Key::Truth(slot, truth));
    texts.chain(numbers).chain(truths).collect()
}
