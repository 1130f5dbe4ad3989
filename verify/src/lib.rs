#![doc = include_str!("../README.md")]
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
mod case;
mod check;
mod claim;
mod code;
mod judge;
pub mod report;
mod ring;
pub mod trust;

use contract::{id::TenantId, time::Timestamp};

pub use ::receipt::bundle::Subject;

pub use self::{
    code::{Code, Note, Status},
    report::{ClaimReport, Overall, Report},
    trust::{Trust, TrustDocument, TrustUnusable, is_fingerprint},
};

/// The most bytes that a bundle can have. The JSON form of 64 MiB of members, with each byte escaped, is
/// the longest (receipts, section 12.1).
pub const BUNDLE_MAX: u32 = 7 * (64 << 20);

/// What a check is made with, beside the bundle and what is trusted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whose decision it must be.
    pub tenant: Option<TenantId>,
    /// The present moment; without it nothing is said about how fresh the registry is.
    pub now: Option<Timestamp>,
    /// Whether withheld context and evidence may be left unchecked.
    pub allow_withheld: bool,
}

/// Checks a bundle, in either form. Every claim is looked at, whatever the others say.
///
/// Total and pure: the same bytes, trust and options give the same report.
pub fn verify(bundle: &[u8], trust: &Trust, options: &Options) -> Report {
    judge::judge(bundle, trust, options)
}
