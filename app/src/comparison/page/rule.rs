//! One rule that differs: its sentences, one line per changed property, and its comments.

use leptos::prelude::*;

use crate::{
    comparison::{
        markup::marked,
        view::{Layout, PropertyChange, RuleComparison},
        words as strings,
    },
    review::view::ChangeKind,
    rule::view::RuleLine,
    text::difference::{Run, Side, of_side},
    ui::{badge::SeverityChip, sentence::sentence},
    version::words as version_words,
};

#[component]
pub(super) fn RuleView(
    rule: RuleComparison,
    layout: Layout,
    /// The numbers of the earlier and of the later version.
    numbers: (Option<u32>, u32),
    comments: AnyView,
) -> impl IntoView {
    let (mark, label, tone) = rule.kind.appearance();
    let (article_label, code) = (rule.code.clone(), rule.code.clone());
    let name = rule.after.as_ref().or(rule.before.as_ref()).and_then(|rule| rule.name.clone());
    let position = rule.moved.map(strings::moved);
    let moved = (rule.kind == ChangeKind::Changed && rule.moved.is_some())
        .then(|| ChangeKind::Moved.appearance().1);
    let content = if rule.kind == ChangeKind::Changed {
        view! { <ChangedRule rule=rule.clone() layout numbers /> }.into_any()
    } else {
        let line = rule.after.or(rule.before);
        line.map(|line| view! { <WholeRule line kind=rule.kind /> }).into_any()
    };
    view! {
        <article class="card flush change" aria-label=article_label data-row tabindex="-1">
            <header class="compare-head">
                <span class=format!("status {tone}")>
                    <span aria-hidden="true" class="font-mono">
                        {mark}
                    </span>
                    {label}
                </span>
                <bdi class="font-semibold">{name}</bdi>
                <bdi class="rule-code">{code}</bdi>
                <span class="plain">{moved} " " {position}</span>
            </header>
            {content}
            {comments}
        </article>
    }
}

/// A rule that only one version has, or that was only moved.
#[component]
fn WholeRule(line: RuleLine, kind: ChangeKind) -> impl IntoView {
    let class = match kind {
        ChangeKind::Added => "compare-side added",
        ChangeKind::Removed => "compare-side removed",
        ChangeKind::Changed | ChangeKind::Moved => "compare-side",
    };
    view! {
        <div class=class>
            <p>{sentence(line.sentence)}</p>
            {description(line.description)}
            <p class="row">
                <SeverityChip severity=line.severity />
                {(!line.is_active)
                    .then(|| view! { <span class="plain">{version_words::INACTIVE}</span> })}
            </p>
        </div>
    }
}

fn description(text: Option<String>) -> impl IntoView {
    text.map(|text| {
        view! {
            <p class="text-muted">
                <bdi>{text}</bdi>
            </p>
        }
    })
}

/// The sentences of both versions with their changed words, then the changed properties.
#[component]
fn ChangedRule(rule: RuleComparison, layout: Layout, numbers: (Option<u32>, u32)) -> impl IntoView {
    let [before, after] = labels(numbers);
    let side = |label: String, runs: Vec<Run>, line: Option<RuleLine>| {
        view! {
            <div class="compare-side">
                <p class="text-xs text-muted tabular-nums">{label}</p>
                <p>{marked(runs)}</p>
                {line
                    .map(|line| {
                        view! {
                            <p>
                                <SeverityChip severity=line.severity />
                            </p>
                        }
                    })}
            </div>
        }
    };
    let sentences = match layout {
        Layout::SideBySide => view! {
            <div class="compare-sides">
                {side(before, of_side(&rule.sentence, Side::Before), rule.before)}
                {side(after, of_side(&rule.sentence, Side::After), rule.after)}
            </div>
        }
        .into_any(),
        Layout::Unified => view! {
            <div class="compare-side">
                <p>{marked(rule.sentence)}</p>
            </div>
        }
        .into_any(),
    };
    view! {
        {sentences}
        <Properties code=rule.code properties=rule.properties layout numbers />
    }
}

/// The names of both sides.
fn labels((before, after): (Option<u32>, u32)) -> [String; 2] {
    let before = before.map(|number| format!("v{number}")).unwrap_or_default();
    [before, format!("v{after}")]
}

/// One line per changed property, with the old and the new value.
#[component]
fn Properties(
    code: String,
    properties: Vec<PropertyChange>,
    layout: Layout,
    numbers: (Option<u32>, u32),
) -> impl IntoView {
    let [before, after] = labels(numbers);
    let columns = match layout {
        Layout::SideBySide => vec![before, after],
        Layout::Unified => vec![strings::CHANGE.to_owned()],
    };
    let labels = columns.clone();
    let row = move |property: PropertyChange| {
        let values = match layout {
            Layout::SideBySide => {
                vec![
                    value(of_side(&property.runs, Side::Before)),
                    value(of_side(&property.runs, Side::After)),
                ]
            }
            Layout::Unified => vec![marked(property.runs)],
        };
        let cell = |(label, value): (String, AnyView)| view! { <td data-label=label>{value}</td> };
        view! {
            <tr>
                <th scope="row">{property.label}</th>
                {labels.clone().into_iter().zip(values).map(cell).collect_view()}
            </tr>
        }
    };
    let head = columns.into_iter().map(|label| view! { <th scope="col">{label}</th> });
    (!properties.is_empty()).then(|| {
        view! {
            <table class="properties">
                <caption class="sr-only">{strings::changed_properties(&code)}</caption>
                <thead>
                    <tr>
                        <th scope="col">{strings::PROPERTY}</th>
                        {head.collect_view()}
                    </tr>
                </thead>
                <tbody>{properties.into_iter().map(row).collect_view()}</tbody>
            </table>
        }
    })
}

/// Renders a value, or that it is not set.
fn value(runs: Vec<Run>) -> AnyView {
    if runs.is_empty() {
        view! { <span class="text-muted">{strings::NOT_SET}</span> }.into_any()
    } else {
        marked(runs)
    }
}
