//! Reads an API key from standard input, without showing it in a terminal.

use std::io::{self, IsTerminal as _, Write as _};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// Reads the key from the first line.
///
/// # Errors
/// Returns an error if there is no key.
pub(super) fn api_key() -> io::Result<String> {
    let _hidden = io::stdin().is_terminal().then(HiddenInput::start).transpose()?;
    let mut stderr = io::stderr();
    if io::stdin().is_terminal() {
        write!(stderr, "API key: ")?;
        stderr.flush()?;
    }
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    if io::stdin().is_terminal() {
        writeln!(stderr)?;
    }
    let key = line.trim();
    if key.is_empty() {
        return Err(io::Error::other("standard input contains no API key in its first line"));
    }
    Ok(key.to_owned())
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
