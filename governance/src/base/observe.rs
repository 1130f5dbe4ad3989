//! Events that use cases report to the observer of the process, for example for metrics.

use std::fmt;

use contract::{evaluation::Verdict, id::TenantId};

/// An event. It identifies at most a tenant, never a person.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Observed {
    /// A context was evaluated, for a record or a dry run.
    Evaluated {
        seconds: f64,
    },
    /// The rules of policies were compiled.
    Compiled,
    Signed {
        seconds: f64,
    },
    /// Decisions were committed as a group.
    Grouped {
        records: usize,
    },
    /// A verdict was returned without recording a decision.
    DryRun {
        tenant: TenantId,
        verdict: Verdict,
    },
    /// A decision was recorded. Repeated calls with the same idempotency key report nothing.
    Recorded {
        tenant: TenantId,
        verdict: Verdict,
        /// The duration from the evaluation to the acknowledged commit.
        seconds: f64,
    },
    /// A read that may use the replica was answered by the replica or by the primary.
    RoutedRead {
        is_by_replica: bool,
    },
    /// Entries were added to the transparency log.
    Logged {
        entries: usize,
        /// The number of entries after the addition.
        size: u64,
    },
    /// A webhook delivery was attempted.
    DeliveryAttempted(AttemptOutcome),
    /// A mail was handed to the mail server, or this failed.
    MailAttempted(AttemptOutcome),
    /// A session was created, or the credentials of a sign-in or confirmation were wrong.
    SignIn {
        is_successful: bool,
    },
}

contract::named_enum! {
    /// What an attempt to deliver led to.
    pub enum AttemptOutcome {
        Delivered = "delivered",
        /// Another attempt follows.
        Failed = "failed",
        /// No further attempt follows.
        Dead = "dead",
    }
}

/// The observer of the process, which receives all events. By default, events are dropped.
#[derive(Default)]
pub struct Observer(Option<Box<dyn Fn(Observed) + Send + Sync>>);

impl Observer {
    /// Creates an observer from a function, which must not block.
    pub fn new(observe: impl Fn(Observed) + Send + Sync + 'static) -> Self {
        Self(Some(Box::new(observe)))
    }

    pub(crate) fn emit(&self, observed: Observed) {
        if let Some(observe) = &self.0 {
            observe(observed);
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Observer").field(&self.0.is_some()).finish()
    }
}
