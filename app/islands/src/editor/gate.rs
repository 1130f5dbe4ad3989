//! The gate of a rule: its lines, and the buttons that add and remove lines.

use super::{
    editor_state::RuleEditorState,
    part::{FieldErrorText, Invalid, invalid},
};
use crate::{
    editor::{
        view::{
            condition::TICKED,
            gate::{GROUPS, GateChange, GateLine, TESTS, paths},
            scalar::{KINDS, TRUTHS},
        },
        words,
    },
    prelude::*,
};

#[component]
pub(super) fn GateView(editor: RuleEditorState) -> impl IntoView {
    // A new counter value gives the lines new elements, so that their fields show the line's values and not
    // the text typed at the same index.
    let lines = move || {
        let (count, lines) = editor.gate.get();
        let paths = paths(&lines);
        let lines = lines.into_iter().zip(paths).enumerate();
        lines.map(|(index, (line, path))| (count, index, line, path)).collect::<Vec<_>>()
    };
    let empty = move || {
        editor.gate.with(|(_, lines)| lines.is_empty()).then(|| {
            view! { <p class="text-muted text-xs">"Applies to every decision. Add a gate to limit it."</p> }
        })
    };
    view! {
        <fieldset class="bare stack gate" id="f-when">
            <legend class="font-semibold">{words::WHEN}</legend>
            {empty}
            <For each=lines key=|(count, index, ..)| (*count, *index) let((_, index, line, path))>
                {line_view(editor, index, line, &path)}
            </For>
            <div class="row" id="gate-more">
                {button(GateChange::AddCondition(None), words::GATE_CONDITION)}
                {button(GateChange::AddGroup(None), words::GATE_GROUP)}
            </div>
            <p class="text-xs text-muted">
                "Values are compared by kind: the text \"5\" is not the number 5."
            </p>
        </fieldset>
    }
}

fn button(change: GateChange, text: &'static str) -> AnyView {
    any_view! {
        <button class="small" name="place[act]" value=change.word()>
            {text}
        </button>
    }
}

fn line_view(editor: RuleEditorState, index: usize, line: GateLine, path: &str) -> AnyView {
    let name = move |member: &str| format!("rule[gate][{index}][{member}]");
    let is_group = line.is_group();
    let class = format!("gate-line depth-{}", line.depth.min(8));
    let tests: &'static [(&'static str, &'static str)] = if is_group { &GROUPS } else { &TESTS };
    let label = words::gate_line(index);
    let below = |members: &[&str]| -> Vec<_> {
        members.iter().map(|member| format!("{path}/{member}")).collect()
    };
    let paths = |members: &[&str]| [vec![path.to_owned()], below(members)].concat();
    // Each error of a condition marks the field that it concerns.
    let (of_test, of_field) = if is_group {
        (invalid(editor, paths(&["all", "any"]), true), Signal::stored(None))
    } else {
        (Signal::stored(None), invalid(editor, paths(&["field"]), true))
    };
    let of_values = invalid(editor, below(&["equals", "in", "exists"]), false);
    let paths = if is_group { paths(&["all", "any"]) } else { paths(&[]) };
    let stated = line
        .stated
        .is_some()
        .then(|| view! { <input type="hidden" name=name("stated") value=TICKED /> });
    let depth = line.depth;
    let test = select(name("test"), words::TEST, tests, &line.test, of_test);
    let field = (!is_group).then(|| {
        view! {
            <input
                name=name("field")
                value=line.field.clone()
                aria-label=words::GATE_FIELD
                aria-invalid=of_field
                placeholder=words::GATE_FIELD
                autocomplete="off"
                spellcheck="false"
            />
        }
    });
    let values = (!is_group).then(|| values(index, line, of_values));
    let more = is_group.then(|| {
        view! {
            {button(GateChange::AddCondition(Some(index)), words::GATE_CONDITION)}
            {button(GateChange::AddGroup(Some(index)), words::GATE_GROUP)}
        }
    });
    let gate_matches = editor.gate_matches();
    let mark = move || {
        let matches = gate_matches.with(|lines| lines.get(index).copied().flatten())?;
        let (class, drawing, text) = if matches {
            ("gate-mark allow", Icon::Tick, "Matches the sample")
        } else {
            ("gate-mark na", Icon::Dash, "Does not match the sample")
        };
        Some(view! {
            <span class=class title=text>
                {icon(drawing)}
                <span class="sr-only">{text}</span>
            </span>
        })
    };
    any_view! {
        <div class=class role="group" aria-label=label id=format!("gate-{index}")>
            <input type="hidden" name=name("depth") value=depth />
            {stated}
            {field}
            {test}
            {values}
            {more}
            {mark}
            {button(GateChange::Remove(index), "Remove")}
            <FieldErrorText editor paths exact=is_group id=format!("gate-{index}-error") />
        </div>
    }
}

/// The fields for the values of a condition. The style sheet shows those that the test needs.
fn values(index: usize, line: GateLine, invalid: Invalid) -> AnyView {
    let name = move |member: &str| format!("rule[gate][{index}][{member}]");
    any_view! {
        <span class="gate-values">
            {select(name("kind"), words::VALUE_KIND, &KINDS, &line.kind, invalid)}
            <input
                class="gate-one"
                name=name("value")
                value=line.value
                aria-label=words::VALUE
                aria-invalid=invalid
                placeholder=words::VALUE
                autocomplete="off"
                spellcheck="false"
            />
            <span class="gate-truth">
                {select(name("truth"), words::TRUTH, &TRUTHS, &line.truth, invalid)}
            </span>
            <textarea
                class="gate-many"
                name=name("values")
                rows="3"
                aria-label=words::GATE_VALUES
                aria-invalid=invalid
                placeholder=words::GATE_VALUES
                spellcheck="false"
            >
                {between_tags(line.values)}
            </textarea> <label class="checkbox gate-exact">
                <input
                    type="checkbox"
                    name=name("exact")
                    value=TICKED
                    checked=line.exact.is_some()
                />
                <span>"Case-sensitive"</span>
            </label>
        </span>
    }
}

fn select(
    name: String,
    label: &'static str,
    choices: &'static [(&'static str, &'static str)],
    value: &str,
    invalid: Invalid,
) -> AnyView {
    any_view! {
        <select name=name aria-label=label aria-invalid=invalid>
            {options(choices.iter().copied(), value)}
        </select>
    }
}
