//! What the process remembers of the transparency log, in a file of the data folder.

use std::{fs, io::ErrorKind, path::PathBuf};

use governance::{
    error::Cause,
    log::{Memory, Remembered, from_text, to_text},
};

use crate::key_file::write_private;

/// The file's name.
const NAME: &str = "log-memory.json";

/// A file that is written whole, to the disk, before it takes the place of the one before.
#[derive(Debug)]
pub struct MemoryFile(PathBuf);

impl MemoryFile {
    /// The file of a data folder.
    pub fn of(data_dir: &std::path::Path) -> Self {
        Self(data_dir.join(NAME))
    }
}

impl Memory for MemoryFile {
    fn recall(&self) -> Result<Vec<Remembered>, Cause> {
        match fs::read_to_string(&self.0) {
            Ok(text) => {
                from_text(&text).map_err(|error| format!("{}: {error}", self.0.display()).into())
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(format!("{}: {error}", self.0.display()).into()),
        }
    }

    fn remember(&self, trees: &[Remembered]) -> Result<(), Cause> {
        write_private(&self.0, &to_text(trees)?)?;
        // The new name must outlast a loss of power too.
        let folder = self.0.parent().map(fs::File::open).transpose()?;
        Ok(folder.map_or(Ok(()), |folder| folder.sync_all())?)
    }
}

#[cfg(test)]
mod tests {
    use receipt::digest::Digest;

    use super::*;

    #[test]
    fn what_is_remembered_is_there_for_the_next_process() {
        let folder = std::env::temp_dir().join(format!("govern-memory-{}", std::process::id()));
        let file = MemoryFile::of(&folder);
        assert_eq!(file.recall().unwrap(), []);
        let root = Digest::of(b"root");
        let tree = Remembered { origin: "log.example/1".into(), size: 7, root, is_closed: false };
        for size in [7, 8] {
            let tree = Remembered { size, ..tree.clone() };
            file.remember(std::slice::from_ref(&tree)).unwrap();
            assert_eq!(MemoryFile::of(&folder).recall().unwrap(), [tree]);
        }
        let names: Vec<_> =
            fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names, [NAME]);
        // A file that cannot be read is no reason to forget.
        fs::write(folder.join(NAME), "{").unwrap();
        assert!(file.recall().unwrap_err().to_string().contains(NAME));
        fs::remove_dir_all(folder).unwrap();
    }
}
