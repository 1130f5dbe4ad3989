//! The badge of the status of a delivery.

use contract::webhook::DeliveryStatus;
use leptos::prelude::*;

use super::words;
use crate::ui::{badge::badge, icon::Icon};

#[component]
pub(crate) fn DeliveryBadge(status: DeliveryStatus) -> impl IntoView {
    let (tone, drawing) = match status {
        DeliveryStatus::Pending => ("na", Icon::Wait),
        DeliveryStatus::Delivered => ("allow", Icon::Allow),
        DeliveryStatus::Failed => ("warn", Icon::Wait),
        DeliveryStatus::Dead => ("deny", Icon::Deny),
    };
    badge(tone, drawing, words::status(status))
}
