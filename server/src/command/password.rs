//! Where a command reads a password from.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal, Read, Write},
    path::PathBuf,
};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// Where the password comes from. Without any of these, the command asks for it.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct PasswordArgs {
    /// The password. Other users of the machine can see it while the command runs: use it in scripts on a
    /// machine of your own only. Without it and the options below, the command asks for the password.
    #[arg(long)]
    password: Option<String>,
    /// Read the password from the first line of a file.
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Read the password from the first line of standard input.
    #[arg(long)]
    password_stdin: bool,
}

/// The most bytes of a line that are read: more than any password that is accepted.
const LINE_MAX: u64 = 4_096;

impl PasswordArgs {
    /// Returns the password, for which it asks when no option names one.
    ///
    /// # Errors
    /// When the file cannot be read, two entries differ, or there is no terminal to ask at.
    pub(crate) fn read(self) -> Result<String> {
        if let Some(password) = self.password {
            return Ok(password);
        }
        if let Some(file) = self.password_file {
            let opened = File::open(&file).with_context(|| format!("`{}`", file.display()))?;
            return first_line(opened).with_context(|| format!("`{}`", file.display()));
        }
        if self.password_stdin {
            return first_line(io::stdin()).context("standard input");
        }
        ask()
    }
}

/// Returns the first line without its end.
fn first_line(from: impl Read) -> Result<String> {
    let mut line = String::new();
    BufReader::new(from.take(LINE_MAX)).read_line(&mut line).context("cannot be read")?;
    let line = line.strip_suffix('\n').unwrap_or(&line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    ensure!(!line.is_empty(), "holds no password in its first line");
    Ok(line.to_owned())
}

/// Asks for the password twice, without showing it.
fn ask() -> Result<String> {
    if !io::stdin().is_terminal() {
        bail!(
            "no password: give `--password-stdin` or `--password-file FILE`, or run the command in a \
             terminal"
        );
    }
    let _hidden = Hidden::begin()?;
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

/// The terminal does not show what is typed until this is dropped.
struct Hidden(Termios);

impl Hidden {
    fn begin() -> Result<Self> {
        let before = tcgetattr(io::stdin()).context("the terminal cannot be read")?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(io::stdin(), OptionalActions::Flush, &silent)?;
        Ok(Self(before))
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_is_the_password() {
        let read = |text: &str| first_line(text.as_bytes()).map_err(|error| error.to_string());
        assert_eq!(read("four words \nof mine"), Ok("four words ".to_owned()));
        assert_eq!(read("four words\r\n"), Ok("four words".to_owned()));
        assert_eq!(read("four words"), Ok("four words".to_owned()));
        let empty = "holds no password in its first line";
        assert_eq!(read(""), Err(empty.to_owned()));
        assert_eq!(read("\nfour words"), Err(empty.to_owned()));
    }
}
