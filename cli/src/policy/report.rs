//! The results of `govern policy test`.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use contract::evaluation::{Verdict, Violation};
use serde::{Serialize, Serializer};

/// The results of all files.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The number of passed cases.
    pub passed: usize,
    /// The number of failed cases.
    pub failed: usize,
    /// The results of each policy file.
    pub files: Vec<FileReport>,
}

/// The results of a policy file.
#[derive(Debug, Serialize)]
pub struct FileReport {
    /// The path of the policy.
    #[serde(serialize_with = "path")]
    pub policy: PathBuf,
    /// The path of its cases; absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "optional_path")]
    pub cases: Option<PathBuf>,
    /// The result of each case.
    pub results: Vec<CaseResult>,
}

/// Writes a path. Bytes that are not UTF-8 are replaced, because JSON has only texts.
fn path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

#[expect(clippy::ref_option, reason = "serde passes a reference to the member")]
fn optional_path<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_deref().map(Path::to_string_lossy).serialize(serializer)
}

/// The result of a case.
#[derive(Debug, Serialize)]
pub struct CaseResult {
    /// The name of the case.
    pub name: String,
    /// The verdict.
    pub decision: Verdict,
    /// The violations, in the order of the rules.
    pub violations: Vec<Violation>,
    /// The differences from the expected result; empty if the case passed.
    pub failures: Vec<String>,
    /// The duration of the evaluation.
    #[serde(skip)]
    pub time: Duration,
}
