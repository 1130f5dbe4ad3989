//! Tests of the client commands that need no service.

mod answers;
mod cases;
mod comments;
mod cookbook;
mod diffs;
mod exit_codes;
mod files;
mod profiles;
mod requests;
mod samples;

use std::{
    fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

/// A temporary directory, which is removed when it is dropped.
pub(crate) struct Directory(TempDir);

impl Directory {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a new directory"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file and returns its path.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory can be created");
        fs::write(&path, text).expect("a file can be written");
        path
    }
}

/// A policy file in YAML with two rules.
pub(crate) const POLICY: &str = r"# yaml-language-server: $schema=https://govern.example/schemas/policy.json
code: PAY
name: Payments
decision_types: [payment] # one type
rules:
  # Agreed with the treasury.
  - code: PAY-LIMIT
    rule_type: threshold
    severity: high
    condition:
      field: amount
      max: 50000 # EUR

  - code: PAY-PURPOSE
    description: |-
      A purpose is required.
      # This line is text.
    rule_type: presence
    severity: medium
    when:
      field: region
      equals: EU
    condition:
      required_fields: [purpose]
# The end.
";
