//! A database per test, copied from a template that is migrated once.

use std::{
    fmt::Write as _,
    sync::{
        atomic::{AtomicU32, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use entity::decision_texts::DecisionTexts;
use migration::roles;
use sea_orm::{
    ConnectOptions, ConnectionTrait as _, Database, DatabaseConnection, DbBackend, Statement,
    sqlx::{ConnectOptions as _, postgres::PgConnectOptions},
};
use sha2::{Digest as _, Sha256};

/// The database of one test, dropped together with this value.
#[derive(Debug)]
pub struct TestDatabase {
    /// A connection of the service, as `govern_app`.
    pub app: DatabaseConnection,
    /// A connection of the schema owner, `govern_owner`.
    pub owner: DatabaseConnection,
    pub app_url: String,
    pub owner_url: String,
    pub verify_url: String,
    /// The URL of a superuser, which bypasses row-level security.
    pub superuser_url: String,
    server: Server,
    name: String,
}

/// Creates a database with the schema and no rows.
///
/// # Panics
/// Panics if the test server is not available.
pub async fn test_database() -> TestDatabase {
    test_database_of(Server::from_env()).await
}

/// Creates a database as [`test_database`] does, on the server of this superuser URL.
///
/// # Panics
/// Panics if the server is not available.
pub async fn test_database_on(url: &str) -> TestDatabase {
    test_database_of(Server(url.parse().expect("the URL of a Postgres server"))).await
}

async fn test_database_of(server: Server) -> TestDatabase {
    let template = server.template().await;
    server.create_database(&format!("template {template}")).await
}

/// The ID of the first tenant of [`two_tenants`], and the `id` of its row in every table.
pub const TENANT_A: &str = "aaaaaaaa-0000-4000-8000-000000000000";

/// The ID of the second tenant of [`two_tenants`].
pub const TENANT_B: &str = "bbbbbbbb-0000-4000-8000-000000000000";

/// The ID of a user who is an admin of the first tenant and not a member of the second.
pub const PERSON: &str = "cccccccc-0000-4000-8000-000000000000";

/// Creates a database in which every table has one row for each of two tenants. The rows differ
/// only in the tenant.
///
/// # Panics
/// Panics if the test server is not available.
pub async fn two_tenants() -> TestDatabase {
    let database = test_database().await;
    let superuser = connect(&database.superuser_url).await;
    run(&superuser, include_str!("database/two_tenants.sql")).await;
    superuser.close().await.expect("the connection can be closed");
    database
}

/// Creates a database without the schema. The roles exist.
///
/// # Panics
/// Panics if the test server is not available.
pub async fn unmigrated() -> TestDatabase {
    let server = Server::from_env();
    server.template().await;
    server.create_database("template template0").await
}

/// Opens a connection pool without statement logging.
///
/// # Panics
/// Panics if the server cannot be reached.
pub async fn connect(url: &str) -> DatabaseConnection {
    pool(url, 16).await
}

async fn pool(url: &str, connections_max: u32) -> DatabaseConnection {
    let mut options = ConnectOptions::new(url);
    options.max_connections(connections_max).sqlx_logging(false);
    // The future of a connection is large.
    Box::pin(Database::connect(options)).await.expect("the test server can be reached")
}

/// Returns the first column of all rows of a query, as text.
///
/// # Panics
/// Panics if the query fails or the column is not text.
pub async fn texts(db: &DatabaseConnection, sql: &str) -> Vec<String> {
    let rows = db.query_all_raw(Statement::from_string(DbBackend::Postgres, sql)).await.expect(sql);
    rows.iter().map(|row| row.try_get_by_index(0).expect("the first column is text")).collect()
}

/// Stores the texts of all decisions without compression, as earlier versions did. Then SQL can read them with
/// `decision_text` and change them with `change_text`, whose parts are the record (1), the context (2), the integrity
/// preimage (3) and the statement (4).
///
/// # Panics
/// Panics if a statement fails or a text cannot be read.
pub async fn decompress_decisions(superuser: &DatabaseConnection) {
    run(superuser, include_str!("database/decision_texts.sql")).await;
    let compressed =
        "select encode(texts, 'hex') from decisions where substr(texts, 1, 1) = '\\x28'";
    for value in texts(superuser, compressed).await {
        let bytes = hex::decode(&value).expect("PostgreSQL writes hexadecimal digits");
        let texts = DecisionTexts::decode(bytes).expect("the service wrote the value");
        let update = format!(
            "update decisions set texts = decode('{}', 'hex') where texts = decode('{value}', 'hex')",
            hex::encode(texts.joined())
        );
        run(superuser, &update).await;
    }
    run(superuser, "alter table decisions enable always trigger prevent_row_changes").await;
}

/// The maximum time that a test waits for its database to be dropped.
const DROP_TIMEOUT: Duration = Duration::from_secs(2);

impl Drop for TestDatabase {
    /// Closes all connections and drops the database, in a separate thread because the runtime of
    /// the test may be ending.
    ///
    /// This blocks the runtime. A connection that it is opening is then blocked too, and the
    /// server waits up to a minute for it to authenticate. This function therefore waits at most
    /// two seconds; the server drops the database after the test.
    fn drop(&mut self) {
        let drop = self.server.clone().drop(std::mem::take(&mut self.name));
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            runtime().block_on(drop);
            sender.send(())
        });
        let has_failed = receiver.recv_timeout(DROP_TIMEOUT) == Err(RecvTimeoutError::Disconnected);
        assert!(!has_failed || thread::panicking(), "the test's database could not be dropped");
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts")
}

/// The server named by `GOVERN_TEST_DATABASE_URL`.
#[derive(Clone, Debug)]
struct Server(PgConnectOptions);

/// The password of the three roles on the disposable test server.
const PASSWORD: &str = "govern";

impl Server {
    fn from_env() -> Self {
        let url = std::env::var("GOVERN_TEST_DATABASE_URL")
            .expect("GOVERN_TEST_DATABASE_URL is not set; run the tests with `make test`");
        Self(url.parse().expect("GOVERN_TEST_DATABASE_URL is the URL of a Postgres server"))
    }

    fn superuser_url(&self, database: &str) -> String {
        self.0.clone().database(database).to_url_lossy().to_string()
    }

    fn url(&self, role: &str, database: &str) -> String {
        let options = self.0.clone().database(database).username(role).password(PASSWORD);
        options.to_url_lossy().to_string()
    }

    /// Opens one connection to the default database of the server.
    async fn connect(&self) -> DatabaseConnection {
        pool(&self.superuser_url("postgres"), 1).await
    }

    /// Returns the name of the migrated template. The first test creates it; other tests wait.
    async fn template(&self) -> String {
        let name = template_name();
        let server = self.connect().await;
        run(&server, LOCK).await;
        if !is_template(&server, &name).await {
            self.create_template(&server, &name).await;
        }
        server.close().await.expect("the lock is released");
        name
    }

    async fn create_template(&self, server: &DatabaseConnection, name: &str) {
        run(server, &format!("drop database if exists {name}")).await;
        run(server, &format!("create database {name}")).await;
        let template = connect(&self.superuser_url(name)).await;
        migration::migrate(&template).await.expect("the schema can be created");
        template.close().await.expect("a template that is in use cannot be copied");
        for role in [roles::OWNER, roles::APP, roles::VERIFY] {
            run(server, &format!("alter role {role} login password '{PASSWORD}'")).await;
        }
        run(server, &format!("alter database {name} is_template true")).await;
    }

    async fn create_database(self, template: &str) -> TestDatabase {
        let name = database_name();
        let server = self.connect().await;
        run(&server, &format!("drop database if exists {name} with (force)")).await;
        let owner = roles::OWNER;
        // Copies files instead of logging every page: without `fsync`, that takes a third of the time.
        let create = format!("create database {name} {template} strategy file_copy owner {owner}");
        run(&server, &create).await;
        server.close().await.expect("the connection can be closed");
        let (app_url, owner_url) = (self.url(roles::APP, &name), self.url(roles::OWNER, &name));
        TestDatabase {
            app: connect(&app_url).await,
            owner: connect(&owner_url).await,
            verify_url: self.url(roles::VERIFY, &name),
            superuser_url: self.superuser_url(&name),
            app_url,
            owner_url,
            server: self,
            name,
        }
    }

    async fn drop(self, name: String) {
        run(&self.connect().await, &format!("drop database {name} with (force)")).await;
    }
}

/// Serializes template creation until the connection closes; the number is the bytes of `testkit`.
const LOCK: &str = "select pg_advisory_lock(x'746573746b6974'::bigint)";

/// Returns a template name that depends on the migrations, so that changed migrations use a new
/// template.
fn template_name() -> String {
    let mut hash = Sha256::new_with_prefix([roles::ROLES, roles::SCHEMA].concat());
    for migration in migration::MIGRATIONS {
        hash.update(migration.name);
        hash.update(migration.up);
    }
    let mut name = String::from("govern_template_");
    for byte in &hash.finalize()[..8] {
        write!(name, "{byte:02x}").expect("writing to a string succeeds");
    }
    name
}

/// Returns a name that is unique on this machine while the process runs.
fn database_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("govern_test_{}_{count}", std::process::id())
}

async fn is_template(server: &DatabaseConnection, name: &str) -> bool {
    let query = "select from pg_database where datname = $1 and datistemplate";
    let query = Statement::from_sql_and_values(DbBackend::Postgres, query, [name.into()]);
    server.query_one_raw(query).await.expect("databases can be listed").is_some()
}

async fn run(server: &DatabaseConnection, sql: &str) {
    if let Err(error) = server.execute_unprepared(sql).await {
        panic!("`{sql}`: {error}");
    }
}
