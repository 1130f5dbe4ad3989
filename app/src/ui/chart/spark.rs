//! A row of small bars without axes, next to its total.

use leptos::prelude::*;

/// The height of the drawing.
const HEIGHT: i64 = 20;

/// The width of a bar with its gap.
const STEP: usize = 8;

/// Renders one bar for each number, in order. The text next to it has the total, so the drawing is decorative.
pub(crate) fn spark(numbers: &[i64]) -> AnyView {
    let max = numbers.iter().copied().max().unwrap_or_default().max(1);
    let bar = |(index, number): (usize, &i64)| {
        // Numbers other than 0 are visible.
        let height = (number * HEIGHT / max).max(i64::from(*number > 0));
        view! { <rect x=STEP * index y=HEIGHT - height width=STEP - 2 height=height rx="1" /> }
    };
    let width = STEP * numbers.len();
    view! {
        <svg
            class="spark"
            viewBox=format!("0 0 {width} {HEIGHT}")
            width=width
            height=HEIGHT
            aria-hidden="true"
        >
            {numbers.iter().enumerate().map(bar).collect_view()}
        </svg>
    }
    .into_any()
}
