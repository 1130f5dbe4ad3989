//! Lines over time, distinguished by their dashes and by a legend.

use kit::any_view;
use leptos::prelude::*;

use super::{Cell, DECISIONS, FROM, NONE, card, grid, percent, plot, scale::Scale, table};
use crate::text::number::{milliseconds, whole};

pub const LATENCY: &str = "Evaluation time";
const PERCENTILES: [&str; 3] = ["p50", "p95", "p99"];

/// The number of points that a line needs to be drawn.
const POINTS_MIN: usize = 5;

/// The three values of one time bucket.
pub struct Point {
    /// The index of the bucket.
    pub index: i64,
    /// The formatted start of its time range.
    pub from: String,
    /// The values in milliseconds, lowest line first.
    pub values: [f64; 3],
    pub decisions: i64,
    /// The address of the list of these decisions.
    pub href: String,
}

/// The extent and the labels of the chart.
pub struct Line {
    pub buckets: i64,
    /// The formatted number of decisions.
    pub total: String,
    /// The formatted start, middle and end of the time range.
    pub times: [String; 3],
}

/// Returns the chart of evaluation times over time.
pub fn lines(line: Line, points: Vec<Point>) -> AnyView {
    let content = if points.is_empty() {
        any_view! { <p>{NONE}</p> }
    } else if points.len() < POINTS_MIN {
        let message = format!("Not enough data: {} of at least {POINTS_MIN} points.", points.len());
        any_view! {
            <p>{message}</p>
            {data_table(points)}
        }
    } else {
        let top = points.iter().map(|point| point.values[2]).fold(f64::MIN_POSITIVE, f64::max);
        let scale = Scale::new(top);
        let drawing = drawing(&line, &points, scale);
        any_view! {
            {legend()}
            {plot(scale.milliseconds(), line.times, drawing)}
            {data_table(points)}
        }
    };
    let note = "Evaluation time in milliseconds, excluding network and storage. Values are at most 10 % too high.";
    card(LATENCY, line.total, Some(note.to_owned()), content)
}

fn data_table(points: Vec<Point>) -> AnyView {
    let [p50, p95, p99] = PERCENTILES;
    let row = |point: Point| {
        let mut cells = vec![Cell::from(point.from).links_to(point.href)];
        cells.extend(point.values.map(|value| Cell::from(format!("{} ms", milliseconds(value)))));
        cells.push(point.decisions.into());
        cells
    };
    let rows = points.into_iter().map(row).collect();
    table(LATENCY, &[FROM, p50, p95, p99, DECISIONS], rows)
}

const LINES: [&str; 3] = ["curve first", "curve second", "curve third"];

fn drawing(line: &Line, points: &[Point], scale: Scale) -> AnyView {
    let x = |point: &Point| percent(point.index * 2 + 1, line.buckets * 2);
    let y = |value: f64| format!("{:.1}%", 100.0 - value / scale.top() * 100.0);
    let segments = points.windows(2).flat_map(|pair| match pair {
        // A bucket without decisions is a gap: it has no evaluation time.
        [from, to] if from.index + 1 == to.index => (0..3)
            .map(|index| {
                let (start, end) = (y(from.values[index]), y(to.values[index]));
                view! { <line class=LINES[index] x1=x(from) y1=start x2=x(to) y2=end /> }
            })
            .collect(),
        _ => Vec::new(),
    });
    let segments = segments.collect_view();
    let marks = points.iter().map(|point| {
        let [low, middle, high] = point.values.map(milliseconds);
        let [p50, p95, p99] = PERCENTILES;
        let label = format!(
            "{}: {p50} {low} ms, {p95} {middle} ms, {p99} {high} ms; {}",
            point.from,
            whole(point.decisions)
        );
        let dot = |value: f64| view! { <circle class="dot" cx=x(point) cy=y(value) r="2.5" /> };
        view! {
            <a href=point.href.clone() tabindex="-1" aria-label=label>
                <title>{label.clone()}</title>
                {point.values.map(dot).collect_view()}
            </a>
        }
    });
    let marks = marks.collect_view();
    any_view! {
        <svg
            class="plot"
            role="group"
            aria-labelledby="latency-title"
            aria-describedby="latency-says"
        >
            <title id="latency-title">{LATENCY}</title>
            <desc id="latency-says">{line.total.clone()}</desc>
            {grid(scale.steps)}
            {segments}
            {marks}
        </svg>
    }
}

fn legend() -> AnyView {
    let entry = |(name, class): (&'static str, &'static str)| {
        view! {
            <li>
                <svg class="swatch" aria-hidden="true">
                    <line class=class x1="0" y1="50%" x2="100%" y2="50%" />
                </svg>
                {name}
            </li>
        }
    };
    let entries: Vec<_> = PERCENTILES.into_iter().zip(LINES).map(entry).collect();
    any_view! { <ul class="legend">{entries}</ul> }
}
