//! The benchmarks, each with its rows of the table.

mod audit;
mod console;
mod engine;
mod engines;
mod evaluate;
mod growth;
mod json;
mod list;
mod log;
mod memory;
mod proof;
mod record;
mod verify;
mod webhook;

use anyhow::Result;
use clap::ValueEnum;

use crate::{context::BenchContext, report::ReportRow};

/// A benchmark that can be run on its own. The order is that of a run: `Memory` is last, so that it measures the service
/// after load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Benchmark {
    /// The engine.
    Engine,
    /// Other engines with the same rules: the second table.
    Engines,
    /// The strict JSON reader, compared with `serde_json`.
    Json,
    /// The verifier.
    Verify,
    /// Evaluation over HTTP, compared with an echo server and Cerbos.
    Evaluate,
    /// Records over HTTP, compared with `pgbench`.
    Record,
    /// Decision lists of a tenant with many decisions.
    List,
    /// Verification of the audit log.
    Audit,
    /// Verification of a chain, and the share of hashing and signing in a record.
    Proof,
    /// The transparency log.
    Log,
    /// Webhooks, with one receiver that does not respond.
    Webhook,
    /// Console pages.
    Console,
    /// A tenant with many decisions, compared with a tenant with few.
    Growth,
    /// Memory of the service process.
    Memory,
}

impl Benchmark {
    pub(crate) fn measure(self, cx: &mut BenchContext<'_>) -> Result<Vec<ReportRow>> {
        match self {
            Self::Engine => engine::measure(),
            Self::Engines => engines::measure(cx),
            Self::Json => json::measure(),
            Self::Verify => verify::measure(),
            Self::Evaluate => evaluate::measure(cx),
            Self::Record => record::measure(cx),
            Self::List => list::measure(cx),
            Self::Audit => audit::measure(cx),
            Self::Proof => proof::measure(cx),
            Self::Log => log::measure(cx),
            Self::Webhook => webhook::measure(cx),
            Self::Console => console::measure(cx),
            Self::Growth => growth::measure(cx),
            Self::Memory => memory::measure(cx),
        }
    }
}
