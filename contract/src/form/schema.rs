//! The JSON Schema (draft 2020-12) of the values of a form.

use super::{
    FieldType, FormField,
    field::{EMAIL_CHARS_MAX, EMAIL_PATTERN, TEXT_MAX, URL_PATTERN},
};
use crate::json::{Object, Value};

/// Returns the JSON Schema of the values of a form.
pub fn json_schema(title: &str, fields: &[FormField]) -> Value {
    let properties: Object =
        fields.iter().map(|field| (field.name.clone(), property(field))).collect();
    let required = fields.iter().filter(|field| field.is_required());
    let required: Value = required.map(|field| field.name.as_str()).collect();
    Value::from(Object::from([
        ("$schema", "https://json-schema.org/draft/2020-12/schema".into()),
        ("title", title.into()),
        ("type", "object".into()),
        ("properties", properties.into()),
        ("required", required),
        ("additionalProperties", false.into()),
    ]))
}

/// Returns the JSON Schema of the value of one field.
fn property(field: &FormField) -> Value {
    let mut schema = Object::from([("title", field.label.as_str().into())]);
    if let Some(help) = &field.help {
        schema.insert("description", help.as_str());
    }
    if let Some(example) = field.placeholder.as_ref().filter(|_| field.kind.is_text()) {
        schema.insert("examples", Value::from_iter([example.as_str()]));
    }
    match field.kind {
        FieldType::Number => insert_bounds(field, &mut schema),
        FieldType::Boolean => drop(schema.insert("type", "boolean")),
        FieldType::Select => drop(schema.insert("enum", option_values(field))),
        FieldType::Multiselect => {
            schema.insert("type", "array");
            schema.insert("items", Object::from([("enum", option_values(field))]));
            schema.insert("uniqueItems", true);
            if field.is_required() {
                schema.insert("minItems", 1);
            }
        }
        FieldType::Date => insert_format("date", DATE_PATTERN, &mut schema),
        FieldType::Datetime => insert_format("date-time", DATE_TIME_PATTERN, &mut schema),
        FieldType::Text | FieldType::Textarea => {
            insert_text(field, TEXT_MAX, &mut schema);
            insert_pattern(field, field.is_required().then_some(NOT_BLANK_PATTERN), &mut schema);
        }
        FieldType::Email => {
            insert_format("email", EMAIL_PATTERN, &mut schema);
            insert_text(field, EMAIL_CHARS_MAX, &mut schema);
            insert_pattern(field, Some(EMAIL_PATTERN), &mut schema);
        }
        FieldType::Url => {
            insert_format("uri", URL_PATTERN, &mut schema);
            insert_text(field, TEXT_MAX, &mut schema);
            insert_pattern(field, Some(URL_PATTERN), &mut schema);
        }
    }
    schema.into()
}

/// The patterns of values whose `format` accepts more than a submission does, or is only an annotation.
const DATE_PATTERN: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";
const DATE_TIME_PATTERN: &str = concat!(
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?",
    r"(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$",
);

/// The pattern of a text with a character that is not white space (`White_Space` of Unicode), as a submission requires
/// it. The class `\S` of ECMA-262 differs.
const NOT_BLANK_PATTERN: &str =
    r"[^\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]";

fn insert_bounds(field: &FormField, schema: &mut Object) {
    schema.insert("type", "number");
    for (name, bound) in [("minimum", field.min), ("maximum", field.max)] {
        if let Some(bound) = bound {
            schema.insert(name, bound);
        }
    }
}

fn insert_format(format: &str, pattern: &str, schema: &mut Object) {
    schema.insert("type", "string");
    schema.insert("format", format);
    schema.insert("pattern", pattern);
}

/// Adds the pattern of the field, and the one of its type. A schema has one member `pattern`.
fn insert_pattern(field: &FormField, of_type: Option<&str>, schema: &mut Object) {
    match (field.pattern.as_deref(), of_type) {
        (Some(pattern), Some(of_type)) => {
            schema.insert("pattern", pattern);
            let other = Value::from(Object::from([("pattern", of_type.into())]));
            schema.insert("allOf", Value::from_iter([other]));
        }
        (Some(pattern), None) | (None, Some(pattern)) => drop(schema.insert("pattern", pattern)),
        (None, None) => {}
    }
}

/// Adds the limits of a text of at most `max` characters.
fn insert_text(field: &FormField, max: u32, schema: &mut Object) {
    schema.insert("type", "string");
    // A required value is not empty.
    let min_length = field.min_length.unwrap_or(0).max(u32::from(field.is_required()));
    if min_length > 0 {
        schema.insert("minLength", min_length);
    }
    schema.insert("maxLength", field.max_length.unwrap_or(max).min(max));
}

fn option_values(field: &FormField) -> Value {
    field.options_or_empty().iter().map(|option| option.value.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{error::FieldError, json::Limits, read};

    fn read_fields(text: &str) -> (Option<Vec<FormField>>, Vec<FieldError>) {
        let value = Value::parse(text.as_bytes(), &Limits::REQUEST).unwrap();
        let mut errors = read::FieldErrors::default();
        let fields = super::super::field::fields(&value, &read::JsonPath::ROOT, &mut errors);
        (fields, errors.into_vec())
    }

    fn errors_of(text: &str) -> Vec<String> {
        let (_, errors) = read_fields(text);
        errors.iter().map(|error| format!("{} {}", error.path, error.code)).collect()
    }

    #[test]
    fn every_field_type_has_a_json_schema() {
        let (fields, errors) = read_fields(
            r#"[
            {"name": "a", "label": "A", "type": "number", "required": true, "min": 1, "max": 9.5},
            {"name": "b", "label": "B", "type": "text", "required": true, "pattern": "^x", "help": "h"},
            {"name": "c", "label": "C", "type": "multiselect", "required": true,
             "options": [{"value": "x", "label": "X"}, {"value": 2, "label": "Two"}]},
            {"name": "d", "label": "D", "type": "date"},
            {"name": "e", "label": "E", "type": "email", "max_length": 90},
            {"name": "f", "label": "F", "type": "boolean"},
            {"name": "g", "label": "G", "type": "text", "min_length": 65536}
        ]"#,
        );
        assert_eq!(errors, []);
        let fields = fields.unwrap();
        let schema = json_schema("T", &fields);
        assert_eq!(schema.get("required").unwrap().to_canonical(), r#"["a","b","c"]"#);
        let property_json = |name: &str| {
            schema.get("properties").and_then(|all| all.get(name)).unwrap().to_canonical()
        };
        assert_eq!(
            property_json("a"),
            r#"{"maximum":9.5,"minimum":1,"title":"A","type":"number"}"#
        );
        assert_eq!(
            property_json("b"),
            r#"{"allOf":[{"pattern":"[^\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]"}],"description":"h","maxLength":65536,"minLength":1,"pattern":"^x","title":"B","type":"string"}"#
        );
        assert_eq!(
            property_json("c"),
            r#"{"items":{"enum":["x",2]},"minItems":1,"title":"C","type":"array","uniqueItems":true}"#
        );
        assert_eq!(
            property_json("d"),
            r#"{"format":"date","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}$","title":"D","type":"string"}"#
        );
        let email = schema.get("properties").and_then(|all| all.get("e")).unwrap();
        assert_eq!(email.get("format").and_then(Value::as_str), Some("email"));
        assert_eq!(email.get("maxLength").map(Value::to_canonical).as_deref(), Some("90"));
        assert_eq!(email.get("pattern").and_then(Value::as_str), Some(EMAIL_PATTERN));
        assert_eq!(property_json("f"), r#"{"title":"F","type":"boolean"}"#);
        let text = serde_json::to_string(&fields).unwrap();
        assert_eq!(serde_json::from_str::<Vec<FormField>>(&text).unwrap(), fields);
    }

    #[test]
    fn members_that_do_not_fit_the_field_type_are_rejected() {
        assert_eq!(errors_of("[]"), [" too_few"]);
        assert_eq!(
            errors_of(
                r#"[
                {"name": "a", "label": "A", "type": "select"},
                {"name": "b", "label": "B", "type": "number", "min": 2, "max": 1, "pattern": "x"},
                {"name": "c", "label": "", "type": "texts", "colour": 1},
                {"name": "d", "label": "D", "type": "select", "options":
                 [{"value": "1", "label": "One"}, {"value": 1, "label": "One"}, {"value": null, "label": "x"}]}
            ]"#
            ),
            [
                "/0/options required",
                "/1/pattern conflict",
                "/1/min order",
                "/2/label too_short",
                "/2/type enum",
                "/2/colour unknown",
                "/3/options/2/value type",
            ]
        );
        let duplicate = r#"[{"name": "a", "label": "A", "type": "text"},
                        {"name": "a", "label": "B", "type": "text"}]"#;
        assert_eq!(errors_of(duplicate), ["/1/name duplicate"]);
    }
}
