//! Reads a secret from standard input, without showing it in a terminal.

use std::io::{self, IsTerminal as _, Write as _};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// Reads a secret from the first line. In a terminal, it asks for `what`.
///
/// # Errors
/// Returns an error if the line is empty.
pub(super) fn secret(what: &str) -> io::Result<String> {
    let _hidden = io::stdin().is_terminal().then(HiddenInput::start).transpose()?;
    let mut stderr = io::stderr();
    if io::stdin().is_terminal() {
        write!(stderr, "{what}: ")?;
        stderr.flush()?;
    }
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    if io::stdin().is_terminal() {
        writeln!(stderr)?;
    }
    let secret = line.trim();
    if secret.is_empty() {
        let message = format!("{what}: the first line of standard input is empty");
        return Err(io::Error::other(message));
    }
    Ok(secret.to_owned())
}

/// Guard that hides typed characters in the terminal until it is dropped.
struct HiddenInput(Termios);

impl HiddenInput {
    fn start() -> io::Result<Self> {
        let original = tcgetattr(io::stdin())?;
        let mut silent = original.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(io::stdin(), OptionalActions::Flush, &silent)?;
        Ok(Self(original))
    }
}

impl Drop for HiddenInput {
    fn drop(&mut self) {
        let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &self.0);
    }
}
