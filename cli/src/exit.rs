//! Exit codes and errors of the client commands.

use std::{ffi::OsString, fmt, io, path::Path, process::ExitCode};

use contract::{
    error::{FieldError, Problem},
    json::{Object, Value},
};

use crate::{client, output, profile};

/// The exit codes, for the help of each command.
pub(crate) const HELP: &str = "Exit codes:\n  \
    0  success\n  \
    1  negative result: failed cases, differences, a verdict of --fail-on, or a failed verification\n  \
    2  invalid arguments, files or profiles, or an output that cannot be written\n  \
    3  refused by the service, or by the user in the browser\n  \
    4  the service cannot be reached, or its response cannot be read";

/// The exit code of a program whose output is no longer read: that of a program that SIGPIPE ends.
const CLOSED_PIPE: u8 = 141;

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

/// The form of errors on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorFormat {
    /// A sentence for people.
    Text,
    /// The error envelope of the API in one line.
    Json,
}

impl ErrorFormat {
    /// Returns the form that the arguments of the process select: `--json` is also for errors, and for arguments that
    /// cannot be parsed.
    pub fn of(arguments: impl IntoIterator<Item = OsString>) -> Self {
        let mut options = arguments.into_iter().take_while(|argument| argument != "--");
        if options.any(|argument| argument == "--json") { Self::Json } else { Self::Text }
    }

    /// Prints the error of arguments that cannot be parsed, or the help that they request, and ends the process.
    pub fn exit_for_usage(self, error: &clap::Error) -> ! {
        if self == Self::Text || !error.use_stderr() {
            error.exit();
        }
        self.print(&problem("INVALID_ARGUMENTS", &usage_message(error), None));
        std::process::exit(error.exit_code())
    }

    /// Prints an error of this program on standard error.
    pub fn print(self, problem: &Problem) {
        match self {
            Self::Text => output::note(&format!("govern: {}", problem.message)),
            Self::Json => output::note_json(&problem.to_line()),
        }
    }
}

/// Creates an error that is not one of the service.
pub fn problem(code: &str, message: &str, details: Option<Value>) -> Problem {
    Problem { code: code.to_owned(), message: message.to_owned(), details }
}

/// Returns the first paragraph of a usage error in one line.
pub fn usage_message(error: &clap::Error) -> String {
    let text = error.to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let lines: Vec<&str> = paragraph.lines().map(str::trim).collect();
    lines.join(" ").trim_start_matches("error: ").to_owned()
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
    /// Values of a file or of the arguments are not valid.
    #[error("{}", lines(.file.as_deref(), .errors))]
    Fields {
        /// The path of the file, or `None` for arguments.
        file: Option<String>,
        /// The errors, with the lines of the values that have one.
        errors: Vec<(Option<usize>, FieldError)>,
    },
    /// Standard output cannot be written.
    #[error("standard output cannot be written: {0}")]
    Output(io::Error),
    /// The user did not allow access in the browser.
    #[error("{0}")]
    NotAllowed(&'static str),
}

impl From<output::WriteError> for Error {
    fn from(output::WriteError(error): output::WriteError) -> Self {
        Self::Output(error)
    }
}

/// Returns one line per error, with the place of the value.
fn lines(file: Option<&str>, errors: &[(Option<usize>, FieldError)]) -> String {
    let line = |(line, error): &(Option<usize>, FieldError)| {
        let FieldError { path, message, .. } = error;
        let place = match (file, line) {
            (Some(file), Some(line)) => format!("{file}:{line}: "),
            (Some(file), None) => format!("{file}: "),
            (None, _) => String::new(),
        };
        let pointer = if path.is_empty() { "the file" } else { path };
        output::one_line(&format!("{place}{pointer} {message}"))
    };
    errors.iter().map(line).collect::<Vec<_>>().join("\n")
}

impl Error {
    /// Creates an error about a file.
    pub(crate) fn file(path: &Path, cause: impl fmt::Display) -> Self {
        Self::Input(format!("`{}`: {cause}", output::one_line(&path.to_string_lossy())))
    }

    /// Creates an error about values of a file. `line` returns the line of a JSON Pointer.
    pub(crate) fn fields(
        path: &Path,
        errors: Vec<FieldError>,
        line: impl Fn(&str) -> Option<usize>,
    ) -> Self {
        let errors = errors.into_iter().map(|error| (line(&error.path), error)).collect();
        Self::Fields { file: Some(path.display().to_string()), errors }
    }

    /// Prints the error on standard error and returns the exit code. A closed pipe is no error to report: its reader
    /// has all that it wants.
    pub(crate) fn report(&self, format: ErrorFormat) -> ExitCode {
        let is_closed =
            matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe);
        if !is_closed {
            match (format, self) {
                (ErrorFormat::Json, Self::Client(client::Error::Refused(refused))) => {
                    output::note_json(&serde_json::to_string(&refused.body).unwrap_or_default());
                }
                _ => format.print(&self.problem()),
            }
        }
        ExitCode::from(self.exit_code())
    }

    /// Returns the error with a code for programs.
    fn problem(&self) -> Problem {
        let details = match self {
            Self::Fields { file, errors } => Some(details(file.as_deref(), errors)),
            _ => None,
        };
        problem(self.code(), &self.to_string(), details)
    }

    fn code(&self) -> &str {
        match self {
            Self::Client(client::Error::Refused(refused)) => &refused.body.error.code,
            Self::Client(client::Error::Unreachable { .. }) => "SERVICE_UNREACHABLE",
            Self::Client(client::Error::Unexpected { .. } | client::Error::Body(_)) => {
                "UNEXPECTED_RESPONSE"
            }
            Self::Client(client::Error::Setup(_)) | Self::Profile(_) => "INVALID_PROFILE",
            Self::Input(_) => "INVALID_INPUT",
            Self::Fields { .. } => "VALIDATION_ERROR",
            Self::Output(_) => "OUTPUT_FAILED",
            Self::NotAllowed(_) => "NOT_ALLOWED",
        }
    }

    /// Returns the exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => CLOSED_PIPE,
            Self::Input(_)
            | Self::Fields { .. }
            | Self::Output(_)
            | Self::Profile(_)
            | Self::Client(client::Error::Setup(_)) => 2,
            Self::Client(client::Error::Refused(_)) | Self::NotAllowed(_) => 3,
            Self::Client(_) => 4,
        }
    }
}

/// Returns the details of invalid values, as the API has them, with the file.
fn details(file: Option<&str>, errors: &[(Option<usize>, FieldError)]) -> Value {
    let error = |(line, error): &(Option<usize>, FieldError)| {
        let FieldError { path, code, message } = error;
        let members = [("path", path), ("code", code), ("message", message)];
        let mut members = Object::from(members.map(|(name, text)| (name, text.as_str().into())));
        if let Some(line) = line.and_then(|line| u32::try_from(line).ok()) {
            members.insert("line", line);
        }
        Value::from(members)
    };
    let mut details = Object::from([("errors", errors.iter().map(error).collect())]);
    if let Some(file) = file {
        details.insert("file", file);
    }
    details.into()
}
