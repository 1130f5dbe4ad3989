//! Charts, rendered on the server. Lengths are percentages, so charts fit every width without code in the
//! browser. Each chart has a table of its data.

mod bars;
mod csv;
mod figures;
mod lines;
mod rates;
mod scale;
mod spark;
mod trend;

use contract::time::{DAY_MS, Timestamp};
use kit::any_view;
use leptos::prelude::*;

pub use self::{
    bars::{Bars, Column, Mark, Part, bars, change, histogram, legend},
    figures::{KeyFigure, figures},
    lines::{LATENCY, Line, Point, lines},
    rates::{Rate, rates},
    scale::to_float,
    spark::{share, spark, verdict_spark},
    trend::{change_of, new_items, points},
};
use crate::text::{
    number::{count, whole},
    time,
};

pub const NONE: &str = "No decisions in this range.";
const FROM: &str = "From (UTC)";
const DECISIONS: &str = "Decisions";
const CSV: &str = "Download as CSV";

/// Returns, for example, "3 decisions".
pub fn decisions(number: i64) -> String {
    count(usize::try_from(number).unwrap_or_default(), "decision", "decisions")
}

/// Formats the start of a bucket of `step_ms`. The time of day is left out if buckets have whole days and this one
/// starts with a day.
pub fn start(step_ms: i64, at: Timestamp) -> String {
    let starts_day = time::digits(at).millis().rem_euclid(DAY_MS) == 0;
    if step_ms >= DAY_MS && starts_day {
        return time::day(at);
    }
    let second = time::second(at);
    second.rsplit_once(':').map_or_else(|| second.clone(), |(minute, _)| minute.to_owned())
}

/// Formats the start, the middle and the end of a time range.
pub fn times(step_ms: i64, from: Timestamp, to: Timestamp) -> [String; 3] {
    let middle = from.plus_millis((to.millis() - from.millis()) / 2);
    [from, middle, to].map(|at| start(step_ms, at))
}

/// Returns, for example, "Each bar is 6 hours. Times are in UTC."
pub fn each_bar(step_ms: i64) -> String {
    let hours = step_ms * 24 / DAY_MS;
    let (number, one, many) =
        if hours < 24 { (hours, "hour", "hours") } else { (hours / 24, "day", "days") };
    let length = count(usize::try_from(number).unwrap_or_default(), one, many);
    format!("Each bar is {length}. Times are in {}.", time::zone())
}

pub fn card(
    title: &'static str,
    total: String,
    caption: Option<String>,
    content: AnyView,
) -> AnyView {
    card_with(title, total, None, caption, content)
}

/// Renders a chart with a switch in its head.
fn card_with(
    title: &'static str,
    total: String,
    switch: Option<AnyView>,
    caption: Option<String>,
    content: AnyView,
) -> AnyView {
    any_view! {
        <section class="card chart">
            <div class="card-head">
                <h2>{title}</h2>
                <span class="plain">{total}</span>
                {switch}
            </div>
            {content}
            {caption.map(|caption| view! { <p class="plain">{caption}</p> })}
        </section>
    }
}

pub struct Cell {
    /// The formatted text for readers.
    text: String,
    /// The unformatted text for programs, if it differs.
    plain: Option<String>,
    href: Option<String>,
}

impl Cell {
    pub fn links_to(self, href: impl Into<Option<String>>) -> Self {
        Self { href: href.into(), ..self }
    }

    fn plain(&self) -> &str {
        self.plain.as_deref().unwrap_or(&self.text)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, plain: None, href: None }
    }
}

/// Formats a count with digit groups for readers.
impl From<i64> for Cell {
    fn from(number: i64) -> Self {
        Self { text: whole(number), plain: Some(number.to_string()), href: None }
    }
}

/// Returns the data of a chart as a collapsed table, and as a CSV file.
pub fn table(title: &'static str, head: &[&'static str], rows: Vec<Vec<Cell>>) -> AnyView {
    let head: Vec<String> = head.iter().map(|head| time::head(head)).collect();
    let columns =
        head.iter().map(|head| view! { <th scope="col">{head.clone()}</th> }).collect_view();
    let file = csv::address(&head, &rows);
    let name = csv::name(title);
    let label = format!("{CSV}: {title}");
    let row = |cells: Vec<Cell>| {
        let cells = cells.into_iter().zip(&head).enumerate().map(|(index, (cell, head))| {
            let text = cell.text;
            let content = match cell.href {
                Some(href) => any_view! {
                    <a href=href>
                        <bdi>{text}</bdi>
                    </a>
                },
                None => any_view! { <bdi>{text}</bdi> },
            };
            match index {
                0 => any_view! {
                    <th scope="row" data-label=head.clone()>
                        {content}
                    </th>
                },
                _ => any_view! { <td data-label=head.clone()>{content}</td> },
            }
        });
        view! { <tr>{cells.collect_view()}</tr> }
    };
    let rows = rows.into_iter().map(row).collect_view();
    any_view! {
        <details class="as-table">
            <summary>"As a table"</summary>
            <table class="list">
                <caption class="sr-only">{title}</caption>
                <thead>
                    <tr>{columns}</tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            <a class="button" href=file download=name aria-label=label>
                {CSV}
            </a>
        </details>
    }
}

/// Returns a plot with both axes: the labels of the values from the bottom, and the start, the middle and the end
/// of the time range.
fn plot(values: Vec<String>, times: [String; 3], drawing: AnyView) -> AnyView {
    let steps = i64::try_from(values.len()).unwrap_or(1) - 1;
    let value = |(index, text): (i64, String)| {
        view! {
            <text x="100%" y=percent(steps - index, steps) dy="0.3em" text-anchor="end">
                {text}
            </text>
        }
    };
    let values = (0..).zip(values).map(value).collect_view();
    any_view! {
        <div class="plot-grid">
            <svg class="values" aria-hidden="true">
                {values}
            </svg>
            {drawing}
            {axis(times)}
        </div>
    }
}

/// Returns the labels of the time range: its start, middle and end.
fn axis(times: [String; 3]) -> AnyView {
    any_view! {
        <p class="axis" aria-hidden="true">
            {times.map(|time| view! { <span>{time}</span> }).collect_view()}
        </p>
    }
}

/// Draws a line at each labeled value above the bottom.
fn grid(steps: i64) -> AnyView {
    let line = |index| {
        let y = percent(index, steps);
        view! { <line class="grid-line" x1="0" x2="100%" y1=y.clone() y2=y /> }
    };
    (0..steps).map(line).collect_view().into_any()
}

/// Returns `part` of `whole` as a length: "37.5%".
pub fn percent(part: i64, whole: i64) -> String {
    let tenths = part.saturating_mul(1_000) / whole.max(1);
    format!("{}.{}%", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn percent_returns_length_with_one_decimal() {
        assert_eq!(percent(3, 8), "37.5%");
        assert_eq!(percent(8, 8), "100.0%");
        assert_eq!(percent(0, 0), "0.0%");
    }
}
