//! The paths of a data directory. Files of govern are in the data directory, and files of PostgreSQL in a
//! separate directory.

use std::{
    fs::{self, DirBuilder, File},
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, chown},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, ensure};

use super::system_user::SystemUser;

#[derive(Debug)]
pub(super) struct ClusterPaths {
    /// The directory for locks, passwords and the log.
    data_dir: PathBuf,
    /// The directory of the user who runs PostgreSQL.
    home: PathBuf,
    /// The directory of the socket.
    pub(super) socket: PathBuf,
    /// The user who runs PostgreSQL, if it is not the user of this process.
    pub(super) system_user: Option<SystemUser>,
}

/// The directory of clusters whose data directory is not accessible to the user who runs PostgreSQL.
const FALLBACK_DIRECTORY: &str = "/var/lib/govern";

/// The file name of the socket for port 5432.
pub(super) const SOCKET_NAME: &str = ".s.PGSQL.5432";

/// The maximum length of a socket path in bytes on macOS. Linux permits 107.
const SOCKET_PATH_MAX: usize = 103;

impl ClusterPaths {
    /// Returns the paths of `data_dir` and creates missing directories.
    pub(super) fn prepare(data_dir: &Path) -> anyhow::Result<Self> {
        create_data_dir(data_dir)?;
        let data_dir = data_dir
            .canonicalize()
            .with_context(|| format!("opening the data directory `{}`", data_dir.display()))?;
        let (home, system_user) =
            if is_root() { home_for_root(&data_dir)? } else { (default_home(&data_dir), None) };
        let socket = socket(&home);
        for directory in [&home, &socket] {
            create_dir(directory, 0o700)?;
            chown_dir(directory, system_user)?;
        }
        Ok(Self { data_dir, home, socket, system_user })
    }

    /// The lock of the one service of the data directory.
    pub(super) fn service_lock(&self) -> PathBuf {
        self.data_dir.join("service.lock")
    }

    /// The shared lock of all processes that use the cluster.
    pub(super) fn use_lock(&self) -> PathBuf {
        self.data_dir.join("use.lock")
    }

    /// The lock of the process that creates, joins or starts the cluster.
    pub(super) fn start_lock(&self) -> PathBuf {
        self.data_dir.join("start.lock")
    }

    pub(super) fn passwords(&self) -> PathBuf {
        self.data_dir.join("pgpass")
    }

    pub(super) fn log(&self) -> PathBuf {
        self.data_dir.join("postgres.log")
    }

    pub(super) fn data(&self) -> PathBuf {
        self.home.join("data")
    }

    /// The data of a cluster that is being created.
    pub(super) fn temporary_data(&self) -> PathBuf {
        self.home.join("data.new")
    }

    /// The superuser password while the cluster is being created.
    pub(super) fn temporary_password(&self) -> PathBuf {
        self.home.join("password.new")
    }

    /// Moves a new cluster into place, and stores its location if it is not in the data directory.
    pub(super) fn publish(&self) -> anyhow::Result<()> {
        fs::rename(self.temporary_data(), self.data())
            .and_then(|()| File::open(&self.home)?.sync_all())
            .with_context(|| format!("moving the cluster into `{}`", self.home.display()))?;
        if self.home == default_home(&self.data_dir) {
            return Ok(());
        }
        let home = self.home.to_str().context("the path of the data directory is not UTF-8")?;
        private_file::write(&location_file(&self.data_dir), home)
    }
}

/// Returns the default directory of a cluster, which is in the data directory.
fn default_home(data_dir: &Path) -> PathBuf {
    data_dir.join("postgres")
}

/// Returns the directory of the cluster for root, and the user who runs it: the owner of an existing cluster.
fn home_for_root(data_dir: &Path) -> anyhow::Result<(PathBuf, Option<SystemUser>)> {
    if let Some(home) = private_file::read(&location_file(data_dir))? {
        let home = PathBuf::from(home.text);
        let system_user = SystemUser::owner_of(&home.join("data")).with_context(|| {
            format!("the database of `{}` is no longer in `{}`", data_dir.display(), home.display())
        })?;
        return Ok((home, Some(system_user)));
    }
    let home = default_home(data_dir);
    if let Some(system_user) = SystemUser::owner_of(&home) {
        return Ok((home, Some(system_user)));
    }
    let system_user = SystemUser::without_privileges()?;
    let home = if system_user.can_traverse(data_dir)? {
        home
    } else {
        Path::new(FALLBACK_DIRECTORY).join(fingerprint(data_dir))
    };
    Ok((home, Some(system_user)))
}

/// Returns the file with the location of a cluster that is not in its data directory.
fn location_file(data_dir: &Path) -> PathBuf {
    data_dir.join("postgres.path")
}

/// Returns the directory of the socket: the cluster's, or one in `/tmp` if its path is too long for a socket.
fn socket(home: &Path) -> PathBuf {
    if home.join(SOCKET_NAME).as_os_str().len() <= SOCKET_PATH_MAX {
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

/// Creates a data directory and its parents, if they do not exist.
///
/// # Errors
/// Returns an error if a directory cannot be created.
pub fn create_data_dir(directory: &Path) -> anyhow::Result<()> {
    // The data directory of root is searchable by all users, so that it can contain the cluster.
    create_dir(directory, if is_root() { 0o711 } else { 0o700 })
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Creates a directory and its parents, if they do not exist.
fn create_dir(directory: &Path, mode: u32) -> anyhow::Result<()> {
    let create = || {
        if let Some(parent) = directory.parent() {
            fs::create_dir_all(parent)?;
        }
        match DirBuilder::new().mode(mode).create(directory) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            result => result,
        }
    };
    create().with_context(|| format!("creating the directory `{}`", directory.display()))
}

/// Changes the owner of a directory from this user to `system_user`. A directory of any other user is an
/// error, because that user could redirect PostgreSQL to other files.
fn chown_dir(directory: &Path, system_user: Option<SystemUser>) -> anyhow::Result<()> {
    let current_uid = rustix::process::geteuid().as_raw();
    let metadata = fs::symlink_metadata(directory)?;
    let expected = system_user.map_or(current_uid, |system_user| system_user.uid);
    if metadata.is_dir() && metadata.uid() == expected {
        return Ok(());
    }
    ensure!(
        metadata.is_dir() && metadata.uid() == current_uid,
        "the directory `{}` belongs to another user; run govern as that user, or as root",
        directory.display()
    );
    let owner = system_user.map(|system_user| (system_user.uid, system_user.gid)).unzip();
    chown(directory, owner.0, owner.1)
        .with_context(|| format!("changing the owner of `{}`", directory.display()))
}
