//! Rollback guard of the transparency log, stored in a file of the data directory.

use std::{fs, io::ErrorKind, path::PathBuf};

use governance::{
    base::error::Cause,
    proof::transparency_log::{RollbackGuard, SignedTreeHead, from_text, to_text},
};

/// The name of the file in the data directory.
pub(crate) use local_postgres::LOG_GUARD as NAME;

/// A file that stores the latest signed tree heads.
#[derive(Debug)]
pub struct RollbackGuardFile(PathBuf);

impl RollbackGuardFile {
    /// Returns the file of a data directory.
    pub fn new(data_dir: &std::path::Path) -> Self {
        Self(data_dir.join(NAME))
    }
}

impl RollbackGuard for RollbackGuardFile {
    fn load(&self) -> Result<Vec<SignedTreeHead>, Cause> {
        match fs::read_to_string(&self.0) {
            Ok(text) => {
                from_text(&text).map_err(|error| format!("{}: {error}", self.0.display()).into())
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(format!("{}: {error}", self.0.display()).into()),
        }
    }

    fn save(&self, trees: &[SignedTreeHead]) -> Result<(), Cause> {
        Ok(private_file::write(&self.0, &to_text(trees)?)?)
    }
}

#[cfg(test)]
mod tests {
    use receipt::digest::Digest;

    use super::*;

    #[test]
    fn saved_tree_heads_are_loaded_by_next_process() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        let file = RollbackGuardFile::new(directory);
        assert_eq!(file.load().unwrap(), []);
        let root = Digest::compute(b"root");
        let tree =
            SignedTreeHead { origin: "log.example/1".into(), size: 7, root, is_closed: false };
        for size in [7, 8] {
            let tree = SignedTreeHead { size, ..tree.clone() };
            file.save(std::slice::from_ref(&tree)).unwrap();
            assert_eq!(RollbackGuardFile::new(directory).load().unwrap(), [tree]);
        }
        let names: Vec<_> =
            fs::read_dir(directory).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names, [NAME]);
        // An unreadable file is an error, not an empty guard.
        fs::write(directory.join(NAME), "{").unwrap();
        assert!(file.load().unwrap_err().to_string().contains(NAME));
    }
}
