//! Types as words and tables.

use serde_json::Value;

use super::{members, text};
use crate::html::{escaped, inline, prose};

/// One schema with its members.
pub(super) fn section((name, schema): (&String, &Value)) -> String {
    let name = escaped(name);
    let words = prose(text(&schema["description"]));
    let tables = tables(schema);
    let body = if tables.is_empty() { format!("<p>{}</p>", kind(schema)) } else { tables };
    format!("<article id=\"schema-{name}\" class=\"schema\"><h3>{name}</h3>{words}{body}</article>")
}

/// The members of an object as a table; of an object with several shapes, one table for each. Empty for
/// what is no object.
pub(super) fn tables(schema: &Value) -> String {
    if schema["properties"].is_object() {
        return table(schema);
    }
    let shapes = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    let shapes = shapes.into_iter().flatten().filter(|shape| shape["properties"].is_object());
    let tables: Vec<String> = shapes.map(table).collect();
    if tables.is_empty() { String::new() } else { format!("<p>One of:</p>{}", tables.concat()) }
}

/// The members of an object as a table.
fn table(schema: &Value) -> String {
    let required = schema["required"].as_array();
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    let rows: String = members(&schema["properties"])
        .map(|(name, member)| {
            let mark = if is_required(name) { "<em>required</em>" } else { "" };
            row(name, mark, member)
        })
        .collect();
    rows_in("Member", &rows)
}

/// A table of named values.
pub(super) fn rows_in(heading: &str, rows: &str) -> String {
    format!(
        "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table><thead>\
         <tr><th scope=\"col\">{heading}</th><th scope=\"col\">Type</th><th scope=\"col\">Meaning</th>\
         </tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

/// A named value as a row.
pub(super) fn row(name: &str, mark: &str, schema: &Value) -> String {
    let (name, kind, words) = (escaped(name), kind(schema), inline(words(schema)));
    format!(
        "<tr><th scope=\"row\"><code>{name}</code> {mark}</th><td>{kind}</td><td>{words}</td></tr>"
    )
}

/// The description of a value, its own or that of the one alternative that is not null.
fn words(schema: &Value) -> &str {
    let own = text(&schema["description"]);
    let alternatives = schema["oneOf"].as_array().into_iter().flatten();
    let other = alternatives.map(|one| text(&one["description"])).find(|words| !words.is_empty());
    if own.is_empty() { other.unwrap_or_default() } else { own }
}

/// A type in words, with links to the schemas that it names.
pub(super) fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        let name = escaped(name);
        return format!("<a href=\"#schema-{name}\">{name}</a>");
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(|value| code(text(value))).collect();
        return values.join(" · ");
    }
    for word in ["oneOf", "anyOf", "allOf"] {
        if let Some(alternatives) = schema[word].as_array() {
            let named = alternatives.iter().filter(|one| one["type"] != "null");
            return named.map(kind).collect::<Vec<_>>().join(" or ");
        }
    }
    let (kind, format) = (simple(&schema["type"]), text(&schema["format"]));
    match kind {
        "array" => format!("array of {}{}", self::kind(&schema["items"]), limits(schema)),
        "string" if format.is_empty() => format!("string{}", limits(schema)),
        "integer" | "number" => format!("{kind}{}", limits(schema)),
        "string" if !format.is_empty() => escaped(format),
        "" => "any".to_owned(),
        _ => escaped(kind),
    }
}

/// The limits of a value, in parentheses.
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

/// The one type of a value that may also be null.
fn simple(kind: &Value) -> &str {
    let several = kind.as_array().into_iter().flatten().map(text);
    kind.as_str().or_else(|| several.into_iter().find(|one| *one != "null")).unwrap_or_default()
}

fn code(value: &str) -> String {
    format!("<code>{}</code>", escaped(value))
}
