//! The JSON Schema (draft 2020-12) of a request, described by the readers that check it.
//!
//! A reader that is asked to describe itself puts its schema into [`Errors`] and reads nothing. The
//! limits of the document are therefore those of the check: there is no second place to write them.

use std::collections::BTreeMap;

use super::{At, Errors, Read};
use crate::json::{Number, Object, Value};

/// Any text: without U+0000 and the noncharacters of the first plane.
const ANY: &str = r"^[^\u0000\ufdd0-\ufdef\ufffe\uffff]*$";

/// A text that is not only white space.
const FILLED: &str = r"^[^\u0000\ufdd0-\ufdef\ufffe\uffff]*[^\s\u0000\ufdd0-\ufdef\ufffe\uffff][^\u0000\ufdd0-\ufdef\ufffe\uffff]*$";

/// A code.
pub(super) const CODE: &str = "^[A-Za-z0-9][A-Za-z0-9._-]*$";

/// An e-mail address with white space around it, as `contract::member::address` reads it.
const ADDRESS: &str = concat!(
    r"^[ \t\n\r]*",
    r#"[^\s@<>()\[\],;:\\"\u0000-\u001f\u007f-\u009f\ufdd0-\ufdef\ufffe\uffff]+@"#,
    r#"[^\s@<>()\[\],;:\\"\u0000-\u001f\u007f-\u009f\ufdd0-\ufdef\ufffe\uffff]+"#,
    r"[ \t\n\r]*$",
);

/// The name of the schema of any JSON value.
const ANY_VALUE: &str = "JsonValue";

/// The schema of a body, and the named schemas that it refers to.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// The schema of the body.
    pub schema: Object,
    /// Schemas by the names of their components.
    pub named: BTreeMap<&'static str, Object>,
}

/// Returns the schema of the bodies that `T` reads.
pub fn describe<T: Read>() -> Described {
    let mut errors = Errors { description: Some(Box::default()), ..Errors::default() };
    T::read(&Value::Null, &At::ROOT, &mut errors);
    let description = errors.description.take().unwrap_or_default();
    Described { schema: description.last, named: description.named }
}

/// What was described so far.
#[derive(Debug, Default)]
pub(super) struct Description {
    /// The schema of the reader that was asked last.
    last: Object,
    named: BTreeMap<&'static str, Object>,
}

impl Errors {
    /// Whether readers are asked for their schema instead of a value. No browser asks for one, so its module
    /// carries no schemas.
    #[inline]
    pub fn is_describing(&self) -> bool {
        cfg!(not(target_arch = "wasm32")) && self.description.is_some()
    }

    /// Takes the schema of a reader when it is asked for one, and returns whether it is.
    #[inline]
    pub fn describes(&mut self, schema: impl FnOnce() -> Object) -> bool {
        if !self.is_describing() {
            return false;
        }
        match &mut self.description {
            Some(description) => {
                description.last = schema();
                true
            }
            None => false,
        }
    }

    /// Takes the schema that `describe` gives as the component `name`, and refers to it. A schema that
    /// refers to itself is described once.
    pub fn describes_named(
        &mut self,
        name: &'static str,
        describe: impl FnOnce(&mut Self),
    ) -> bool {
        if !self.is_describing() {
            return false;
        }
        let Some(description) = &mut self.description else { return false };
        if !description.named.contains_key(name) {
            description.named.insert(name, Object::new());
            let schema = self.part(describe);
            if let Some(description) = &mut self.description {
                description.named.insert(name, schema);
            }
        }
        self.describes(|| reference(name))
    }

    /// Returns the schema that `describe` leaves.
    pub fn part(&mut self, describe: impl FnOnce(&mut Self)) -> Object {
        describe(self);
        self.description.as_mut().map(|one| std::mem::take(&mut one.last)).unwrap_or_default()
    }

    /// Describes the member `name` of the object that was described last anew; whether `null` is taken
    /// for it stays as it is.
    pub fn describes_member(&mut self, name: &str, describe: impl FnOnce(&mut Self)) {
        let Some(description) = &mut self.description else { return };
        let mut object = std::mem::take(&mut description.last);
        let member = self.part(describe);
        if let Some(Value::Object(mut properties)) = object.remove("properties") {
            let is_nullable = properties.get(name).is_some_and(|old| old.get("anyOf").is_some());
            properties.insert(name, if is_nullable { nullable(member) } else { member });
            object.insert("properties", properties);
        }
        self.describes(|| object);
    }

    /// Changes the schema that was described last.
    pub fn amend(&mut self, change: impl FnOnce(&mut Object)) {
        if self.is_describing()
            && let Some(description) = &mut self.description
        {
            change(&mut description.last);
        }
    }
}

/// One of the shapes that an object may have.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Members that must be there.
    pub required: Vec<&'static str>,
    /// Members that must not be there.
    pub absent: Vec<&'static str>,
    /// Members that are unknown, so that not even `null` is taken for them.
    pub unknown: Vec<&'static str>,
    /// Lists and maps that must not be empty.
    pub filled: Vec<&'static str>,
    /// Members whose schema is another one in this shape.
    pub fixed: Vec<(&'static str, Object)>,
}

/// One member of an object that is described.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) schema: Object,
    pub(super) is_required: bool,
    pub(super) is_nullable: bool,
}

/// An object of these members in one of its shapes; `null` counts as absent where `nulls` says so.
pub(super) fn object(parts: &[Part], case: &Shape, nulls_are_absent: bool) -> Object {
    let mut properties = Object::new();
    let mut required = Vec::new();
    for part in parts {
        let name = part.name;
        if case.unknown.contains(&name) {
            continue;
        }
        if case.absent.contains(&name) {
            if nulls_are_absent {
                properties.insert(name, Object::from([("type", "null".into())]));
            }
            continue;
        }
        let fixed = case.fixed.iter().find(|(fixed, _)| *fixed == name);
        let mut schema = fixed.map_or(&part.schema, |(_, schema)| schema).clone();
        if case.filled.contains(&name) {
            let bound = if is_of(&schema, "array") { "minItems" } else { "minProperties" };
            schema.insert(bound, 1);
        }
        let is_required = part.is_required || case.required.contains(&name);
        if is_required {
            required.push(Value::from(name));
        }
        if part.is_nullable && !is_required {
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

/// A schema that takes `null` as well.
fn nullable(schema: Object) -> Object {
    let null = || Value::from("null");
    let Some(Value::String(kind)) = schema.get("type") else {
        let alternatives = vec![schema.into(), Object::from([("type", null())]).into()];
        return Object::from([("anyOf", Value::Array(alternatives))]);
    };
    let kinds = vec![Value::from(kind.as_str()), null()];
    let mut schema = schema;
    schema.insert("type", kinds);
    if let Some(Value::Array(words)) = schema.get("enum") {
        let words: Vec<Value> = words.iter().cloned().chain([Value::Null]).collect();
        schema.insert("enum", words);
    }
    schema
}

fn is_of(schema: &Object, kind: &str) -> bool {
    schema.get("type").and_then(Value::as_str) == Some(kind)
}

/// A reference to a component.
fn reference(name: &str) -> Object {
    Object::from([("$ref", format!("#/components/schemas/{name}").into())])
}

/// A text of `min` to `max` characters.
pub fn text(min: usize, max: usize) -> Object {
    let pattern = if min > 0 { FILLED } else { ANY };
    let mut schema = matching(pattern);
    if min > 0 {
        schema.insert("minLength", count(min));
    }
    schema.insert("maxLength", count(max));
    schema
}

/// A text of `min` to `max` characters, which may all be white space.
pub(crate) fn length(min: usize, max: usize) -> Object {
    let mut schema = matching(ANY);
    schema.insert("minLength", count(min));
    schema.insert("maxLength", count(max));
    schema
}

/// A text that matches a pattern.
pub fn matching(pattern: &str) -> Object {
    Object::from([("type", "string".into()), ("pattern", pattern.into())])
}

/// An e-mail address of at most `max` characters.
pub(crate) fn address(max: usize) -> Object {
    let mut schema = matching(ADDRESS);
    schema.insert("minLength", 3);
    schema.insert("maxLength", count(max));
    schema
}

/// A text of a known format.
pub fn formatted(format: &str) -> Object {
    Object::from([("type", "string".into()), ("format", format.into())])
}

/// One of `words`.
pub fn words<'w>(words: impl IntoIterator<Item = &'w str>) -> Object {
    let words: Vec<Value> = words.into_iter().map(Value::from).collect();
    Object::from([("type", "string".into()), ("enum", words.into())])
}

/// `true` or `false`.
pub fn boolean() -> Object {
    Object::from([("type", "boolean".into())])
}

/// A number that every JSON reader takes alike.
pub fn number() -> Object {
    let [min, max] = [-Number::MAX, Number::MAX].map(|n| Number::new(n).unwrap_or_default());
    Object::from([
        ("type", "number".into()),
        ("minimum", Value::Number(min)),
        ("maximum", Value::Number(max)),
    ])
}

/// A whole number within `min..=max`.
pub fn whole(min: Number, max: Number) -> Object {
    Object::from([
        ("type", "integer".into()),
        ("minimum", Value::Number(min)),
        ("maximum", Value::Number(max)),
    ])
}

/// A list of `min` to `max` elements.
pub fn list(items: Object, min: usize, max: usize) -> Object {
    let mut schema = Object::from([("type", "array".into()), ("items", items.into())]);
    if min > 0 {
        schema.insert("minItems", count(min));
    }
    schema.insert("maxItems", count(max));
    schema
}

/// A string, a number or a boolean. Where `min` is 1, the string is not empty.
pub fn scalar(min: usize) -> Object {
    let mut text = matching(ANY);
    if min > 0 {
        text.insert("minLength", count(min));
    }
    any_of([text, number(), boolean()])
}

/// A string or a number.
pub fn ordered_scalar() -> Object {
    any_of([matching(ANY), number()])
}

/// One of several schemas.
pub fn any_of<const N: usize>(schemas: [Object; N]) -> Object {
    let schemas: Vec<Value> = schemas.into_iter().map(Value::from).collect();
    Object::from([("anyOf", schemas.into())])
}

/// One of several schemas, each of which may have several shapes.
pub fn one_of_all(schemas: impl IntoIterator<Item = Object>) -> Object {
    let shapes = schemas.into_iter().flat_map(|mut schema| match schema.remove("oneOf") {
        Some(Value::Array(shapes)) => shapes,
        _ => vec![schema.into()],
    });
    Object::from([("oneOf", shapes.collect())])
}

/// Any JSON value, as a named component: it holds itself.
pub(super) fn any(errors: &mut Errors) -> bool {
    errors.describes_named(ANY_VALUE, |errors| {
        errors.describes(|| {
            let inner = || Value::from(reference(ANY_VALUE));
            any_of([
                Object::from([("type", "null".into())]),
                boolean(),
                number(),
                matching(ANY),
                Object::from([("type", "array".into()), ("items", inner())]),
                free_object(),
            ])
        });
    })
}

/// Any object. Its values are described by [`any`].
fn free_object() -> Object {
    Object::from([
        ("type", "object".into()),
        ("propertyNames", Object::from([("pattern", ANY.into())]).into()),
        ("additionalProperties", reference(ANY_VALUE).into()),
    ])
}

/// An object whose members are free.
pub(super) fn map(errors: &mut Errors) -> bool {
    if !errors.is_describing() {
        return false;
    }
    errors.part(|errors| {
        any(errors);
    });
    errors.describes(free_object)
}

/// An object of values by name.
pub fn map_of(name: Object, value: Object) -> Object {
    Object::from([
        ("type", "object".into()),
        ("propertyNames", name.into()),
        ("additionalProperties", value.into()),
    ])
}

/// A day or a date-time.
pub fn moment() -> Object {
    any_of([formatted("date"), formatted("date-time")])
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
