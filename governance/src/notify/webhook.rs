//! Webhooks: delivers alerts to subscriptions at least once, across process crashes.
//!
//! The schema queues a delivery with its alert, in one transaction (`migration/src/m0001_schema/webhooks.sql`). A
//! [`DeliveryWorker`] claims due deliveries under a lease, calls the receiver without an open transaction, and records
//! the result.

mod attempt;
mod cancellation;
mod claim;
mod delivery;
mod request;
mod schedule;
mod signature;
mod subscription;
mod worker;

pub use self::{
    attempt::{DeliveryResult, ReceiverResponse},
    claim::ClaimedDelivery,
    delivery::{
        DeliveryDetails, counts_since, dead_counts, inspect, list as list_deliveries,
        read as read_delivery, redrive, retry, send_test, stats, window as deliveries_window,
    },
    request::SignedRequest,
    schedule::{ParseScheduleError, Schedule},
    subscription::{create, create_as, delete, list, read},
    worker::{DeliveryWorker, WebhookTransport},
};

/// The encryption context of subscription secrets.
const ENCRYPTION_CONTEXT: &str = "webhook";
