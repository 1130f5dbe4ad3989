//! The gate of a rule: its lines, and the buttons that add and remove some.

use leptos::prelude::*;

use super::{desk::Desk, part::FaultText};
use crate::{
    text::{between_tags, words},
    view::editor::{
        condition::TICKED,
        gate::{GROUPS, GateChange, GateLine, TESTS, paths},
        scalar::KINDS,
    },
};

#[component]
pub(super) fn GateView(desk: Desk) -> impl IntoView {
    // A line of another count is a new one: its fields start from what it says, not from what was
    // typed where it now stands.
    let lines = move || {
        let (count, lines) = desk.gate.get();
        let paths = paths(&lines);
        let lines = lines.into_iter().zip(paths).enumerate();
        lines.map(|(place, (line, path))| (count, place, line, path)).collect::<Vec<_>>()
    };
    let empty = move || {
        desk.gate.with(|(_, lines)| lines.is_empty()).then(|| {
            view! { <p class="text-muted text-xs">{words::editor::ALWAYS}</p> }
        })
    };
    view! {
        <fieldset class="bare stack gate" id="f-when">
            <legend class="font-semibold">{words::editor::WHEN}</legend>
            {empty}
            <For each=lines key=|(count, place, ..)| (*count, *place) let((_, place, line, path))>
                <Line desk place line path/>
            </For>
            <div class="row" id="gate-more">
                {button(GateChange::AddCondition(None), words::editor::GATE_CONDITION)}
                {button(GateChange::AddGroup(None), words::editor::GATE_GROUP)}
            </div>
            <p class="text-xs text-muted">{words::editor::NEVER_COERCED}</p>
        </fieldset>
    }
}

fn button(change: GateChange, word: &'static str) -> impl IntoView {
    view! { <button class="small" name="place[act]" value=change.word()>{word}</button> }
}

#[component]
fn Line(desk: Desk, place: usize, line: GateLine, path: String) -> impl IntoView {
    let name = move |member: &str| format!("rule[gate][{place}][{member}]");
    let is_group = line.is_group();
    let class = format!("gate-line depth-{}", line.depth.min(8));
    let tests: &'static [(&'static str, &'static str)] = if is_group { &GROUPS } else { &TESTS };
    let label = words::editor::gate_line(place);
    let paths = if is_group {
        vec![path.clone(), format!("{path}/all"), format!("{path}/any")]
    } else {
        vec![path]
    };
    let stated = line.stated.clone();
    let stated = stated.map(|_| view! { <input type="hidden" name=name("stated") value=TICKED/> });
    let depth = line.depth;
    let test = select(name("test"), words::editor::TEST, tests, &line.test);
    let field = (!is_group).then(|| {
        view! {
            <input
                name=name("field")
                value=line.field.clone()
                aria-label=words::editor::GATE_FIELD
                placeholder=words::editor::GATE_FIELD
                autocomplete="off"
                spellcheck="false"
            />
        }
    });
    let values = (!is_group).then(|| view! { <Values place line/> });
    let more = is_group.then(|| {
        view! {
            {button(GateChange::AddCondition(Some(place)), words::editor::GATE_CONDITION)}
            {button(GateChange::AddGroup(Some(place)), words::editor::GATE_GROUP)}
        }
    });
    view! {
        <div class=class role="group" aria-label=label id=format!("gate-{place}")>
            <input type="hidden" name=name("depth") value=depth/>
            {stated}
            {field}
            {test}
            {values}
            {more}
            {button(GateChange::Remove(place), words::editor::GATE_REMOVE)}
            <FaultText desk paths exact=is_group id=format!("gate-{place}-fault")/>
        </div>
    }
}

/// The value or values of a condition; the style sheet shows what its test asks for.
#[component]
fn Values(place: usize, line: GateLine) -> impl IntoView {
    let name = move |member: &str| format!("rule[gate][{place}][{member}]");
    view! {
        <span class="gate-values">
            {select(name("kind"), words::editor::VALUE_KIND, &KINDS, &line.kind)}
            <input
                class="gate-one"
                name=name("value")
                value=line.value
                aria-label=words::editor::VALUE
                placeholder=words::editor::VALUE
                autocomplete="off"
                spellcheck="false"
            />
            <textarea
                class="gate-many"
                name=name("values")
                rows="3"
                aria-label=words::editor::GATE_VALUES
                placeholder=words::editor::GATE_VALUES
                spellcheck="false"
            >
                {between_tags(line.values)}
            </textarea>
            <label class="tick">
                <input type="checkbox" name=name("exact") value=TICKED checked=line.exact.is_some()/>
                <span>{words::editor::GATE_EXACT}</span>
            </label>
        </span>
    }
}

fn select(
    name: String,
    label: &'static str,
    choices: &'static [(&'static str, &'static str)],
    value: &str,
) -> impl IntoView + use<> {
    let option = |(choice, word): &(&'static str, &'static str)| {
        view! { <option value=*choice selected=*choice == value>{*word}</option> }
    };
    let options = choices.iter().map(option).collect_view();
    view! {
        <select name=name aria-label=label>
            {options}
        </select>
    }
}
