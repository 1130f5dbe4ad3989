//! Rollback protection: the latest signed tree heads, stored outside the database. A database that was
//! restored from a backup therefore cannot make the process sign a different tree with the same origin.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

use crate::base::{error::Cause, prelude::*};

/// The latest tree head that was signed, or is about to be signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedTreeHead {
    pub origin: String,
    /// The number of entries.
    pub size: u64,
    pub root: Digest,
    /// Whether the tree was frozen. Nothing is signed for its origin any more.
    pub is_closed: bool,
}

/// The storage of signed tree heads. It must outlive the process and the database.
pub trait RollbackGuard: fmt::Debug + Send + Sync {
    /// Loads the saved tree heads; empty at first.
    ///
    /// # Errors
    /// The storage cannot be read. Nothing is signed then.
    fn load(&self) -> Result<Vec<SignedTreeHead>, Cause>;

    /// Replaces the saved tree heads with `trees`. They are durable when it returns.
    ///
    /// # Errors
    /// The storage cannot be written. Nothing is signed then.
    fn save(&self, trees: &[SignedTreeHead]) -> Result<(), Cause>;
}

/// A guard in memory, for tests.
#[derive(Debug, Default)]
pub struct InMemoryGuard(Mutex<Vec<SignedTreeHead>>);

impl RollbackGuard for InMemoryGuard {
    fn load(&self) -> Result<Vec<SignedTreeHead>, Cause> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    fn save(&self, trees: &[SignedTreeHead]) -> Result<(), Cause> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = trees.to_vec();
        Ok(())
    }
}

/// The `schema` of the text form.
const SCHEMA: &str = "service-log-memory/v1";

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Text {
    schema: String,
    trees: Vec<TreeText>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct TreeText {
    origin: String,
    size: u64,
    root: String,
    is_closed: bool,
}

/// Returns the text form of tree heads, as stored in a file.
///
/// # Errors
/// None are known; the JSON writer returns a `Result`.
pub fn to_text(trees: &[SignedTreeHead]) -> Result<String, Cause> {
    let tree = |tree: &SignedTreeHead| TreeText {
        origin: tree.origin.clone(),
        size: tree.size,
        root: tree.root.to_string(),
        is_closed: tree.is_closed,
    };
    let text = Text { schema: SCHEMA.to_owned(), trees: trees.iter().map(tree).collect() };
    Ok(serde_json::to_string(&text)?)
}

/// Parses the text form of tree heads.
///
/// # Errors
/// The text was not written by [`to_text`].
pub fn from_text(text: &str) -> Result<Vec<SignedTreeHead>, Cause> {
    let text: Text = serde_json::from_str(text)?;
    if text.schema != SCHEMA {
        return Err(format!("`{}` is not `{SCHEMA}`", text.schema).into());
    }
    let tree = |tree: TreeText| {
        let root = tree.root.parse().map_err(|_| "a root is not a digest")?;
        let TreeText { origin, size, is_closed, .. } = tree;
        Ok(SignedTreeHead { origin, size, root, is_closed })
    };
    text.trees.into_iter().map(tree).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guard_file_round_trips_and_refuses_unknown_content() {
        let root = Digest::compute(b"root");
        let tree =
            SignedTreeHead { origin: "log.example/1".into(), size: 7, root, is_closed: false };
        let closed = SignedTreeHead { is_closed: true, ..tree.clone() };
        let trees = vec![closed, tree];
        let text = to_text(&trees).unwrap();
        assert_eq!(from_text(&text).unwrap(), trees);
        assert_eq!(from_text(&to_text(&[]).unwrap()).unwrap(), []);
        for bad in ["", "{}", "[]", &text[1..], &text.replace("/v1", "/v2")] {
            assert!(from_text(bad).is_err(), "{bad}");
        }
        assert!(from_text(&text.replace(&root.to_string(), "00")).is_err());
    }
}
