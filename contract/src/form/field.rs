//! The fields of a hosted form.

use std::collections::BTreeSet;

use super::FIELDS_MAX;
use crate::{
    json::{Number, Value},
    read::{
        FieldErrors, FromJson, JsonPath, ObjectReader, filled_list, integer, name, scalar,
        schema::{self, Shape},
        text,
    },
};

string_enum! {
    /// The type of a form field.
    pub enum FieldType {
        /// One line of text.
        Text = "text",
        /// Several lines of text.
        Textarea = "textarea",
        /// A number.
        Number = "number",
        /// A date.
        Date = "date",
        /// A date and time.
        Datetime = "datetime",
        /// `true` or `false`.
        Boolean = "boolean",
        /// Exactly one of the options.
        Select = "select",
        /// Any number of the options.
        Multiselect = "multiselect",
        /// An email address.
        Email = "email",
        /// A web address.
        Url = "url",
    }
}

impl FieldType {
    /// Returns whether the value is free text, which can have length limits and a pattern.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Textarea | Self::Email | Self::Url)
    }

    /// Returns whether the value is chosen from options.
    pub const fn has_options(self) -> bool {
        matches!(self, Self::Select | Self::Multiselect)
    }
}

/// The pattern of an email address: one that is valid in mail headers without quotes, at a domain with a point. It means
/// the same in ECMA-262 and RE2, so the JSON Schema of a form and the check of a submission share it.
pub const EMAIL_PATTERN: &str = concat!(
    r"^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*",
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$",
);

/// The maximum length of an email address in characters.
pub const EMAIL_CHARS_MAX: u32 = 254;

/// The pattern of a web address: `http` or `https`, a host name, and the characters of RFC 3986. Shared as
/// [`EMAIL_PATTERN`].
pub const URL_PATTERN: &str = concat!(
    r"^[Hh][Tt][Tt][Pp][Ss]?://(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?",
    r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?",
    r"(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?",
    r"(?:\?(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?",
    r"(?:#(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$",
);

/// The maximum number of options of a field.
const OPTIONS_MAX: usize = 1_000;

/// The maximum length of a text value in characters, which is also the limit of text that rules read.
pub(super) const TEXT_MAX: u32 = 65_536;

/// An option of a field.
#[wire(FromJson)]
pub struct FieldOption {
    /// The value of the option: a string, a number or a boolean.
    #[json(with = filled_scalar)]
    pub value: Value,
    /// The label of the option.
    #[json(with = text(1, 500))]
    pub label: String,
}

/// A field of a form.
#[wire(FromJson)]
#[json(check = check_field(kind, min, max, min_length, max_length))]
pub struct FormField {
    /// The name of the field in the decision context.
    #[json(with = name)]
    pub name: String,
    /// The label of the field.
    #[json(with = text(1, 500))]
    pub label: String,
    /// The type of the field.
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// Whether a value is required; absent means false.
    pub required: Option<bool>,
    /// A hint that is shown with the field.
    #[json(with = text(0, 2_000))]
    pub help: Option<String>,
    /// An example that is shown in the empty field.
    #[json(with = text(0, 500))]
    pub placeholder: Option<String>,
    /// The options of `select` and `multiselect`.
    #[json(with = options)]
    pub options: Option<Vec<FieldOption>>,
    /// The minimum of a number.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<f64>))]
    pub min: Option<Number>,
    /// The maximum of a number.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<f64>))]
    pub max: Option<Number>,
    /// The minimum length of a text in characters.
    #[json(with = integer(0, TEXT_MAX))]
    pub min_length: Option<u32>,
    /// The maximum length of a text in characters.
    #[json(with = integer(1, TEXT_MAX))]
    pub max_length: Option<u32>,
    /// A regular expression (RE2 syntax) that must match a part of the text. Use `^` and `$` to match all of
    /// it.
    #[json(with = text(1, 1_000))]
    pub pattern: Option<String>,
}

impl FormField {
    /// Creates a field without any of the optional members.
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

    /// Returns whether a value is required.
    pub fn is_required(&self) -> bool {
        self.required.unwrap_or(false)
    }

    /// Returns the options, or an empty slice.
    pub fn options_or_empty(&self) -> &[FieldOption] {
        self.options.as_deref().unwrap_or_default()
    }
}

/// Reads the fields of a form: at least one, with unique names.
pub(super) fn fields(
    value: &Value,
    at: &JsonPath<'_>,
    errors: &mut FieldErrors,
) -> Option<Vec<FormField>> {
    let fields = filled_list(FIELDS_MAX, field)(value, at, errors)?;
    let errors_before = errors.len();
    let mut names = BTreeSet::new();
    for (index, field) in fields.iter().enumerate() {
        if !names.insert(&field.name) {
            let message = format!("`{}` is already the name of an earlier field", field.name);
            errors.push(&at.index(index).name("name"), "duplicate", message);
        }
    }
    (errors.len() == errors_before).then_some(fields)
}

fn field(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<FormField> {
    let describe = |errors: &mut FieldErrors| drop(FormField::from_json(value, at, errors));
    if errors.describes_named("FormFieldDraft", describe) {
        None
    } else {
        FormField::from_json(value, at, errors)
    }
}

/// Returns the members that only some field types have: whether `kind` has them, and the names of the types
/// that do.
fn optional_members(kind: FieldType) -> [(&'static str, bool, &'static str); 6] {
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

/// Returns the shapes of a field: one for each set of types with the same members.
fn shapes() -> Vec<Shape> {
    let mut shapes: Vec<(Vec<&'static str>, Vec<&'static str>)> = Vec::new();
    for kind in FieldType::ALL {
        let disallowed =
            optional_members(kind).into_iter().filter(|(_, is_allowed, _)| !is_allowed);
        let disallowed: Vec<&str> = disallowed.map(|(name, ..)| name).collect();
        match shapes.iter_mut().find(|(known, _)| *known == disallowed) {
            Some((_, kinds)) => kinds.push(kind.as_str()),
            None => shapes.push((disallowed, vec![kind.as_str()])),
        }
    }
    let shape = |(absent, kinds): (Vec<&'static str>, Vec<&'static str>)| {
        let required = if absent.contains(&"options") { vec![] } else { vec!["options"] };
        Shape {
            required,
            absent,
            overrides: vec![("type", schema::string_enum(kinds))],
            ..Shape::default()
        }
    };
    shapes.into_iter().map(shape).collect()
}

/// Checks the members that depend on each other.
fn check_field(
    members: &mut ObjectReader<'_, '_>,
    kind: Option<FieldType>,
    min: Option<Number>,
    max: Option<Number>,
    min_length: Option<u32>,
    max_length: Option<u32>,
) {
    if let Some(kind) = kind {
        check_allowed_members(members, kind);
    }
    if min.zip(max).is_some_and(|(min, max)| min > max) {
        members.add_error("min", "order", "must be at most `max`");
    }
    if min_length.zip(max_length).is_some_and(|(min, max)| min > max) {
        members.add_error("min_length", "order", "must be at most `max_length`");
    }
    if kind == Some(FieldType::Email) && min_length.is_some_and(|min| min > EMAIL_CHARS_MAX) {
        let message = format!("must be at most {EMAIL_CHARS_MAX}, the length of an email address");
        members.add_error("min_length", "range", message);
    }
    members.one_of(shapes);
}

/// Rejects members that a field of this type cannot have, and requires `options` where needed.
fn check_allowed_members(members: &mut ObjectReader<'_, '_>, kind: FieldType) {
    for (name, is_allowed, types) in optional_members(kind) {
        let is_present = members.has(name);
        if is_present && !is_allowed {
            members.add_error(
                name,
                "conflict",
                format!("`{name}` is only allowed for fields of type {types}"),
            );
        } else if name == "options" && is_allowed && !is_present {
            members.add_error(name, "required", "`options` is required for this type");
        }
    }
}

fn options(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Vec<FieldOption>> {
    let options = filled_list(OPTIONS_MAX, FieldOption::from_json)(value, at, errors)?;
    let errors_before = errors.len();
    let mut texts = BTreeSet::new();
    for (index, option) in options.iter().enumerate() {
        // Compares the values as a browser submits them: `"1"` and `1` are then identical.
        if !texts.insert(form_value(&option.value)) {
            let message = "this value is already among the options";
            errors.push(&at.index(index).name("value"), "duplicate", message);
        }
    }
    (errors.len() == errors_before).then_some(options)
}

fn filled_scalar(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Value> {
    if errors.describes(|| schema::scalar(1)) {
        return None;
    }
    if value.as_str().is_some_and(|text| text.trim().is_empty()) {
        errors.push(at, "too_short", "must not be empty");
        return None;
    }
    scalar(value, at, errors)
}

/// Returns a scalar as a browser submits it. Browsers replace each line break, so all are LF here.
fn form_value(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_canonical(), lf_breaks)
}

/// Returns a text with LF for each line break.
pub fn lf_breaks(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

impl FieldOption {
    /// Returns the value as a browser submits it: a string, with LF for each line break, or any other value as JSON.
    pub fn form_value(&self) -> String {
        form_value(&self.value)
    }
}
