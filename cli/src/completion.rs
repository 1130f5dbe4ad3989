//! `govern completion`: a script with which a shell asks `govern` for the words that complete a command line.

use clap::{Command, ValueEnum};
use clap_complete::{CompleteEnv, env::Shells};

use crate::{
    exit::{Error, Exit},
    output,
};

/// The variable with which the script asks. Its value is the name of the shell.
const VARIABLE: &str = "GOVERN_COMPLETE";

/// The shells with a completion script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// bash.
    Bash,
    /// elvish.
    Elvish,
    /// fish.
    Fish,
    /// `PowerShell`.
    #[value(name = "powershell")]
    PowerShell,
    /// zsh.
    Zsh,
}

impl Shell {
    const fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Elvish => "elvish",
            Self::Fish => "fish",
            Self::PowerShell => "powershell",
            Self::Zsh => "zsh",
        }
    }
}

/// Answers a completion script and ends the process, if a script asks. `govern` returns the whole command line.
pub fn answer(govern: impl Fn() -> Command) {
    CompleteEnv::with_factory(govern).var(VARIABLE).complete();
}

/// Prints the completion script of a shell.
pub(crate) fn run(shell: Shell) -> Result<Exit, Error> {
    let mut script = Vec::new();
    let failed = |cause: &dyn std::fmt::Display| Error::Input(format!("no script: {cause}"));
    let shells = Shells::builtins();
    let completer = shells.completer(shell.name()).ok_or_else(|| failed(&"unknown shell"))?;
    completer
        .write_registration(VARIABLE, "govern", "govern", "govern", &mut script)
        .map_err(|error| failed(&error))?;
    output::print_bytes(&script)?;
    Ok(Exit::Success)
}
