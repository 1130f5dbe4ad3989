//! Schemas as type descriptions and tables.

use page_kit::prelude::*;
use serde_json::Value;

use super::{
    members,
    prose::{inline, paragraphs},
    text,
};

/// Renders a named schema.
pub(super) fn section(name: &str, schema: &Value) -> AnyView {
    let body = tables(schema).unwrap_or_else(|| any_view! { <p>{kind(schema)}</p> });
    any_view! {
        <article id=format!("schema-{name}") class="schema">
            <h3>{name.to_owned()}</h3>
            {paragraphs(text(&schema["description"]))}
            {body}
        </article>
    }
}

/// Renders the members of an object as a table, and each shape of an object with several shapes as a table.
/// Returns `None` for other schemas.
pub(super) fn tables(schema: &Value) -> Option<AnyView> {
    if schema["properties"].is_object() {
        return Some(table(schema));
    }
    let shapes = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    let shapes = shapes.into_iter().flatten().filter(|shape| shape["properties"].is_object());
    let tables: Vec<AnyView> = shapes.map(table).collect();
    if tables.is_empty() {
        return None;
    }
    Some(any_view! {
        <p>"One of:"</p>
        {tables}
    })
}

fn table(schema: &Value) -> AnyView {
    let required = schema["required"].as_array();
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|item| item == name));
    let rows = members(&schema["properties"])
        .map(|(name, member)| {
            let mark = is_required(name).then(|| "required".to_owned());
            row(name, mark, member)
        })
        .collect_view();
    any_view! { <Rows heading="Member">{rows}</Rows> }
}

/// A table of named values.
#[component]
#[expect(unreachable_pub, reason = "the macro generates a `pub` item")]
pub(super) fn Rows(heading: &'static str, children: Children) -> impl IntoView {
    view! {
        <div class="table" tabindex="0" role="region" aria-label="Table">
            <table>
                <thead>
                    <tr>
                        <th scope="col">{heading}</th>
                        <th scope="col">"Type"</th>
                        <th scope="col">"Meaning"</th>
                    </tr>
                </thead>
                <tbody>{children()}</tbody>
            </table>
        </div>
    }
}

/// Renders a named value as a table row.
pub(super) fn row(name: &str, mark: Option<String>, schema: &Value) -> AnyView {
    any_view! {
        <tr>
            <th scope="row">
                <code>{name.to_owned()}</code>
                " "
                {mark.map(|mark| view! { <em>{mark}</em> })}
            </th>
            <td>{kind(schema)}</td>
            <td>{inline(description(schema))}</td>
        </tr>
    }
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
pub(super) fn kind(schema: &Value) -> AnyView {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        let link = view! { <a href=format!("#schema-{name}")>{name.to_owned()}</a> };
        return link.into_any();
    }
    if let Some(values) = schema["enum"].as_array() {
        let codes = values.iter().map(|value| any_view! { <code>{text(value).to_owned()}</code> });
        return joined(codes, " · ");
    }
    for keyword in ["oneOf", "anyOf", "allOf"] {
        if let Some(alternatives) = schema[keyword].as_array() {
            let non_null = alternatives.iter().filter(|item| item["type"] != "null");
            return joined(non_null.map(kind), " or ");
        }
    }
    let (kind, format) = (type_name(&schema["type"]), text(&schema["format"]));
    match kind {
        "array" => {
            let element = self::kind(&schema["items"]);
            ("array of ", element, limits(schema)).into_any()
        }
        "string" if !format.is_empty() => format.to_owned().into_any(),
        "string" | "integer" | "number" => {
            format!("{kind}{}", limits(schema).unwrap_or_default()).into_any()
        }
        "" => "any".into_any(),
        _ => kind.to_owned().into_any(),
    }
}

/// Renders elements with a separator between them.
pub(super) fn joined(elements: impl Iterator<Item = AnyView>, separator: &'static str) -> AnyView {
    let elements = elements.enumerate().map(|(index, element)| {
        let separator = (index > 0).then_some(separator);
        view! {
            {separator}
            {element}
        }
    });
    elements.collect_view().into_any()
}

/// Returns the limits of a value in parentheses, if it has any.
fn limits(schema: &Value) -> Option<String> {
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
    (!ranges.is_empty()).then(|| format!(" ({})", ranges.join(", ")))
}

/// Returns the type of a value that may also be null.
fn type_name(kind: &Value) -> &str {
    let types = kind.as_array().into_iter().flatten().map(text);
    kind.as_str().or_else(|| types.into_iter().find(|item| *item != "null")).unwrap_or_default()
}
