//! A database for each test, copied from a template that is migrated once.

use std::{
    fmt::Write as _,
    sync::{
        atomic::{AtomicU32, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use migration::roles;
use sea_orm::{
    ConnectOptions, ConnectionTrait as _, Database, DatabaseConnection, DbBackend, Statement,
    sqlx::{ConnectOptions as _, postgres::PgConnectOptions},
};
use sha2::{Digest as _, Sha256};

/// A database of one test's own. It goes when this value does.
#[derive(Debug)]
pub struct Fresh {
    /// The service's way in: `govern_app`.
    pub app: DatabaseConnection,
    /// The owner of the schema: `govern_owner`.
    pub owner: DatabaseConnection,
    /// How to reach the database as `govern_app`.
    pub app_url: String,
    /// How to reach it as `govern_owner`.
    pub owner_url: String,
    /// How to reach it as `govern_verify`.
    pub verify_url: String,
    /// How to reach it as somebody whom no wall holds.
    pub superuser_url: String,
    server: Server,
    name: String,
}

/// A database with the schema and no rows.
///
/// # Panics
/// Without a server to make it on.
pub async fn fresh() -> Fresh {
    let server = Server::of_environment();
    let template = server.template().await;
    server.fresh(&format!("template {template}")).await
}

/// The first of [`two_tenants`], in every table the `id` of its row too.
pub const TENANT_A: &str = "aaaaaaaa-0000-4000-8000-000000000000";

/// The second of [`two_tenants`].
pub const TENANT_B: &str = "bbbbbbbb-0000-4000-8000-000000000000";

/// An admin of the first tenant, and no member of the second.
pub const PERSON: &str = "cccccccc-0000-4000-8000-000000000000";

/// A database with one row in every table for each of two tenants, alike but for the tenant.
///
/// # Panics
/// Without a server to make it on.
pub async fn two_tenants() -> Fresh {
    let fresh = fresh().await;
    let superuser = connect(&fresh.superuser_url).await;
    run(&superuser, include_str!("database/two_tenants.sql")).await;
    superuser.close().await.expect("the connection can be closed");
    fresh
}

/// A database without the schema, whose roles are there.
///
/// # Panics
/// Without a server to make it on.
pub async fn empty() -> Fresh {
    let server = Server::of_environment();
    server.template().await;
    server.fresh("template template0").await
}

/// A pool of connections; statements are logged where nobody looks unless asked.
///
/// # Panics
/// When the server cannot be reached.
pub async fn connect(url: &str) -> DatabaseConnection {
    let mut options = ConnectOptions::new(url);
    options.max_connections(16).sqlx_logging(false);
    Database::connect(options).await.expect("the test server can be reached")
}

/// The first column of each row that a query answers, as text.
///
/// # Panics
/// When the query is refused, or answers something else.
pub async fn texts(db: &DatabaseConnection, sql: &str) -> Vec<String> {
    let rows = db.query_all_raw(Statement::from_string(DbBackend::Postgres, sql)).await.expect(sql);
    rows.iter().map(|row| row.try_get_by_index(0).expect("the first column is text")).collect()
}

/// How long the end of a test waits for its database to go.
const PATIENCE: Duration = Duration::from_secs(2);

impl Drop for Fresh {
    /// Cuts whatever connections are left and drops the database, from a thread of its own: the
    /// runtime of the test may be ending.
    ///
    /// The runtime stands still meanwhile. A connection that it was about to open stands still with it, and
    /// the server would wait for that one, for the minute that it gives whoever signs in. So nobody waits
    /// longer than two seconds: what the server was told it does once the test has gone.
    fn drop(&mut self) {
        let drop = self.server.clone().drop(std::mem::take(&mut self.name));
        let (tell, told) = mpsc::channel();
        thread::spawn(move || {
            runtime().block_on(drop);
            tell.send(())
        });
        let has_failed = told.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Disconnected);
        assert!(!has_failed || thread::panicking(), "the test's database could not be dropped");
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts")
}

/// The server that `GOVERN_TEST_DATABASE_URL` names.
#[derive(Clone, Debug)]
struct Server(PgConnectOptions);

/// The password of the three roles on a server that is thrown away.
const PASSWORD: &str = "govern";

impl Server {
    fn of_environment() -> Self {
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

    /// One connection to the server's own database.
    async fn connect(&self) -> DatabaseConnection {
        let mut options = ConnectOptions::new(self.superuser_url("postgres"));
        options.max_connections(1).sqlx_logging(false);
        Database::connect(options).await.expect("the test server can be reached")
    }

    /// The name of the migrated template; the first test to ask makes it, the others wait.
    async fn template(&self) -> String {
        let name = template_name();
        let server = self.connect().await;
        run(&server, LOCK).await;
        if !is_template(&server, &name).await {
            self.make_template(&server, &name).await;
        }
        server.close().await.expect("the lock is let go");
        name
    }

    async fn make_template(&self, server: &DatabaseConnection, name: &str) {
        run(server, &format!("drop database if exists {name}")).await;
        run(server, &format!("create database {name}")).await;
        let template = connect(&self.superuser_url(name)).await;
        migration::migrate(&template).await.expect("the schema can be laid");
        template.close().await.expect("a template that is in use cannot be copied");
        for role in [roles::OWNER, roles::APP, roles::VERIFY] {
            run(server, &format!("alter role {role} login password '{PASSWORD}'")).await;
        }
        run(server, &format!("alter database {name} is_template true")).await;
    }

    async fn fresh(self, like: &str) -> Fresh {
        let name = database_name();
        let server = self.connect().await;
        run(&server, &format!("drop database if exists {name} with (force)")).await;
        run(&server, &format!("create database {name} {like} owner {}", roles::OWNER)).await;
        server.close().await.expect("the connection can be closed");
        let (app_url, owner_url) = (self.url(roles::APP, &name), self.url(roles::OWNER, &name));
        Fresh {
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

/// Held until the connection closes; the bytes of `testkit`.
const LOCK: &str = "select pg_advisory_lock(x'746573746b6974'::bigint)";

/// A template of other steps is another template.
fn template_name() -> String {
    let mut hash = Sha256::new_with_prefix([roles::ROLES, roles::SCHEMA].concat());
    for step in migration::STEPS {
        hash.update(step.name);
        hash.update(step.up);
    }
    let mut name = String::from("govern_template_");
    for byte in &hash.finalize()[..8] {
        write!(name, "{byte:02x}").expect("a string takes any text");
    }
    name
}

/// Unique on this machine while the process lives.
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
