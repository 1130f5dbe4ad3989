//! Temporary directories of tests.

use std::{
    env, fs,
    ops::Deref,
    path::{Path, PathBuf},
};

/// The path of a temporary directory, which is removed with this value.
pub(crate) struct TempDirectory(PathBuf);

impl TempDirectory {
    /// Returns a path at which no directory exists yet. `name` must be unique among all tests.
    pub(crate) fn new(name: &str) -> Self {
        Self(env::temp_dir().join(format!("govern-{name}-{}", std::process::id())))
    }
}

impl Deref for TempDirectory {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempDirectory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
