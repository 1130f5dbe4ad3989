//! Replacing the sample.

use super::RuleEditorState;
use crate::{editor::act::make_sample, prelude::*};

impl RuleEditorState {
    /// Replaces the sample by the selected decision, or by a sample with the fields of the rules.
    pub(super) fn replace_sample(self) {
        let Some(request) = self.read() else { return };
        spawn_local(async move {
            match make_sample(request.place, request.rule).await {
                Ok(text) => self.new_sample.set(Some(text)),
                Err(problem) => self.evaluation.set(Some(Err(problem))),
            }
        });
    }
}
