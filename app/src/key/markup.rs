//! The badge of the status of an API key.

use leptos::prelude::*;

use super::view::KeyState;
use crate::ui::{badge::badge, icon::Icon};

#[component]
pub(crate) fn KeyBadge(state: KeyState) -> impl IntoView {
    let (tone, drawing) = match state {
        KeyState::Active => ("allow", Icon::Allow),
        KeyState::Expired => ("na", Icon::Wait),
        KeyState::Revoked => ("na", Icon::History),
    };
    badge(tone, drawing, state.label())
}
