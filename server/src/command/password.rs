//! Password input of commands.

use std::{
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
    /// Read the password from the first line of a file, readable by its owner only.
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
            let name = || format!("`{}`", file.display());
            let opened = private_file::open(&file)?;
            let opened = opened.with_context(|| name() + " does not exist")?;
            return first_line(opened).with_context(name);
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
    ensure!(!line.is_empty(), "contains no password in its first line");
    Ok(line.to_owned())
}

/// Prompts for the password twice, without showing it.
fn prompt_twice() -> Result<String> {
    if !io::stdin().is_terminal() {
        bail!(
            "no password: use `--password-stdin` or `--password-file FILE`, or run the command in a \
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
    use std::{
        env,
        fs::Permissions,
        os::unix::fs::PermissionsExt as _,
        process::{Command, Stdio},
    };

    use clap::Parser;

    use super::*;
    use crate::command::Govern;

    #[derive(Parser)]
    struct TestCommand {
        #[command(flatten)]
        password: PasswordArgs,
    }

    fn read(arguments: &[&str]) -> Result<String, String> {
        let command = ["test"].iter().chain(arguments);
        let command = TestCommand::try_parse_from(command).map_err(|error| error.to_string())?;
        command.password.read().map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn password_is_the_first_line() {
        let read = |text: &str| first_line(text.as_bytes()).map_err(|error| error.to_string());
        assert_eq!(read("four words \nof mine"), Ok("four words ".to_owned()));
        assert_eq!(read("four words\r\n"), Ok("four words".to_owned()));
        assert_eq!(read("four words"), Ok("four words".to_owned()));
        let empty = "contains no password in its first line";
        assert_eq!(read(""), Err(empty.to_owned()));
        assert_eq!(read("\nfour words"), Err(empty.to_owned()));
    }

    #[test]
    fn commands_that_set_a_password_accept_at_most_one_source() {
        let bootstrap = ["govern", "bootstrap", "--tenant", "Acme", "--email", "ada@acme.example"];
        let tenant = "00000000-0000-4000-8000-000000000000";
        let create = ["--tenant", tenant, "--email", "ada@acme.example", "--role", "viewer"];
        let create = ["govern", "user", "create"].into_iter().chain(create);
        let sources: [&[&str]; 3] =
            [&["--password", "four words"], &["--password-file", "file"], &["--password-stdin"]];
        for command in [bootstrap.to_vec(), create.collect()] {
            let parse = |sources: &[&[&str]]| {
                Govern::try_parse_from(command.iter().copied().chain(sources.concat()))
            };
            parse(&[]).expect("without a source, the command prompts");
            for (index, source) in sources.into_iter().enumerate() {
                parse(&[source]).expect("one source");
                for &other in &sources[index + 1..] {
                    let error = parse(&[source, other]).expect_err("two sources").to_string();
                    assert!(error.contains("cannot be used with"), "{error}");
                }
            }
        }
    }

    #[test]
    fn help_warns_that_other_users_see_the_password_option() {
        let commands: [&[&str]; 2] =
            [&["govern", "bootstrap", "--help"], &["govern", "user", "create", "--help"]];
        for command in commands {
            let help = Govern::try_parse_from(command).expect_err("help").to_string();
            let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(help.contains("Other users of the machine can see it"), "{help}");
        }
    }

    #[test]
    fn password_file_contains_the_password_in_its_first_line() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("password");
        let file = path.to_str().expect("the path is UTF-8");
        let missing = read(&["--password-file", file]).expect_err("the file does not exist");
        assert_eq!(missing, format!("`{file}` does not exist"));
        private_file::write(&path, "four words\nof mine\n").expect("the file can be written");
        let password = read(&["--password-file", file]);
        let public = Permissions::from_mode(0o644);
        std::fs::set_permissions(&path, public).expect("the mode can be set");
        let readable = read(&["--password-file", file]).expect_err("other users can read it");
        private_file::write(&path, "").expect("the file can be written");
        let empty = read(&["--password-file", file]);
        assert_eq!(password, Ok("four words".to_owned()));
        assert!(readable.ends_with(&format!("(mode 0644); run `chmod 600 {file}`")), "{readable}");
        assert_eq!(empty, Err(format!("`{file}`: contains no password in its first line")));
    }

    /// The environment variable with the arguments of a child process of a test.
    const CHILD_ARGUMENTS: &str = "GOVERN_TEST_PASSWORD_ARGUMENTS";

    /// Reads the password in a child process, because a process has only one standard input.
    #[test]
    fn standard_input_without_a_terminal_is_read_only_on_request() {
        if let Ok(arguments) = env::var(CHILD_ARGUMENTS) {
            let result = read(&arguments.split_whitespace().collect::<Vec<_>>());
            let expected = match arguments.as_str() {
                "--password-stdin" => Ok("four words".to_owned()),
                _ => Err("no password: use `--password-stdin` or `--password-file FILE`, or run \
                          the command in a terminal"
                    .to_owned()),
            };
            assert_eq!(result, expected);
            return;
        }
        for arguments in ["--password-stdin", ""] {
            let test = "standard_input_without_a_terminal_is_read_only_on_request";
            let mut child = Command::new(env::current_exe().expect("the path of the test binary"))
                .args(["--exact", &format!("command::password::tests::{test}")])
                .env(CHILD_ARGUMENTS, arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("the process starts");
            let mut stdin = child.stdin.take().expect("a pipe");
            // A child that does not read its input may close the pipe first.
            let _ = stdin.write_all(b"four words\nof mine\n");
            drop(stdin);
            let output = child.wait_with_output().expect("the process ends");
            let stdout = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && stdout.contains("1 passed"), "{stdout}");
        }
    }
}
