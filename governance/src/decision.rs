//! Decisions: evaluated as a dry run, or recorded exactly once; read, replayed and exported after.

mod batch;
mod evaluate;
mod export;
pub mod lineage;
mod list;
pub mod outcome;
mod read;
mod record;
mod replay;
pub mod stream;

pub use batch::evaluate_batch;
pub(crate) use evaluate::{Question, judge};
pub use evaluate::{evaluate, evaluate_text};
pub use export::{Export, ExportFormat, ExportRequest, export};
pub use lineage::lineage;
pub use list::{list, of_policy};
pub(crate) use read::{by_id, owner, record as record_of, shown};
pub use read::{read, receipt};
pub use record::{Outcome, record};
pub(crate) use record::{Together, tenant_name};
pub use replay::replay;
pub use stream::{Mark, Stream, StreamFilter, Streamed, mark, news, stream};
