//! The inputs of a decision: the context with its evidence.

use governance::base::json::to_json;
use islands::explanation::plain;
use page_kit::{prelude::*, text::json::indented};

/// Renders the fields of the context, the context as JSON without its evidence, or the record as JSON, as the tab in
/// the address selects.
pub(super) fn inputs(record: &DecisionRecord) -> Result<AnyView, Problem> {
    let (fields, json, raw) = ("Fields", "Context", "Raw JSON");
    let selected = page::query("look");
    let tab = |(name, label): (&'static str, &'static str)| {
        let href = url::with_query(&url::decision(record.tenant_id, record.id), &[("look", name)]);
        let current = (selected == name).then_some("true");
        view! {
            <a href=href aria-current=current data-noscroll="">
                {label}
            </a>
        }
    };
    let tabs = [("", fields), ("context", json), ("raw", raw)].map(tab);
    let block = |value: &Value, label: &'static str| {
        any_view! { <div class="pad">{code_block(indented(value), label)}</div> }
    };
    let content = match &*selected {
        "context" => {
            let mut context = record.context.clone();
            if let Value::Object(members) = &mut context {
                members.remove("evidence");
            }
            block(&context, json)
        }
        "raw" => block(&to_json(record).map_err(governance::Error::from)?, raw),
        _ => field_table(input_fields(record.context.get("fields"), &record.result.violations)),
    };
    Ok(any_view! {
        <section class="card flush">
            <div class="card-head pad">
                <h2>"Inputs"</h2>
                <nav class="segmented" aria-label="Inputs">
                    {tabs}
                </nav>
            </div>
            {content}
        </section>
    })
}

/// A field of the context. Members of an object are separate fields with a path.
struct InputField {
    path: String,
    /// The value as JSON, a text without quotes.
    value: String,
    /// Whether a violated rule checks the field.
    is_violated: bool,
    /// The value that a violated rule requires.
    expected: Option<String>,
}

fn input_fields(fields: Option<&Value>, violations: &[Violation]) -> Vec<InputField> {
    let mut rows = Vec::new();
    for (name, value) in fields.and_then(Value::as_object).into_iter().flatten() {
        add_field(name, value, violations, &mut rows);
    }
    rows
}

fn add_field(path: &str, value: &Value, violations: &[Violation], rows: &mut Vec<InputField>) {
    if let Some(members) = value.as_object().filter(|members| !members.is_empty()) {
        for (name, value) in members {
            add_field(&format!("{path}.{name}"), value, violations, rows);
        }
        return;
    }
    let first = violations.iter().find(|violation| violation.field.as_deref() == Some(path));
    rows.push(InputField {
        path: path.to_owned(),
        value: plain(value),
        is_violated: first.is_some(),
        expected: first.and_then(|violation| violation.expected_value.as_ref()).map(plain),
    });
}

/// Renders the fields. Those of violated rules come first.
fn field_table(fields: Vec<InputField>) -> AnyView {
    if fields.is_empty() {
        return any_view! { <p class="text-muted pad">"The context has no fields."</p> };
    }
    let (violated, other): (Vec<_>, Vec<_>) =
        fields.into_iter().partition(|field| field.is_violated);
    let has_groups = !violated.is_empty();
    let group = |title: &'static str, rows: Vec<InputField>| {
        let head = has_groups.then(|| {
            view! {
                <tr class="group">
                    <th colspan="2" scope="rowgroup">
                        {title}
                    </th>
                </tr>
            }
        });
        (!rows.is_empty()).then(|| {
            view! { <tbody>{head} {rows.into_iter().map(field_row).collect_view()}</tbody> }
        })
    };
    any_view! {
        <table class="inputs">
            <caption class="sr-only">"Inputs"</caption>
            {group("In violated rules", violated)}
            {group("Other fields", other)}
        </table>
    }
}

fn field_row(field: InputField) -> AnyView {
    let expected = field.expected.map(|expected| {
        view! { <span class="want">"expected:" " " <bdi>{expected}</bdi></span> }
    });
    any_view! {
        <tr class=field.is_violated.then_some("hit")>
            <th scope="row">
                <code dir="auto">{field.path}</code>
            </th>
            <td>
                <code dir="auto">{field.value}</code>
                {expected}
            </td>
        </tr>
    }
}

/// Renders the evidence of the context: kind, reference and hash of each item, and the item as JSON.
pub(super) fn evidence(record: &DecisionRecord) -> AnyView {
    let title = "Evidence";
    let item = |item: &Value| {
        let text = |name| item.get(name).and_then(Value::as_str).map(str::to_owned);
        let reference = text("ref").map(|text| view! { <bdi class="breaks">{text}</bdi> });
        let hash = text("hash").map(|digest| short_digest(digest, "Hash"));
        view! {
            <details class="disclosure">
                <summary>
                    <bdi>{text("kind").unwrap_or_else(|| "–".to_owned())}</bdi>
                </summary>
                {code_block(indented(item), title)}
            </details>
            <p class="row">{reference} {hash}</p>
        }
    };
    let items = record.context.get("evidence").and_then(Value::as_array).unwrap_or_default();
    let list = if items.is_empty() {
        any_view! { <p class="text-muted">"The context has no evidence."</p> }
    } else {
        items.iter().map(item).collect_view().into_any()
    };
    any_view! {
        <section class="card stack">
            <h2>{title}</h2>
            {list}
        </section>
    }
}

#[cfg(test)]
mod tests {
    use contract::json::Limits;

    use super::*;

    #[test]
    fn nested_fields_have_a_path() {
        let text = br#"{"a": {"b": "x", "c": [1, 2]}, "d": {}, "e": 1.5}"#;
        let value = Value::parse(text, &Limits::REQUEST).unwrap();
        let rows = input_fields(Some(&value), &[]);
        let rows: Vec<_> = rows.iter().map(|row| (&*row.path, &*row.value)).collect();
        assert_eq!(rows, [("a.b", "x"), ("a.c", "[1,2]"), ("d", "{}"), ("e", "1.5")]);
    }
}
