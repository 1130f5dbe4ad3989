//! The private database cluster under crashes, stale files and unusual paths (architecture,
//! section 9).
//!
//! Dropping a `Database` without `close` has the effect of a killed process: its locks are released
//! and the server continues to run.

use std::{
    env, fs,
    os::unix::{
        fs::{MetadataExt as _, PermissionsExt as _},
        process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process::{Child, Command},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use local_postgres::{Config, Database, OwnerKind, open};
use rustix::process::{Pid, Signal, geteuid, kill_process, test_kill_process};
use testkit::database::texts;

struct DataDir {
    path: PathBuf,
}

impl DataDir {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("govern-cluster-{}-{count}", std::process::id());
        Self { path: env::temp_dir().join(name) }
    }

    fn config(&self) -> Config {
        Config { url: None, data_dir: self.path.clone(), pg_bin: None }
    }

    /// Opens the cluster as the service, once nothing has the lock of a dropped one. A child of another test has it from its
    /// creation until it executes its program.
    async fn service(&self) -> Database {
        const LOCKED: &str = "another govern process uses the data directory";
        for _ in 0..100 {
            match open(&self.config(), OwnerKind::Service).await {
                Err(error) if error.to_string().starts_with(LOCKED) => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                opened => return opened.expect("the service opens its cluster"),
            }
        }
        open(&self.config(), OwnerKind::Service).await.expect("the service opens its cluster")
    }

    /// Opens the cluster as a command that may create it.
    async fn command(&self) -> Database {
        open(&self.config(), OwnerKind::Setup).await.expect("a command opens the cluster")
    }

    /// Returns the error of opening the data directory, or `none`.
    async fn open_error(&self, owner: OwnerKind) -> String {
        match open(&self.config(), owner).await {
            Ok(_) => "none".to_owned(),
            Err(error) => format!("{error:#}"),
        }
    }

    fn home(&self) -> PathBuf {
        let path = fs::read_to_string(self.path.join("postgres.path"));
        path.map_or_else(|_| self.path.join("postgres"), PathBuf::from)
    }

    fn data(&self) -> PathBuf {
        self.home().join("data")
    }

    fn lock_file(&self) -> PathBuf {
        self.data().join("postmaster.pid")
    }

    fn socket_lock_file(&self) -> PathBuf {
        self.home().join(".s.PGSQL.5432.lock")
    }

    /// Returns the process ID of the database server while it runs.
    fn server_pid(&self) -> Option<Pid> {
        let text = fs::read_to_string(self.lock_file()).ok()?;
        let pid = Pid::from_raw(text.lines().next()?.parse().ok()?)?;
        test_kill_process(pid).is_ok().then_some(pid)
    }

    /// Starts a process of the cluster's user that is not a database server.
    fn unrelated_process(&self) -> UnrelatedProcess {
        let mut command = Command::new("sleep");
        if geteuid().is_root() {
            let home = fs::metadata(self.home()).expect("the cluster exists");
            command.uid(home.uid());
        }
        UnrelatedProcess(command.arg("1000").spawn().expect("a process starts"))
    }
}

impl Drop for DataDir {
    fn drop(&mut self) {
        if let Some(server) = self.server_pid() {
            let _ = kill_process(server, Signal::QUIT);
        }
        let _ = fs::remove_dir_all(self.home());
        let _ = fs::remove_dir_all(&self.path);
    }
}

struct UnrelatedProcess(Child);

impl Drop for UnrelatedProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns the rows of a query on a separate connection.
async fn query(url: &str, sql: &str) -> Vec<String> {
    let connection = migration::connect(url).await.expect("the database accepts the connection");
    let rows = texts(&connection, sql).await;
    connection.close().await.expect("the connection closes");
    rows
}

/// Creates the schema and inserts a user.
async fn insert_user(database: &Database) {
    let owner =
        migration::connect(&database.owner_url).await.expect("the database accepts the connection");
    migration::migrate(&owner).await.expect("the schema is created");
    let insert = "insert into users (user_id, email, display_name, created_at)
        values (gen_random_uuid(), 'ada@example.com', 'Ada', now()) returning email";
    assert_eq!(texts(&owner, insert).await, ["ada@example.com"]);
}

async fn assert_user_is_stored(database: &Database) {
    assert_eq!(query(&database.app_url, "select email from users").await, ["ada@example.com"]);
}

#[tokio::test]
async fn a_new_data_directory_gets_a_durable_cluster() {
    let dir = DataDir::new();
    let database = dir.service().await;
    for (url, role) in [
        (&database.owner_url, "govern_owner"),
        (&database.app_url, "govern_app"),
        (&database.verify_url, "govern_verify"),
    ] {
        assert_eq!(query(url, "select session_user::text").await, [role]);
    }
    let settings = "select name || '=' || setting from pg_settings where name in ('data_checksums',
        'fsync', 'full_page_writes', 'synchronous_commit', 'listen_addresses') order by name";
    assert_eq!(
        query(&database.app_url, settings).await,
        [
            "data_checksums=on",
            "fsync=on",
            "full_page_writes=on",
            "listen_addresses=",
            "synchronous_commit=on",
        ]
    );
    insert_user(&database).await;
    database.close().await.unwrap();
    assert_eq!(dir.server_pid(), None);

    let database = dir.service().await;
    assert_user_is_stored(&database).await;
    database.close().await.unwrap();
}

#[tokio::test]
async fn only_the_owner_can_read_the_passwords_and_reach_the_socket() {
    let dir = DataDir::new();
    let database = dir.service().await;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&dir.path.join("pgpass")), 0o600);
    assert_eq!(mode(&dir.path.join("postgres.log")), 0o600);
    assert_eq!(mode(&dir.home()), 0o700);
    assert_ne!(fs::metadata(dir.home()).unwrap().uid(), 0, "PostgreSQL does not run as root");
    assert!(!dir.home().join("password.new").exists());
    let guess = database.app_url.replacen("postgres://govern_app:", "postgres://govern_app:0", 1);
    assert!(migration::connect(&guess).await.is_err());
    assert!(!format!("{database:?}").contains("postgres://"));
    database.close().await.unwrap();
}

#[tokio::test]
async fn a_data_directory_accepts_one_service() {
    let dir = DataDir::new();
    let first = dir.service().await;
    assert_eq!(
        dir.open_error(OwnerKind::Service).await,
        format!("another govern process uses the data directory `{}`", dir.path.display())
    );
    first.close().await.unwrap();
    dir.service().await.close().await.unwrap();
}

#[tokio::test]
async fn closing_a_command_leaves_the_cluster_of_the_service_running() {
    let dir = DataDir::new();
    let service = dir.service().await;
    let server = dir.server_pid();
    dir.command().await.close().await.unwrap();
    assert_eq!(dir.server_pid(), server);
    service.close().await.unwrap();
    assert_eq!(dir.server_pid(), None);
}

#[tokio::test]
async fn the_last_process_to_close_stops_the_cluster() {
    let dir = DataDir::new();
    let (first, second) = tokio::join!(dir.command(), dir.command());
    first.close().await.unwrap();
    assert_eq!(query(&second.app_url, "select 'here'").await, ["here"]);
    second.close().await.unwrap();
    assert_eq!(dir.server_pid(), None);
}

#[tokio::test]
async fn a_service_reuses_the_server_of_a_killed_process() {
    let dir = DataDir::new();
    let killed = dir.service().await;
    let server = dir.server_pid();
    drop(killed);
    let service = dir.service().await;
    assert_eq!(dir.server_pid(), server);
    assert_eq!(query(&service.app_url, "select 'here'").await, ["here"]);
    service.close().await.unwrap();
}

#[tokio::test]
async fn a_killed_server_is_restarted_with_all_its_rows() {
    let dir = DataDir::new();
    let killed = dir.service().await;
    insert_user(&killed).await;
    kill_process(dir.server_pid().unwrap(), Signal::KILL).unwrap();
    drop(killed);
    let service = dir.service().await;
    assert_user_is_stored(&service).await;
    service.close().await.unwrap();
}

#[tokio::test]
async fn a_server_that_crashes_while_the_service_runs_is_restarted() {
    let dir = DataDir::new();
    let service = dir.service().await;
    insert_user(&service).await;
    let server = dir.server_pid();
    kill_process(server.unwrap(), Signal::KILL).unwrap();
    let reconnected = async {
        while migration::connect(&service.app_url).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        never = service.watch() => match never {},
        () = reconnected => {}
        () = tokio::time::sleep(Duration::from_secs(30)) => panic!("the server was not restarted"),
    }
    assert_ne!(dir.server_pid(), server);
    assert_user_is_stored(&service).await;
    service.close().await.unwrap();
}

#[tokio::test]
async fn lock_files_with_the_process_id_of_another_process_are_ignored() {
    let dir = DataDir::new();
    let service = dir.service().await;
    insert_user(&service).await;
    kill_process(dir.server_pid().unwrap(), Signal::KILL).unwrap();
    drop(service);
    let other = dir.unrelated_process();
    for file in [dir.lock_file(), dir.socket_lock_file()] {
        let text = fs::read_to_string(&file).unwrap();
        let (_, rest) = text.split_once('\n').unwrap();
        fs::write(file, format!("{}\n{rest}", other.0.id())).unwrap();
    }

    let service = dir.service().await;
    assert_user_is_stored(&service).await;
    service.close().await.unwrap();
}

/// A failed start removes the lock file of the data, but not that of the socket.
#[tokio::test]
async fn the_lock_file_of_the_socket_is_ignored_without_that_of_the_data() {
    let dir = DataDir::new();
    dir.service().await.close().await.unwrap();
    let other = dir.unrelated_process();
    fs::write(dir.socket_lock_file(), format!("{}\n", other.0.id())).unwrap();

    let service = dir.service().await;
    assert_eq!(query(&service.app_url, "select 'here'").await, ["here"]);
    service.close().await.unwrap();
}

#[tokio::test]
async fn a_partially_created_cluster_is_created_again() {
    let dir = DataDir::new();
    dir.command().await.close().await.unwrap();
    fs::rename(dir.data(), dir.home().join("data.new")).unwrap();
    fs::remove_file(dir.home().join("data.new/global/pg_control")).unwrap();
    fs::write(dir.home().join("password.new"), "half").unwrap();
    let service = dir.service().await;
    assert_eq!(query(&service.app_url, "select 'here'").await, ["here"]);
    service.close().await.unwrap();
}

#[tokio::test]
async fn data_of_another_major_version_is_rejected() {
    let dir = DataDir::new();
    dir.command().await.close().await.unwrap();
    fs::write(dir.data().join("PG_VERSION"), "9\n").unwrap();
    let error = dir.open_error(OwnerKind::Service).await;
    assert!(
        error.starts_with("the data directory was created by PostgreSQL 9, but only PostgreSQL ")
            && error.ends_with("install PostgreSQL 9, or move the data with pg_upgrade"),
        "{error}"
    );
}

#[tokio::test]
async fn a_cluster_without_its_passwords_is_not_started() {
    let dir = DataDir::new();
    dir.command().await.close().await.unwrap();
    fs::remove_file(dir.path.join("pgpass")).unwrap();
    assert_eq!(
        dir.open_error(OwnerKind::Command).await,
        format!(
            "the database passwords are missing; restore `{}` from a backup",
            dir.path.join("pgpass").display()
        )
    );
    assert_eq!(dir.server_pid(), None);
}

#[tokio::test]
async fn a_failed_server_start_returns_the_message_of_the_server() {
    let dir = DataDir::new();
    dir.command().await.close().await.unwrap();
    fs::write(dir.data().join("postgresql.auto.conf"), "shared_buffers = many\n").unwrap();
    let error = dir.open_error(OwnerKind::Service).await;
    assert!(error.starts_with("the database does not start: "), "{error}");
    assert!(error.contains("FATAL:  configuration file"), "{error}");
}

#[tokio::test]
async fn the_path_of_the_data_directory_may_be_long_and_contain_special_characters() {
    let mut dir = DataDir::new();
    let parent = dir.path.clone();
    dir.path = parent.join("Zürich, \"data\" 100%".repeat(6));
    let service = dir.service().await;
    assert_eq!(query(&service.app_url, "select 'here'").await, ["here"]);
    // The path is too long for a socket, so the socket is in another directory.
    let lock_file = fs::read_to_string(dir.lock_file()).unwrap();
    let socket = PathBuf::from(lock_file.lines().nth(4).unwrap());
    assert_eq!(fs::metadata(&socket).unwrap().permissions().mode() & 0o777, 0o700);
    service.close().await.unwrap();
    drop(dir);
    fs::remove_dir(socket).unwrap();
    fs::remove_dir(parent).unwrap();
}

#[tokio::test]
async fn a_cluster_that_cannot_access_the_data_directory_is_created_elsewhere() {
    if !geteuid().is_root() {
        return; // an ordinary user can access its own directories
    }
    let dir = DataDir::new();
    fs::create_dir(&dir.path).unwrap();
    fs::set_permissions(&dir.path, fs::Permissions::from_mode(0o700)).unwrap();
    let service = dir.service().await;
    assert!(dir.home().starts_with("/var/lib/govern"), "{}", dir.home().display());
    insert_user(&service).await;
    service.close().await.unwrap();

    let service = dir.service().await;
    assert_user_is_stored(&service).await;
    service.close().await.unwrap();

    let home = dir.home();
    fs::remove_dir_all(&home).unwrap();
    assert_eq!(
        dir.open_error(OwnerKind::Service).await,
        format!("the database of `{}` is no longer in `{}`", dir.path.display(), home.display())
    );
}
