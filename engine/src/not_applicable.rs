//! Deduplicated reasons why gates do not match a context.

use std::sync::Arc;

use crate::{
    byte_budget::{ByteBudget, ResultTooLarge},
    context_values::ContextValues,
    field::ReasonId,
    gate::Gate,
    reason,
};

pub(crate) struct NotApplicableReasons<'f> {
    context: &'f ContextValues<'f>,
    /// The texts formatted so far, by reason number.
    texts: Vec<Option<Arc<str>>>,
    budget: ByteBudget,
}

impl<'f> NotApplicableReasons<'f> {
    /// Creates the reasons for `context` and a program with `reasons` distinct reasons. They repeat at most the
    /// bytes of `budget`.
    pub(crate) fn new(context: &'f ContextValues<'f>, reasons: usize, budget: ByteBudget) -> Self {
        Self { context, texts: vec![None; reasons], budget }
    }

    /// Returns why the rule of `gate` does not apply, or `None` if it does.
    pub(crate) fn reason_for(&mut self, gate: &Gate) -> Result<Option<Arc<str>>, ResultTooLarge> {
        let context = self.context;
        Ok(match gate {
            Gate::OneOf { field, scalars, expected, reason } => match context.member(field) {
                None => Some(self.text(*reason, || reason::missing(&field.name))),
                Some(value) if scalars.contains(value) => None,
                Some(value) => {
                    self.budget.spend_value(value)?;
                    Some(self.text(*reason, || reason::differs(&field.name, value, expected)))
                }
            },
            Gate::Exists { field, exists, reason } => match (context.member(field), *exists) {
                (None, true) => Some(self.text(*reason, || reason::missing(&field.name))),
                (Some(_), false) => Some(self.text(*reason, || reason::present(&field.name))),
                _ => None,
            },
            Gate::All(members) => {
                members.iter().find_map(|member| self.reason_for(member).transpose()).transpose()?
            }
            Gate::Any(members) => {
                let reasons: Option<Vec<_>> = members
                    .iter()
                    .map(|member| self.reason_for(member))
                    .collect::<Result<_, _>>()?;
                reasons.map(|reasons| reasons.join("; ").into())
            }
        })
    }

    fn text(&mut self, reason: ReasonId, format: impl FnOnce() -> String) -> Arc<str> {
        match self.texts.get_mut(reason.0) {
            Some(text) => Arc::clone(text.get_or_insert_with(|| format().into())),
            None => format().into(),
        }
    }
}
