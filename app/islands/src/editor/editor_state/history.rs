//! Undo of the changes of the open rule: the input before each change, which a save does not discard.

use web_sys::{
    FormData, HtmlFormElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement,
    UrlSearchParams,
};

use super::{RuleEditorState, State};
use crate::{editor::view::gate::GateLine, prelude::*};

/// The number of changes that can be undone.
const CHANGES_MAX: usize = 50;

/// The fields of the rule. Those of the gate get new elements.
const FIELDS: &str = "[name^='rule[']:not([name^='rule[gate]'], [type=hidden])";

/// The input of the form: the encoded fields, and the lines of the gate.
#[derive(Clone, Debug, PartialEq)]
struct Input {
    fields: String,
    gate: Vec<GateLine>,
}

/// The earlier inputs of the open rule, newest last.
#[derive(Clone, Copy)]
pub(super) struct History {
    earlier: RwSignal<Vec<Input>>,
    /// The input as it was last saved or restored.
    base: StoredValue<Option<Input>>,
}

impl Default for History {
    fn default() -> Self {
        Self { earlier: RwSignal::new(Vec::new()), base: StoredValue::new(None) }
    }
}

impl History {
    pub(super) fn clear(self) {
        self.earlier.set(Vec::new());
    }
}

impl RuleEditorState {
    fn input(self) -> Option<Input> {
        let fields = form_data(&self.form.get_untracked()?)?;
        Some(Input { fields, gate: self.read()?.rule.gate })
    }

    /// Makes the current input the one that the next change starts from.
    pub(super) fn mark_saved(self) {
        self.history().base.set_value(self.input());
    }

    /// Stores the input before a change, unless an earlier change of the same input has stored it.
    pub(super) fn remember(self) {
        let Some(base) = self.history().base.get_value() else { return };
        self.history().earlier.update(|all| {
            if all.last() != Some(&base) {
                all.push(base);
            }
            if all.len() > CHANGES_MAX {
                all.remove(0);
            }
        });
    }

    pub(in crate::editor) fn can_undo(self) -> bool {
        self.history().earlier.with(|all| !all.is_empty())
    }

    /// Restores the input before the last change, and saves it as any other change.
    pub(in crate::editor) fn undo(self) {
        let Some(input) = self.history().earlier.try_update(Vec::pop).flatten() else { return };
        self.restore(&input);
        self.history().base.set_value(Some(input));
        self.state.set(State::Edited);
        self.on_edit();
    }

    fn restore(self, input: &Input) {
        let Some(form) = self.form.get_untracked() else { return };
        let Ok(values) = UrlSearchParams::new_with_str(&input.fields) else { return };
        self.gate_matches().set(Vec::new());
        self.gate.update(|(count, lines)| {
            *count = count.wrapping_add(1);
            lines.clone_from(&input.gate);
        });
        let Ok(fields) = form.query_selector_all(FIELDS) else { return };
        for field in (0..fields.length()).filter_map(|index| fields.item(index)) {
            if let Some(field) = field.dyn_ref::<HtmlInputElement>() {
                let value = values.get(&field.name());
                if field.type_() == "checkbox" {
                    field.set_checked(value.is_some());
                } else {
                    field.set_value(&value.unwrap_or_default());
                }
            } else if let Some(field) = field.dyn_ref::<HtmlSelectElement>() {
                field.set_value(&values.get(&field.name()).unwrap_or_default());
            } else if let Some(field) = field.dyn_ref::<HtmlTextAreaElement>() {
                field.set_value(&values.get(&field.name()).unwrap_or_default());
            }
        }
    }
}

/// Returns whether the form differs from the server-rendered one, apart from the sample.
pub(super) fn is_dirty(form: &HtmlFormElement) -> bool {
    let Ok(original) = form.clone_node_with_deep(true) else { return false };
    let Ok(original) = original.dyn_into::<HtmlFormElement>() else { return false };
    original.reset();
    form_data(form) != form_data(&original)
}

/// The fields that are not part of the rule.
const NO_INPUT: [&str; 5] = ["sample", "place[from]", "place[to]", "place[revision]", "place[was]"];

/// Returns the encoded input of the form, without the sample.
fn form_data(form: &HtmlFormElement) -> Option<String> {
    let data = FormData::new_with_form(form).ok()?;
    for name in NO_INPUT {
        data.delete(name);
    }
    let fields = UrlSearchParams::new_with_str_sequence_sequence(&data).ok()?;
    fields.to_string().as_string()
}
