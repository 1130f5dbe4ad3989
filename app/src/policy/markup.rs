//! The badge of the mode of a policy.

use leptos::prelude::*;

use super::list_words;
use crate::ui::{badge::badge, icon::Icon};

#[component]
pub(crate) fn ModeBadge(shadow: bool) -> impl IntoView {
    if shadow {
        badge("shadow", Icon::Shadow, list_words::SHADOW).into_any()
    } else {
        view! { <span class="plain">{list_words::ENFORCING}</span> }.into_any()
    }
}
