//! Cleans up processes and directories of a run, however it ends.

use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};

/// An action that releases one resource of the run.
type CleanupAction = Box<dyn FnOnce() + Send>;

/// The registered actions, in the order of registration.
static CLEANUP_ACTIONS: Mutex<Vec<CleanupAction>> = Mutex::new(Vec::new());

/// Runs all cleanup actions when it is dropped, or when the process receives a termination signal.
#[derive(Debug)]
pub(crate) struct Cleanup(());

impl Cleanup {
    /// Installs the signal handler. The caller holds the value for as long as the process runs.
    pub(crate) fn start() -> Result<Self> {
        ctrlc::set_handler(|| {
            run_all();
            std::process::exit(130);
        })
        .context("cannot install the signal handler")?;
        Ok(Self(()))
    }
}

impl Drop for Cleanup {
    fn drop(&mut self) {
        run_all();
    }
}

/// Registers a cleanup action. Actions run in reverse order of registration.
pub(crate) fn defer(action: impl FnOnce() + Send + 'static) {
    lock_actions().push(Box::new(action));
}

fn run_all() {
    // The lock is held throughout: a second caller waits until every action has run.
    let mut actions = lock_actions();
    while let Some(action) = actions.pop() {
        action();
    }
}

fn lock_actions() -> MutexGuard<'static, Vec<CleanupAction>> {
    CLEANUP_ACTIONS.lock().unwrap_or_else(PoisonError::into_inner)
}
