//! Deduplicated reasons why gates do not match a context.

use std::sync::Arc;

use crate::{context_values::ContextValues, field::ReasonId, gate::Gate, reason};

pub(crate) struct NotApplicableReasons<'f> {
    context: &'f ContextValues<'f>,
    /// The texts formatted so far, by reason number.
    texts: Vec<Option<Arc<str>>>,
}

impl<'f> NotApplicableReasons<'f> {
    /// Creates the reasons for `context` and a program with `reasons` distinct reasons.
    pub(crate) fn new(context: &'f ContextValues<'f>, reasons: usize) -> Self {
        Self { context, texts: vec![None; reasons] }
    }

    /// Returns why the rule of `gate` does not apply, or `None` if it does.
    pub(crate) fn reason_for(&mut self, gate: &Gate) -> Option<Arc<str>> {
        let context = self.context;
        match gate {
            Gate::OneOf { field, scalars, expected, reason } => match context.member(field) {
                None => Some(self.text(*reason, || reason::missing(&field.name))),
                Some(value) if scalars.contains(value) => None,
                Some(value) => {
                    Some(self.text(*reason, || reason::differs(&field.name, value, expected)))
                }
            },
            Gate::Exists { field, exists, reason } => match (context.member(field), *exists) {
                (None, true) => Some(self.text(*reason, || reason::missing(&field.name))),
                (Some(_), false) => Some(self.text(*reason, || reason::present(&field.name))),
                _ => None,
            },
            Gate::All(members) => members.iter().find_map(|member| self.reason_for(member)),
            Gate::Any(members) => {
                let reasons: Option<Vec<_>> =
                    members.iter().map(|member| self.reason_for(member)).collect();
                reasons.map(|reasons| reasons.join("; ").into())
            }
        }
    }

    fn text(&mut self, reason: ReasonId, format: impl FnOnce() -> String) -> Arc<str> {
        match self.texts.get_mut(reason.0) {
            Some(text) => Arc::clone(text.get_or_insert_with(|| format().into())),
            None => format().into(),
        }
    }
}
