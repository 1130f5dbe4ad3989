//! Lines over time, told apart by their dashes and named beside them.

use leptos::prelude::*;

use super::{Cell, card, percent, plot, table};
use crate::text::{
    number::{milliseconds, whole},
    words::overview::chart as say,
};

/// How many points a line needs to say anything.
const POINTS_MIN: usize = 5;

/// The three lines at one place in time.
pub(crate) struct Point {
    /// Its place among the buckets.
    pub(crate) place: i64,
    /// Where its time starts, in words.
    pub(crate) from: String,
    /// The values, from the lowest line, in milliseconds.
    pub(crate) values: [f64; 3],
    /// How many decisions they are of.
    pub(crate) decisions: i64,
    /// The log of these decisions.
    pub(crate) href: String,
}

/// Where and what the lines are.
pub(crate) struct Line {
    /// How many buckets there are.
    pub(crate) buckets: i64,
    /// How many decisions, in words.
    pub(crate) total: String,
    /// The ends of the time, in words.
    pub(crate) ends: [String; 2],
}

/// Evaluation times over time.
pub(crate) fn lines(line: Line, points: Vec<Point>) -> AnyView {
    let title = say::LATENCY;
    let content = if points.is_empty() {
        view! { <p>{say::NONE}</p> }.into_any()
    } else if points.len() < POINTS_MIN {
        let said = say::not_enough(points.len(), POINTS_MIN);
        view! {
            <p>{said}</p>
            {twin(points)}
        }
        .into_any()
    } else {
        let top = points.iter().map(|point| point.values[2]).fold(f64::MIN_POSITIVE, f64::max);
        let drawing = drawing(&line, &points, top);
        view! {
            {legend()}
            {plot(format!("{} ms", milliseconds(top)), line.ends, drawing)}
            {twin(points)}
        }
        .into_any()
    };
    card(title, line.total, Some(say::LATENCY_SAY.to_owned()), content)
}

fn twin(points: Vec<Point>) -> AnyView {
    let [p50, p95, p99] = say::PERCENTILES;
    let row = |point: Point| {
        let mut cells = vec![Cell::from(point.from).leads(point.href)];
        cells.extend(point.values.map(|value| Cell::from(format!("{} ms", milliseconds(value)))));
        cells.push(point.decisions.into());
        cells
    };
    let rows = points.into_iter().map(row).collect();
    table(say::LATENCY, &[say::FROM, p50, p95, p99, say::DECISIONS], rows)
}

const LINES: [&str; 3] = ["curve first", "curve second", "curve third"];

fn drawing(line: &Line, points: &[Point], top: f64) -> AnyView {
    let x = |point: &Point| percent(point.place * 2 + 1, line.buckets * 2);
    let y = |value: f64| format!("{:.1}%", 100.0 - value / top * 100.0);
    let segments = points.windows(2).flat_map(|pair| match pair {
        // A bucket without decisions is a gap: nobody knows what it would have taken.
        [from, to] if from.place + 1 == to.place => (0..3)
            .map(|index| {
                let (start, end) = (y(from.values[index]), y(to.values[index]));
                view! { <line class=LINES[index] x1=x(from) y1=start x2=x(to) y2=end/> }
            })
            .collect(),
        _ => Vec::new(),
    });
    let segments = segments.collect_view();
    let marks = points.iter().map(|point| {
        let [low, middle, high] = point.values.map(milliseconds);
        let [p50, p95, p99] = say::PERCENTILES;
        let said = format!(
            "{}: {p50} {low} ms, {p95} {middle} ms, {p99} {high} ms; {}",
            point.from,
            whole(point.decisions)
        );
        let dot = |value: f64| view! { <circle class="dot" cx=x(point) cy=y(value) r="2.5"/> };
        view! {
            <a href=point.href.clone() tabindex="-1" aria-label=said>
                <title>{said.clone()}</title>
                {point.values.map(dot).collect_view()}
            </a>
        }
    });
    let marks = marks.collect_view();
    view! {
        <svg
            class="plot"
            role="group"
            aria-labelledby="latency-title"
            aria-describedby="latency-says"
        >
            <title id="latency-title">{say::LATENCY}</title>
            <desc id="latency-says">{line.total.clone()}</desc>
            {segments}
            {marks}
        </svg>
    }
    .into_any()
}

fn legend() -> AnyView {
    let entry = |(name, class): (&'static str, &'static str)| {
        view! {
            <li>
                <svg class="swatch" aria-hidden="true">
                    <line class=class x1="0" y1="50%" x2="100%" y2="50%"/>
                </svg>
                {name}
            </li>
        }
    };
    let entries: Vec<_> = say::PERCENTILES.into_iter().zip(LINES).map(entry).collect();
    view! { <ul class="legend">{entries}</ul> }.into_any()
}
