//! The programs that backups use: `pg_dump`, `pg_restore` and `age`.

use std::{
    io::{self, ErrorKind, Read, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
    thread,
};

use anyhow::{Context, Result, anyhow, ensure};
use url::Url;

use crate::config::percent_decoded;

/// The recipients of encrypted parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipients {
    /// Public keys of `age`, or SSH public keys.
    pub keys: Vec<String>,
    /// Files with one public key a line.
    pub files: Vec<PathBuf>,
}

impl Recipients {
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.files.is_empty()
    }

    fn command(&self) -> Command {
        let mut command = Command::new("age");
        command.arg("--encrypt");
        for key in &self.keys {
            command.arg("--recipient").arg(key);
        }
        for file in &self.files {
            command.arg("--recipients-file").arg(file);
        }
        command
    }
}

/// `pg_dump` for one server.
#[derive(Clone, Debug)]
pub struct DumpProgram {
    path: PathBuf,
    /// Its major version.
    pub version: u32,
}

impl DumpProgram {
    /// Finds `pg_dump` for a server of this major version. An older `pg_dump` refuses it.
    ///
    /// # Errors
    /// Returns one line that names what to install.
    pub fn find(pg_bin: Option<&Path>, server_version: u32) -> Result<Self> {
        let (path, version) = local_postgres::client_program("pg_dump", pg_bin, server_version)?;
        Ok(Self { path, version })
    }

    /// Dumps the database of `url`, encrypted for `recipients` if there are any, and calls `store` with the output.
    ///
    /// # Errors
    /// Returns an error if a program fails, and the errors of `store`.
    pub fn run(
        &self,
        url: &str,
        recipients: &Recipients,
        store: impl FnOnce(&mut dyn Read) -> Result<()>,
    ) -> Result<()> {
        let mut dump = connected(&self.path, url)?;
        // The texts of decisions are compressed already.
        dump.args(["--format=custom", "--compress=1", "--no-password"]);
        let mut dump = Running::start("pg_dump", dump.stdin(Stdio::null()))?;
        if recipients.is_empty() {
            store(&mut dump.output()?)?;
            return dump.finish();
        }
        let mut age = recipients.command();
        let mut age = Running::start("age", age.stdin(dump.output()?))?;
        store(&mut age.output()?)?;
        // If `age` fails, the dump fails too, because nothing reads it.
        age.finish()?;
        dump.finish()
    }
}

/// Restores a dump into the database of `url` in one transaction. `identity` decrypts it, if it is encrypted.
///
/// # Errors
/// Returns an error if a program fails. The database is unchanged then.
pub fn restore_database(
    pg_bin: Option<&Path>,
    dump_version: u32,
    url: &str,
    identity: Option<&Path>,
    dump: &mut dyn Read,
) -> Result<()> {
    let (path, _) = local_postgres::client_program("pg_restore", pg_bin, dump_version)?;
    let mut restore = connected(&path, url)?;
    restore.args(["--exit-on-error", "--single-transaction", "--no-password"]);
    let Some(identity) = identity else {
        let mut restore = Running::start("pg_restore", restore.stdin(Stdio::piped()))?;
        restore.input(dump)?;
        return restore.finish();
    };
    let mut age = decrypt_command(identity)?;
    let mut age = Running::start("age", age.stdin(Stdio::piped()))?;
    let restore = Running::start("pg_restore", restore.stdin(age.output()?))?;
    age.input(dump)?;
    age.finish()?;
    restore.finish()
}

/// Encrypts bytes for `recipients`.
///
/// # Errors
/// Returns an error if `age` fails.
pub fn encrypt(recipients: &Recipients, bytes: &[u8]) -> Result<Vec<u8>> {
    filter(recipients.command(), bytes)
}

/// Decrypts bytes with the identity file of a recipient.
///
/// # Errors
/// Returns an error if `age` fails, for example because the identity is not one of the recipients.
pub fn decrypt(identity: &Path, bytes: &[u8]) -> Result<Vec<u8>> {
    filter(decrypt_command(identity)?, bytes)
}

fn decrypt_command(identity: &Path) -> Result<Command> {
    let file = private_file::open(identity)?;
    ensure!(file.is_some(), "{} does not exist", identity.display());
    let mut command = Command::new("age");
    command.arg("--decrypt").arg("--identity").arg(identity);
    Ok(command)
}

/// Returns the output of `age` for an input.
fn filter(mut command: Command, mut bytes: &[u8]) -> Result<Vec<u8>> {
    let mut age = Running::start("age", command.stdin(Stdio::piped()))?;
    let mut output = age.output()?;
    let mut result = Vec::new();
    thread::scope(|scope| {
        let writer = scope.spawn(|| age.input(&mut bytes));
        output.read_to_end(&mut result).context("reading the output of age")?;
        writer.join().map_err(|_| anyhow!("writing to age failed"))?
    })?;
    age.finish()?;
    Ok(result)
}

/// Returns the command of a PostgreSQL program for the database of `url`. The password is not in its arguments, which
/// other users of the machine can see. Parameters of the URL that only the service knows are left out.
fn connected(program: &Path, url: &str) -> Result<Command> {
    let mut url: Url = url.parse().map_err(|_| anyhow!("DATABASE_URL: must be a URL"))?;
    let mut command = Command::new(program);
    // As for the driver, a parameter replaces the password before the host.
    let parameter = url.query_pairs().filter(|(name, _)| name == "password").last();
    let parameter = parameter.map(|(_, value)| value.into_owned());
    if let Some(password) = parameter.or_else(|| url.password().map(percent_decoded)) {
        command.env("PGPASSWORD", password);
        url.set_password(None).map_err(|()| anyhow!("DATABASE_URL: must name a host"))?;
    }
    let query = url.query().map(libpq_query).filter(|query| !query.is_empty());
    url.set_query(query.as_deref());
    command.arg("--dbname").arg(url.as_str());
    Ok(command)
}

/// Returns the parameters of a URL with the names of libpq, which accepts no others. The driver of the service has more:
/// <https://docs.rs/sqlx/latest/sqlx/postgres/struct.PgConnectOptions.html>.
fn libpq_query(query: &str) -> String {
    let parameter = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        let name = match name {
            "statement-cache-capacity" | "password" => return None,
            "ssl-mode" => "sslmode",
            "ssl-root-cert" | "ssl-ca" => "sslrootcert",
            "ssl-cert" => "sslcert",
            "ssl-key" => "sslkey",
            name => name,
        };
        Some(format!("{name}={value}"))
    };
    query.split('&').filter_map(parameter).collect::<Vec<_>>().join("&")
}

/// A running program. It is killed if it is dropped before it has ended.
struct Running {
    name: &'static str,
    child: Child,
}

impl Running {
    /// Starts a program, whose errors go to standard error.
    fn start(name: &'static str, command: &mut Command) -> Result<Self> {
        let child = command.stdout(Stdio::piped()).spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => anyhow!("`{name}` was not found; install the package `{name}`"),
            _ => anyhow!("`{name}` cannot be started: {error}"),
        })?;
        Ok(Self { name, child })
    }

    fn output(&mut self) -> Result<ChildStdout> {
        self.child.stdout.take().context("the output is in use")
    }

    /// Copies the whole input, and closes it.
    fn input(&mut self, source: &mut dyn Read) -> Result<()> {
        let mut input = self.child.stdin.take().context("the input is in use")?;
        match io::copy(source, &mut input).and_then(|_| input.flush()) {
            // The program has ended early; its exit status says why.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            result => result.with_context(|| format!("writing to {}", self.name)),
        }
    }

    fn finish(mut self) -> Result<()> {
        // A program whose output is not read any more would otherwise wait.
        drop(self.child.stdout.take());
        let status = self.child.wait()?;
        ensure!(status.success(), "`{}` failed ({status})", self.name);
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn parameters_of_the_url_have_the_names_of_libpq() {
        let url = "postgres://db.example/govern?ssl-mode=require&statement-cache-capacity=100&\
                   options=-c%20timezone%3Dutc";
        let command = connected(Path::new("pg_dump"), url).unwrap();
        let expected = "postgres://db.example/govern?sslmode=require&options=-c%20timezone%3Dutc";
        assert_eq!(command.get_args().last(), Some(OsStr::new(expected)));
        let url = "postgres://db.example/govern?statement-cache-capacity=100";
        let command = connected(Path::new("pg_dump"), url).unwrap();
        assert_eq!(command.get_args().last(), Some(OsStr::new("postgres://db.example/govern")));
    }

    #[test]
    fn password_is_in_the_environment_and_not_in_the_arguments() {
        for (url, expected) in [
            ("postgres://ada:p%40ss+%2B@db.example/govern", "postgres://ada@db.example/govern"),
            (
                "postgres://ada:other@db.example/govern?password=p%40ss%2B%2B&sslmode=require",
                "postgres://ada@db.example/govern?sslmode=require",
            ),
            (
                "postgres://ada:p%40ss+%2B@%2Frun%2Fpg:5432/govern",
                "postgres://ada@%2Frun%2Fpg:5432/govern",
            ),
        ] {
            let command = connected(Path::new("pg_dump"), url).unwrap();
            let arguments: Vec<_> = command.get_args().collect();
            assert_eq!(arguments, ["--dbname", expected]);
            let variable = command.get_envs().next().unwrap();
            assert_eq!(variable, (OsStr::new("PGPASSWORD"), Some(OsStr::new("p@ss++"))));
        }
    }
}
