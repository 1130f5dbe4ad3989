//! One question of a form.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{FIELDS_MAX, words};
use crate::{
    json::{Number, Value},
    read::{
        At, Errors, Members, boolean, filled_list, name, number, scalar,
        schema::{self, Shape},
        text, whole, word,
    },
};

words! {
    /// What kind of answer a question takes.
    FieldType {
        /// One line of text.
        Text = "text",
        /// Several lines of text.
        Textarea = "textarea",
        /// A number.
        Number = "number",
        /// A day.
        Date = "date",
        /// An instant.
        Datetime = "datetime",
        /// Yes or no.
        Boolean = "boolean",
        /// One of the options.
        Select = "select",
        /// Any of the options.
        Multiselect = "multiselect",
        /// An e-mail address.
        Email = "email",
        /// An address of the web.
        Url = "url",
    }
}

impl FieldType {
    /// Whether the answer is free text, whose length and pattern can be bounded.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Textarea | Self::Email | Self::Url)
    }

    /// Whether the answer is chosen from options.
    pub const fn has_options(self) -> bool {
        matches!(self, Self::Select | Self::Multiselect)
    }
}

/// How many options a question has at the most.
const OPTIONS_MAX: usize = 1_000;

/// The longest answer, in characters: what rules read of a text ends here too.
pub(super) const TEXT_MAX: u32 = 65_536;

/// One option of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldOption {
    /// What is answered: a text, a number or a truth value.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub value: Value,
    /// What people read.
    pub label: String,
}

/// One question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormField {
    /// The field of the context that takes the answer.
    pub name: String,
    /// The question.
    pub label: String,
    /// What kind of answer it takes.
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// Whether it must be answered; absent means false.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub required: Option<bool>,
    /// A hint beside the question.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub help: Option<String>,
    /// An example inside the empty field.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub placeholder: Option<String>,
    /// The options of `select` and `multiselect`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub options: Option<Vec<FieldOption>>,
    /// The least number.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<f64>))]
    pub min: Option<Number>,
    /// The greatest number.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<f64>))]
    pub max: Option<Number>,
    /// The least length of a text, in characters.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub min_length: Option<u32>,
    /// The greatest length of a text, in characters.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_length: Option<u32>,
    /// A regular expression (RE2 syntax) that a text must match somewhere; anchor it with `^` and `$`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pattern: Option<String>,
}

impl FormField {
    /// A question without anything that may be absent.
    pub fn new(name: impl Into<String>, label: impl Into<String>, kind: FieldType) -> Self {
        Self {
            name: name.into(),
            label: label.into(),
            kind,
            required: None,
            help: None,
            placeholder: None,
            options: None,
            min: None,
            max: None,
            min_length: None,
            max_length: None,
            pattern: None,
        }
    }

    /// Whether it must be answered.
    pub fn is_required(&self) -> bool {
        self.required.unwrap_or(false)
    }

    /// The options, if it has any.
    pub fn choices(&self) -> &[FieldOption] {
        self.options.as_deref().unwrap_or_default()
    }
}

/// The questions of a form: at least one, no two of one name.
pub(super) fn fields(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Vec<FormField>> {
    let fields = filled_list(FIELDS_MAX, field)(value, at, errors)?;
    let before = errors.len();
    let mut names = BTreeSet::new();
    for (index, field) in fields.iter().enumerate() {
        if !names.insert(&field.name) {
            let message = format!("`{}` is already the name of an earlier field", field.name);
            errors.push(&at.index(index).name("name"), "duplicate", message);
        }
    }
    (errors.len() == before).then_some(fields)
}

fn field(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<FormField> {
    let describe = |errors: &mut Errors| drop(read_field(value, at, errors));
    if errors.describes_named("FormFieldDraft", describe) {
        None
    } else {
        read_field(value, at, errors)
    }
}

fn read_field(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<FormField> {
    let mut members = Members::of(value, at, errors)?;
    let name = members.required("name", name);
    let label = members.required("label", text(1, 500));
    let kind = members.required("type", word::<FieldType>(FieldType::WORDS));
    let field = FormField {
        required: members.optional("required", boolean),
        help: members.optional("help", text(0, 2_000)),
        placeholder: members.optional("placeholder", text(0, 500)),
        options: members.optional("options", options),
        min: members.optional("min", number),
        max: members.optional("max", number),
        min_length: members.optional("min_length", whole(0, TEXT_MAX)),
        max_length: members.optional("max_length", whole(1, TEXT_MAX)),
        pattern: members.optional("pattern", text(1, 1_000)),
        ..FormField::new("", "", kind.unwrap_or(FieldType::Text))
    };
    if let Some(kind) = kind {
        fits(&mut members, kind);
    }
    ordered(&mut members, &field);
    members.one_of(shapes);
    members.finish()?;
    Some(FormField { name: name?, label: label?, kind: kind?, ..field })
}

/// Members that only some kinds have: whether this one does, and which do, in words.
fn special(kind: FieldType) -> [(&'static str, bool, &'static str); 6] {
    let is_number = kind == FieldType::Number;
    [
        ("options", kind.has_options(), "select and multiselect"),
        ("min", is_number, "number"),
        ("max", is_number, "number"),
        ("min_length", kind.is_text(), "text, textarea, email and url"),
        ("max_length", kind.is_text(), "text, textarea, email and url"),
        ("pattern", kind.is_text(), "text, textarea, email and url"),
    ]
}

/// The shapes of a question, one for the kinds with the same members.
fn shapes() -> Vec<Shape> {
    let absent = |kind| -> Vec<&'static str> {
        let unfit = special(kind).into_iter().filter(|(_, is_fit, _)| !is_fit);
        unfit.map(|(name, ..)| name).collect()
    };
    let mut shapes: Vec<(Vec<&'static str>, Vec<&'static str>)> = Vec::new();
    for kind in FieldType::ALL.iter().copied() {
        let unfit = absent(kind);
        match shapes.iter_mut().find(|(known, _)| *known == unfit) {
            Some((_, kinds)) => kinds.push(kind.as_str()),
            None => shapes.push((unfit, vec![kind.as_str()])),
        }
    }
    let shape = |(absent, kinds): (Vec<&'static str>, Vec<&'static str>)| {
        let required = if absent.contains(&"options") { vec![] } else { vec!["options"] };
        Shape { required, absent, fixed: vec![("type", schema::words(kinds))], ..Shape::default() }
    };
    shapes.into_iter().map(shape).collect()
}

/// Refuses members that an answer of this kind cannot have.
fn fits(members: &mut Members<'_, '_>, kind: FieldType) {
    for (name, is_fit, of) in special(kind) {
        let is_given = members.has(name);
        if is_given && !is_fit {
            members.refuse(name, "conflict", format!("`{name}` is for fields of type {of}"));
        } else if name == "options" && is_fit && !is_given {
            members.refuse(name, "required", "`options` is required for this type");
        }
    }
}

/// Refuses bounds between which nothing lies.
fn ordered(members: &mut Members<'_, '_>, field: &FormField) {
    if field.min.zip(field.max).is_some_and(|(min, max)| min > max) {
        members.refuse("min", "order", "must not be above `max`");
    }
    if field.min_length.zip(field.max_length).is_some_and(|(min, max)| min > max) {
        members.refuse("min_length", "order", "must not be above `max_length`");
    }
}

fn options(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Vec<FieldOption>> {
    let options = filled_list(OPTIONS_MAX, option)(value, at, errors)?;
    let before = errors.len();
    let mut texts = BTreeSet::new();
    for (index, option) in options.iter().enumerate() {
        // By what a page sends: `"1"` and `1` could not be told apart there.
        if !texts.insert(shown(&option.value)) {
            let message = "this value is already among the options";
            errors.push(&at.index(index).name("value"), "duplicate", message);
        }
    }
    (errors.len() == before).then_some(options)
}

fn option(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<FieldOption> {
    let mut members = Members::of(value, at, errors)?;
    let value = members.required("value", filled_scalar);
    let label = members.required("label", text(1, 500));
    members.finish()?;
    Some(FieldOption { value: value?, label: label? })
}

fn filled_scalar(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Value> {
    if errors.describes(|| schema::scalar(1)) {
        return None;
    }
    if value.as_str().is_some_and(str::is_empty) {
        errors.push(at, "too_short", "must not be empty");
        return None;
    }
    scalar(value, at, errors)
}

/// A scalar as a page sends it.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_canonical(), str::to_owned)
}

impl FieldOption {
    /// The value as a page sends it: a text as it is, anything else as JSON.
    pub fn sent(&self) -> String {
        shown(&self.value)
    }
}
