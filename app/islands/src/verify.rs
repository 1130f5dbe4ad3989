//! The verification of bundles in the browser.

mod banner;
mod claims;
mod result;
mod selected_file;
mod session;
mod stored_fingerprints;
mod verifier;
pub mod view;
pub mod words;
mod worker;

pub use self::{result::own_result, verifier::Verifier};
