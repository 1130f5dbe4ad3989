#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::float_cmp,
    clippy::missing_errors_doc
)]

mod bundle;
mod claim;
mod claim_check;
mod code;
#[cfg(feature = "command")]
pub mod command;
mod context;
mod keyring;
pub mod report;
mod run;
mod summary;
pub mod trust;

use contract::{id::TenantId, time::Timestamp};

pub use ::receipt::bundle::Subject;

pub use self::{
    code::{Code, Note, Status},
    report::{ClaimReport, Overall, Report},
    run::verify,
    summary::summary,
    trust::{Trust, TrustDocument, TrustError, is_fingerprint},
};

/// The maximum size of a bundle in bytes. The largest bundle is the JSON form of 64 MiB of files
/// with every byte escaped (receipts, section 12.1).
pub const BUNDLE_MAX: u32 = 7 * (64 << 20);

/// The options of a check.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The tenant that the decision must belong to; absent means any tenant.
    pub tenant: Option<TenantId>,
    /// The current time; without it, the freshness of the registry is not checked.
    pub now: Option<Timestamp>,
    /// Whether withheld context and evidence data may remain unchecked.
    pub allow_withheld: bool,
}
