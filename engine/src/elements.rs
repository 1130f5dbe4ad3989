//! The distinct scalars of a list value, read once for all rules that check it.

use std::collections::BTreeMap;

use contract::json::Value;

use crate::scalar_set::{Case, Scalar, ScalarSet};

/// The distinct scalars of a list with the index of the first element that equals each.
///
/// A check of a list with a set takes time for the smaller of both, so that a thousand rules that check a list of
/// 100,000 elements take no longer than reading them.
#[derive(Debug)]
pub(crate) struct Elements<'c> {
    first_index: BTreeMap<Scalar<'c>, usize>,
    /// The same scalars in order of their indices.
    in_order: Vec<(usize, Scalar<'c>)>,
    /// The index of the first element that is no scalar.
    first_other: Option<usize>,
}

impl<'c> Elements<'c> {
    pub(crate) fn new(elements: &'c [Value], case: Case) -> Self {
        let mut this =
            Self { first_index: BTreeMap::new(), in_order: Vec::new(), first_other: None };
        for (index, element) in elements.iter().enumerate() {
            let Some(scalar) = Scalar::new(element, case) else {
                this.first_other = this.first_other.or(Some(index));
                continue;
            };
            if !this.first_index.contains_key(&scalar) {
                this.in_order.push((index, scalar.clone()));
                this.first_index.insert(scalar, index);
            }
        }
        this
    }

    /// Returns the index of the first element that is not in `set`.
    pub(crate) fn first_outside(&self, set: &ScalarSet) -> Option<usize> {
        let outside = self.in_order.iter().find(|(_, scalar)| !set.contains_scalar(scalar));
        min(outside.map(|(index, _)| *index), self.first_other)
    }

    /// Returns the index of the first element that is in `set` or is no scalar.
    pub(crate) fn first_inside(&self, set: &ScalarSet) -> Option<usize> {
        let inside = set.scalars().filter_map(|scalar| self.first_index.get(&scalar).copied());
        min(inside.min(), self.first_other)
    }
}

fn min(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    a.into_iter().chain(b).min()
}
