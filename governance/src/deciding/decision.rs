//! Decisions: dry runs, recording, reading, replay and export.

mod batch;
mod evaluate;
mod evaluate_version;
mod export;
mod list;
pub mod outcome;
mod page_size;
pub mod provenance;
mod read;
mod record;
mod replay;
pub mod stream;

pub use batch::{ResultBytes, evaluate_batch};
pub use engine::{GateTrace, worst_violation};
pub(crate) use evaluate::{EvaluationInput, evaluate_on_snapshot};
pub use evaluate::{evaluate, evaluate_text};
pub use evaluate_version::{evaluate_version, matching_gates};
pub use export::{Export, ExportFormat, ExportRequest, export};
pub use list::{list, of_policy, window};
pub(crate) use page_size::{STORED_BYTES_MAX, bytes_before};
pub use provenance::provenance;
pub(crate) use read::{by_id, owner, public_receipt, record_of};
pub use read::{read, read_all, receipt, receipt_digest};
pub(crate) use record::{RecordCall, tenant_name};
pub use record::{RecordResult, record};
pub use replay::replay;
pub(crate) use stream::MARK;
pub use stream::{
    ActivityMark, Stream, StreamEvent, StreamFilter, activity, activity_stream, stream,
};
