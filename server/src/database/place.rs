//! Where everything lies: what is govern's in the data directory, what is Postgres' in a folder of
//! its own.

use std::{
    fs::{self, DirBuilder, File},
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, chown},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, ensure};

use super::{account::Account, file};

/// The places of one data directory.
#[derive(Debug)]
pub(super) struct Place {
    /// Govern's own: locks, passwords, log.
    data_dir: PathBuf,
    /// The folder of Postgres' user.
    home: PathBuf,
    /// The folder of the socket.
    pub(super) socket: PathBuf,
    /// Who that user is, if not the one of this process.
    pub(super) account: Option<Account>,
}

/// Where the cluster of a data directory goes that Postgres' user cannot reach.
const ELSEWHERE: &str = "/var/lib/govern";

/// The name that Postgres gives a socket on the port that we name.
const SOCKET: &str = ".s.PGSQL.5432";

/// What the shortest of the usual systems takes as the path of a socket.
const SOCKET_PATH_MAX: usize = 103;

impl Place {
    /// Finds the places of `data_dir` and makes the folders that are missing.
    pub(super) fn of(data_dir: &Path) -> anyhow::Result<Self> {
        let root = rustix::process::geteuid().is_root();
        // Root's data directory can be passed through, so that the cluster may lie in it.
        make(data_dir, if root { 0o711 } else { 0o700 })?;
        let data_dir = data_dir
            .canonicalize()
            .with_context(|| format!("opening the data directory `{}`", data_dir.display()))?;
        let (home, account) = if root { roots_home(&data_dir)? } else { (beside(&data_dir), None) };
        let socket = socket(&home);
        for folder in [&home, &socket] {
            make(folder, 0o700)?;
            give(folder, account)?;
        }
        Ok(Self { data_dir, home, socket, account })
    }

    /// Taken by the one service of this data directory.
    pub(super) fn service_lock(&self) -> PathBuf {
        self.data_dir.join("service.lock")
    }

    /// Shared by all who use the cluster.
    pub(super) fn use_lock(&self) -> PathBuf {
        self.data_dir.join("use.lock")
    }

    /// Taken by the one who makes, joins or starts the cluster.
    pub(super) fn start_lock(&self) -> PathBuf {
        self.data_dir.join("start.lock")
    }

    /// The passwords of the roles.
    pub(super) fn passwords(&self) -> PathBuf {
        self.data_dir.join("pgpass")
    }

    /// What Postgres says.
    pub(super) fn log(&self) -> PathBuf {
        self.data_dir.join("postgres.log")
    }

    /// The cluster.
    pub(super) fn data(&self) -> PathBuf {
        self.home.join("data")
    }

    /// The cluster while it is being made.
    pub(super) fn data_aside(&self) -> PathBuf {
        self.home.join("data.new")
    }

    /// The superuser's password, for as long as the cluster is being made.
    pub(super) fn password_aside(&self) -> PathBuf {
        self.home.join("password.new")
    }

    /// Makes the new cluster the cluster, and remembers where it is when it lies elsewhere.
    pub(super) fn settle(&self) -> anyhow::Result<()> {
        fs::rename(self.data_aside(), self.data())
            .and_then(|()| File::open(&self.home)?.sync_all())
            .with_context(|| {
                format!("putting the cluster in place in `{}`", self.home.display())
            })?;
        if self.home == beside(&self.data_dir) {
            return Ok(());
        }
        let home = self.home.to_str().context("the path of the data directory is not UTF-8")?;
        file::write(&remembered(&self.data_dir), home)
    }
}

/// Where a cluster lies, if Postgres' user can reach it there.
fn beside(data_dir: &Path) -> PathBuf {
    data_dir.join("postgres")
}

/// Where the cluster of root's data directory lies, and who runs it: whose it is, once it is made.
fn roots_home(data_dir: &Path) -> anyhow::Result<(PathBuf, Option<Account>)> {
    if let Some(home) = file::read(&remembered(data_dir))? {
        let home = PathBuf::from(home);
        let account = Account::of_folder(&home.join("data")).with_context(|| {
            format!("the database of `{}` is no longer in `{}`", data_dir.display(), home.display())
        })?;
        return Ok((home, Some(account)));
    }
    let home = beside(data_dir);
    if let Some(account) = Account::of_folder(&home) {
        return Ok((home, Some(account)));
    }
    let account = Account::without_privileges()?;
    let home = if account.reaches(data_dir)? {
        home
    } else {
        Path::new(ELSEWHERE).join(fingerprint(data_dir))
    };
    Ok((home, Some(account)))
}

/// The file that says where a cluster is which is not in its data directory.
fn remembered(data_dir: &Path) -> PathBuf {
    data_dir.join("postgres.path")
}

/// The folder of the socket: the cluster's, or a short one if that is too long a name for a socket.
fn socket(home: &Path) -> PathBuf {
    if home.join(SOCKET).as_os_str().len() <= SOCKET_PATH_MAX {
        home.to_owned()
    } else {
        Path::new("/tmp").join(format!("govern-{}", fingerprint(home)))
    }
}

fn fingerprint(path: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Makes a folder and those above it, unless it is there already.
fn make(folder: &Path, mode: u32) -> anyhow::Result<()> {
    let make = || {
        if let Some(parent) = folder.parent() {
            fs::create_dir_all(parent)?;
        }
        match DirBuilder::new().mode(mode).create(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            done => done,
        }
    };
    make().with_context(|| format!("making the folder `{}`", folder.display()))
}

/// Gives a folder of ours to `account`. One that is neither ours nor theirs was put there by
/// somebody else, who could lead Postgres astray.
fn give(folder: &Path, account: Option<Account>) -> anyhow::Result<()> {
    let ours = rustix::process::geteuid().as_raw();
    let found = fs::symlink_metadata(folder)?;
    let expected = account.map_or(ours, |account| account.uid);
    if found.is_dir() && found.uid() == expected {
        return Ok(());
    }
    ensure!(
        found.is_dir() && found.uid() == ours,
        "the folder `{}` belongs to another user; run govern as that user, or as root",
        folder.display()
    );
    let owner = account.map(|account| (account.uid, account.gid)).unzip();
    chown(folder, owner.0, owner.1).with_context(|| format!("giving away `{}`", folder.display()))
}
