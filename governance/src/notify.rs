//! Alerts, webhooks, mail and the addresses that the service may call.

pub mod alert;
pub(crate) mod governance_change;
pub mod mail;
pub mod outbound_policy;
pub mod webhook;
