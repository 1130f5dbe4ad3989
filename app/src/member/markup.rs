//! The badge of the status of a membership.

use leptos::prelude::*;

use super::words;
use crate::ui::{badge::badge, icon::Icon};

/// The status of a membership.
#[component]
pub(crate) fn MemberBadge(is_invited: bool) -> impl IntoView {
    if is_invited {
        badge("na", Icon::Wait, words::INVITED)
    } else {
        badge("allow", Icon::Allow, words::ACTIVE)
    }
}
