//! Sets of strings, numbers and booleans for membership checks. Values of different types are never equal.

use std::{borrow::Cow, cmp::Ordering};

use contract::{fold, json::Value};

/// The comparison of strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// A scalar of a list. Its text is folded if the comparison folds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scalar<'c> {
    Bool(bool),
    /// The bits of a double. There is only one zero and no NaN.
    Number(u64),
    Text(Cow<'c, str>),
}

impl<'c> Scalar<'c> {
    /// Returns the scalar of a value, if it is one.
    pub(crate) fn new(value: &'c Value, case: Case) -> Option<Self> {
        match value {
            Value::Bool(boolean) => Some(Self::Bool(*boolean)),
            Value::Number(number) => Some(Self::Number(number.get().to_bits())),
            Value::String(text) => Some(Self::Text(match case {
                Case::Strict => Cow::Borrowed(text),
                Case::Folded => Cow::Owned(fold::fold_text(text)),
            })),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
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
            Value::Number(number) => self.contains_number(number.get()),
            Value::Bool(false) => self.has_false,
            Value::Bool(true) => self.has_true,
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        }
    }

    fn contains_text(&self, text: &str) -> bool {
        self.texts.binary_search_by(|known| order(self.case, known, text)).is_ok()
    }

    fn contains_number(&self, number: f64) -> bool {
        // Numbers are never NaN or −0, so `total_cmp` is their numeric order.
        self.numbers.binary_search_by(|known| known.total_cmp(&number)).is_ok()
    }

    /// Like [`Self::contains`], for a text that is folded if the set folds.
    pub(crate) fn contains_scalar(&self, scalar: &Scalar<'_>) -> bool {
        match scalar {
            Scalar::Bool(boolean) => self.booleans().any(|known| known == *boolean),
            Scalar::Number(bits) => self.contains_number(f64::from_bits(*bits)),
            Scalar::Text(text) => {
                let found = self.texts.binary_search_by(|known| match self.case {
                    Case::Strict => order(Case::Strict, known, text),
                    // UTF-8 has the order of its characters.
                    Case::Folded => (**known).cmp(text),
                });
                found.is_ok()
            }
        }
    }

    /// Returns all values, with folded texts if the set folds.
    pub(crate) fn scalars(&self) -> impl Iterator<Item = Scalar<'_>> {
        let texts = self.texts().map(|text| Scalar::Text(Cow::Borrowed(text)));
        let numbers = self.numbers().map(|number| Scalar::Number(number.to_bits()));
        texts.chain(numbers).chain(self.booleans().map(Scalar::Bool))
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
