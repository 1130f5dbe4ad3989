//! What leaves the service unasked: alerts, webhooks and the addresses that the service may call.
//!
//! An alert belongs to a decision with another verdict than ALLOW, or to a change of governance. It is
//! written in the transaction of its cause, and a trigger adds one delivery for each subscription. So an
//! alert is never lost and never announces what was rolled back. People assign, snooze and acknowledge
//! alerts; an acknowledged alert does not change.
//!
//! Workers claim due deliveries under a lease, sign and send them, and store the result. A failed delivery is
//! retried with growing delays and is dead after its last attempt; a person can queue it again. Subscriptions
//! take turns, and so do tenants, so an unresponsive receiver delays only itself.
//!
//! - A delivery is sent at least once and signed each time. Its ID is the same in every attempt, so receivers
//!   can ignore repeats.
//! - The service connects only to addresses that `outbound_policy` permits. The address is checked after it
//!   was resolved, for every connection, and redirects are not followed. So no name leads into the network of
//!   the operator.
//! - Secrets of subscriptions are stored encrypted and shown once.

pub mod alert;
pub(crate) mod governance_change;
pub mod outbound_policy;
pub mod queues;
pub mod webhook;
