//! Exit codes and errors of the client commands.

use std::{fmt, path::Path, process::ExitCode};

use contract::error::FieldError;

use crate::{client, profile};

/// The exit codes, for the help of each command.
pub(crate) const HELP: &str = "Exit codes:\n  \
    0  success\n  \
    1  negative result: failed cases, differences, a verdict of --fail-on, or a failed verification\n  \
    2  invalid arguments, files or profiles\n  \
    3  refused by the service, or by the user in the browser\n  \
    4  the service cannot be reached, or its response cannot be read";

/// The result of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The command succeeded.
    Success,
    /// The command succeeded, and its result is negative.
    Negative,
}

impl Exit {
    /// Returns [`Exit::Negative`] if `is_negative`.
    pub(crate) fn negative_if(is_negative: bool) -> Self {
        if is_negative { Self::Negative } else { Self::Success }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Success => Self::SUCCESS,
            Exit::Negative => Self::from(1),
        }
    }
}

/// The reason why a command has no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A call failed.
    #[error(transparent)]
    Client(#[from] client::Error),
    /// There is no service to call.
    #[error(transparent)]
    Profile(#[from] profile::Error),
    /// An argument or a file is not valid.
    #[error("{0}")]
    Input(String),
    /// The user did not allow access in the browser.
    #[error("{0}")]
    NotAllowed(&'static str),
}

impl Error {
    /// Creates an error about a file.
    pub(crate) fn file(path: &Path, cause: impl fmt::Display) -> Self {
        Self::Input(format!("`{}`: {cause}", path.display()))
    }

    /// Creates an error about values of a file. `line` returns the line of a JSON Pointer.
    pub(crate) fn fields(
        path: &Path,
        errors: &[FieldError],
        line: impl Fn(&str) -> Option<usize>,
    ) -> Self {
        let errors = errors.iter().map(|FieldError { path: pointer, message, .. }| {
            let line = line(pointer).map(|line| format!(":{line}")).unwrap_or_default();
            let pointer = if pointer.is_empty() { "the file" } else { pointer };
            format!("{}{line}: {pointer} {message}", path.display())
        });
        Self::Input(errors.collect::<Vec<_>>().join("\n"))
    }

    /// Returns the exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Input(_) | Self::Profile(_) | Self::Client(client::Error::Setup(_)) => 2,
            Self::Client(client::Error::Refused(_)) | Self::NotAllowed(_) => 3,
            Self::Client(_) => 4,
        }
    }
}
