//! Builder of test services.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, atomic::AtomicU32},
};

use contract::time::Timestamp;
use governance::{
    Governance, GovernanceConfig, Pepper, ServiceOptions,
    access::operator::{self, Bootstrap, BootstrapResult},
    base::{
        clock::{Clock, Entropy},
        database::{CONNECTIONS_DEFAULT, connect},
    },
    proof::signing::{InMemory, KeyProvider, KeySet, Purpose},
};
use receipt::key::SigningKey;
use server::{
    background,
    config::{
        Environment, StoreConfig,
        edge::{EdgeConfig, Rates},
        keys::KeysConfig,
    },
    console,
    edge::{
        Edge,
        connection::ConnectionTimeouts,
        listen::{self, ConnectionLimits},
    },
    metrics::Metrics,
    router::router,
    state::Service,
};
use testkit::database::{self, TestDatabase};
use tokio::{
    net::TcpListener,
    sync::{OnceCell, oneshot},
    task::JoinHandle,
};

use super::{NOW, PASSWORD, TestService, with_key};
use crate::prelude::*;

pub(crate) const LOG_ORIGIN: &str = "govern.example/log/1";

/// Starts a service with its own database and a frozen clock.
pub(crate) async fn test_service() -> TestService {
    TestService::start().await
}

pub(crate) async fn test_service_with(options: ServiceOptions) -> TestService {
    TestServiceBuilder { options, ..TestServiceBuilder::default() }.start().await
}

/// The configuration of a test service.
pub(crate) struct TestServiceBuilder {
    pub(crate) clock: Clock,
    pub(crate) is_https: bool,
    /// Whether the service has signing keys.
    pub(crate) is_signed: bool,
    pub(crate) provider: Arc<dyn KeyProvider>,
    pub(crate) timeouts: ConnectionTimeouts,
    pub(crate) edge: EdgeConfig,
    pub(crate) environment: Environment,
    pub(crate) options: ServiceOptions,
}

impl Default for TestServiceBuilder {
    fn default() -> Self {
        let now = NOW.parse::<Timestamp>().expect("a timestamp");
        // The clock is frozen, so a rate limit window would never end.
        let edge = EdgeConfig { rates: Rates::UNLIMITED, ..EdgeConfig::default() };
        Self {
            clock: Clock::frozen(now),
            is_https: false,
            is_signed: true,
            provider: Arc::new(test_keys()),
            timeouts: ConnectionTimeouts::default(),
            edge,
            environment: Environment::default(),
            options: ServiceOptions {
                log_origin: Some(LOG_ORIGIN.to_owned()),
                ..ServiceOptions::default()
            },
        }
    }
}

impl TestServiceBuilder {
    /// Starts the service with its own database.
    pub(crate) async fn start(self) -> TestService {
        Box::pin(self.start_on(database::test_database().await)).await
    }

    /// Starts the service with this database, which has no rows.
    pub(crate) async fn start_on(self, database: TestDatabase) -> TestService {
        let Self { clock, is_https, is_signed, provider, timeouts, edge, environment, options } =
            self;
        // The output is shown only for failing tests.
        let log = tracing_subscriber::fmt().with_max_level(tracing::Level::WARN).with_test_writer();
        let _ = log.try_init();
        let edge = Edge::new(&edge, environment);
        let metrics = metrics();
        let process = TestProcess {
            provider: is_signed.then_some(provider),
            options: connected(options, &edge, &metrics),
            ..TestProcess::default()
        };
        let governance = process.start(&database, clock.clone(), 1).await;
        let created = bootstrap(&governance, "Acme", "admin@acme.example").await;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("the listener is bound");
        let leptos = console::options(address).expect("the built-in settings can be read");
        let service =
            Service::new(governance.clone(), metrics, app::CONSOLE, leptos, is_https, edge);
        let (stop, server) = serve(listener, &service, timeouts);
        let public = Client::new(address);
        TestService {
            clock,
            governance,
            tenant: created.tenant_id,
            key: with_key(&public, created.tenant_id, &created.api_key.plaintext_key),
            public,
            address,
            service,
            database,
            admin_email: created.email,
            user_count: AtomicU32::new(0),
            author: OnceCell::new(),
            reviewer: OnceCell::new(),
            ratifier: OnceCell::new(),
            stop: Some(stop),
            server: Some(server),
        }
    }
}

/// Serves in a task until the returned sender is used.
fn serve(
    listener: TcpListener,
    service: &Service,
    timeouts: ConnectionTimeouts,
) -> (oneshot::Sender<()>, JoinHandle<()>) {
    let (stop, stopped) = oneshot::channel();
    let stopped = async move {
        let _ = stopped.await;
    };
    let limits = ConnectionLimits { timeouts, ..ConnectionLimits::default() };
    tokio::spawn(poll_streams(service.governance.clone()));
    let router = router(service.clone());
    (stop, tokio::spawn(listen::serve_within(limits, listener, router, stopped)))
}

fn metrics() -> Metrics {
    Metrics::new(NOW.parse().expect("a timestamp")).expect("metric names are unique")
}

/// Returns `options` with the counters of `edge` and the observer of `metrics`, as `govern serve` does.
fn connected(options: ServiceOptions, edge: &Edge, metrics: &Metrics) -> ServiceOptions {
    ServiceOptions {
        shared_attempts: Some(Box::new(edge.limits.clone())),
        observer: metrics.observer(),
        ..options
    }
}

impl TestService {
    /// Starts a service with its own database and a frozen clock, as the fixture of a test.
    pub(crate) async fn start() -> Self {
        TestServiceBuilder::default().start().await
    }

    /// Replaces the process by one with these options, on the same database and address. Clients stay valid.
    pub(crate) async fn restart(&mut self, options: ServiceOptions) {
        self.stop().await.expect("the process stops");
        let (metrics, edge) = (metrics(), self.service.edge.clone());
        let options = connected(options, &edge, &metrics);
        let process = TestProcess { options, ..TestProcess::default() };
        self.governance = process.start(&self.database, self.clock.clone(), 2).await;
        let (leptos, is_https) = (self.service.leptos.clone(), self.service.is_https);
        self.service =
            Service::new(self.governance.clone(), metrics, app::CONSOLE, leptos, is_https, edge);
        let listener = TcpListener::bind(self.address).await.expect("the port is free again");
        let (stop, server) = serve(listener, &self.service, ConnectionTimeouts::default());
        (self.stop, self.server) = (Some(stop), Some(server));
    }

    /// Starts another process on the same database and returns a client without credentials.
    pub(crate) async fn start_process(&self) -> Client {
        self.start_process_with_edge(self.service.edge.clone()).await
    }

    pub(crate) async fn start_process_with_edge(&self, edge: Edge) -> Client {
        let metrics = metrics();
        let options = connected(ServiceOptions::default(), &edge, &metrics);
        let process = TestProcess { options, ..TestProcess::default() };
        let governance = process.start(&self.database, self.clock.clone(), 2).await;
        self.serve_process(governance, metrics, edge).await
    }

    /// Starts another process with these keys and returns it with a client without credentials.
    pub(crate) async fn start_process_with_keys(
        &self,
        provider: Arc<dyn KeyProvider>,
    ) -> (Governance, Client) {
        let process = TestProcess { provider: Some(provider), ..TestProcess::default() };
        let process = process.start(&self.database, self.clock.clone(), 2).await;
        let client = self.start_process_with(process.clone(), self.service.edge.clone()).await;
        (process, client)
    }

    /// Starts another process that adds each of its statements, without transaction control, to the list.
    pub(crate) async fn start_process_with_statements(&self) -> (Statements, Client) {
        let statements = Statements::default();
        let recorded = Some(Arc::clone(&statements));
        let process = TestProcess { statements: recorded, ..TestProcess::default() };
        let process = process.start(&self.database, self.clock.clone(), 2).await;
        let client = self.start_process_with(process, self.service.edge.clone()).await;
        (statements, client)
    }

    /// Starts another process with these use cases and its own edge.
    pub(crate) async fn start_process_with(&self, governance: Governance, edge: Edge) -> Client {
        self.serve_process(governance, metrics(), edge).await
    }

    async fn serve_process(&self, governance: Governance, metrics: Metrics, edge: Edge) -> Client {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("the listener is bound");
        let leptos = console::options(address).expect("the built-in settings can be read");
        tokio::spawn(poll_streams(governance.clone()));
        let router = router(Service::new(governance, metrics, app::CONSOLE, leptos, false, edge));
        tokio::spawn(listen::serve(listener, router, std::future::pending()));
        Client::new(address)
    }
}

/// Polls the event streams of a process, as its background task does.
async fn poll_streams(governance: Governance) {
    match background::poll_streams(&governance).await {}
}

/// Creates the use cases of one process.
pub(crate) async fn use_cases(database: &TestDatabase, clock: Clock, seed: u64) -> Governance {
    TestProcess::default().start(database, clock, seed).await
}

/// The SQL of the statements that a process has run.
pub(crate) type Statements = Arc<Mutex<Vec<String>>>;

/// The keys and options of a process.
pub(crate) struct TestProcess {
    pub(crate) provider: Option<Arc<dyn KeyProvider>>,
    pub(crate) pepper: Pepper,
    pub(crate) options: ServiceOptions,
    /// The list to which the process adds its statements.
    pub(crate) statements: Option<Statements>,
}

impl Default for TestProcess {
    fn default() -> Self {
        Self {
            provider: Some(Arc::new(test_keys())),
            pepper: Pepper::new([7; 32]),
            options: ServiceOptions::default(),
            statements: None,
        }
    }
}

impl TestProcess {
    /// Creates the use cases of the process. `seed` is the seed of its IDs and secrets.
    pub(crate) async fn start(
        self,
        database: &TestDatabase,
        clock: Clock,
        seed: u64,
    ) -> Governance {
        let keys = match self.provider {
            Some(provider) => KeySet::load(provider).await.expect("a key for each purpose"),
            None => None,
        };
        let connected = connect(&database.app_url, CONNECTIONS_DEFAULT).await;
        let mut database = connected.expect("the database is reachable");
        if let Some(statements) = self.statements {
            database.set_metric_callback(move |info| {
                let sql = info.statement.sql.clone();
                statements.lock().expect("no test panics with the lock").push(sql);
            });
        }
        Governance::new(GovernanceConfig {
            database,
            clock,
            entropy: Entropy::seeded(seed),
            pepper: self.pepper,
            keys,
            options: self.options,
        })
    }
}

/// The signing keys that all processes of a test service share.
pub(crate) fn test_keys() -> InMemory {
    InMemory::new(Entropy::seeded(9)).with(Purpose::Receipt, SigningKey::from_seed([9; 32]))
}

/// The settings of a process without a database URL and with the default keys.
pub(crate) fn store_config(data_dir: PathBuf, environment: Environment) -> StoreConfig {
    StoreConfig {
        database_url: None,
        database_connections: CONNECTIONS_DEFAULT,
        data_dir,
        pg_bin: None,
        environment,
        keys: KeysConfig::default(),
        signing_key_file: None,
        secret_key_file: None,
        allow_unsigned: false,
        log_origin: None,
    }
}

/// Creates a tenant with its admin and an API key.
pub(super) async fn bootstrap(
    governance: &Governance,
    tenant: &str,
    email: &str,
) -> BootstrapResult {
    let request = Bootstrap {
        tenant: tenant.to_owned(),
        email: email.to_owned(),
        password: PASSWORD.to_owned(),
    };
    let plan = operator::plan(governance, request).await.expect("a valid request");
    operator::bootstrap(governance, plan).await.expect("the tenant can be created")
}
