//! Password input of commands.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal, Read, Write},
    path::PathBuf,
};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// The source of the password. Without any option, the command prompts for it.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct PasswordArgs {
    /// The password. Other users of the machine can see it while the command runs, so use it only on a
    /// machine of your own. Without a password option, the command prompts for it.
    #[arg(long)]
    password: Option<String>,
    /// Read the password from the first line of a file.
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Read the password from the first line of standard input.
    #[arg(long)]
    password_stdin: bool,
}

/// The maximum number of bytes that are read; more than any accepted password.
const LINE_BYTES_MAX: u64 = 4_096;

impl PasswordArgs {
    /// Returns the password, and prompts for it if no option provides it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, the two entries differ, or standard input is not a
    /// terminal.
    pub(crate) fn read(self) -> Result<String> {
        if let Some(password) = self.password {
            return Ok(password);
        }
        if let Some(file) = self.password_file {
            let file_handle = File::open(&file).with_context(|| format!("`{}`", file.display()))?;
            return first_line(file_handle).with_context(|| format!("`{}`", file.display()));
        }
        if self.password_stdin {
            return first_line(io::stdin()).context("standard input");
        }
        prompt_twice()
    }
}

/// Returns the first line without its line ending.
fn first_line(from: impl Read) -> Result<String> {
    let mut line = String::new();
    BufReader::new(from.take(LINE_BYTES_MAX)).read_line(&mut line).context("cannot be read")?;
    let line = line.strip_suffix('\n').unwrap_or(&line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    ensure!(!line.is_empty(), "holds no password in its first line");
    Ok(line.to_owned())
}

/// Prompts for the password twice, without showing it.
fn prompt_twice() -> Result<String> {
    if !io::stdin().is_terminal() {
        bail!(
            "no password: give `--password-stdin` or `--password-file FILE`, or run the command in a \
             terminal"
        );
    }
    let _hidden = HiddenInput::start()?;
    let password = prompt("Password: ")?;
    ensure!(prompt("Repeat the password: ")? == password, "the two passwords differ");
    Ok(password)
}

fn prompt(text: &str) -> Result<String> {
    let mut stderr = io::stderr();
    write!(stderr, "{text}")?;
    stderr.flush()?;
    let line = io::stdin().lines().next().transpose()?.context("no password was entered")?;
    writeln!(stderr)?;
    Ok(line)
}

/// Guard that hides typed characters in the terminal until it is dropped.
struct HiddenInput(Termios);

impl HiddenInput {
    fn start() -> Result<Self> {
        let original = tcgetattr(io::stdin()).context("the terminal cannot be read")?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn password_is_the_first_line() {
        let read = |text: &str| first_line(text.as_bytes()).map_err(|error| error.to_string());
        assert_eq!(read("four words \nof mine"), Ok("four words ".to_owned()));
        assert_eq!(read("four words\r\n"), Ok("four words".to_owned()));
        assert_eq!(read("four words"), Ok("four words".to_owned()));
        let empty = "holds no password in its first line";
        assert_eq!(read(""), Err(empty.to_owned()));
        assert_eq!(read("\nfour words"), Err(empty.to_owned()));
    }
}
