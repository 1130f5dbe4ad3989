//! Renders schemas as type descriptions and tables.

use serde_json::Value;

use super::{members, text};
use crate::html::{escape, inline, paragraphs};

pub(super) fn section((name, schema): (&String, &Value)) -> String {
    let name = escape(name);
    let description = paragraphs(text(&schema["description"]));
    let tables = tables(schema);
    let body = if tables.is_empty() { format!("<p>{}</p>", kind(schema)) } else { tables };
    format!(
        "<article id=\"schema-{name}\" class=\"schema\"><h3>{name}</h3>{description}{body}</article>"
    )
}

/// Renders the members of an object as a table, and each shape of an object with several shapes as a table.
/// Returns an empty text for other schemas.
pub(super) fn tables(schema: &Value) -> String {
    if schema["properties"].is_object() {
        return table(schema);
    }
    let shapes = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    let shapes = shapes.into_iter().flatten().filter(|shape| shape["properties"].is_object());
    let tables: Vec<String> = shapes.map(table).collect();
    if tables.is_empty() { String::new() } else { format!("<p>One of:</p>{}", tables.concat()) }
}

fn table(schema: &Value) -> String {
    let required = schema["required"].as_array();
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|item| item == name));
    let rows: String = members(&schema["properties"])
        .map(|(name, member)| {
            let mark = if is_required(name) { "<em>required</em>" } else { "" };
            row(name, mark, member)
        })
        .collect();
    rows_in("Member", &rows)
}

/// Renders a table of named values.
pub(super) fn rows_in(heading: &str, rows: &str) -> String {
    format!(
        "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table><thead>\
         <tr><th scope=\"col\">{heading}</th><th scope=\"col\">Type</th><th scope=\"col\">Meaning</th>\
         </tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

/// Renders a named value as a table row.
pub(super) fn row(name: &str, mark: &str, schema: &Value) -> String {
    let (name, kind, description) = (escape(name), kind(schema), inline(description(schema)));
    format!(
        "<tr><th scope=\"row\"><code>{name}</code> {mark}</th><td>{kind}</td><td>{description}</td></tr>"
    )
}

/// Returns the description of a value, or else the first one of its alternatives.
fn description(schema: &Value) -> &str {
    let direct = text(&schema["description"]);
    let alternatives = schema["oneOf"].as_array().into_iter().flatten();
    let alternative = alternatives
        .map(|item| text(&item["description"]))
        .find(|description| !description.is_empty());
    if direct.is_empty() { alternative.unwrap_or_default() } else { direct }
}

/// Renders a type, with links to the schemas that it references.
pub(super) fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        let name = escape(name);
        return format!("<a href=\"#schema-{name}\">{name}</a>");
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(|value| code(text(value))).collect();
        return values.join(" · ");
    }
    for keyword in ["oneOf", "anyOf", "allOf"] {
        if let Some(alternatives) = schema[keyword].as_array() {
            let non_null = alternatives.iter().filter(|item| item["type"] != "null");
            return non_null.map(kind).collect::<Vec<_>>().join(" or ");
        }
    }
    let (kind, format) = (type_name(&schema["type"]), text(&schema["format"]));
    match kind {
        "array" => format!("array of {}{}", self::kind(&schema["items"]), limits(schema)),
        "string" if format.is_empty() => format!("string{}", limits(schema)),
        "integer" | "number" => format!("{kind}{}", limits(schema)),
        "string" if !format.is_empty() => escape(format),
        "" => "any".to_owned(),
        _ => escape(kind),
    }
}

/// Renders the limits of a value, in parentheses.
fn limits(schema: &Value) -> String {
    let bound = |name: &str| schema[name].as_number().map(ToString::to_string);
    let range = |min: &str, max: &str, unit: &str| match (bound(min), bound(max)) {
        (Some(min), Some(max)) => Some(format!("{min} to {max}{unit}")),
        (Some(min), None) => Some(format!("at least {min}{unit}")),
        (None, Some(max)) => Some(format!("at most {max}{unit}")),
        (None, None) => None,
    };
    let ranges = [
        range("minLength", "maxLength", " characters"),
        range("minItems", "maxItems", " elements"),
        range("minimum", "maximum", ""),
    ];
    let ranges: Vec<String> = ranges.into_iter().flatten().collect();
    if ranges.is_empty() { String::new() } else { format!(" ({})", ranges.join(", ")) }
}

/// Returns the type of a value that may also be null.
fn type_name(kind: &Value) -> &str {
    let types = kind.as_array().into_iter().flatten().map(text);
    kind.as_str().or_else(|| types.into_iter().find(|item| *item != "null")).unwrap_or_default()
}

fn code(value: &str) -> String {
    format!("<code>{}</code>", escape(value))
}
