//! A parsed bundle: its files and its receipts.

pub(crate) mod receipt;

use std::collections::BTreeSet;

use ::receipt::bundle::{
    Files, ParseArchiveError, path, path::BundleScope, read_archive, read_json,
};
use contract::json::{Limits, Value};

use self::receipt::BundledReceipt;
use crate::code::Code;

#[derive(Debug)]
pub(crate) struct Bundle {
    pub(crate) files: Files,
    pub(crate) kind: Kind,
    /// The receipts in order of step.
    pub(crate) receipts: Vec<BundledReceipt>,
}

contract::named_enum! {
    pub(crate) enum Kind {
        Decision = "decision",
        Chain = "chain",
    }
}

impl Bundle {
    /// Parses either form. The JSON form starts with a brace, an archive with a file name.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, ParseArchiveError> {
        let is_json = bytes.trim_ascii_start().first() == Some(&b'{');
        let files = if is_json { read_json(bytes)? } else { read_archive(bytes)? };
        let steps = receipt_steps(&files);
        let kind = match manifest_kind(&files) {
            Some(kind) => kind,
            None if steps.is_empty() => Kind::Decision,
            None => Kind::Chain,
        };
        let scopes = match kind {
            Kind::Decision => vec![BundleScope::Decision],
            Kind::Chain => steps.into_iter().map(BundleScope::Step).collect(),
        };
        let receipts =
            scopes.into_iter().map(|scope| BundledReceipt::read(&files, scope)).collect();
        Ok(Self { files, kind, receipts })
    }

    /// Parses a JSON file. Returns `FILE_MISSING` or `FILE_UNREADABLE` if this is not possible.
    pub(crate) fn json(&self, name: &str) -> Result<Value, Code> {
        json(&self.files, name)
    }
}

fn json(files: &Files, name: &str) -> Result<Value, Code> {
    let bytes = files.get(name).ok_or(Code::FileMissing)?;
    Value::parse(bytes, &Limits::BUNDLE_FILE).map_err(|_| Code::FileUnreadable)
}

/// Returns the kind of the bundle according to the manifest.
fn manifest_kind(files: &Files) -> Option<Kind> {
    match json(files, path::MANIFEST).ok()?.get("kind")?.as_str()? {
        "decision" => Some(Kind::Decision),
        "chain" => Some(Kind::Chain),
        _ => None,
    }
}

/// Returns the steps that have a directory in `receipt/`.
fn receipt_steps(files: &Files) -> BTreeSet<u32> {
    let step = |name: &str| {
        let (step, _) = name.strip_prefix("receipt/")?.split_once('/')?;
        let number: u32 = step.parse().ok()?;
        (format!("{number:06}") == step).then_some(number)
    };
    files.names().filter_map(step).collect()
}
