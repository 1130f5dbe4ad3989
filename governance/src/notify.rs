//! Alerts, webhooks and the addresses that the service may call.

pub mod alert;
pub(crate) mod governance_change;
pub mod outbound_policy;
pub mod queues;
pub mod webhook;
