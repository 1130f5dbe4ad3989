//! The badge of the status of a chain.

use contract::chain::ChainStatus;
use leptos::prelude::*;

use super::words;
use crate::ui::{badge::badge, icon::Icon};

#[component]
pub(crate) fn ChainBadge(status: ChainStatus) -> impl IntoView {
    let (tone, drawing) = match status {
        ChainStatus::Open => ("na", Icon::Wait),
        ChainStatus::Sealed => ("blue", Icon::Seal),
    };
    badge(tone, drawing, words::status(status))
}
