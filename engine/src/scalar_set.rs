//! Sets of strings, numbers and booleans for membership checks. Values of different types are never equal.

use std::cmp::Ordering;

use contract::{
    fold,
    json::{Number, Value},
};

/// The comparison of strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// Exactly.
    Strict,
    /// After simple case folding.
    Folded,
}

/// Returns the order of a string of a set and any string. Lengths are compared before characters, because that decides
/// most comparisons; folded strings are ordered by character, because the other string is folded while it is compared.
fn order(case: Case, known: &str, text: &str) -> Ordering {
    match case {
        Case::Strict => known.len().cmp(&text.len()).then_with(|| known.cmp(text)),
        Case::Folded => fold::compare_folded(known, text),
    }
}

/// A set of scalars, sorted by type.
#[derive(Debug)]
pub(crate) struct ScalarSet {
    case: Case,
    texts: Box<[Box<str>]>,
    numbers: Box<[f64]>,
    has_false: bool,
    has_true: bool,
}

impl ScalarSet {
    /// Creates the set of the scalars in `values`. Other values are ignored.
    pub(crate) fn new(values: &[Value], case: Case) -> Self {
        let text = |text: &str| match case {
            Case::Strict => text.into(),
            Case::Folded => fold::fold_text(text).into(),
        };
        let mut texts: Vec<Box<str>> = values.iter().filter_map(Value::as_str).map(text).collect();
        texts.sort_unstable_by(|a, b| order(case, a, b));
        texts.dedup();
        let mut numbers: Vec<_> = values.iter().filter_map(Value::as_f64).collect();
        numbers.sort_unstable_by(f64::total_cmp);
        numbers.dedup_by(|a, b| a.total_cmp(b).is_eq());
        Self {
            case,
            texts: texts.into(),
            numbers: numbers.into(),
            has_false: values.contains(&Value::Bool(false)),
            has_true: values.contains(&Value::Bool(true)),
        }
    }

    pub(crate) fn contains(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.contains_text(text),
            Value::Number(number) => self.contains_number(*number),
            Value::Bool(false) => self.has_false,
            Value::Bool(true) => self.has_true,
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        }
    }

    fn contains_text(&self, text: &str) -> bool {
        self.texts.binary_search_by(|known| order(self.case, known, text)).is_ok()
    }

    fn contains_number(&self, number: Number) -> bool {
        // Numbers are never NaN or −0, so `total_cmp` is their numeric order.
        self.numbers.binary_search_by(|known| known.total_cmp(&number.get())).is_ok()
    }

    pub(crate) fn case(&self) -> Case {
        self.case
    }

    /// Returns the strings, which are folded if the set folds.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|text| &**text)
    }

    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> {
        self.numbers.iter().copied()
    }

    pub(crate) fn booleans(&self) -> impl Iterator<Item = bool> {
        self.has_false.then_some(false).into_iter().chain(self.has_true.then_some(true))
    }
}
