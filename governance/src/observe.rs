//! What use cases tell whoever watches the process: what happened, and how long it took.

use std::{fmt, sync::OnceLock};

use contract::{evaluation::Verdict, id::TenantId};

/// Something that happened. It names a tenant, and nothing else that could be traced to anybody.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Observed {
    /// A context was evaluated, whether it was then recorded or not.
    Evaluated {
        /// How long the policies took.
        seconds: f64,
    },
    /// A statement was signed.
    Signed {
        /// How long it took.
        seconds: f64,
    },
    /// Decisions were committed together.
    Grouped {
        /// How many.
        records: usize,
    },
    /// A verdict was answered, and nothing recorded.
    DryRun {
        /// For whom.
        tenant: TenantId,
        /// Which one.
        verdict: Verdict,
    },
    /// A decision was recorded, for the first time.
    Recorded {
        /// For whom.
        tenant: TenantId,
        /// Which one.
        verdict: Verdict,
        /// How long it took, from the evaluation to the acknowledged commit.
        seconds: f64,
    },
    /// Entries were added to the transparency log.
    Logged {
        /// How many.
        entries: usize,
        /// How many there are by now.
        size: u64,
    },
}

type Watcher = Box<dyn Fn(Observed) + Send + Sync>;

/// Who watches, if anybody does.
#[derive(Default)]
pub(crate) struct Observer(OnceLock<Watcher>);

impl Observer {
    pub(crate) fn set(&self, watcher: impl Fn(Observed) + Send + Sync + 'static) {
        let _ = self.0.set(Box::new(watcher));
    }

    pub(crate) fn tell(&self, observed: Observed) {
        if let Some(watcher) = self.0.get() {
            watcher(observed);
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Observer").field(&self.0.get().is_some()).finish()
    }
}
