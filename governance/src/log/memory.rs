//! What a process remembers of the trees that it signed, outside the store: so a store that was put back
//! to an earlier day cannot make it sign another tree of the same name.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

use receipt::digest::Digest;
use serde::{Deserialize, Serialize};

use crate::error::Cause;

/// The last state of a tree that was signed, or is about to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Which tree.
    pub origin: String,
    /// How many entries it has.
    pub size: u64,
    /// The root over them.
    pub root: Digest,
    /// Whether it was given up: nothing is signed under its name any more.
    pub is_closed: bool,
}

/// Where it is kept. What is remembered must outlive the process and the store.
pub trait Memory: fmt::Debug + Send + Sync {
    /// What was remembered last; nothing at first.
    ///
    /// # Errors
    /// When it cannot be read. Nothing is signed then.
    fn recall(&self) -> Result<Vec<Remembered>, Cause>;

    /// Remembers `trees` in place of what was remembered before; durable when it returns.
    ///
    /// # Errors
    /// When it cannot be written. Nothing is signed then.
    fn remember(&self, trees: &[Remembered]) -> Result<(), Cause>;
}

/// A memory that lasts as long as the process: for tests.
#[derive(Debug, Default)]
pub struct InProcess(Mutex<Vec<Remembered>>);

impl Memory for InProcess {
    fn recall(&self) -> Result<Vec<Remembered>, Cause> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    fn remember(&self, trees: &[Remembered]) -> Result<(), Cause> {
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

/// The text that a file keeps.
///
/// # Errors
/// None that is known; the writer of JSON has one in its signature.
pub fn to_text(trees: &[Remembered]) -> Result<String, Cause> {
    let tree = |tree: &Remembered| TreeText {
        origin: tree.origin.clone(),
        size: tree.size,
        root: tree.root.to_string(),
        is_closed: tree.is_closed,
    };
    let text = Text { schema: SCHEMA.to_owned(), trees: trees.iter().map(tree).collect() };
    Ok(serde_json::to_string(&text)?)
}

/// What a file keeps.
///
/// # Errors
/// The text is none of [`to_text`].
pub fn from_text(text: &str) -> Result<Vec<Remembered>, Cause> {
    let text: Text = serde_json::from_str(text)?;
    if text.schema != SCHEMA {
        return Err(format!("`{}` is not `{SCHEMA}`", text.schema).into());
    }
    let tree = |tree: TreeText| {
        let root = tree.root.parse().map_err(|_| "a root is no digest")?;
        let TreeText { origin, size, is_closed, .. } = tree;
        Ok(Remembered { origin, size, root, is_closed })
    };
    text.trees.into_iter().map(tree).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else_is() {
        let root = Digest::of(b"root");
        let tree = Remembered { origin: "log.example/1".into(), size: 7, root, is_closed: false };
        let closed = Remembered { is_closed: true, ..tree.clone() };
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
