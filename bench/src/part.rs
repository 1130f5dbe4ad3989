//! The parts of a run, each with its lines of the table.

mod audit;
mod console;
mod engine;
mod evaluate;
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

use crate::{report::Line, stage::Stage};

/// What can be measured alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// The engine, beside other engines.
    Engine,
    /// The strict JSON reader, beside `serde_json`.
    Json,
    /// The verifier.
    Verify,
    /// Evaluation over HTTP, beside a bare echo.
    Evaluate,
    /// Records over HTTP, beside `pgbench`.
    Record,
    /// Lists of many decisions.
    List,
    /// The check of the audit log.
    Audit,
    /// The check of a chain, and the share of proof in a record.
    Proof,
    /// The transparency log.
    Log,
    /// Webhooks, beside a receiver that answers nothing.
    Webhook,
    /// Pages of the console.
    Console,
    /// Memory of the service.
    Memory,
}

impl Part {
    /// All parts, in the order of a run: `Memory` last, when there has been load.
    pub(crate) const ALL: [Self; 12] = [
        Self::Engine,
        Self::Json,
        Self::Verify,
        Self::Evaluate,
        Self::Record,
        Self::List,
        Self::Audit,
        Self::Proof,
        Self::Log,
        Self::Webhook,
        Self::Console,
        Self::Memory,
    ];

    /// Measures the part.
    pub(crate) fn measure(self, stage: &mut Stage<'_>) -> Result<Vec<Line>> {
        match self {
            Self::Engine => engine::measure(),
            Self::Json => json::measure(),
            Self::Verify => verify::measure(),
            Self::Evaluate => evaluate::measure(stage),
            Self::Record => record::measure(stage),
            Self::List => list::measure(stage),
            Self::Audit => audit::measure(stage),
            Self::Proof => proof::measure(stage),
            Self::Log => log::measure(stage),
            Self::Webhook => webhook::measure(stage),
            Self::Console => console::measure(stage),
            Self::Memory => memory::measure(stage),
        }
    }
}
