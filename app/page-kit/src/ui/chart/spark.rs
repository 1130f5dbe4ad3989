//! Rows of small bars without axes, next to their totals, and the share of one number.

use std::collections::BTreeMap;

use contract::evaluation::Verdict;
use kit::any_view;
use leptos::prelude::*;

use super::{bars::tone, percent};

/// The height of the drawing.
const HEIGHT: i64 = 20;

/// The width of a bar with its gap.
const STEP: usize = 8;

/// Renders one bar for each number, in order. The text next to it has the total, so the drawing is decorative.
pub fn spark(numbers: &[i64]) -> AnyView {
    let max = numbers.iter().copied().max().unwrap_or_default().max(1);
    let bar = |(index, number): (usize, &i64)| {
        // Numbers other than 0 are visible.
        let height = (number * HEIGHT / max).max(i64::from(*number > 0));
        view! { <rect x=STEP * index y=HEIGHT - height width=STEP - 2 height=height rx="1" /> }
    };
    drawing(numbers.len(), numbers.iter().enumerate().map(bar).collect_view().into_any())
}

/// Renders one bar for each day, in order: its decisions by verdict, with DENY at the bottom.
pub fn verdict_spark(days: &[BTreeMap<Verdict, i64>]) -> AnyView {
    let max = days.iter().map(|day| day.values().sum::<i64>()).max().unwrap_or_default().max(1);
    let bar = |(index, day): (usize, &BTreeMap<Verdict, i64>)| {
        let mut below = 0;
        let part = |verdict: Verdict| {
            let number = day.get(&verdict).copied().unwrap_or_default();
            below += number;
            let (top, height) = (tenths(max - below, max), tenths(number, max));
            (number > 0).then(|| {
                view! { <rect class=tone(verdict) x=STEP * index y=top width=STEP - 2 height=height /> }
            })
        };
        Verdict::ALL.into_iter().rev().map(part).collect_view()
    };
    drawing(days.len(), days.iter().enumerate().map(bar).collect_view().into_any())
}

/// Returns a part of the height with one decimal.
fn tenths(part: i64, max: i64) -> String {
    let tenths = part * HEIGHT * 10 / max;
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn drawing(bars: usize, content: AnyView) -> AnyView {
    let width = STEP * bars;
    any_view! {
        <svg
            class="spark"
            viewBox=format!("0 0 {width} {HEIGHT}")
            preserveAspectRatio="none"
            width=width
            height=HEIGHT
            aria-hidden="true"
        >
            {content}
        </svg>
    }
}

/// Renders a number as a part of the largest number of its column, next to its text.
pub fn share(number: i64, max: i64) -> AnyView {
    any_view! {
        <svg width="64" height="6" aria-hidden="true">
            <rect class="track" width="100%" height="100%" rx="3" />
            <rect class="filled" width=percent(number, max) height="100%" rx="3" />
        </svg>
    }
}
