//! One rule that differs: its sentences, one line per changed property, and its comments.

use page_kit::{
    prelude::*,
    text::{
        difference::{Run, Side, of_side},
        sentence::Piece,
    },
};
use rules::rule::view::RuleLine;

use super::{
    Layout,
    change::{Change, ChangeKind, PropertyChange, RuleComparison},
};
use crate::version::INACTIVE;

impl ChangeKind {
    /// Renders the symbol and the name of the difference.
    pub(crate) fn mark(self) -> AnyView {
        let (mark, label, tone) = self.appearance();
        any_view! {
            <span class=format!("status {tone}")>
                <span aria-hidden="true" class="font-mono">
                    {mark}
                </span>
                {label}
            </span>
        }
    }
}

/// Renders parts of two versions. Removed parts are `del`, added parts are `ins`.
pub fn marked(runs: Vec<Run>) -> AnyView {
    let part = |run: Run| {
        let content = match run.piece {
            Piece::Words(text) => any_view! { <bdi>{text}</bdi> },
            Piece::Field(text) => any_view! { <bdi class="field-name">{text}</bdi> },
            Piece::Value(text) => any_view! { <bdi class="value">{text}</bdi> },
        };
        match run.side {
            Side::Both => content,
            Side::Before => any_view! { <del>{content}</del> },
            Side::After => any_view! { <ins>{content}</ins> },
        }
    };
    runs.into_iter().map(part).collect_view().into_any()
}

/// Renders a rule that differs, with its comments. `labels` name the earlier and the later version.
pub(super) fn rule_view(
    rule: RuleComparison,
    layout: Layout,
    labels: &[String; 2],
    comments: AnyView,
) -> AnyView {
    let Change { kind, ref code, moved, .. } = rule.change;
    let (code, name) = (code.clone(), rule.change.name());
    let label = code.clone();
    let position = moved.map(|(from, to)| format!("position {from} to {to}"));
    let moved =
        (kind == ChangeKind::Changed && moved.is_some()).then(|| ChangeKind::Moved.appearance().1);
    let content = if kind == ChangeKind::Changed {
        changed_rule(rule, layout, labels)
    } else {
        let line = rule.change.after.or(rule.change.before);
        line.map(|line| whole_rule(line, kind)).into_any()
    };
    any_view! {
        <article class="card flush change" aria-label=label data-row tabindex="-1">
            <header class="compare-head">
                {kind.mark()} <bdi class="font-semibold">{name}</bdi>
                <bdi class="rule-code">{code}</bdi>
                <span class="plain">{moved} " " {position}</span>
            </header>
            {content}
            {comments}
        </article>
    }
}

/// Renders a rule that only one version has, or that was only moved.
fn whole_rule(line: RuleLine, kind: ChangeKind) -> AnyView {
    let class = match kind {
        ChangeKind::Added => "compare-side added",
        ChangeKind::Removed => "compare-side removed",
        ChangeKind::Changed | ChangeKind::Moved => "compare-side",
    };
    let inactive = (!line.is_active).then(|| view! { <span class="plain">{INACTIVE}</span> });
    any_view! {
        <div class=class>
            <p>{sentence(line.sentence)}</p>
            {description(line.description)}
            <p class="row">{severity_chip(line.severity)} {inactive}</p>
        </div>
    }
}

pub fn description(text: Option<String>) -> Option<AnyView> {
    Some(any_view! {
        <p class="text-muted">
            <bdi>{text?}</bdi>
        </p>
    })
}

/// Renders the sentences of both versions with their changed words, then the changed properties.
fn changed_rule(rule: RuleComparison, layout: Layout, labels: &[String; 2]) -> AnyView {
    let RuleComparison { change, sentence, properties } = rule;
    let side = |label: &String, runs: Vec<Run>, line: Option<RuleLine>| {
        let severity = line.map(|line| {
            view! { <p>{severity_chip(line.severity)}</p> }
        });
        view! {
            <div class="compare-side">
                <p class="text-xs text-muted tabular-nums">{label.clone()}</p>
                <p>{marked(runs)}</p>
                {severity}
            </div>
        }
    };
    let [before, after] = labels;
    let sentences = match layout {
        Layout::SideBySide => any_view! {
            <div class="compare-sides">
                {side(before, of_side(&sentence, Side::Before), change.before)}
                {side(after, of_side(&sentence, Side::After), change.after)}
            </div>
        },
        Layout::Unified => any_view! {
            <div class="compare-side">
                <p>{marked(sentence)}</p>
            </div>
        },
    };
    any_view! {
        {sentences}
        {property_table(&change.code, properties, layout, labels)}
    }
}

/// Renders one line per changed property, with the old and the new value.
fn property_table(
    code: &str,
    properties: Vec<PropertyChange>,
    layout: Layout,
    labels: &[String; 2],
) -> Option<AnyView> {
    if properties.is_empty() {
        return None;
    }
    let columns = match layout {
        Layout::SideBySide => labels.to_vec(),
        Layout::Unified => vec!["Change".to_owned()],
    };
    let labels = columns.clone();
    let row = |property: PropertyChange| {
        let values = match layout {
            Layout::SideBySide => {
                [Side::Before, Side::After].map(|side| value(of_side(&property.runs, side))).into()
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
    Some(any_view! {
        <table class="properties">
            <caption class="sr-only">{format!("Changed properties of {code}")}</caption>
            <thead>
                <tr>
                    <th scope="col">"Property"</th>
                    {head.collect_view()}
                </tr>
            </thead>
            <tbody>{properties.into_iter().map(row).collect_view()}</tbody>
        </table>
    })
}

/// Renders a value, or that it is not set.
fn value(runs: Vec<Run>) -> AnyView {
    if runs.is_empty() {
        any_view! { <span class="text-muted">"Not set"</span> }
    } else {
        marked(runs)
    }
}
