//! Stacked bars over time. Parts differ in their pattern and in their color.

use contract::evaluation::Verdict;
use kit::any_view;
use leptos::prelude::*;

use super::{
    Cell, DECISIONS, FROM, NONE, axis, card, card_with, decisions, grid, percent, plot,
    scale::{Scale, to_float},
    table,
};
use crate::text::number::{exact_rate, whole};

/// The content of a chart of verdicts.
pub struct Bars {
    /// A name that is unique on the page.
    pub name: &'static str,
    pub title: &'static str,
    pub caption: String,
    pub columns: Vec<Column>,
    /// The formatted start, middle and end of the time range.
    pub times: [String; 3],
    /// The address of the decisions of each verdict in the whole time range, in the order of [`Verdict::ALL`].
    pub lists: [String; 4],
    /// Whether bars show the shares of the verdicts instead of their numbers.
    pub is_share: bool,
    /// The addresses of the page with counts and with shares, if this chart has the switch.
    pub units: Option<[String; 2]>,
    pub marks: Vec<Mark>,
    /// The note after the marks.
    pub note: Option<&'static str>,
}

/// A marked time: a dotted line, and the sentence "{time}: {name}{text}" below the chart.
pub struct Mark {
    /// The distance from the start, as a length.
    pub position: String,
    pub time: String,
    pub name: String,
    pub href: String,
    pub text: String,
}

/// Returns what happened to a policy, after its name: for example " v18 was activated by Ines Roy.".
pub fn change(version: Option<u32>, by: Option<&str>) -> String {
    let by = by.map(|by| format!(" by {by}")).unwrap_or_default();
    match version {
        Some(version) => format!(" v{version} was activated{by}."),
        None => format!(" was deactivated{by}."),
    }
}

/// One bar.
pub struct Column {
    /// The formatted start of its time range.
    pub from: String,
    /// The parts, in the order of [`Verdict::ALL`]. The last one is at the bottom.
    pub parts: Vec<Part>,
}

/// The decisions of one verdict in one bar.
pub struct Part {
    pub verdict: Verdict,
    pub decisions: i64,
    /// The address of the list of these decisions.
    pub href: String,
}

impl Column {
    fn total(&self) -> i64 {
        self.parts.iter().map(|part| part.decisions).sum()
    }
}

/// Returns the chart of verdicts over time.
pub fn bars(chart: Bars) -> AnyView {
    let Bars { name, title, caption, columns, times, lists, is_share, units, marks, note } = chart;
    let all: i64 = columns.iter().map(Column::total).sum();
    let total = decisions(all);
    let top = columns.iter().map(Column::total).max().unwrap_or_default();
    if top == 0 {
        let none = any_view! { <p>{NONE}</p> };
        return card(title, total, None, none);
    }
    let scale = if is_share { Scale::of_shares() } else { Scale::of_counts(top) };
    let values = if is_share { scale.shares() } else { scale.counts() };
    let drawing = drawing(name, title, &total, &columns, scale, is_share, &marks);
    let content = view! {
        {legend(name, &columns, lists)}
        {plot(values, times, drawing)}
        {sentences(marks, note)}
        {table(title, &HEAD, columns.into_iter().map(row).collect())}
    };
    let switch = units.map(|units| switch(units, is_share));
    card_with(title, total, switch, Some(caption), content.into_any())
}

/// Renders the links to counts and shares. The current one is marked.
fn switch([counts, shares]: [String; 2], is_share: bool) -> AnyView {
    let link = |href: String, word: &'static str, is_current: bool| {
        view! {
            <a href=href aria-current=is_current.then_some("page")>
                {word}
            </a>
        }
    };
    any_view! {
        <nav class="segmented" aria-label="Scale">
            {link(counts, "Count", !is_share)}
            {link(shares, "Share", is_share)}
        </nav>
    }
}

/// Renders the sentences of the marks.
fn sentences(marks: Vec<Mark>, note: Option<&'static str>) -> Option<AnyView> {
    if marks.is_empty() {
        return None;
    }
    let sentence = |Mark { time, name, href, text, .. }: Mark| {
        view! {
            <li>
                {time} ": " <a href=href>
                    <bdi>{name}</bdi>
                </a> <bdi>{text}</bdi>
            </li>
        }
    };
    Some(any_view! {
        <ul class="plain-list changes">{marks.into_iter().map(sentence).collect_view()}</ul>
        {note.map(|note| view! { <p class="plain">{note}</p> })}
    })
}

/// Returns the chart of verdicts as a slim histogram, without a scale and a legend.
pub fn histogram(
    name: &'static str,
    title: &'static str,
    columns: Vec<Column>,
    times: [String; 3],
    caption: String,
) -> AnyView {
    let all: i64 = columns.iter().map(Column::total).sum();
    let total = decisions(all);
    let top = columns.iter().map(Column::total).max().unwrap_or_default();
    let drawing = drawing(name, title, &total, &columns, Scale::up_to(top), false, &[]);
    any_view! {
        <figure class="histogram" aria-label=title>
            {drawing}
            {axis(times)}
            <figcaption class="plain">{total} ". " {caption}</figcaption>
            {table(title, &HEAD, columns.into_iter().map(row).collect())}
        </figure>
    }
}

const HEAD: [&str; 6] = [FROM, "ALLOW", "ALERT", "REVIEW", "DENY", DECISIONS];

fn row(column: Column) -> Vec<Cell> {
    let total = column.total();
    let mut cells = vec![Cell::from(column.from)];
    cells.extend(column.parts.into_iter().map(|part| {
        Cell::from(part.decisions).links_to((part.decisions > 0).then_some(part.href))
    }));
    cells.push(total.into());
    cells
}

fn drawing(
    name: &'static str,
    title: &'static str,
    total: &str,
    columns: &[Column],
    scale: Scale,
    is_share: bool,
    marks: &[Mark],
) -> AnyView {
    let count = i64::try_from(columns.len()).unwrap_or(1);
    let bars = (0..).zip(columns).map(|(index, column)| {
        let top = if is_share { to_float(column.total()) } else { scale.top() };
        let height = move |decisions| format!("{:.2}%", to_float(decisions) / top * 100.0);
        let y = move |decisions| format!("{:.2}%", 100.0 - to_float(decisions) / top * 100.0);
        let mut stacked = 0;
        let parts = column.parts.iter().rev().filter(|part| part.decisions > 0).map(|part| {
            stacked += part.decisions;
            let number = decisions(part.decisions);
            let label = format!("{}: {number}, from {}", part.verdict, column.from);
            view! {
                <a href=part.href.clone() tabindex="-1" aria-label=label>
                    <title>{label.clone()}</title>
                    <rect
                        x=percent(index * 10 + 1, count * 10)
                        width=percent(8, count * 10)
                        y=y(stacked)
                        height=height(part.decisions)
                        fill=fill(name, part.verdict)
                        class=tone(part.verdict)
                    />
                </a>
            }
        });
        parts.collect_view()
    });
    let bars = bars.collect_view();
    let mark = |Mark { position, .. }: &Mark| {
        let x = position.clone();
        view! { <line class="change" x1=x.clone() x2=x y1="0" y2="100%" /> }
    };
    let marks = marks.iter().map(mark).collect_view();
    let (title_id, description_id) = (format!("{name}-title"), format!("{name}-says"));
    any_view! {
        <svg class="plot" role="group" aria-labelledby=title_id aria-describedby=description_id>
            <title id=title_id.clone()>{title}</title>
            <desc id=description_id.clone()>{total.to_owned()}</desc>
            <defs>{patterns(name)}</defs>
            {grid(scale.steps)}
            {bars}
            {marks}
        </svg>
    }
}

pub(super) fn tone(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "part allow",
        Verdict::Alert => "part alert",
        Verdict::Review => "part review",
        Verdict::Deny => "part deny",
    }
}

/// Returns the fill of a verdict: ALLOW is plain, DENY hatched, the others dotted.
fn fill(name: &str, verdict: Verdict) -> String {
    match verdict {
        Verdict::Allow => "currentColor".to_owned(),
        _ => format!("url(#{name}-{verdict})"),
    }
}

fn patterns(name: &str) -> AnyView {
    let dots = |verdict: Verdict| {
        view! {
            <pattern
                id=format!("{name}-{verdict}")
                class=tone(verdict)
                width="6"
                height="6"
                patternUnits="userSpaceOnUse"
            >
                <rect width="6" height="6" class="print-page" />
                <circle cx="3" cy="3" r="1.75" class="ink" />
            </pattern>
        }
    };
    any_view! {
        <pattern
            id=format!("{name}-DENY")
            class=tone(Verdict::Deny)
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
        >
            <rect width="6" height="6" class="print-page" />
            <rect width="3.5" height="6" class="ink" />
        </pattern>
        {dots(Verdict::Alert)}
        {dots(Verdict::Review)}
    }
}

/// Returns the legend: each verdict with the number and the share of its decisions, which it links to.
pub fn legend(name: &'static str, columns: &[Column], lists: [String; 4]) -> AnyView {
    let all: i64 = columns.iter().map(Column::total).sum();
    let entry = |(verdict, href): (Verdict, String)| {
        let parts = columns.iter().flat_map(|column| &column.parts);
        let decisions =
            parts.filter(|part| part.verdict == verdict).map(|part| part.decisions).sum();
        view! {
            <li>
                <a href=href>
                    <svg class="swatch" aria-hidden="true">
                        <rect
                            width="100%"
                            height="100%"
                            fill=fill(name, verdict)
                            class=tone(verdict)
                        />
                    </svg>
                    {verdict.as_str()}
                    <b>{whole(decisions)}</b>
                    <span class="text-muted">{exact_rate(decisions, all)}</span>
                </a>
            </li>
        }
    };
    let entries = Verdict::ALL.into_iter().zip(lists).map(entry).collect_view();
    any_view! { <ul class="legend">{entries}</ul> }
}
