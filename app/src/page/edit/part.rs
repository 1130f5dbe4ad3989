//! The parts of a condition as fields, after the table of rule types.

use contract::rule::RuleType;
use leptos::prelude::*;

use super::desk::Desk;
use crate::{
    text::{
        between_tags,
        rule::{DATE_TESTS, Input, Part},
        words,
    },
    ui::quoted::quoted,
    view::editor::{
        Unsaved, beside,
        condition::{FIELD, Fields, TICKED, length_rows, members},
        scalar::KINDS,
    },
};

/// What is wrong with a field, under it. `exact` leaves out what is wrong with something in it.
#[component]
pub(super) fn FaultText(
    desk: Desk,
    paths: Vec<String>,
    #[prop(optional)] exact: bool,
    #[prop(into)] id: String,
) -> impl IntoView {
    let told = move || {
        let unsaved = desk.unsaved.read();
        let Some(Unsaved::Faults(faults)) = &*unsaved else { return Vec::new() };
        let faults = beside(faults, &paths).filter(|fault| !exact || paths.contains(&fault.path));
        faults.map(|fault| fault.message.clone()).collect()
    };
    let line = |message: String| {
        view! {
            <span>
                <bdi>{quoted(&words::sentence(&message))}</bdi>
            </span>
        }
    };
    view! { <p id=id class="fault">{move || told().into_iter().map(line).collect_view()}</p> }
}

/// The names of a part's controls.
#[derive(Clone, Copy)]
struct Names {
    rule_type: RuleType,
    part: &'static Part,
}

impl Names {
    fn id(self, name: &str) -> String {
        format!("f-{}-{name}", self.rule_type)
    }

    fn sent(self, name: &str) -> String {
        format!("rule[of][{}][{name}]", self.rule_type)
    }

    fn fault(self) -> String {
        format!("{}-fault", self.id(self.part.name))
    }

    fn hint(self) -> String {
        format!("{}-hint", self.id(self.part.name))
    }

    fn label(self) -> String {
        format!("{}-label", self.id(self.part.name))
    }

    /// What describes a control: its hint and its faults.
    fn described(self) -> String {
        format!("{} {}", self.hint(), self.fault())
    }
}

/// A part with its label, its hint, and what is wrong with it.
pub(super) fn part_view(
    desk: Desk,
    rule_type: RuleType,
    part: &'static Part,
    fields: &Fields,
) -> AnyView {
    let names = Names { rule_type, part };
    let paths = members(part).iter().map(|member| format!("/condition/{member}")).collect();
    let control = control(names, fields);
    let faults = view! { <FaultText desk paths id=names.fault()/> };
    match part.input {
        Input::Tick(_) => view! { <div class="field">{control} {faults}</div> }.into_any(),
        Input::Name | Input::Names | Input::Number | Input::Word(_) => view! {
            <div class="field">
                <label for=names.id(part.name)>{part.label}</label>
                {control}
                <small id=names.hint() class="text-muted">
                    {part.hint}
                </small>
                {faults}
            </div>
        }
        .into_any(),
        _ => view! {
            <div class="field" id=names.id(part.name) role="group" aria-labelledby=names.label()>
                <span id=names.label()>{part.label}</span>
                {control}
                <small id=names.hint() class="text-muted">
                    {part.hint}
                </small>
                {faults}
            </div>
        }
        .into_any(),
    }
}

/// The label of a control that shares its part with others; a control alone has one beside it.
fn said(name: &str) -> Option<&'static str> {
    match name {
        "kind" | "against" => Some(words::editor::VALUE_KIND),
        "which" | "test" => Some(words::editor::TEST),
        "text" | "lines" | "limit" | "right" => Some(words::editor::VALUE),
        _ => None,
    }
}

/// What a person types into.
fn control(names: Names, fields: &Fields) -> AnyView {
    let part = names.part;
    let text = |name: &str| fields.get(name).cloned().unwrap_or_default();
    match part.input {
        Input::Tick(_) => tick(names, fields).into_any(),
        Input::Name => line(names, part.name, &text(part.name), "text").into_any(),
        Input::Number => line(names, part.name, &text(part.name), "decimal").into_any(),
        Input::Names => area(names, part.name, &text(part.name)).into_any(),
        Input::Word(words) => choice(names, part.name, words, &text(part.name)).into_any(),
        Input::Text(members) => view! {
            <div class="several">
                {choice(names, "which", members, &text("which"))}
                {line(names, "text", &text("text"), "text")}
            </div>
        }
        .into_any(),
        Input::Values(members) => view! {
            <div class="several">
                {choice(names, "which", members, &text("which"))}
                {choice(names, "kind", &KINDS, &text("kind"))}
            </div>
            {area(names, "lines", &text("lines"))}
        }
        .into_any(),
        Input::Date => view! {
            <div class="several">
                {choice(names, "test", &DATE_TESTS, &text("test"))}
                {line(names, "limit", &text("limit"), "text")}
            </div>
        }
        .into_any(),
        Input::Against => view! {
            <div class="several">
                {choice(names, "against", &AGAINST, &text("against"))}
                {line(names, "right", &text("right"), "text")}
            </div>
        }
        .into_any(),
        Input::Lengths => lengths(names, fields).into_any(),
    }
}

/// What a value can be compared with.
const AGAINST: [(&str, &str); 5] =
    [(FIELD, words::editor::AGAINST_FIELD), KINDS[0], KINDS[1], KINDS[2], KINDS[3]];

/// A box with its words; a member that is written out without need is written out again.
fn tick(names: Names, fields: &Fields) -> impl IntoView + use<> {
    let name = names.part.name;
    let stated = Some(format!("{name}_stated")).filter(|stated| fields.contains_key(stated));
    let stated = stated.map(|stated| {
        view! { <input type="hidden" name=names.sent(&stated) value=TICKED/> }
    });
    view! {
        <label class="tick">
            <input
                type="checkbox"
                id=names.id(name)
                name=names.sent(name)
                value=TICKED
                checked=fields.contains_key(name)
            />
            <span>{names.part.label}</span>
        </label>
        {stated}
    }
}

fn line(names: Names, name: &str, value: &str, mode: &'static str) -> impl IntoView + use<> {
    view! {
        <input
            id=names.id(name)
            name=names.sent(name)
            value=value.to_owned()
            inputmode=mode
            aria-label=said(name)
            aria-describedby=names.described()
            autocomplete="off"
            spellcheck="false"
        />
    }
}

fn area(names: Names, name: &str, value: &str) -> impl IntoView + use<> {
    let rows = value.lines().count().clamp(2, 12) + 1;
    view! {
        <textarea
            id=names.id(name)
            name=names.sent(name)
            rows=rows
            aria-label=said(name)
            aria-describedby=names.described()
            spellcheck="false"
        >
            {between_tags(value)}
        </textarea>
    }
}

fn choice(
    names: Names,
    name: &str,
    choices: &'static [(&'static str, &'static str)],
    value: &str,
) -> impl IntoView + use<> {
    let option = |(choice, word): &(&'static str, &'static str)| {
        view! { <option value=*choice selected=*choice == value>{*word}</option> }
    };
    let options = choices.iter().map(option).collect_view();
    view! {
        <select
            id=names.id(name)
            name=names.sent(name)
            aria-label=said(name)
            aria-describedby=names.fault()
        >
            {options}
        </select>
    }
}

fn lengths(names: Names, fields: &Fields) -> impl IntoView + use<> {
    let text = |name: String| fields.get(&name).cloned().unwrap_or_default();
    let row = |row: usize| {
        let (field, least) = (format!("field{row}"), format!("least{row}"));
        view! {
            <div class="several">
                <input
                    name=names.sent(&field)
                    value=text(field)
                    aria-label=words::editor::LENGTH_FIELD
                    placeholder=words::editor::LENGTH_FIELD
                    autocomplete="off"
                    spellcheck="false"
                />
                <input
                    name=names.sent(&least)
                    value=text(least)
                    inputmode="numeric"
                    aria-label=words::editor::LENGTH_LEAST
                    placeholder=words::editor::LENGTH_LEAST
                    autocomplete="off"
                />
            </div>
        }
    };
    (0..length_rows(fields)).map(row).collect_view()
}
