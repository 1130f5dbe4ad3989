//! The JSON Schema (draft 2020-12) of requests, described by the readers that validate them.
//!
//! In describing mode a reader adds its schema to [`FieldErrors`] instead of reading a value. The limits in
//! the schema are therefore the limits that are checked.

use std::collections::BTreeMap;

use super::{FieldErrors, FromJson, JsonPath};
use crate::json::{Number, Object, Value};

/// The pattern of any string: without U+0000 and the noncharacters of the basic multilingual plane.
const ANY: &str = r"^[^\u0000\ufdd0-\ufdef\ufffe\uffff]*$";

/// The pattern of a string with at least one character that is not white space.
const NOT_BLANK: &str = r"^[^\u0000\ufdd0-\ufdef\ufffe\uffff]*[^\s\u0000\ufdd0-\ufdef\ufffe\uffff][^\u0000\ufdd0-\ufdef\ufffe\uffff]*$";

/// The pattern of a code.
pub(super) const CODE: &str = "^[A-Za-z0-9][A-Za-z0-9._-]*$";

/// The pattern of a line of text with at least one character that is not white space, as
/// `contract::text::is_line_breaking` defines a line.
const LINE: &str = concat!(
    r"^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]*",
    r"[^\s\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]",
    r"[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]*$",
);

/// An atom of the part of an email address before `@`.
macro_rules! atom {
    () => {
        r#"[^\s@<>()\[\],;:\\".\u0000-\u001f\u007f-\u009f\ufdd0-\ufdef\ufffe\uffff]+"#
    };
}

/// A label of the host of an email address.
macro_rules! label {
    () => {
        concat!(
            r"[^\s\u0000-\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u009f\ufdd0-\ufdef\ufffe\uffff]",
            r"([^\s\u0000-\u002c\u002e\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u009f\ufdd0-\ufdef\ufffe\uffff]*",
            r"[^\s\u0000-\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u009f\ufdd0-\ufdef\ufffe\uffff])?",
        )
    };
}

/// The pattern of an email address with optional surrounding white space. `contract::email::parse_email` also rejects
/// characters that a pattern cannot name.
const ADDRESS: &str = concat!(
    r"^[ \t\n\r]*",
    atom!(),
    r"(\.",
    atom!(),
    r")*@",
    label!(),
    r"(\.",
    label!(),
    r")*[ \t\n\r]*$",
);

/// The component name of the schema of any JSON value.
const ANY_VALUE: &str = "JsonValue";

/// The description of [`ANY_VALUE`].
const ANY_VALUE_TEXT: &str = "Any JSON value. Its numbers are within ±(2^53 − 1). Its strings contain neither U+0000 \
                              nor noncharacters of the basic multilingual plane.";

/// The component name of the schema of an object with any members.
const ANY_OBJECT: &str = "JsonObject";

/// The schema of a request body and the named schemas that it references.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestSchema {
    /// The schema of the body.
    pub schema: Object,
    /// The referenced schemas by component name.
    pub named: BTreeMap<&'static str, Object>,
}

/// Returns the schema of the bodies that `T` reads.
pub fn describe<T: FromJson>() -> RequestSchema {
    let mut errors = FieldErrors { description: Some(Box::default()), ..FieldErrors::default() };
    T::from_json(&Value::Null, &JsonPath::ROOT, &mut errors);
    let description = errors.description.take().unwrap_or_default();
    RequestSchema { schema: description.last, named: description.named }
}

/// The schemas that were described so far.
#[derive(Debug, Default)]
pub(super) struct Description {
    /// The schema of the last reader.
    last: Object,
    named: BTreeMap<&'static str, Object>,
}

impl FieldErrors {
    /// Returns whether readers describe their schema instead of reading a value. Always false in the browser,
    /// so that the wasm module contains no schemas.
    #[inline]
    pub fn is_describing(&self) -> bool {
        cfg!(not(target_arch = "wasm32")) && self.description.is_some()
    }

    /// Stores the schema of a reader in describing mode. Returns whether that mode is on.
    #[inline]
    pub fn describes(&mut self, schema: impl FnOnce() -> Object) -> bool {
        let Some(description) = self.description() else { return false };
        description.last = schema();
        true
    }

    /// Returns the schemas described so far, in describing mode.
    #[inline]
    fn description(&mut self) -> Option<&mut Description> {
        if self.is_describing() { self.description.as_deref_mut() } else { None }
    }

    /// Stores the schema that `describe` describes as the component `name`, and references it. A schema that
    /// references itself is described once.
    pub fn describes_named(
        &mut self,
        name: &'static str,
        describe: impl FnOnce(&mut Self),
    ) -> bool {
        let Some(description) = self.description() else { return false };
        if !description.named.contains_key(name) {
            description.named.insert(name, Object::new());
            let schema = self.schema_of(describe);
            if let Some(description) = &mut self.description {
                description.named.insert(name, schema);
            }
        }
        self.describes(|| reference(name))
    }

    /// Returns the schema that `describe` describes.
    pub fn schema_of(&mut self, describe: impl FnOnce(&mut Self)) -> Object {
        describe(self);
        let description = self.description.as_mut();
        description.map(|description| std::mem::take(&mut description.last)).unwrap_or_default()
    }

    /// Replaces the schema of the member `name` in the last described object. Whether the member accepts
    /// `null` is unchanged.
    pub fn describes_member(&mut self, name: &str, describe: impl FnOnce(&mut Self)) {
        let Some(description) = &mut self.description else { return };
        let mut object = std::mem::take(&mut description.last);
        let member = self.schema_of(describe);
        if let Some(Value::Object(mut properties)) = object.remove("properties") {
            let is_nullable = properties.get(name).is_some_and(|old| old.get("anyOf").is_some());
            properties.insert(name, if is_nullable { nullable(member) } else { member });
            object.insert("properties", properties);
        }
        self.describes(|| object);
    }

    /// Changes the last described schema.
    pub fn amend(&mut self, change: impl FnOnce(&mut Object)) {
        if let Some(description) = self.description() {
            change(&mut description.last);
        }
    }
}

/// One of the shapes of an object.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Required members.
    pub required: Vec<&'static str>,
    /// Members that must be absent.
    pub absent: Vec<&'static str>,
    /// Members that are unknown in this shape, so that `null` is rejected too.
    pub unknown: Vec<&'static str>,
    /// Lists and maps that must not be empty.
    pub non_empty: Vec<&'static str>,
    /// The schemas of members that differ in this shape.
    pub overrides: Vec<(&'static str, Object)>,
}

/// A member of a described object.
#[derive(Clone, Debug)]
pub(super) struct MemberSchema {
    pub(super) name: &'static str,
    pub(super) schema: Object,
    pub(super) is_required: bool,
    pub(super) is_nullable: bool,
}

/// Returns the schema of an object with these members in one of its shapes. If `nulls_are_absent`, absent
/// members can be `null`.
pub(super) fn object(members: &[MemberSchema], shape: &Shape, nulls_are_absent: bool) -> Object {
    let mut properties = Object::new();
    let mut required = Vec::new();
    for member in members {
        let name = member.name;
        if shape.unknown.contains(&name) {
            continue;
        }
        if shape.absent.contains(&name) {
            if nulls_are_absent {
                properties.insert(name, Object::from([("type", "null".into())]));
            }
            continue;
        }
        let replacement = shape.overrides.iter().find(|(member, _)| *member == name);
        let mut schema = replacement.map_or(&member.schema, |(_, schema)| schema).clone();
        if shape.non_empty.contains(&name) {
            let bound = if is_of(&schema, "array") { "minItems" } else { "minProperties" };
            schema.insert(bound, 1);
        }
        let is_required = member.is_required || shape.required.contains(&name);
        if is_required {
            required.push(Value::from(name));
        }
        if member.is_nullable && !is_required {
            schema = nullable(schema);
        }
        properties.insert(name, schema);
    }
    let mut object = Object::from([
        ("type", "object".into()),
        ("properties", properties.into()),
        ("additionalProperties", false.into()),
    ]);
    if !required.is_empty() {
        object.insert("required", required);
    }
    object
}

/// Returns a schema that also accepts `null`.
fn nullable(schema: Object) -> Object {
    let null = || Value::from("null");
    let Some(Value::String(kind)) = schema.get("type") else {
        let alternatives = vec![schema.into(), Object::from([("type", null())]).into()];
        return Object::from([("anyOf", Value::Array(alternatives))]);
    };
    let kinds = vec![Value::from(kind.as_str()), null()];
    let mut schema = schema;
    schema.insert("type", kinds);
    if let Some(Value::Array(names)) = schema.get("enum") {
        let names: Vec<Value> = names.iter().cloned().chain([Value::Null]).collect();
        schema.insert("enum", names);
    }
    schema
}

fn is_of(schema: &Object, kind: &str) -> bool {
    schema.get("type").and_then(Value::as_str) == Some(kind)
}

/// Returns a reference to a component.
fn reference(name: &str) -> Object {
    Object::from([("$ref", format!("#/components/schemas/{name}").into())])
}

/// Returns the schema of a string of `min` to `max` characters.
pub fn text(min: usize, max: usize) -> Object {
    bounded(if min > 0 { NOT_BLANK } else { ANY }, min, max)
}

/// Returns the schema of a string of `min` to `max` characters that matches a pattern.
fn bounded(pattern: &str, min: usize, max: usize) -> Object {
    let mut schema = string_pattern(pattern);
    if min > 0 {
        schema.insert("minLength", count(min));
    }
    schema.insert("maxLength", count(max));
    schema
}

/// Returns the schema of a string of `min` to `max` characters, which can all be white space.
pub(crate) fn text_or_blank(min: usize, max: usize) -> Object {
    bounded(ANY, min, max)
}

/// Returns the schema of a string that matches a pattern.
pub fn string_pattern(pattern: &str) -> Object {
    Object::from([("type", "string".into()), ("pattern", pattern.into())])
}

/// Returns the schema of one line of 1 to `max` characters.
pub(crate) fn line(max: usize) -> Object {
    bounded(LINE, 1, max)
}

/// Returns the schema of an email address of at most `max` characters.
pub(crate) fn address(max: usize) -> Object {
    bounded(ADDRESS, 3, max)
}

/// Returns the schema of a string with a format.
pub fn string_format(format: &str) -> Object {
    Object::from([("type", "string".into()), ("format", format.into())])
}

/// Returns the schema of an enumeration of strings.
pub fn string_enum<'w>(names: impl IntoIterator<Item = &'w str>) -> Object {
    let names: Vec<Value> = names.into_iter().map(Value::from).collect();
    Object::from([("type", "string".into()), ("enum", names.into())])
}

/// Returns the schema of a boolean.
pub fn boolean() -> Object {
    Object::from([("type", "boolean".into())])
}

/// Returns the schema of a number.
pub fn number() -> Object {
    let [min, max] = [-Number::MAX, Number::MAX].map(|n| Number::new(n).unwrap_or_default());
    numeric("number", min, max)
}

/// Returns the schema of an integer within `min..=max`.
pub fn integer(min: Number, max: Number) -> Object {
    numeric("integer", min, max)
}

fn numeric(kind: &str, min: Number, max: Number) -> Object {
    Object::from([("type", kind.into()), ("minimum", min.into()), ("maximum", max.into())])
}

/// Returns the schema of a list of `min` to `max` elements.
pub fn list(items: Object, min: usize, max: usize) -> Object {
    let mut schema = Object::from([("type", "array".into()), ("items", items.into())]);
    if min > 0 {
        schema.insert("minItems", count(min));
    }
    schema.insert("maxItems", count(max));
    schema
}

/// Returns the schema of a string, a number or a boolean. If `min` is 1, the string must not be blank.
pub fn scalar(min: usize) -> Object {
    let mut text = string_pattern(if min > 0 { NOT_BLANK } else { ANY });
    if min > 0 {
        text.insert("minLength", count(min));
    }
    any_of([text, number(), boolean()])
}

/// Returns the schema of a string or a number.
pub fn ordered_scalar() -> Object {
    any_of([string_pattern(ANY), number()])
}

/// Returns the schema of a value that matches at least one of `schemas`.
pub fn any_of<const N: usize>(schemas: [Object; N]) -> Object {
    let schemas: Vec<Value> = schemas.into_iter().map(Value::from).collect();
    Object::from([("anyOf", schemas.into())])
}

/// Returns the schema of a value that matches exactly one of `schemas`.
pub fn one_of(schemas: impl IntoIterator<Item = Object>) -> Object {
    Object::from([("oneOf", schemas.into_iter().map(Value::from).collect())])
}

/// Returns the shapes of an object, of which exactly one applies.
pub fn shapes(mut object: Object) -> Vec<Object> {
    match object.remove("oneOf") {
        Some(Value::Array(shapes)) => {
            shapes.into_iter().filter_map(|shape| shape.as_object().cloned()).collect()
        }
        _ => vec![object],
    }
}

/// Describes any JSON value as a named component, which references itself.
///
/// Code generators do not support a reference to itself in alternatives. The component has no type, for
/// which they generate a type of any value, and they ignore `if` and `then`.
pub(super) fn any(errors: &mut FieldErrors) -> bool {
    errors.describes_named(ANY_VALUE, |errors| {
        errors.describes(|| {
            let mut inner = free_members();
            inner.insert("items", reference(ANY_VALUE));
            let mut value = number();
            value.remove("type");
            value.insert("description", ANY_VALUE_TEXT);
            value.insert("pattern", ANY);
            let composite = ["array", "object"].map(Value::from).to_vec();
            value.insert("if", Object::from([("type", composite.into())]));
            value.insert("then", inner);
            value
        });
    })
}

/// Describes an object with any members, as a named component.
pub(super) fn map(errors: &mut FieldErrors) -> bool {
    errors.describes_named(ANY_OBJECT, |errors| {
        errors.schema_of(|errors| {
            any(errors);
        });
        errors.describes(|| {
            let mut object = free_members();
            object.insert("type", "object");
            object.insert("description", "An object with any members.");
            object
        });
    })
}

/// Returns the constraints of an object with any members, which [`any`] describes.
fn free_members() -> Object {
    Object::from([
        ("propertyNames", Object::from([("pattern", ANY.into())]).into()),
        ("additionalProperties", reference(ANY_VALUE).into()),
    ])
}

/// Returns the schema of a map with the schemas of its names and values.
pub fn map_of(name: Object, value: Object) -> Object {
    Object::from([
        ("type", "object".into()),
        ("propertyNames", name.into()),
        ("additionalProperties", value.into()),
    ])
}

/// Returns the schema of a date or a date-time.
pub fn date_or_date_time() -> Object {
    any_of([string_format("date"), string_format("date-time")])
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
