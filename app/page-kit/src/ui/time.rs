//! Timestamps: absolute, in the zone of the user, with the RFC 3339 form in UTC in the `datetime` attribute.

use contract::time::Timestamp;
use kit::any_view;
use kit::ui::time::stamp;
use leptos::prelude::*;

use crate::text::{messages, time};

/// "20 Nov 2026 23:04 UTC".
pub fn minute(at: Timestamp) -> AnyView {
    stamp(at, time::minute(at))
}

/// "20 Nov 2026", with the exact time on hover.
pub fn day(at: Timestamp) -> AnyView {
    stamp(at, time::day(at))
}

/// "20 Nov 2026 23:04 UTC by I. Roy". The name of the user or program that acted may be unknown.
pub fn minute_by(at: Timestamp, by: Option<String>) -> AnyView {
    any_view! {
        {minute(at)}
        {by
            .map(|by| {
                view! {
                    " "
                    {messages::BY}
                    " "
                    <bdi>{by}</bdi>
                }
            })}
    }
}

/// "20 Nov 2026 23:04:11", for columns whose head names the zone.
pub fn second(at: Timestamp) -> AnyView {
    stamp(at, time::second(at))
}

/// "23:04:11", below a row with the day and in a column whose head names the zone.
pub fn clock(at: Timestamp) -> AnyView {
    stamp(at, time::clock(at))
}

/// "20 Nov 2026 23:04:11.302 UTC".
pub fn exact(at: Timestamp) -> AnyView {
    stamp(at, time::exact(at))
}

/// "12 min": the age at `now`, with the exact time when its row is hovered or has the focus.
pub fn age(at: Timestamp, now: Timestamp) -> AnyView {
    relative(at, time::span(now.millis().saturating_sub(at.millis())), None)
}

/// "12 min ago", for lists, with the exact time when its row is hovered or has the focus.
pub fn ago(at: Timestamp) -> AnyView {
    let now = use_context::<governance::Governance>().map(|governance| governance.clock().now());
    let elapsed_ms = now.unwrap_or(at).millis().saturating_sub(at.millis());
    relative(at, time::ago(elapsed_ms), None)
}

/// Renders a relative time. The style sheet shows its exact time when its row is hovered or has the focus, because the
/// link of a row covers the time and its title.
pub fn relative(at: Timestamp, text: impl IntoView, class: Option<&'static str>) -> AnyView {
    any_view! {
        <time
            class=class.unwrap_or("tabular-nums")
            datetime=at.to_string()
            title=time::exact(at)
            data-tip=time::tip(at)
        >
            {text}
        </time>
    }
}

/// A time and who acted; `None` means the command line.
pub fn attribution(by: Option<String>, at: Timestamp) -> AnyView {
    let by = by.unwrap_or_else(|| "the command line".to_owned());
    any_view! {
        <span>
            {minute(at)} <span class="text-muted">" " {messages::BY} " " <bdi>{by}</bdi></span>
        </span>
    }
}

/// Renders a time, or `none` if there is no time.
pub fn time_or(at: Option<Timestamp>, none: &'static str) -> AnyView {
    match at {
        Some(at) => second(at),
        None => any_view! { <span class="text-muted">{none}</span> },
    }
}
