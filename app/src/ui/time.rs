//! Timestamps: absolute, in the zone of the user, with the RFC 3339 form in UTC in the `datetime` attribute.

use contract::time::Timestamp;
use kit::ui::time::stamp;
use leptos::prelude::*;

use crate::text::{messages, time};

/// "20 Nov 2026 23:04 UTC".
#[component]
pub(crate) fn Minute(at: Timestamp) -> impl IntoView {
    stamp(at, time::minute(at))
}

/// "20 Nov 2026", with the exact time on hover.
#[component]
pub(crate) fn Day(at: Timestamp) -> impl IntoView {
    stamp(at, time::day(at))
}

/// "20 Nov 2026 23:04 UTC by I. Roy". The name of the user or program that acted may be unknown.
#[component]
pub(crate) fn MinuteBy(at: Timestamp, by: Option<String>) -> impl IntoView {
    view! {
        <Minute at />
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
#[component]
pub(crate) fn Second(at: Timestamp) -> impl IntoView {
    stamp(at, time::second(at))
}

/// "23:04:11", below a row with the day and in a column whose head names the zone.
#[component]
pub(crate) fn Clock(at: Timestamp) -> impl IntoView {
    stamp(at, time::clock(at))
}

/// "20 Nov 2026 23:04:11.302 UTC".
#[component]
pub(crate) fn Exact(at: Timestamp) -> impl IntoView {
    stamp(at, time::exact(at))
}

/// "12 min": the age at `now`, with the exact time when its row is hovered or has the focus.
#[component]
pub(crate) fn Age(at: Timestamp, now: Timestamp) -> impl IntoView {
    relative(at, time::span(now.millis().saturating_sub(at.millis())), None)
}

/// "12 min ago", for lists, with the exact time when its row is hovered or has the focus.
#[component]
pub(crate) fn Ago(at: Timestamp) -> impl IntoView {
    let now = use_context::<governance::Governance>().map(|governance| governance.clock().now());
    let elapsed_ms = now.unwrap_or(at).millis().saturating_sub(at.millis());
    relative(at, time::ago(elapsed_ms), None)
}

/// Renders a relative time. The style sheet shows its exact time when its row is hovered or has the focus, because the
/// link of a row covers the time and its title.
pub(crate) fn relative(
    at: Timestamp,
    text: impl IntoView,
    class: Option<&'static str>,
) -> impl IntoView {
    view! {
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
