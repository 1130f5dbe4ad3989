//! The fields of a condition, built from the parts of its rule type.

use super::editor_state::RuleEditorState;
use crate::{
    editor::{
        view::{
            SaveRejection,
            condition::{FIELD, Fields, TICKED, length_rows, members},
            errors_under,
            scalar::{KINDS, TRUTHS},
        },
        words,
    },
    prelude::*,
    text::rule::{DATE_TESTS, Input, Part},
};

/// The errors of a field, shown under it. `exact` excludes errors of nested members.
#[component]
pub(super) fn FieldErrorText(
    editor: RuleEditorState,
    paths: Vec<String>,
    #[prop(optional)] exact: bool,
    #[prop(into)] id: String,
) -> impl IntoView {
    let item = |message: String| {
        view! {
            <span>
                <bdi>{quoted(&messages::sentence(&message))}</bdi>
            </span>
        }
    };
    view! {
        <p id=id class="field-error">
            {move || error_texts(editor, &paths, exact).into_iter().map(item).collect_view()}
        </p>
    }
}

/// Returns the errors of the last save at one of `paths`, and below it unless `exact` is set.
fn error_texts(editor: RuleEditorState, paths: &[String], exact: bool) -> Vec<String> {
    let rejection = editor.rejection.read();
    let Some(SaveRejection::Errors(errors)) = &*rejection else { return Vec::new() };
    let errors = errors_under(errors, paths).filter(|error| !exact || paths.contains(&error.path));
    errors.map(|error| error.message.clone()).collect()
}

/// The value of `aria-invalid` of a control, which is absent if the control has no errors.
pub(super) type Invalid = Signal<Option<&'static str>>;

/// Returns whether the control of the members at `paths` has errors. `exact` excludes errors of nested
/// members.
pub(super) fn invalid(editor: RuleEditorState, paths: Vec<String>, exact: bool) -> Invalid {
    Signal::derive(move || (!error_texts(editor, &paths, exact).is_empty()).then_some("true"))
}

/// The attributes of the controls of a part.
#[derive(Clone, Copy)]
struct ControlAttributes {
    rule_type: RuleType,
    part: &'static Part,
    invalid: Invalid,
}

impl ControlAttributes {
    fn id(self, name: &str) -> String {
        format!("f-{}-{name}", self.rule_type)
    }

    fn field_name(self, name: &str) -> String {
        format!("rule[of][{}][{name}]", self.rule_type)
    }

    fn error_id(self) -> String {
        format!("{}-error", self.id(self.part.name))
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
    let paths: Vec<_> = members(part).iter().map(|member| format!("/condition/{member}")).collect();
    let invalid = invalid(editor, paths.clone(), false);
    let attributes = ControlAttributes { rule_type, part, invalid };
    let control = control(attributes, fields);
    let errors = view! { <FieldErrorText editor paths id=attributes.error_id() /> };
    match part.input {
        Input::Checkbox(_) => any_view! { <div class="field">{control} {errors}</div> },
        Input::Name | Input::Names | Input::Number | Input::Choice(_) => any_view! {
            <div class="field">
                <label for=attributes.id(part.name)>{part.label}</label>
                {control}
                <small id=attributes.hint_id() class="text-muted">
                    {part.hint}
                </small>
                {errors}
            </div>
        },
        _ => any_view! {
            <div
                class="field"
                id=attributes.id(part.name)
                role="group"
                aria-labelledby=attributes.label_id()
            >
                <span id=attributes.label_id()>{part.label}</span>
                {control}
                <small id=attributes.hint_id() class="text-muted">
                    {part.hint}
                </small>
                {errors}
            </div>
        },
    }
}

/// Returns the label of a control that shares its part with others; a single control has a visible label.
fn control_label(name: &str) -> Option<&'static str> {
    match name {
        "kind" | "against" => Some(words::VALUE_KIND),
        "truth" => Some(words::TRUTH),
        "which" | "test" => Some(words::TEST),
        "text" | "lines" | "limit" | "right" => Some(words::VALUE),
        _ => None,
    }
}

fn control(attributes: ControlAttributes, fields: &Fields) -> AnyView {
    let part = attributes.part;
    let text = |name: &str| fields.get(name).cloned().unwrap_or_default();
    match part.input {
        Input::Checkbox(_) => checkbox(attributes, fields),
        Input::Name => text_input(attributes, part.name, &text(part.name), "text"),
        Input::Number => text_input(attributes, part.name, &text(part.name), "decimal"),
        Input::Names => text_area(attributes, part.name, &text(part.name)),
        Input::Choice(choices) => choice(attributes, part.name, choices, &text(part.name)),
        Input::Text(members) => any_view! {
            <div class="several">
                {choice(attributes, "which", members, &text("which"))}
                {text_input(attributes, "text", &text("text"), "text")}
            </div>
        },
        Input::Values(members) => any_view! {
            <div class="several">
                {choice(attributes, "which", members, &text("which"))}
                {choice(attributes, "kind", &KINDS, &text("kind"))}
            </div>
            {text_area(attributes, "lines", &text("lines"))}
        },
        Input::Date => any_view! {
            <div class="several">
                {choice(attributes, "test", &DATE_TESTS, &text("test"))}
                {text_input(attributes, "limit", &text("limit"), "text")}
            </div>
        },
        Input::Against => any_view! {
            <div class="several">
                {choice(attributes, "against", &AGAINST, &text("against"))}
                {text_input(attributes, "right", &text("right"), "text")}
                {choice(attributes, "truth", &TRUTHS, &text("truth"))}
            </div>
        },
        Input::Lengths => lengths(attributes, fields),
    }
}

/// The kinds of value that a field can be compared with.
const AGAINST: [(&str, &str); 5] =
    [(FIELD, "another field"), KINDS[0], KINDS[1], KINDS[2], KINDS[3]];

/// Renders a checkbox with its label. A hidden field preserves a member that the rule states explicitly.
fn checkbox(attributes: ControlAttributes, fields: &Fields) -> AnyView {
    let name = attributes.part.name;
    let stated = Some(format!("{name}_stated")).filter(|stated| fields.contains_key(stated));
    let stated = stated.map(|stated| {
        view! { <input type="hidden" name=attributes.field_name(&stated) value=TICKED /> }
    });
    any_view! {
        <label class="checkbox">
            <input
                type="checkbox"
                id=attributes.id(name)
                name=attributes.field_name(name)
                value=TICKED
                checked=fields.contains_key(name)
            />
            <span>{attributes.part.label}</span>
        </label>
        {stated}
    }
}

fn text_input(
    attributes: ControlAttributes,
    name: &str,
    value: &str,
    mode: &'static str,
) -> AnyView {
    any_view! {
        <input
            id=attributes.id(name)
            name=attributes.field_name(name)
            value=value.to_owned()
            inputmode=mode
            aria-label=control_label(name)
            aria-describedby=attributes.described_by()
            aria-invalid=attributes.invalid
            autocomplete="off"
            spellcheck="false"
        />
    }
}

fn text_area(attributes: ControlAttributes, name: &str, value: &str) -> AnyView {
    let rows = value.lines().count().clamp(2, 12) + 1;
    any_view! {
        <textarea
            id=attributes.id(name)
            name=attributes.field_name(name)
            rows=rows
            aria-label=control_label(name)
            aria-describedby=attributes.described_by()
            aria-invalid=attributes.invalid
            spellcheck="false"
        >
            {between_tags(value)}
        </textarea>
    }
}

fn choice(
    attributes: ControlAttributes,
    name: &str,
    choices: &'static [(&'static str, &'static str)],
    value: &str,
) -> AnyView {
    // A choice that shares its part belongs to another control, which is marked.
    let is_single = name == attributes.part.name;
    let invalid = move || attributes.invalid.get().filter(|_| is_single);
    any_view! {
        <select
            id=attributes.id(name)
            name=attributes.field_name(name)
            aria-label=control_label(name)
            aria-describedby=attributes.error_id()
            aria-invalid=invalid
        >
            {options(choices.iter().copied(), value)}
        </select>
    }
}

fn lengths(attributes: ControlAttributes, fields: &Fields) -> AnyView {
    let text = |name: String| fields.get(&name).cloned().unwrap_or_default();
    let row = |row: usize| {
        let (field, min) = (format!("field{row}"), format!("least{row}"));
        view! {
            <div class="several">
                <input
                    name=attributes.field_name(&field)
                    value=text(field)
                    aria-invalid=attributes.invalid
                    aria-label=words::LENGTH_FIELD
                    placeholder=words::LENGTH_FIELD
                    autocomplete="off"
                    spellcheck="false"
                />
                <input
                    name=attributes.field_name(&min)
                    value=text(min)
                    aria-invalid=attributes.invalid
                    inputmode="numeric"
                    aria-label=words::LENGTH_MIN
                    placeholder=words::LENGTH_MIN
                    autocomplete="off"
                />
            </div>
        }
    };
    (0..length_rows(fields)).map(row).collect_view().into_any()
}
