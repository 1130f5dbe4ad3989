//! Timestamps with the RFC 3339 form in UTC in the `datetime` attribute.

use crate::any_view;
use contract::time::Timestamp;
use leptos::prelude::*;

use crate::text::time;

/// "20 Nov 2026 23:04:11.302 UTC". Islands show times in UTC, because the browser does not know the zone of the user.
pub fn exact_utc(at: Timestamp) -> AnyView {
    stamp(at, time::exact_utc(at))
}

/// Renders a time as `text`.
pub fn stamp(at: Timestamp, text: String) -> AnyView {
    any_view! {
        <time class="tabular-nums" datetime=at.to_string() title=at.to_string()>
            {text}
        </time>
    }
}
