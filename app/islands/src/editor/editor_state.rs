//! The state of the open rule while scripts run. Input is evaluated after a short pause and saved after a
//! longer one, always against the revision that was last read. Only the form fields contain the text.

mod history;
mod next_step;
mod sample;

use js_sys::Array;
use leptos::{html, wasm_bindgen::JsValue};

use self::{
    history::{History, is_dirty},
    next_step::NextStep,
};
use crate::{
    editor::{
        act::{SaveRule, save_rule, try_draft},
        view::{
            EditorTarget, OpenRule, REPLACE_SAMPLE, RuleOutcome, SampleResult, SaveRejection,
            SaveResult, SavedRule,
            gate::{GateChange, GateLine},
            rule::RuleForm,
        },
    },
    prelude::*,
    rule::RuleLine,
    try_decision::view::Evaluation,
};

/// The pauses in typing after which the rules are evaluated and saved.
const TRY_DELAY: Duration = Duration::from_millis(250);
const SAVE_DELAY: Duration = Duration::from_secs(2);

/// The save status of the open rule.
#[derive(Clone, Debug)]
pub(super) enum State {
    Unchanged,
    Edited,
    Saving,
    Saved(Timestamp),
    /// The save was rejected; the fields show the errors.
    Rejected,
    Failed(Problem),
}

/// The lines of a gate, and a counter of structural changes. A new counter value gives all lines new
/// elements.
type GateLines = (u32, Vec<GateLine>);

#[derive(Clone, Copy)]
pub(super) struct RuleEditorState {
    pub(super) form: NodeRef<html::Form>,
    /// The rule that is edited, as of the page load.
    pub(super) target: StoredValue<EditorTarget>,
    /// The fields of the rule, as of the page load.
    pub(super) initial: StoredValue<RuleForm>,
    /// The revision that was last read.
    pub(super) revision: RwSignal<u32>,
    /// The code of the rule in the draft; empty until the rule is saved.
    pub(super) saved_code: RwSignal<String>,
    /// All rules of the draft.
    pub(super) rules: RwSignal<Vec<RuleLine>>,
    pub(super) gate: RwSignal<GateLines>,
    /// The rejection of the last save.
    pub(super) rejection: RwSignal<Option<SaveRejection>>,
    pub(super) state: RwSignal<State>,
    /// The result of evaluating the draft on the sample.
    pub(super) evaluation: RwSignal<Option<Result<Evaluation, Problem>>>,
    pub(super) sentence: RwSignal<Option<Sentence>>,
    pub(super) is_evaluating: RwSignal<bool>,
    /// The text that replaces the sample.
    pub(super) new_sample: RwSignal<Option<String>>,
    /// The number of changes of the rule.
    edit_count: StoredValue<u32>,
    /// The number of changes of the rule or the sample.
    input_count: StoredValue<u32>,
    progress: StoredValue<Progress>,
}

/// What few parts of the page use: the results on the sample, the earlier input, the rule type as of the page load, and
/// the progress of a save.
struct Progress {
    /// The results of all active rules on the sample, by code.
    outcomes: RwSignal<BTreeMap<String, RuleOutcome>>,
    /// Whether each line of the gate matches the sample.
    gate_matches: RwSignal<Vec<Option<bool>>>,
    history: History,
    initial_rule_type: Option<RuleType>,
    is_saving: bool,
    /// The action of a button that was pressed during the save.
    next_action: Option<String>,
    /// What to do after the save.
    next_step: Option<NextStep>,
}

impl RuleEditorState {
    pub(super) fn new(target: EditorTarget, rules: Vec<RuleLine>, open: OpenRule) -> Self {
        let OpenRule { form, unsaved, sample_result } = open;
        let SampleResult { evaluation, sentence, outcomes, gate, .. } =
            sample_result.unwrap_or_default();
        let state = if unsaved.is_some() { State::Rejected } else { State::Unchanged };
        let initial_rule_type = form.rule_type.parse().ok();
        Self {
            form: NodeRef::new(),
            revision: RwSignal::new(target.revision),
            saved_code: RwSignal::new(target.was.clone()),
            target: StoredValue::new(target),
            rules: RwSignal::new(rules),
            gate: RwSignal::new((0, form.gate.clone())),
            initial: StoredValue::new(form),
            rejection: RwSignal::new(unsaved),
            state: RwSignal::new(state),
            evaluation: RwSignal::new(evaluation.map(Ok)),
            sentence: RwSignal::new(sentence),
            is_evaluating: RwSignal::new(false),
            new_sample: RwSignal::new(None),
            edit_count: StoredValue::new(0),
            input_count: StoredValue::new(0),
            progress: StoredValue::new(Progress {
                outcomes: RwSignal::new(outcomes),
                gate_matches: RwSignal::new(gate),
                history: History::default(),
                initial_rule_type,
                is_saving: false,
                next_action: None,
                next_step: None,
            }),
        }
    }

    pub(super) fn outcomes(self) -> RwSignal<BTreeMap<String, RuleOutcome>> {
        self.progress.with_value(|progress| progress.outcomes)
    }

    pub(super) fn gate_matches(self) -> RwSignal<Vec<Option<bool>>> {
        self.progress.with_value(|progress| progress.gate_matches)
    }

    fn history(self) -> History {
        self.progress.with_value(|progress| progress.history)
    }

    pub(super) fn rule_type(self) -> Option<RuleType> {
        match self.form.get_untracked() {
            Some(_) => self.read()?.rule.rule_type.parse().ok(),
            None => self.progress.with_value(|progress| progress.initial_rule_type),
        }
    }

    /// Returns the current input. The revision and the code come from the state, because the hidden fields may
    /// be outdated.
    fn read(self) -> Option<SaveRule> {
        let form = self.form.get_untracked()?;
        let data = web_sys::FormData::new_with_form(&form).ok()?;
        let text = |name: &str| data.get(name).as_string().unwrap_or_default();
        let place = EditorTarget {
            revision: self.revision.get_untracked(),
            was: self.saved_code.get_untracked(),
            to: text("place[to]"),
            from: text("place[from]"),
            act: String::new(),
            ..self.target.get_value()
        };
        let field = |field: Result<JsValue, JsValue>| {
            let field = Array::from(&field.ok()?);
            Some((field.get(0).as_string()?, field.get(1).as_string()?))
        };
        let fields = js_sys::try_iter(&data).ok()??.filter_map(field);
        Some(SaveRule { place, rule: RuleForm::from_fields(fields), sample: text("sample") })
    }

    /// Handles text that was typed before hydration, which fired no `input` event.
    pub(super) fn restore_input(self) {
        Effect::new(move || {
            let Some(form) = self.form.get() else { return };
            self.mark_saved();
            if is_dirty(&form) {
                self.state.set(State::Edited);
                self.on_edit();
            }
        });
    }

    /// Schedules an evaluation and a save of the changed rule.
    pub(super) fn on_edit(self) {
        if !matches!(self.state.get_untracked(), State::Edited) {
            self.remember();
        }
        self.state.set(State::Edited);
        increment(self.edit_count);
        self.debounce(self.edit_count, SAVE_DELAY, Self::save_soon);
        self.schedule_evaluation();
    }

    /// Schedules an evaluation of the draft on the sample. The sample is not part of the rule.
    pub(super) fn schedule_evaluation(self) {
        increment(self.input_count);
        self.debounce(self.input_count, TRY_DELAY, Self::try_now);
    }

    /// Evaluates the draft on a sample that replaced the one of the page load, whose results are no longer shown.
    pub(super) fn evaluate_other_sample(self) {
        self.evaluation.set(None);
        self.outcomes().set(BTreeMap::new());
        self.gate_matches().set(Vec::new());
        increment(self.input_count);
        self.try_now();
    }

    /// Runs `action` after `pause`, unless `count` has changed by then.
    fn debounce(self, count: StoredValue<u32>, pause: Duration, action: fn(Self)) {
        let current = count.get_value();
        let is_newest = move || count.try_get_value() == Some(current);
        set_timeout(
            move || {
                if is_newest() {
                    action(self);
                }
            },
            pause,
        );
    }

    /// Returns whether the rule was changed since the page was loaded.
    pub(super) fn was_edited(self) -> bool {
        self.state.with(|state| !matches!(state, State::Unchanged))
    }

    pub(super) fn is_unsaved(self) -> bool {
        !matches!(self.state.get_untracked(), State::Unchanged | State::Saved(_))
    }

    pub(super) fn try_now(self) {
        let Some(request) = self.read() else { return };
        let input = self.input_count.get_value();
        self.is_evaluating.set(true);
        spawn_local(async move {
            let response = try_draft(request.place, request.rule, request.sample).await;
            if self.input_count.try_get_value() != Some(input) {
                return;
            }
            self.is_evaluating.set(false);
            match response {
                Ok(result) => {
                    self.clear_resolved_errors(&result.errors);
                    self.gate_matches().set(result.gate);
                    if result.sentence.is_some() {
                        self.sentence.set(result.sentence);
                    }
                    self.outcomes().set(result.outcomes);
                    self.evaluation.set(result.evaluation.map(Ok));
                }
                Err(problem) => self.evaluation.set(Some(Err(problem))),
            }
        });
    }

    /// Removes errors that no longer apply. New errors are shown when the rule is saved.
    fn clear_resolved_errors(self, current: &[FieldError]) {
        if let Some(SaveRejection::Errors(errors)) = self.rejection.get_untracked() {
            let unresolved: Vec<_> =
                errors.iter().filter(|error| current.contains(error)).cloned().collect();
            if unresolved.len() < errors.len() {
                let remaining =
                    (!unresolved.is_empty()).then_some(SaveRejection::Errors(unresolved));
                self.rejection.set(remaining);
            }
        }
    }

    pub(super) fn run_action(self, action: &str) {
        if let Some(change) = GateChange::of(action) {
            self.change(change);
        } else if action == "run" {
            self.try_now();
        } else if action == REPLACE_SAMPLE {
            self.replace_sample();
        } else {
            increment(self.edit_count);
            self.save(if action.is_empty() { SAVE } else { action });
        }
    }

    /// Changes the lines of the gate and focuses the changed line.
    fn change(self, change: GateChange) {
        let Some(request) = self.read() else { return };
        self.remember();
        let mut lines = request.rule.gate;
        let index = change.apply(&mut lines);
        self.gate_matches().set(Vec::new());
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

    /// Saves the rule. An empty `action` means that no button was pressed: the save then does not overwrite a
    /// draft that has changed, and does not show errors of a new rule yet.
    pub(super) fn save(self, action: &str) {
        if self.progress.with_value(|progress| progress.is_saving) {
            let action = Some(action.to_owned());
            return self.progress.update_value(|progress| progress.next_action = action);
        }
        let conflict = match self.rejection.get_untracked() {
            Some(SaveRejection::Moved(_)) if action.is_empty() => return,
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
                    let step = self.progress.with_value(|progress| progress.next_step.clone());
                    if let Some(step) = step.filter(|_| is_newest) {
                        return self.proceed(step);
                    }
                }
                Ok(SaveResult::Not(rejection)) => {
                    let is_early = action.is_empty()
                        && is_new
                        && matches!(rejection, SaveRejection::Errors(_));
                    self.state.set(State::Rejected);
                    self.cancel_next_step();
                    if !is_early {
                        self.rejection.set(Some(rejection));
                    }
                }
                Err(problem) => {
                    self.cancel_next_step();
                    self.state.set(State::Failed(problem));
                }
            }
            let action = self.progress.try_update_value(|progress| progress.next_action.take());
            if let Some(action) = action.flatten() {
                self.save(&action);
            } else if !is_newest {
                self.debounce(self.edit_count, SAVE_DELAY, Self::save_soon);
            }
        });
    }

    fn cancel_next_step(self) {
        self.progress.update_value(|progress| progress.next_step = None);
    }

    fn apply_saved(self, draft: SavedRule, is_newest: bool, action: &str) {
        let target = self.target.get_value();
        if action == "remove" {
            let step = Some(NextStep::Open(target.page()));
            self.progress.update_value(|progress| progress.next_step = step);
        } else if let Ok(history) = window().history() {
            let address = target.rule(&draft.code);
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
        }
        let was_new = self.saved_code.with_untracked(String::is_empty);
        self.revision.set(draft.revision);
        self.saved_code.set(draft.code);
        self.rules.set(draft.lines);
        self.rejection.set(None);
        if was_new {
            // The empty form cannot be saved.
            self.history().clear();
        }
        if is_newest {
            self.mark_saved();
        }
        self.state.set(if is_newest { State::Saved(draft.at) } else { State::Edited });
    }
}

fn increment(count: StoredValue<u32>) {
    count.update_value(|count| *count = count.wrapping_add(1));
}

/// The action of the save button.
pub(super) const SAVE: &str = "save";
