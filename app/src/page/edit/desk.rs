//! The open rule while scripts run: what was typed is tried at once and saved after a pause, always
//! on the revision that was last read. The fields themselves hold the text; nothing mirrors them.

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
            Bench, EditorPage, InDraft, Place, Saved, Unsaved,
            gate::{GateChange, GateLine},
        },
        tried::Found,
        version::RuleLine,
    },
};

/// How long a pause in typing is, before the rules are tried, and before they are saved.
const TRY_PAUSE: Duration = Duration::from_millis(250);
const SAVE_PAUSE: Duration = Duration::from_secs(2);

/// How saving stands.
#[derive(Clone, Debug)]
pub(super) enum State {
    /// Nothing was typed.
    Read,
    /// Something was typed that is not saved.
    Typed,
    /// On its way.
    Saving,
    /// In the draft.
    Saved(Timestamp),
    /// Not in the draft; why stands beside the fields.
    Unsaved,
    /// The service did not take it.
    Failed(Problem),
}

/// A gate's lines, and how often their number has changed: lines of another count are new ones.
type Lines = (u32, Vec<GateLine>);

/// The open rule.
#[derive(Clone, Copy)]
pub(super) struct Desk {
    /// Its form.
    pub(super) form: NodeRef<html::Form>,
    /// Where it stands, as the page was read.
    pub(super) place: StoredValue<Place>,
    /// The revision that was last read.
    pub(super) revision: RwSignal<u32>,
    /// Its code in the draft; empty while it is not there.
    pub(super) was: RwSignal<String>,
    /// All rules of the draft.
    pub(super) lines: RwSignal<Vec<RuleLine>>,
    /// The lines of its gate.
    pub(super) gate: RwSignal<Lines>,
    /// Why it is not in the draft.
    pub(super) unsaved: RwSignal<Option<Unsaved>>,
    /// How saving stands.
    pub(super) state: RwSignal<State>,
    /// What the draft decides on the sample.
    pub(super) found: RwSignal<Option<Result<Found, Problem>>>,
    /// The rule in words.
    pub(super) sentence: RwSignal<Option<Sentence>>,
    /// Whether a trial is on its way.
    pub(super) working: RwSignal<bool>,
    /// The type of the rule, as the page was read.
    kind: StoredValue<Option<RuleType>>,
    /// Leads to another page.
    go: Callback<String>,
    /// How often something was typed.
    typed: StoredValue<u32>,
    /// How far a save is.
    progress: StoredValue<Progress>,
}

/// How far a save is.
#[derive(Debug, Default)]
struct Progress {
    /// Whether one is on its way.
    is_saving: bool,
    /// The act that was pressed meanwhile.
    next: Option<String>,
    /// The page to go to once everything is saved.
    leave: Option<String>,
}

impl Desk {
    pub(super) fn new(page: &EditorPage, bench: &Bench) -> Self {
        let trial = bench.tried.clone();
        let sentence = trial.as_ref().and_then(|trial| trial.sentence.clone());
        let navigate = use_navigate();
        let state = if bench.unsaved.is_some() { State::Unsaved } else { State::Read };
        Self {
            form: NodeRef::new(),
            place: StoredValue::new(page.place.clone()),
            revision: RwSignal::new(page.place.revision),
            was: RwSignal::new(page.place.was.clone()),
            lines: RwSignal::new(page.lines.clone()),
            gate: RwSignal::new((0, bench.form.gate.clone())),
            unsaved: RwSignal::new(bench.unsaved.clone()),
            state: RwSignal::new(state),
            found: RwSignal::new(trial.and_then(|trial| trial.found).map(Ok)),
            sentence: RwSignal::new(sentence),
            working: RwSignal::new(false),
            kind: StoredValue::new(bench.form.rule_type.parse().ok()),
            go: Callback::new(move |href: String| navigate(&href, NavigateOptions::default())),
            typed: StoredValue::new(0),
            progress: StoredValue::new(Progress::default()),
        }
    }

    /// The type that is chosen now.
    pub(super) fn rule_type(self) -> Option<RuleType> {
        match self.form.get_untracked() {
            Some(_) => self.read()?.rule.rule_type.parse().ok(),
            None => self.kind.get_value(),
        }
    }

    /// What the fields hold now, on the revision that was last read: its own field follows later.
    fn read(self) -> Option<SaveRule> {
        let form = self.form.get_untracked()?;
        let data = web_sys::FormData::new_with_form(&form).ok()?;
        let mut sent = SaveRule::from_form_data(&data).ok()?;
        sent.place.revision = self.revision.get_untracked();
        sent.place.was = self.was.get_untracked();
        Some(sent)
    }

    /// Takes up what was typed before the page woke: it caused no event that anybody heard.
    pub(super) fn wake(self) {
        Effect::new(move || {
            if self.form.get().is_some_and(|form| is_typed_into(&form)) {
                self.touched();
            }
        });
    }

    /// Something was typed into the rule.
    pub(super) fn touched(self) {
        self.state.set(State::Typed);
        let mine = self.count();
        self.after(TRY_PAUSE, mine, Self::try_now);
        self.after(SAVE_PAUSE, mine, Self::save_soon);
    }

    /// Something was typed into the sample. What was typed into the rule before is still to be saved.
    pub(super) fn sampled(self) {
        let mine = self.count();
        self.after(TRY_PAUSE, mine, Self::try_now);
        self.after(SAVE_PAUSE, mine, Self::save_soon);
    }

    fn count(self) -> u32 {
        let mine = self.typed.get_value().wrapping_add(1);
        self.typed.set_value(mine);
        mine
    }

    /// Does `act` after `pause`, unless something newer was typed by then.
    fn after(self, pause: Duration, mine: u32, act: fn(Self)) {
        let newest = move || self.typed.try_get_value() == Some(mine);
        set_timeout(
            move || {
                if newest() {
                    act(self);
                }
            },
            pause,
        );
    }

    /// Whether something that was typed is not in the draft.
    pub(super) fn is_unsaved(self) -> bool {
        !matches!(self.state.get_untracked(), State::Read | State::Saved(_))
    }

    /// Tries the rules on the sample.
    pub(super) fn try_now(self) {
        let Some(sent) = self.read() else { return };
        let mine = self.typed.get_value();
        self.working.set(true);
        spawn_local(async move {
            let answer = try_draft(sent.place, sent.rule, sent.sample).await;
            if self.typed.try_get_value() != Some(mine) {
                return;
            }
            self.working.set(false);
            match answer {
                Ok(trial) => {
                    self.forgive(&trial.faults);
                    if trial.sentence.is_some() {
                        self.sentence.set(trial.sentence);
                    }
                    self.found.set(trial.found.map(Ok));
                }
                Err(problem) => self.found.set(Some(Err(problem))),
            }
        });
    }

    /// Takes away what was told and holds no more. What is new is told when the rule is saved.
    fn forgive(self, now: &[FieldError]) {
        if let Some(Unsaved::Faults(told)) = self.unsaved.get_untracked() {
            let still: Vec<_> = told.iter().filter(|fault| now.contains(fault)).cloned().collect();
            if still.len() < told.len() {
                let left = (!still.is_empty()).then_some(Unsaved::Faults(still));
                self.unsaved.set(left);
            }
        }
    }

    /// Does what a pressed button says.
    pub(super) fn press(self, act: &str) {
        if let Some(change) = GateChange::of(act) {
            self.change(change);
        } else if act == "run" {
            self.try_now();
        } else {
            self.count();
            self.save(if act.is_empty() { SAVE } else { act });
        }
    }

    /// Saves what was typed and then goes on to `href`.
    pub(super) fn save_and_leave(self, href: String) {
        self.progress.update_value(|progress| progress.leave = Some(href));
        self.save(SAVE);
    }

    /// Changes the lines of the gate, and puts the focus where the change was made.
    fn change(self, change: GateChange) {
        let Some(sent) = self.read() else { return };
        let mut lines = sent.rule.gate;
        let place = change.apply(&mut lines);
        self.gate.update(|(count, shown)| {
            *count = count.wrapping_add(1);
            *shown = lines;
        });
        request_animation_frame(move || {
            let line = document().get_element_by_id(&format!("gate-{place}"));
            let found = line.or_else(|| document().get_element_by_id("gate-more"));
            let field = found.and_then(|line| {
                line.query_selector("input:not([type=hidden]), select, button").ok()?
            });
            if let Some(field) =
                field.and_then(|field| field.dyn_into::<web_sys::HtmlElement>().ok())
            {
                let _ = field.focus();
            }
        });
        self.touched();
    }

    /// Saves what was typed, unless leaving a field has done so.
    fn save_soon(self) {
        if self.is_unsaved() {
            self.save("");
        }
    }

    /// Saves what was typed. Without an act nobody has pressed anything: then a draft that has moved
    /// on is left alone, and what is missing from a new rule is not held against it yet.
    pub(super) fn save(self, act: &str) {
        if self.progress.with_value(|progress| progress.is_saving) {
            let next = Some(act.to_owned());
            return self.progress.update_value(|progress| progress.next = next);
        }
        let moved = match self.unsaved.get_untracked() {
            Some(Unsaved::Moved(moved)) if act.is_empty() => return drop(moved),
            Some(Unsaved::Moved(moved)) => Some(moved.revision),
            _ => None,
        };
        let Some(mut sent) = self.read() else { return };
        sent.place.revision = moved.unwrap_or(sent.place.revision);
        act.clone_into(&mut sent.place.act);
        let (mine, act) = (self.typed.get_value(), act.to_owned());
        self.progress.update_value(|progress| progress.is_saving = true);
        self.state.set(State::Saving);
        spawn_local(async move {
            let is_new = sent.place.was.is_empty();
            let answer = Box::pin(save_rule(sent.place, sent.rule, sent.sample)).await;
            let Some(typed) = self.typed.try_get_value() else { return };
            self.progress.update_value(|progress| progress.is_saving = false);
            let is_newest = typed == mine;
            match answer {
                Ok(Saved::Kept(draft)) => {
                    self.keep(draft, is_newest, &act);
                    let leave = self.progress.with_value(|progress| progress.leave.clone());
                    if let Some(href) = leave.filter(|_| is_newest) {
                        return self.go.run(href);
                    }
                }
                Ok(Saved::Not(why)) => {
                    let is_early = act.is_empty() && is_new && matches!(why, Unsaved::Faults(_));
                    self.state.set(State::Unsaved);
                    self.stay();
                    if !is_early {
                        self.unsaved.set(Some(why));
                    }
                }
                Err(problem) => {
                    self.stay();
                    self.state.set(State::Failed(problem));
                }
            }
            let next = self.progress.try_update_value(|progress| progress.next.take());
            if let Some(act) = next.flatten() {
                self.save(&act);
            } else if !is_newest {
                self.after(SAVE_PAUSE, typed, Self::save_soon);
            }
        });
    }

    /// Stays on the page, whatever was to come after saving.
    fn stay(self) {
        self.progress.update_value(|progress| progress.leave = None);
    }

    /// The rule is in the draft.
    fn keep(self, draft: InDraft, is_newest: bool, act: &str) {
        let place = self.place.get_value();
        if act == "remove" {
            // An address that was never there before, so that the page is read again.
            let number = draft.revision.to_string();
            let page = url::with_query(&place.page(), &[("n", &number)]);
            self.progress.update_value(|progress| progress.leave = Some(page));
        } else if let Ok(history) = window().history() {
            let address = place.rule(&draft.code);
            let nothing = leptos::wasm_bindgen::JsValue::NULL;
            let _ = history.replace_state_with_url(&nothing, "", Some(&address));
        }
        self.revision.set(draft.revision);
        self.was.set(draft.code);
        self.lines.set(draft.lines);
        self.unsaved.set(None);
        self.state.set(if is_newest { State::Saved(draft.at) } else { State::Typed });
    }
}

/// The act of the button that saves.
pub(super) const SAVE: &str = "save";

/// Whether a form holds something else than it was served with. The sample, which is not the rule's,
/// does not count.
fn is_typed_into(form: &web_sys::HtmlFormElement) -> bool {
    let Ok(served) = form.clone_node_with_deep(true) else { return false };
    let Ok(served) = served.dyn_into::<web_sys::HtmlFormElement>() else { return false };
    served.reset();
    sent(form) != sent(&served)
}

/// What a form would send.
fn sent(form: &web_sys::HtmlFormElement) -> Option<String> {
    let data = web_sys::FormData::new_with_form(form).ok()?;
    data.delete("sample");
    let fields = web_sys::UrlSearchParams::new_with_str_sequence_sequence(&data).ok()?;
    fields.to_string().as_string()
}
