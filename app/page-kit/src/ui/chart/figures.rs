//! Key figures, each with its trend.

use std::fmt::Write as _;

use kit::any_view;
use leptos::prelude::*;

pub struct KeyFigure {
    pub label: &'static str,
    /// The formatted number.
    pub number: String,
    /// The comparison with the previous period.
    pub trend: String,
    /// The address of the list of the counted items.
    pub href: Option<String>,
    /// The values over time. Fewer than two are not drawn.
    pub values: Vec<f64>,
}

pub fn figures(figures: Vec<KeyFigure>) -> AnyView {
    let figure = |KeyFigure { label, number, trend, href, values }: KeyFigure| {
        let content = view! {
            <span>{label}</span>
            <strong>{number}</strong>
            {curve(&values)}
            <small>{trend}</small>
        };
        match href {
            Some(href) => any_view! {
                <li>
                    <a href=href class="figure">
                        {content}
                    </a>
                </li>
            },
            None => any_view! {
                <li>
                    <div class="figure">{content}</div>
                </li>
            },
        }
    };
    any_view! {
        <ul class="figures" aria-label="Key figures">
            {figures.into_iter().map(figure).collect_view()}
        </ul>
    }
}

/// The size of a curve.
const WIDTH: f64 = 80.0;
const HEIGHT: f64 = 20.0;

/// Draws the values as a small curve without axes. The trend has the meaning.
fn curve(values: &[f64]) -> Option<AnyView> {
    let top = values.iter().copied().fold(0.0, f64::max);
    if values.len() < 2 || top <= 0.0 {
        return None;
    }
    let mut points = String::new();
    let mut x = 0.0;
    for value in values {
        // The line is 1.5 wide and is not cut off.
        let y = 1.0 + (HEIGHT - 2.0) * (1.0 - value / top);
        let _ = write!(points, "{x:.1},{y:.1} ");
        x += WIDTH / f64::from(u32::try_from(values.len() - 1).unwrap_or(u32::MAX));
    }
    let area = format!("0,{HEIGHT} {points}{WIDTH},{HEIGHT}");
    Some(any_view! {
        <svg class="spark" viewBox="0 0 80 20" width="80" height="20" aria-hidden="true">
            <polygon points=area />
            <polyline points=points />
        </svg>
    })
}
