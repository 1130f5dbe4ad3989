//! A PgBouncer in transaction mode for one test.

use std::{
    env, fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::Stdio,
    sync::atomic::{AtomicU32, Ordering},
};

use rustix::process::geteuid;
use sea_orm::sqlx::{ConnectOptions as _, postgres::PgConnectOptions};
use testkit::database::TestDatabase;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

/// The number of server connections that all clients share.
pub(super) const SERVER_CONNECTIONS: u32 = 3;

/// A running PgBouncer. It stops when it is dropped.
pub(super) struct PgBouncer {
    /// The port on the loopback address.
    port: u16,
    directory: PathBuf,
    _process: Child,
}

impl PgBouncer {
    /// Starts PgBouncer in front of the server of `database`. `settings` are further lines of its configuration.
    pub(super) async fn start(database: &TestDatabase, settings: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let directory =
            env::temp_dir().join(format!("govern-pgbouncer-{}-{count}", std::process::id()));
        fs::create_dir(&directory).expect("a new directory");
        let users = directory.join("users.txt");
        fs::write(&users, users_of(database)).expect("a file");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("the listener is bound").port();
        drop(listener);
        let server = options(&database.app_url);
        let configuration = format!(
            "[databases]\n* = host={host} port={server_port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {port}\nunix_socket_dir =\nauth_type = scram-sha-256\nauth_file = {users}\n\
             pool_mode = transaction\ndefault_pool_size = {SERVER_CONNECTIONS}\n{settings}\n",
            host = server.get_host(),
            server_port = server.get_port(),
            users = users.display(),
        );
        let file = directory.join("pgbouncer.ini");
        fs::write(&file, configuration).expect("a file");
        Self { port, directory, _process: run(&file).await }
    }

    /// Returns `url` with the address of the pooler.
    pub(super) fn url(&self, url: &str) -> String {
        options(url).host("127.0.0.1").port(self.port).to_url_lossy().to_string()
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// Starts the program and waits until it accepts connections.
async fn run(configuration: &Path) -> Child {
    let mut command = Command::new("pgbouncer");
    if geteuid().is_root() {
        command.args(["-u", "daemon"]); // it does not run as root
    }
    let mut process = command
        .arg(configuration)
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("pgbouncer is installed (scripts/setup test)");
    let mut lines = BufReader::new(process.stderr.take().expect("a pipe")).lines();
    let mut log = Vec::new();
    while let Some(line) = lines.next_line().await.expect("text") {
        if line.contains("process up") {
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return process;
        }
        log.push(line);
    }
    panic!("pgbouncer has ended: {log:#?}");
}

fn options(url: &str) -> PgConnectOptions {
    url.parse().expect("a database URL")
}

/// Returns the file of users with their passwords.
fn users_of(database: &TestDatabase) -> String {
    let line = |url: &String| {
        let url: http::Uri = url.parse().expect("a URL");
        let (user, _) =
            url.authority().and_then(|part| part.as_str().split_once('@')).expect("a user");
        let (name, password) = user.split_once(':').expect("a password");
        format!("\"{name}\" \"{password}\"\n")
    };
    [&database.app_url, &database.superuser_url].map(line).concat()
}
