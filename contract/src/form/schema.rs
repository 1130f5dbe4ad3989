//! The JSON Schema (draft 2020-12) of the values of a form.

use super::{FieldType, FormField, field::TEXT_MAX};
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
    if let Some(example) = &field.placeholder {
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
        FieldType::Date => insert_format("date", &mut schema),
        FieldType::Datetime => insert_format("date-time", &mut schema),
        FieldType::Text | FieldType::Textarea => insert_text(field, &mut schema),
        FieldType::Email => {
            insert_format("email", &mut schema);
            insert_text(field, &mut schema);
        }
        FieldType::Url => {
            insert_format("uri", &mut schema);
            insert_text(field, &mut schema);
        }
    }
    schema.into()
}

fn insert_bounds(field: &FormField, schema: &mut Object) {
    schema.insert("type", "number");
    for (name, bound) in [("minimum", field.min), ("maximum", field.max)] {
        if let Some(bound) = bound {
            schema.insert(name, bound);
        }
    }
}

fn insert_format(format: &str, schema: &mut Object) {
    schema.insert("type", "string");
    schema.insert("format", format);
}

fn insert_text(field: &FormField, schema: &mut Object) {
    schema.insert("type", "string");
    // A required value is not empty.
    let min_length = field.min_length.unwrap_or(0).max(u32::from(field.is_required()));
    if min_length > 0 {
        schema.insert("minLength", min_length);
    }
    schema.insert("maxLength", field.max_length.unwrap_or(TEXT_MAX));
    if let Some(pattern) = &field.pattern {
        schema.insert("pattern", pattern.as_str());
    }
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
            r#"{"description":"h","maxLength":65536,"minLength":1,"pattern":"^x","title":"B","type":"string"}"#
        );
        assert_eq!(
            property_json("c"),
            r#"{"items":{"enum":["x",2]},"minItems":1,"title":"C","type":"array","uniqueItems":true}"#
        );
        assert_eq!(property_json("d"), r#"{"format":"date","title":"D","type":"string"}"#);
        assert_eq!(
            property_json("e"),
            r#"{"format":"email","maxLength":90,"title":"E","type":"string"}"#
        );
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
