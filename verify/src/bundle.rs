//! A bundle as it is read: its members, and which receipts it is about.

use std::collections::BTreeSet;

use contract::json::{Limits, Value};
use receipt::bundle::{ArchiveMalformed, Files, path, path::Place, read_archive, read_json};

use crate::{case::Case, code::Code};

/// A bundle.
#[derive(Debug)]
pub(crate) struct Bundle {
    pub(crate) files: Files,
    pub(crate) kind: Kind,
    /// The receipts, by step.
    pub(crate) cases: Vec<Case>,
}

/// What a bundle is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Decision,
    Chain,
}

impl Kind {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Chain => "chain",
        }
    }
}

impl Bundle {
    /// Reads either form. An archive begins with a name, the JSON form with a brace.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, ArchiveMalformed> {
        let is_json = bytes.trim_ascii_start().first() == Some(&b'{');
        let files = if is_json { read_json(bytes)? } else { read_archive(bytes)? };
        let steps = steps(&files);
        let kind = match kind(&files) {
            Some(kind) => kind,
            None if steps.is_empty() => Kind::Decision,
            None => Kind::Chain,
        };
        let places = match kind {
            Kind::Decision => vec![Place::Decision],
            Kind::Chain => steps.into_iter().map(Place::Step).collect(),
        };
        let cases = places.into_iter().map(|place| Case::read(&files, place)).collect();
        Ok(Self { files, kind, cases })
    }

    /// A JSON member: `FILE_MISSING` or `FILE_UNREADABLE` when there is none.
    pub(crate) fn json(&self, name: &str) -> Result<Value, Code> {
        json(&self.files, name)
    }
}

pub(crate) fn json(files: &Files, name: &str) -> Result<Value, Code> {
    let bytes = files.get(name).ok_or(Code::FileMissing)?;
    Value::parse(bytes, &Limits::BUNDLE_MEMBER).map_err(|_| Code::FileUnreadable)
}

/// What the manifest says the bundle is about.
fn kind(files: &Files) -> Option<Kind> {
    match json(files, path::MANIFEST).ok()?.get("kind")?.as_str()? {
        "decision" => Some(Kind::Decision),
        "chain" => Some(Kind::Chain),
        _ => None,
    }
}

/// The steps that have a folder of their own below `receipt/`.
fn steps(files: &Files) -> BTreeSet<u32> {
    let step = |name: &str| {
        let (step, _) = name.strip_prefix("receipt/")?.split_once('/')?;
        let number: u32 = step.parse().ok()?;
        (format!("{number:06}") == step).then_some(number)
    };
    files.names().filter_map(step).collect()
}
