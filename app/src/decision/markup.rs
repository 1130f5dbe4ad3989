//! The note about policies in shadow mode.

use contract::evaluation::Verdict;
use leptos::prelude::*;

use super::words;
use crate::ui::{
    badge::VerdictBadge,
    icon::{Icon, icon},
};

/// The note that policies in shadow mode would change the verdict to `verdict`.
#[component]
pub(crate) fn VerdictWithoutShadow(verdict: Verdict) -> impl IntoView {
    view! {
        <div class="note shadow">
            {icon(Icon::Shadow)} <p>{words::WITHOUT_SHADOW} " " <VerdictBadge verdict /></p>
        </div>
    }
}
