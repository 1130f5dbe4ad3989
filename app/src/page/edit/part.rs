//! The fields of a condition, built from the parts of its rule type.

use contract::rule::RuleType;
use leptos::prelude::*;

use super::editor_state::RuleEditorState;
use crate::{
    markup::inline_code::quoted,
    text::{
        between_tags, messages,
        rule::{DATE_TESTS, Input, Part},
    },
    ui::field::options,
    view::editor::{
        SaveRejection,
        condition::{FIELD, Fields, TICKED, length_rows, members},
        errors_under,
        scalar::KINDS,
    },
};

/// The errors of a field, shown under it. `exact` excludes errors of nested members.
#[component]
pub(super) fn FieldErrorText(
    editor: RuleEditorState,
    paths: Vec<String>,
    #[prop(optional)] exact: bool,
    #[prop(into)] id: String,
) -> impl IntoView {
    let error_texts = move || {
        let rejection = editor.rejection.read();
        let Some(SaveRejection::Faults(errors)) = &*rejection else { return Vec::new() };
        let errors =
            errors_under(errors, &paths).filter(|error| !exact || paths.contains(&error.path));
        errors.map(|error| error.message.clone()).collect()
    };
    let item = |message: String| {
        view! {
            <span>
                <bdi>{quoted(&messages::sentence(&message))}</bdi>
            </span>
        }
    };
    view! {
        <p id=id class="fault">
            {move || error_texts().into_iter().map(item).collect_view()}
        </p>
    }
}

#[derive(Clone, Copy)]
struct ControlNames {
    rule_type: RuleType,
    part: &'static Part,
}

impl ControlNames {
    fn id(self, name: &str) -> String {
        format!("f-{}-{name}", self.rule_type)
    }

    fn field_name(self, name: &str) -> String {
        format!("rule[of][{}][{name}]", self.rule_type)
    }

    fn error_id(self) -> String {
        format!("{}-fault", self.id(self.part.name))
    }

    fn hint_id(self) -> String {
        format!("{}-hint", self.id(self.part.name))
    }

    fn label_id(self) -> String {
        format!("{}-label", self.id(self.part.name))
    }

    fn described_by(self) -> String {
        format!("{} {}", self.hint_id(), self.error_id())
    }
}

/// Renders a part with its label, its hint and its errors.
pub(super) fn part_view(
    editor: RuleEditorState,
    rule_type: RuleType,
    part: &'static Part,
    fields: &Fields,
) -> AnyView {
    let names = ControlNames { rule_type, part };
    let paths = members(part).iter().map(|member| format!("/condition/{member}")).collect();
    let control = control(names, fields);
    let errors = view! { <FieldErrorText editor paths id=names.error_id() /> };
    match part.input {
        Input::Checkbox(_) => view! { <div class="field">{control} {errors}</div> }.into_any(),
        Input::Name | Input::Names | Input::Number | Input::Choice(_) => view! {
            <div class="field">
                <label for=names.id(part.name)>{part.label}</label>
                {control}
                <small id=names.hint_id() class="text-muted">
                    {part.hint}
                </small>
                {errors}
            </div>
        }
        .into_any(),
        _ => view! {
            <div class="field" id=names.id(part.name) role="group" aria-labelledby=names.label_id()>
                <span id=names.label_id()>{part.label}</span>
                {control}
                <small id=names.hint_id() class="text-muted">
                    {part.hint}
                </small>
                {errors}
            </div>
        }
        .into_any(),
    }
}

/// Returns the label of a control that shares its part with others; a single control has a visible label.
fn control_label(name: &str) -> Option<&'static str> {
    match name {
        "kind" | "against" => Some(messages::editor::VALUE_KIND),
        "which" | "test" => Some(messages::editor::TEST),
        "text" | "lines" | "limit" | "right" => Some(messages::editor::VALUE),
        _ => None,
    }
}

fn control(names: ControlNames, fields: &Fields) -> AnyView {
    let part = names.part;
    let text = |name: &str| fields.get(name).cloned().unwrap_or_default();
    match part.input {
        Input::Checkbox(_) => checkbox(names, fields).into_any(),
        Input::Name => text_input(names, part.name, &text(part.name), "text").into_any(),
        Input::Number => text_input(names, part.name, &text(part.name), "decimal").into_any(),
        Input::Names => text_area(names, part.name, &text(part.name)).into_any(),
        Input::Choice(choices) => choice(names, part.name, choices, &text(part.name)).into_any(),
        Input::Text(members) => view! {
            <div class="several">
                {choice(names, "which", members, &text("which"))}
                {text_input(names, "text", &text("text"), "text")}
            </div>
        }
        .into_any(),
        Input::Values(members) => view! {
            <div class="several">
                {choice(names, "which", members, &text("which"))}
                {choice(names, "kind", &KINDS, &text("kind"))}
            </div>
            {text_area(names, "lines", &text("lines"))}
        }
        .into_any(),
        Input::Date => view! {
            <div class="several">
                {choice(names, "test", &DATE_TESTS, &text("test"))}
                {text_input(names, "limit", &text("limit"), "text")}
            </div>
        }
        .into_any(),
        Input::Against => view! {
            <div class="several">
                {choice(names, "against", &AGAINST, &text("against"))}
                {text_input(names, "right", &text("right"), "text")}
            </div>
        }
        .into_any(),
        Input::Lengths => lengths(names, fields).into_any(),
    }
}

/// The kinds of value that a field can be compared with.
const AGAINST: [(&str, &str); 5] =
    [(FIELD, messages::editor::AGAINST_FIELD), KINDS[0], KINDS[1], KINDS[2], KINDS[3]];

/// Renders a checkbox with its label. A hidden field preserves a member that the rule states explicitly.
fn checkbox(names: ControlNames, fields: &Fields) -> impl IntoView + use<> {
    let name = names.part.name;
    let stated = Some(format!("{name}_stated")).filter(|stated| fields.contains_key(stated));
    let stated = stated.map(|stated| {
        view! { <input type="hidden" name=names.field_name(&stated) value=TICKED /> }
    });
    view! {
        <label class="checkbox">
            <input
                type="checkbox"
                id=names.id(name)
                name=names.field_name(name)
                value=TICKED
                checked=fields.contains_key(name)
            />
            <span>{names.part.label}</span>
        </label>
        {stated}
    }
}

fn text_input(
    names: ControlNames,
    name: &str,
    value: &str,
    mode: &'static str,
) -> impl IntoView + use<> {
    view! {
        <input
            id=names.id(name)
            name=names.field_name(name)
            value=value.to_owned()
            inputmode=mode
            aria-label=control_label(name)
            aria-describedby=names.described_by()
            autocomplete="off"
            spellcheck="false"
        />
    }
}

fn text_area(names: ControlNames, name: &str, value: &str) -> impl IntoView + use<> {
    let rows = value.lines().count().clamp(2, 12) + 1;
    view! {
        <textarea
            id=names.id(name)
            name=names.field_name(name)
            rows=rows
            aria-label=control_label(name)
            aria-describedby=names.described_by()
            spellcheck="false"
        >
            {between_tags(value)}
        </textarea>
    }
}

fn choice(
    names: ControlNames,
    name: &str,
    choices: &'static [(&'static str, &'static str)],
    value: &str,
) -> impl IntoView + use<> {
    view! {
        <select
            id=names.id(name)
            name=names.field_name(name)
            aria-label=control_label(name)
            aria-describedby=names.error_id()
        >
            {options(choices.iter().copied(), value)}
        </select>
    }
}

fn lengths(names: ControlNames, fields: &Fields) -> impl IntoView + use<> {
    let text = |name: String| fields.get(&name).cloned().unwrap_or_default();
    let row = |row: usize| {
        let (field, min) = (format!("field{row}"), format!("least{row}"));
        view! {
            <div class="several">
                <input
                    name=names.field_name(&field)
                    value=text(field)
                    aria-label=messages::editor::LENGTH_FIELD
                    placeholder=messages::editor::LENGTH_FIELD
                    autocomplete="off"
                    spellcheck="false"
                />
                <input
                    name=names.field_name(&min)
                    value=text(min)
                    inputmode="numeric"
                    aria-label=messages::editor::LENGTH_MIN
                    placeholder=messages::editor::LENGTH_MIN
                    autocomplete="off"
                />
            </div>
        }
    };
    (0..length_rows(fields)).map(row).collect_view()
}
