//! The private cluster, through everything that can befall it (architecture, section 9).
//!
//! A `Database` that is dropped without `close` leaves what a killed process leaves: the locks are
//! gone and the server runs on.

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

/// A data directory of one test's own.
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

    async fn service(&self) -> Database {
        open(&self.config(), OwnerKind::Service).await.expect("the service opens its cluster")
    }

    async fn command(&self) -> Database {
        open(&self.config(), OwnerKind::Command).await.expect("a command opens the cluster")
    }

    /// Why the data directory cannot be opened.
    async fn refusal(&self, tenure: OwnerKind) -> String {
        match open(&self.config(), tenure).await {
            Ok(_) => "none".to_owned(),
            Err(refusal) => format!("{refusal:#}"),
        }
    }

    fn home(&self) -> PathBuf {
        let elsewhere = fs::read_to_string(self.path.join("postgres.path"));
        elsewhere.map_or_else(|_| self.path.join("postgres"), PathBuf::from)
    }

    fn data(&self) -> PathBuf {
        self.home().join("data")
    }

    fn lock_file(&self) -> PathBuf {
        self.data().join("postmaster.pid")
    }

    /// The number of the server process, as long as there is one.
    fn server(&self) -> Option<Pid> {
        let text = fs::read_to_string(self.lock_file()).ok()?;
        let pid = Pid::from_raw(text.lines().next()?.parse().ok()?)?;
        test_kill_process(pid).is_ok().then_some(pid)
    }

    /// A process of the cluster's user that is no server.
    fn bystander(&self) -> Bystander {
        let mut command = Command::new("sleep");
        if geteuid().is_root() {
            let home = fs::metadata(self.home()).expect("the cluster is there");
            command.uid(home.uid());
        }
        Bystander(command.arg("1000").spawn().expect("a process starts"))
    }
}

impl Drop for DataDir {
    fn drop(&mut self) {
        if let Some(server) = self.server() {
            let _ = kill_process(server, Signal::QUIT);
        }
        let _ = fs::remove_dir_all(self.home());
        let _ = fs::remove_dir_all(&self.path);
    }
}

struct Bystander(Child);

impl Drop for Bystander {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a query answers on a connection of its own.
async fn ask(url: &str, sql: &str) -> Vec<String> {
    let connection = migration::connect(url).await.expect("the database lets us in");
    let answer = texts(&connection, sql).await;
    connection.close().await.expect("the connection closes");
    answer
}

/// Writes a row that a later look finds again.
async fn remember(database: &Database) {
    let owner = migration::connect(&database.owner_url).await.expect("the database lets us in");
    migration::migrate(&owner).await.expect("the schema is laid");
    let insert = "insert into users (user_id, email, display_name, created_at)
        values (gen_random_uuid(), 'ada@example.com', 'Ada', now()) returning email";
    assert_eq!(texts(&owner, insert).await, ["ada@example.com"]);
}

async fn remembers(database: &Database) {
    assert_eq!(ask(&database.app_url, "select email from users").await, ["ada@example.com"]);
}

#[tokio::test]
async fn a_new_data_directory_gets_a_cluster_that_loses_nothing() {
    let dir = DataDir::new();
    let database = dir.service().await;
    for (url, role) in [
        (&database.owner_url, "govern_owner"),
        (&database.app_url, "govern_app"),
        (&database.verify_url, "govern_verify"),
    ] {
        assert_eq!(ask(url, "select session_user::text").await, [role]);
    }
    let settings = "select name || '=' || setting from pg_settings where name in ('data_checksums',
        'fsync', 'full_page_writes', 'synchronous_commit', 'listen_addresses') order by name";
    assert_eq!(
        ask(&database.app_url, settings).await,
        [
            "data_checksums=on",
            "fsync=on",
            "full_page_writes=on",
            "listen_addresses=",
            "synchronous_commit=on",
        ]
    );
    remember(&database).await;
    database.close().await.unwrap();
    assert_eq!(dir.server(), None);

    let database = dir.service().await;
    remembers(&database).await;
    database.close().await.unwrap();
}

#[tokio::test]
async fn only_the_owner_reads_the_passwords_and_reaches_the_socket() {
    let dir = DataDir::new();
    let database = dir.service().await;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&dir.path.join("pgpass")), 0o600);
    assert_eq!(mode(&dir.path.join("postgres.log")), 0o600);
    assert_eq!(mode(&dir.home()), 0o700);
    assert_ne!(fs::metadata(dir.home()).unwrap().uid(), 0, "Postgres is never root's");
    assert!(!dir.home().join("password.new").exists());
    let guess = database.app_url.replacen("postgres://govern_app:", "postgres://govern_app:0", 1);
    assert!(migration::connect(&guess).await.is_err());
    assert!(!format!("{database:?}").contains("postgres://"));
    database.close().await.unwrap();
}

#[tokio::test]
async fn a_data_directory_has_one_service() {
    let dir = DataDir::new();
    let first = dir.service().await;
    assert_eq!(
        dir.refusal(OwnerKind::Service).await,
        format!("another govern serves the data directory `{}`", dir.path.display())
    );
    first.close().await.unwrap();
    dir.service().await.close().await.unwrap();
}

#[tokio::test]
async fn a_command_beside_the_service_leaves_the_cluster_running() {
    let dir = DataDir::new();
    let service = dir.service().await;
    let server = dir.server();
    dir.command().await.close().await.unwrap();
    assert_eq!(dir.server(), server);
    service.close().await.unwrap();
    assert_eq!(dir.server(), None);
}

#[tokio::test]
async fn whoever_leaves_last_stops_the_cluster() {
    let dir = DataDir::new();
    let (first, second) = tokio::join!(dir.command(), dir.command());
    first.close().await.unwrap();
    assert_eq!(ask(&second.app_url, "select 'here'").await, ["here"]);
    second.close().await.unwrap();
    assert_eq!(dir.server(), None);
}

#[tokio::test]
async fn what_a_killed_govern_leaves_running_is_joined() {
    let dir = DataDir::new();
    let killed = dir.service().await;
    let server = dir.server();
    drop(killed);
    let service = dir.service().await;
    assert_eq!(dir.server(), server);
    assert_eq!(ask(&service.app_url, "select 'here'").await, ["here"]);
    service.close().await.unwrap();
}

#[tokio::test]
async fn a_killed_server_is_started_again_with_all_its_rows() {
    let dir = DataDir::new();
    let killed = dir.service().await;
    remember(&killed).await;
    kill_process(dir.server().unwrap(), Signal::KILL).unwrap();
    drop(killed);
    let service = dir.service().await;
    remembers(&service).await;
    service.close().await.unwrap();
}

#[tokio::test]
async fn a_server_that_dies_under_the_service_is_started_again() {
    let dir = DataDir::new();
    let service = dir.service().await;
    remember(&service).await;
    let server = dir.server();
    kill_process(server.unwrap(), Signal::KILL).unwrap();
    let back = async {
        while migration::connect(&service.app_url).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        never = service.watch() => match never {},
        () = back => {}
        () = tokio::time::sleep(Duration::from_secs(30)) => panic!("it stayed away"),
    }
    assert_ne!(dir.server(), server);
    remembers(&service).await;
    service.close().await.unwrap();
}

#[tokio::test]
async fn a_lock_file_whose_number_has_gone_to_another_process_is_no_server() {
    let dir = DataDir::new();
    let service = dir.service().await;
    remember(&service).await;
    kill_process(dir.server().unwrap(), Signal::KILL).unwrap();
    drop(service);
    let bystander = dir.bystander();
    let text = fs::read_to_string(dir.lock_file()).unwrap();
    let (_, rest) = text.split_once('\n').unwrap();
    fs::write(dir.lock_file(), format!("{}\n{rest}", bystander.0.id())).unwrap();

    let service = dir.service().await;
    remembers(&service).await;
    service.close().await.unwrap();
}

#[tokio::test]
async fn a_cluster_that_was_half_made_is_made_anew() {
    let dir = DataDir::new();
    dir.command().await.close().await.unwrap();
    fs::rename(dir.data(), dir.home().join("data.new")).unwrap();
    fs::remove_file(dir.home().join("data.new/global/pg_control")).unwrap();
    fs::write(dir.home().join("password.new"), "half").unwrap();
    let service = dir.service().await;
    assert_eq!(ask(&service.app_url, "select 'here'").await, ["here"]);
    service.close().await.unwrap();
}

#[tokio::test]
async fn data_of_another_major_version_are_refused() {
    let dir = DataDir::new();
    dir.command().await.close().await.unwrap();
    fs::write(dir.data().join("PG_VERSION"), "9\n").unwrap();
    let refusal = dir.refusal(OwnerKind::Service).await;
    assert!(
        refusal.starts_with("the data directory is of PostgreSQL 9, and only PostgreSQL ")
            && refusal.ends_with("install PostgreSQL 9, or move the data with pg_upgrade"),
        "{refusal}"
    );
}

#[tokio::test]
async fn a_cluster_without_its_passwords_is_left_alone() {
    let dir = DataDir::new();
    dir.command().await.close().await.unwrap();
    fs::remove_file(dir.path.join("pgpass")).unwrap();
    assert_eq!(
        dir.refusal(OwnerKind::Command).await,
        format!(
            "the passwords of the database are missing: put `{}` back from a backup",
            dir.path.join("pgpass").display()
        )
    );
    assert_eq!(dir.server(), None);
}

#[tokio::test]
async fn a_server_that_cannot_start_says_why() {
    let dir = DataDir::new();
    dir.command().await.close().await.unwrap();
    fs::write(dir.data().join("postgresql.auto.conf"), "shared_buffers = many\n").unwrap();
    let refusal = dir.refusal(OwnerKind::Service).await;
    assert!(refusal.starts_with("the database does not start: "), "{refusal}");
    assert!(refusal.contains("FATAL:  configuration file"), "{refusal}");
}

#[tokio::test]
async fn the_path_of_the_data_directory_may_be_long_and_strange() {
    let mut dir = DataDir::new();
    let parent = dir.path.clone();
    dir.path = parent.join("Zürich, \"data\" 100%".repeat(6));
    let service = dir.service().await;
    assert_eq!(ask(&service.app_url, "select 'here'").await, ["here"]);
    // Too long a name for a socket, so that lies elsewhere.
    let lock_file = fs::read_to_string(dir.lock_file()).unwrap();
    let socket = PathBuf::from(lock_file.lines().nth(4).unwrap());
    assert_eq!(fs::metadata(&socket).unwrap().permissions().mode() & 0o777, 0o700);
    service.close().await.unwrap();
    drop(dir);
    fs::remove_dir(socket).unwrap();
    fs::remove_dir(parent).unwrap();
}

#[tokio::test]
async fn a_data_directory_that_the_cluster_cannot_reach_has_it_elsewhere() {
    if !geteuid().is_root() {
        return; // an ordinary user reaches what is theirs
    }
    let dir = DataDir::new();
    fs::create_dir(&dir.path).unwrap();
    fs::set_permissions(&dir.path, fs::Permissions::from_mode(0o700)).unwrap();
    let service = dir.service().await;
    assert!(dir.home().starts_with("/var/lib/govern"), "{}", dir.home().display());
    remember(&service).await;
    service.close().await.unwrap();

    let service = dir.service().await;
    remembers(&service).await;
    service.close().await.unwrap();

    let home = dir.home();
    fs::remove_dir_all(&home).unwrap();
    assert_eq!(
        dir.refusal(OwnerKind::Service).await,
        format!("the database of `{}` is no longer in `{}`", dir.path.display(), home.display())
    );
}
