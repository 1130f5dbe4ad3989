//! Sets of strings, numbers and booleans that a value is looked up in. Types never meet.

use contract::json::{Number, Value};

use crate::fold;

/// How texts are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// As they are.
    Strict,
    /// After simple case folding.
    Folded,
}

/// A set of scalars, each kind sorted.
#[derive(Debug)]
pub(crate) struct Scalars {
    case: Case,
    texts: Box<[Box<str>]>,
    numbers: Box<[f64]>,
    no: bool,
    yes: bool,
}

impl Scalars {
    /// The set of those `values` that are scalars; there should be no others.
    pub(crate) fn new(values: &[Value], case: Case) -> Self {
        let text = |text: &str| match case {
            Case::Strict => text.into(),
            Case::Folded => fold::folded(text).into(),
        };
        let mut texts: Vec<_> = values.iter().filter_map(Value::as_str).map(text).collect();
        texts.sort_unstable();
        texts.dedup();
        let mut numbers: Vec<_> = values.iter().filter_map(Value::as_f64).collect();
        numbers.sort_unstable_by(f64::total_cmp);
        numbers.dedup_by(|a, b| a.total_cmp(b).is_eq());
        Self {
            case,
            texts: texts.into(),
            numbers: numbers.into(),
            no: values.contains(&Value::Bool(false)),
            yes: values.contains(&Value::Bool(true)),
        }
    }

    /// Whether `value` is in the set.
    pub(crate) fn contains(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.contains_text(text),
            Value::Number(number) => self.contains_number(*number),
            Value::Bool(false) => self.no,
            Value::Bool(true) => self.yes,
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        }
    }

    fn contains_text(&self, text: &str) -> bool {
        let place = match self.case {
            Case::Strict => self.texts.binary_search_by(|known| (**known).cmp(text)),
            Case::Folded => self.texts.binary_search_by(|known| fold::order(known, text)),
        };
        place.is_ok()
    }

    fn contains_number(&self, number: Number) -> bool {
        // No number is NaN or −0, so the total order is the order of numbers.
        self.numbers.binary_search_by(|known| known.total_cmp(&number.get())).is_ok()
    }

    /// How texts are compared.
    pub(crate) fn case(&self) -> Case {
        self.case
    }

    /// The texts, folded when the set folds.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|text| &**text)
    }

    /// The numbers.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> {
        self.numbers.iter().copied()
    }

    /// The booleans.
    pub(crate) fn truths(&self) -> impl Iterator<Item = bool> {
        self.no.then_some(false).into_iter().chain(self.yes.then_some(true))
    }
}
