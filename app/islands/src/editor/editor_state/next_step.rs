//! Saving a changed rule before a link opens another page or another form is submitted.

use leptos::ev::{MouseEvent, SubmitEvent};
use web_sys::{Element, HtmlElement};

use super::{RuleEditorState, SAVE};

use crate::prelude::*;

/// What follows a save.
#[derive(Clone, Debug)]
pub(super) enum NextStep {
    /// Opens a page.
    Open(String),
    /// Presses the button of another form with this value.
    Press(String),
}

impl RuleEditorState {
    /// Saves a changed rule before a click on a link opens another page. Links with the attribute `rel` keep the change
    /// out of the draft, or stay on the page.
    pub(in crate::editor) fn save_before_leaving(self, event: &MouseEvent) {
        let opens_new_tab = event.ctrl_key() || event.meta_key() || event.shift_key();
        let link = event_target::<Element>(event).closest("a[href]:not([rel], [target])");
        if let Ok(Some(link)) = link
            && self.is_unsaved()
            && !opens_new_tab
        {
            event.prevent_default();
            self.save_and(NextStep::Open(link.get_attribute("href").unwrap_or_default()));
        }
    }

    /// Saves a changed rule before a submission of the form of comments, which loads a new document.
    pub(in crate::editor) fn save_before_submission(self, event: &SubmitEvent) {
        let button = event.submitter().and_then(|button| button.get_attribute("value"));
        if let Some(button) = button
            && self.is_unsaved()
        {
            event.prevent_default();
            // The form was not submitted (`data-once` in `public/page.js`).
            event.stop_propagation();
            self.save_and(NextStep::Press(button));
        }
    }

    fn save_and(self, step: NextStep) {
        self.progress.update_value(|progress| progress.next_step = Some(step));
        self.save(SAVE);
    }

    /// Performs the step that follows the save.
    pub(super) fn proceed(self, step: NextStep) {
        self.cancel_next_step();
        match step {
            NextStep::Open(href) => drop(window().location().assign(&href)),
            NextStep::Press(value) => {
                let button = document().query_selector(&format!("button[value=\"{value}\"]"));
                let button = button.ok().flatten();
                if let Some(button) = button.and_then(|b| b.dyn_into::<HtmlElement>().ok()) {
                    button.click();
                }
            }
        }
    }
}
