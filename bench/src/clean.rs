//! What must not be left behind: processes and folders of a run, whatever ends it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};

/// What undoes something.
type Undo = Box<dyn FnOnce() + Send>;

/// What is to be undone, in the order in which it was done.
static UNDO: Mutex<Vec<Undo>> = Mutex::new(Vec::new());

/// Undoes everything when it is dropped, and when the process is told to stop.
#[derive(Debug)]
pub(crate) struct Clean(());

impl Clean {
    /// To be kept for as long as the process runs.
    pub(crate) fn start() -> Result<Self> {
        ctrlc::set_handler(|| {
            undo_all();
            std::process::exit(130);
        })
        .context("no signal handler can be set")?;
        Ok(Self(()))
    }
}

impl Drop for Clean {
    fn drop(&mut self) {
        undo_all();
    }
}

/// Remembers how to undo what was just done. The last thing done is the first undone.
pub(crate) fn later(undo: impl FnOnce() + Send + 'static) {
    list().push(Box::new(undo));
}

fn undo_all() {
    // The lock is held all the while: whoever comes second waits until everything is undone.
    let mut list = list();
    while let Some(undo) = list.pop() {
        undo();
    }
}

fn list() -> MutexGuard<'static, Vec<Undo>> {
    UNDO.lock().unwrap_or_else(PoisonError::into_inner)
}
