//! Why gates refuse a context: each reason is written once, however many gates have it.

use std::sync::Arc;

use crate::{facts::Facts, field::Reason, gate::Gate, reason};

/// The reasons of one evaluation.
pub(crate) struct Refusals<'f> {
    facts: &'f Facts<'f>,
    /// By their numbers, as far as they are written.
    written: Vec<Option<Arc<str>>>,
}

impl<'f> Refusals<'f> {
    /// Reasons about `facts`, for a program that knows `reasons` of them.
    pub(crate) fn new(facts: &'f Facts<'f>, reasons: usize) -> Self {
        Self { facts, written: vec![None; reasons] }
    }

    /// Why the rule of `gate` does not apply; `None` when it does.
    pub(crate) fn of(&mut self, gate: &Gate) -> Option<Arc<str>> {
        let facts = self.facts;
        match gate {
            Gate::Among { field, scalars, otherwise, reason } => match facts.member(field) {
                None => Some(self.once(*reason, || reason::is_missing(&field.name))),
                Some(value) if scalars.contains(value) => None,
                Some(value) => {
                    Some(self.once(*reason, || reason::differs(&field.name, value, otherwise)))
                }
            },
            Gate::Exists { field, wanted, reason } => match (facts.member(field), *wanted) {
                (None, true) => Some(self.once(*reason, || reason::is_missing(&field.name))),
                (Some(_), false) => Some(self.once(*reason, || reason::is_present(&field.name))),
                _ => None,
            },
            Gate::All(members) => members.iter().find_map(|member| self.of(member)),
            Gate::Any(members) => {
                let refusals: Option<Vec<_>> =
                    members.iter().map(|member| self.of(member)).collect();
                refusals.map(|refusals| refusals.join("; ").into())
            }
        }
    }

    fn once(&mut self, reason: Reason, write: impl FnOnce() -> String) -> Arc<str> {
        match self.written.get_mut(reason.0) {
            Some(written) => Arc::clone(written.get_or_insert_with(|| write().into())),
            None => write().into(),
        }
    }
}
