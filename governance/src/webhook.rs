//! Webhooks: alerts are sent to whoever subscribed, at least once, whoever dies when.
//!
//! The schema queues a delivery with its alert, in one transaction (`m0025_webhooks`). A [`Mailer`] claims
//! what is due under a lease, calls the receiver with no transaction open, and settles what came of it.

mod delivery;
mod letter;
mod mailer;
mod schedule;
mod settle;
mod subscription;
mod withdrawn;

pub use self::{
    delivery::{
        Inspection, counts_since, dead, inspect, list as list_deliveries, read as read_delivery,
        redrive, retry, send_sample, stats,
    },
    letter::Parcel,
    mailer::{Claimed, Mailer, Postman, Sent},
    schedule::{NotASchedule, Schedule},
    subscription::{create, create_as, delete, list, read},
};
use crate::Governance;

/// What secrets of subscriptions are sealed for.
const SEALED_FOR: &str = "webhook";

impl Governance {
    /// From here on deliveries are tried as `schedule` says. Only the first one counts.
    pub fn tries_again(&self, schedule: Schedule) {
        let _ = self.0.schedule.set(schedule);
    }

    pub(crate) fn schedule(&self) -> &Schedule {
        self.0.schedule.get_or_init(Schedule::default)
    }
}
