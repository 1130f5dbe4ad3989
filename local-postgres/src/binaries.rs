//! Finds the PostgreSQL programs on this machine. Nothing is downloaded.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, bail};

/// The programs of one major version.
#[derive(Debug)]
pub(super) struct Binaries {
    directory: PathBuf,
    major: u32,
}

const OLDEST_MAJOR: u32 = 15;

/// The directories where packages install versions, and the prefix of the version in the directory name.
const PACKAGE_DIRECTORIES: [(&str, &str); 4] = [
    ("/usr/lib/postgresql", ""),
    ("/usr", "pgsql-"),
    ("/opt/homebrew/opt", "postgresql@"),
    ("/usr/local/opt", "postgresql@"),
];

impl Binaries {
    /// Finds the programs in `directory`, or else on PATH, or else the newest version that a package
    /// installed. Data of the major version `needed` can be read only by that version.
    pub(super) fn find(directory: Option<&Path>, needed: Option<u32>) -> anyhow::Result<Self> {
        let candidates = match directory {
            Some(directory) => vec![directory.to_owned()],
            None => path_directories().into_iter().chain(package_directories()).collect(),
        };
        let mut installed: Vec<Self> =
            candidates.into_iter().filter_map(Self::in_directory).collect();
        let is_suitable = |binaries: &Self| {
            needed.map_or(binaries.major >= OLDEST_MAJOR, |major| binaries.major == major)
        };
        if let Some(first) = installed.iter().position(is_suitable) {
            return Ok(installed.swap_remove(first));
        }
        let location = directory.map_or(String::new(), |path| format!(" in `{}`", path.display()));
        let version = installed.first().map(|binaries| binaries.major);
        match (needed, version) {
            (Some(needed), Some(version)) => bail!(
                "the data directory was created by PostgreSQL {needed}, but only PostgreSQL {version} was \
                 found{location}; install PostgreSQL {needed}, or move the data with pg_upgrade"
            ),
            (None, Some(version)) => {
                bail!(
                    "PostgreSQL {version} was found{location}; install PostgreSQL {OLDEST_MAJOR} or newer"
                )
            }
            (_, None) => bail!(
                "no PostgreSQL was found{location}; install PostgreSQL {} (package `postgresql`), set \
                 PG_BIN to the directory of its programs, or set DATABASE_URL",
                needed.map_or(format!("{OLDEST_MAJOR} or newer"), |major| major.to_string())
            ),
        }
    }

    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    fn in_directory(directory: PathBuf) -> Option<Self> {
        if !directory.join("initdb").is_file() {
            return None;
        }
        let version = Command::new(directory.join("postgres")).arg("--version").output().ok()?;
        let major = major(&String::from_utf8(version.stdout).ok()?)?;
        Some(Self { directory, major })
    }
}

/// Finds a client program, such as `pg_dump`, of the major version `oldest` or newer: in `directory`, or else in the
/// directories of packages, newest version first, or on PATH. Returns its path and its major version.
///
/// # Errors
/// Returns one line that names what to install if there is no such program.
pub fn client_program(
    name: &str,
    directory: Option<&Path>,
    oldest: u32,
) -> anyhow::Result<(PathBuf, u32)> {
    let candidates = match directory {
        Some(directory) => vec![directory.to_owned()],
        None => package_directories().into_iter().chain(path_directories()).collect(),
    };
    let found = candidates.into_iter().find_map(|directory| {
        let program = directory.join(name);
        let version = Command::new(&program).arg("--version").output().ok()?;
        let major = major(&String::from_utf8(version.stdout).ok()?)?;
        (major >= oldest).then_some((program, major))
    });
    found.with_context(|| {
        format!(
            "`{name}` of PostgreSQL {oldest} or newer was not found; install it (package \
             `postgresql-client`), or set PG_BIN to the directory of the programs"
        )
    })
}

/// Returns the major version of the data in `directory`, or `None` without data.
pub(super) fn version_of_data(directory: &Path) -> anyhow::Result<Option<u32>> {
    let file = directory.join("PG_VERSION");
    if !file.try_exists()? {
        return Ok(None);
    }
    let text =
        fs::read_to_string(&file).with_context(|| format!("reading `{}`", file.display()))?;
    let major = text.trim().parse();
    major.map(Some).with_context(|| format!("`{}` contains no version", file.display()))
}

/// Parses the major version: 15 for `postgres (PostgreSQL) 15.18 (Debian 15.18-0)`.
fn major(version: &str) -> Option<u32> {
    let (_, number) = version.split_once(" (PostgreSQL) ")?;
    number.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
}

fn path_directories() -> Vec<PathBuf> {
    env::var_os("PATH").map_or_else(Vec::new, |path| env::split_paths(&path).collect())
}

/// Returns the program directories of installed packages, newest version first.
fn package_directories() -> Vec<PathBuf> {
    let mut versions: Vec<(u32, PathBuf)> = PACKAGE_DIRECTORIES
        .iter()
        .filter_map(|(parent, prefix)| Some((fs::read_dir(parent).ok()?, prefix)))
        .flat_map(|(directories, prefix)| {
            directories.flatten().map(move |directory| (directory, prefix))
        })
        .filter_map(|(directory, prefix)| {
            let name = directory.file_name().into_string().ok()?;
            let version = name.strip_prefix(prefix)?.parse().ok()?;
            Some((version, directory.path().join("bin")))
        })
        .collect();
    versions.sort_by(|a, b| b.cmp(a));
    versions.into_iter().map(|(_, directory)| directory).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn major_version_is_the_number_before_the_dot() {
        assert_eq!(major("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n"), Some(15));
        assert_eq!(major("postgres (PostgreSQL) 18beta1\n"), Some(18));
        assert_eq!(major("postgres (EnterpriseDB) 15.1\n"), None);
    }

    #[test]
    fn missing_programs_error_names_package_and_settings() {
        let message = Binaries::find(Some(Path::new("/nowhere")), None).unwrap_err().to_string();
        assert_eq!(
            message,
            "no PostgreSQL was found in `/nowhere`; install PostgreSQL 15 or newer (package \
             `postgresql`), set PG_BIN to the directory of its programs, or set DATABASE_URL"
        );
    }
}
