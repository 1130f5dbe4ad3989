//! The state of the open rule while scripts run. Input is evaluated after a short pause and saved after a
//! longer one, always on the revision that was last read. The form fields hold the text; the state has no
//! copy of it.

use std::time::Duration;

use contract::{error::FieldError, rule::RuleType, time::Timestamp};
use leptos::{form::FromFormData, html, prelude::*, task::spawn_local, wasm_bindgen::JsCast};
use leptos_router::{NavigateOptions, hooks::use_navigate};

use crate::{
    api::editor::{SaveRule, save_rule, try_draft},
    problem::Problem,
    text::{sentence::Sentence, url},
    view::{
        editor::{
            EditorPage, EditorTarget, OpenRule, SaveRejection, SaveResult, SavedRule,
            gate::{GateChange, GateLine},
        },
        rule::RuleLine,
        try_decision::Evaluation,
    },
};

/// The pauses in typing after which the rules are evaluated and saved.
const TRY_DELAY: Duration = Duration::from_millis(250);
const SAVE_DELAY: Duration = Duration::from_secs(2);

/// The save status of the open rule.
#[derive(Clone, Debug)]
pub(super) enum State {
    /// The rule is unchanged.
    Read,
    /// The rule has unsaved changes.
    Typed,
    /// A save is in progress.
    Saving,
    /// The rule was saved at this time.
    Saved(Timestamp),
    /// The save was rejected; the fields show the errors.
    Unsaved,
    /// The save failed.
    Failed(Problem),
}

/// The lines of a gate, and a counter of structural changes. A new counter value gives all lines new
/// elements.
type Lines = (u32, Vec<GateLine>);

/// The state of the open rule.
#[derive(Clone, Copy)]
pub(super) struct RuleEditorState {
    /// The form of the rule.
    pub(super) form: NodeRef<html::Form>,
    /// The rule that is edited, as of the page load.
    pub(super) target: StoredValue<EditorTarget>,
    /// The revision that was last read.
    pub(super) revision: RwSignal<u32>,
    /// The code of the rule in the draft; empty until the rule is saved.
    pub(super) saved_code: RwSignal<String>,
    /// All rules of the draft.
    pub(super) lines: RwSignal<Vec<RuleLine>>,
    /// The lines of the rule's gate.
    pub(super) gate: RwSignal<Lines>,
    /// The reason why the last save was rejected.
    pub(super) unsaved: RwSignal<Option<SaveRejection>>,
    /// The save status.
    pub(super) state: RwSignal<State>,
    /// The result of evaluating the draft on the sample.
    pub(super) evaluation: RwSignal<Option<Result<Evaluation, Problem>>>,
    /// The rule as a sentence.
    pub(super) sentence: RwSignal<Option<Sentence>>,
    /// Whether an evaluation is in progress.
    pub(super) working: RwSignal<bool>,
    /// The type of the rule, as of the page load.
    kind: StoredValue<Option<RuleType>>,
    /// Navigates to another page.
    navigate: Callback<String>,
    /// A counter of edits.
    edit_count: StoredValue<u32>,
    /// The progress of a save.
    progress: StoredValue<Progress>,
}

/// The progress of a save.
#[derive(Debug, Default)]
struct Progress {
    /// Whether a save is in progress.
    is_saving: bool,
    /// The action of a button that was pressed during the save.
    next: Option<String>,
    /// The page to open once everything is saved.
    leave: Option<String>,
}

impl RuleEditorState {
    pub(super) fn new(page: &EditorPage, open_rule: &OpenRule) -> Self {
        let result = open_rule.sample_result.clone();
        let sentence = result.as_ref().and_then(|result| result.sentence.clone());
        let navigate = use_navigate();
        let state = if open_rule.unsaved.is_some() { State::Unsaved } else { State::Read };
        Self {
            form: NodeRef::new(),
            target: StoredValue::new(page.target.clone()),
            revision: RwSignal::new(page.target.revision),
            saved_code: RwSignal::new(page.target.was.clone()),
            lines: RwSignal::new(page.lines.clone()),
            gate: RwSignal::new((0, open_rule.form.gate.clone())),
            unsaved: RwSignal::new(open_rule.unsaved.clone()),
            state: RwSignal::new(state),
            evaluation: RwSignal::new(result.and_then(|result| result.evaluation).map(Ok)),
            sentence: RwSignal::new(sentence),
            working: RwSignal::new(false),
            kind: StoredValue::new(open_rule.form.rule_type.parse().ok()),
            navigate: Callback::new(move |href: String| {
                navigate(&href, NavigateOptions::default());
            }),
            edit_count: StoredValue::new(0),
            progress: StoredValue::new(Progress::default()),
        }
    }

    /// Returns the selected rule type.
    pub(super) fn rule_type(self) -> Option<RuleType> {
        match self.form.get_untracked() {
            Some(_) => self.read()?.rule.rule_type.parse().ok(),
            None => self.kind.get_value(),
        }
    }

    /// Returns the current input, for the revision that was last read. The hidden revision field may lag
    /// behind.
    fn read(self) -> Option<SaveRule> {
        let form = self.form.get_untracked()?;
        let data = web_sys::FormData::new_with_form(&form).ok()?;
        let mut request = SaveRule::from_form_data(&data).ok()?;
        request.place.revision = self.revision.get_untracked();
        request.place.was = self.saved_code.get_untracked();
        Some(request)
    }

    /// Handles text that was typed before hydration, which caused no event for this page.
    pub(super) fn restore_input(self) {
        Effect::new(move || {
            if self.form.get().is_some_and(|form| is_dirty(&form)) {
                self.on_edit();
            }
        });
    }

    /// Handles an edit of the rule.
    pub(super) fn on_edit(self) {
        self.state.set(State::Typed);
        let edit = self.next_edit();
        self.debounce(TRY_DELAY, edit, Self::try_now);
        self.debounce(SAVE_DELAY, edit, Self::save_soon);
    }

    /// Handles an edit of the sample. An earlier edit of the rule is still saved.
    pub(super) fn on_sample_edit(self) {
        let edit = self.next_edit();
        self.debounce(TRY_DELAY, edit, Self::try_now);
        self.debounce(SAVE_DELAY, edit, Self::save_soon);
    }

    fn next_edit(self) -> u32 {
        let edit = self.edit_count.get_value().wrapping_add(1);
        self.edit_count.set_value(edit);
        edit
    }

    /// Runs `action` after `pause`, unless there is a newer edit by then.
    fn debounce(self, pause: Duration, edit: u32, action: fn(Self)) {
        let is_newest = move || self.edit_count.try_get_value() == Some(edit);
        set_timeout(
            move || {
                if is_newest() {
                    action(self);
                }
            },
            pause,
        );
    }

    /// Returns whether the rule has unsaved changes.
    pub(super) fn is_unsaved(self) -> bool {
        !matches!(self.state.get_untracked(), State::Read | State::Saved(_))
    }

    /// Evaluates the draft on the sample.
    pub(super) fn try_now(self) {
        let Some(request) = self.read() else { return };
        let edit = self.edit_count.get_value();
        self.working.set(true);
        spawn_local(async move {
            let response = try_draft(request.place, request.rule, request.sample).await;
            if self.edit_count.try_get_value() != Some(edit) {
                return;
            }
            self.working.set(false);
            match response {
                Ok(result) => {
                    self.clear_resolved_errors(&result.faults);
                    if result.sentence.is_some() {
                        self.sentence.set(result.sentence);
                    }
                    self.evaluation.set(result.evaluation.map(Ok));
                }
                Err(problem) => self.evaluation.set(Some(Err(problem))),
            }
        });
    }

    /// Removes errors that no longer apply. New errors are shown when the rule is saved.
    fn clear_resolved_errors(self, current: &[FieldError]) {
        if let Some(SaveRejection::Faults(errors)) = self.unsaved.get_untracked() {
            let unresolved: Vec<_> =
                errors.iter().filter(|error| current.contains(error)).cloned().collect();
            if unresolved.len() < errors.len() {
                let remaining =
                    (!unresolved.is_empty()).then_some(SaveRejection::Faults(unresolved));
                self.unsaved.set(remaining);
            }
        }
    }

    /// Runs the action of a pressed button.
    pub(super) fn run_action(self, action: &str) {
        if let Some(change) = GateChange::of(action) {
            self.change(change);
        } else if action == "run" {
            self.try_now();
        } else {
            self.next_edit();
            self.save(if action.is_empty() { SAVE } else { action });
        }
    }

    /// Saves the rule and then navigates to `href`.
    pub(super) fn save_and_leave(self, href: String) {
        self.progress.update_value(|progress| progress.leave = Some(href));
        self.save(SAVE);
    }

    /// Changes the lines of the gate and focuses the changed line.
    fn change(self, change: GateChange) {
        let Some(request) = self.read() else { return };
        let mut lines = request.rule.gate;
        let index = change.apply(&mut lines);
        self.gate.update(|(count, current)| {
            *count = count.wrapping_add(1);
            *current = lines;
        });
        request_animation_frame(move || {
            let line = document().get_element_by_id(&format!("gate-{index}"));
            let element = line.or_else(|| document().get_element_by_id("gate-more"));
            let field = element.and_then(|line| {
                line.query_selector("input:not([type=hidden]), select, button").ok()?
            });
            if let Some(field) =
                field.and_then(|field| field.dyn_into::<web_sys::HtmlElement>().ok())
            {
                let _ = field.focus();
            }
        });
        self.on_edit();
    }

    /// Saves the rule, unless an earlier event has saved it.
    fn save_soon(self) {
        if self.is_unsaved() {
            self.save("");
        }
    }

    /// Saves the rule. An empty `action` means that no button was pressed: then a draft that has changed is
    /// not overwritten, and errors of a new rule are not shown yet.
    pub(super) fn save(self, action: &str) {
        if self.progress.with_value(|progress| progress.is_saving) {
            let next = Some(action.to_owned());
            return self.progress.update_value(|progress| progress.next = next);
        }
        let conflict = match self.unsaved.get_untracked() {
            Some(SaveRejection::Moved(conflict)) if action.is_empty() => return drop(conflict),
            Some(SaveRejection::Moved(conflict)) => Some(conflict.revision),
            _ => None,
        };
        let Some(mut request) = self.read() else { return };
        request.place.revision = conflict.unwrap_or(request.place.revision);
        action.clone_into(&mut request.place.act);
        let (edit, action) = (self.edit_count.get_value(), action.to_owned());
        self.progress.update_value(|progress| progress.is_saving = true);
        self.state.set(State::Saving);
        spawn_local(async move {
            let is_new = request.place.was.is_empty();
            let response = Box::pin(save_rule(request.place, request.rule, request.sample)).await;
            let Some(latest) = self.edit_count.try_get_value() else { return };
            self.progress.update_value(|progress| progress.is_saving = false);
            let is_newest = latest == edit;
            match response {
                Ok(SaveResult::Saved(draft)) => {
                    self.apply_saved(draft, is_newest, &action);
                    let leave = self.progress.with_value(|progress| progress.leave.clone());
                    if let Some(href) = leave.filter(|_| is_newest) {
                        return self.navigate.run(href);
                    }
                }
                Ok(SaveResult::Not(rejection)) => {
                    let is_early = action.is_empty()
                        && is_new
                        && matches!(rejection, SaveRejection::Faults(_));
                    self.state.set(State::Unsaved);
                    self.cancel_leave();
                    if !is_early {
                        self.unsaved.set(Some(rejection));
                    }
                }
                Err(problem) => {
                    self.cancel_leave();
                    self.state.set(State::Failed(problem));
                }
            }
            let next = self.progress.try_update_value(|progress| progress.next.take());
            if let Some(action) = next.flatten() {
                self.save(&action);
            } else if !is_newest {
                self.debounce(SAVE_DELAY, latest, Self::save_soon);
            }
        });
    }

    /// Stays on the page after the save.
    fn cancel_leave(self) {
        self.progress.update_value(|progress| progress.leave = None);
    }

    /// Applies the saved rule to the state.
    fn apply_saved(self, draft: SavedRule, is_newest: bool, action: &str) {
        let target = self.target.get_value();
        if action == "remove" {
            // The query parameter `n` makes the address unique, so that the page is reloaded.
            let number = draft.revision.to_string();
            let page = url::with_query(&target.page(), &[("n", &number)]);
            self.progress.update_value(|progress| progress.leave = Some(page));
        } else if let Ok(history) = window().history() {
            let address = target.rule(&draft.code);
            let state = leptos::wasm_bindgen::JsValue::NULL;
            let _ = history.replace_state_with_url(&state, "", Some(&address));
        }
        self.revision.set(draft.revision);
        self.saved_code.set(draft.code);
        self.lines.set(draft.lines);
        self.unsaved.set(None);
        self.state.set(if is_newest { State::Saved(draft.at) } else { State::Typed });
    }
}

/// The action of the save button.
pub(super) const SAVE: &str = "save";

/// Returns whether the form differs from the server-rendered one. The sample is not part of the rule, and is
/// ignored.
fn is_dirty(form: &web_sys::HtmlFormElement) -> bool {
    let Ok(original) = form.clone_node_with_deep(true) else { return false };
    let Ok(original) = original.dyn_into::<web_sys::HtmlFormElement>() else { return false };
    original.reset();
    form_data(form) != form_data(&original)
}

/// Returns the encoded input of the form, without the sample.
fn form_data(form: &web_sys::HtmlFormElement) -> Option<String> {
    let data = web_sys::FormData::new_with_form(form).ok()?;
    data.delete("sample");
    let fields = web_sys::UrlSearchParams::new_with_str_sequence_sequence(&data).ok()?;
    fields.to_string().as_string()
}
