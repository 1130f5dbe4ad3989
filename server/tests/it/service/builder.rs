//! How a service of a test's own is put together.

use std::sync::{Arc, atomic::AtomicU32};

use contract::time::Timestamp;
use governance::{
    Governance, GovernanceConfig, Pepper,
    access::operator::{self, Bootstrap, Bootstrapped},
    base::clock::{Clock, Entropy},
    proof::signing::{InMemory, KeyProvider, KeySet, Purpose},
};
use receipt::key::SigningKey;
use server::{
    background,
    config::{
        Environment,
        edge::{EdgeConfig, Rates},
    },
    console,
    edge::{
        Edge,
        connection::ConnectionTimeouts,
        listen::{self, ConnectionLimits},
    },
    router::router,
    state::Service,
};
use testkit::database::{self, TestDatabase};
use tokio::{
    net::TcpListener,
    sync::{OnceCell, oneshot},
};

use super::{NOW, PASSWORD, TestService, with_key};
use crate::client::Client;

/// A service on a database of its own, with a clock that stands still.
pub(crate) async fn world() -> TestService {
    TestServiceBuilder::default().world().await
}

/// What a world is made of.
pub(crate) struct TestServiceBuilder {
    pub(crate) clock: Clock,
    pub(crate) is_https: bool,
    /// Whether there are keys that sign.
    pub(crate) is_signed: bool,
    pub(crate) provider: Arc<dyn KeyProvider>,
    pub(crate) patience: ConnectionTimeouts,
    pub(crate) edge: EdgeConfig,
    pub(crate) environment: Environment,
}

impl Default for TestServiceBuilder {
    fn default() -> Self {
        let now = NOW.parse::<Timestamp>().expect("an instant");
        // Time stands still here, so that nobody's minute ever ends.
        let edge = EdgeConfig { rates: Rates::UNLIMITED, ..EdgeConfig::default() };
        let clock = Clock::frozen(now);
        Self {
            clock,
            is_https: false,
            is_signed: true,
            provider: Arc::new(world_keys()),
            patience: ConnectionTimeouts::default(),
            edge,
            environment: Environment::default(),
        }
    }
}

impl TestServiceBuilder {
    /// The world, on a database of its own.
    pub(crate) async fn world(self) -> TestService {
        let Self { clock, is_https, is_signed, provider, patience, edge, environment } = self;
        // Shown only for a test that fails.
        let log = tracing_subscriber::fmt().with_max_level(tracing::Level::WARN).with_test_writer();
        let _ = log.try_init();
        let database = database::test_database().await;
        let keys =
            ProcessKeys { provider: is_signed.then_some(provider), ..ProcessKeys::default() };
        let governance = use_cases_with(&database, clock.clone(), 1, keys).await;
        let made = bootstrap(&governance, "Acme", "admin@acme.example").await;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let options = console::options(address).expect("the built-in settings can be read");
        let service =
            Service::new(governance.clone(), options, is_https, Edge::new(&edge, environment))
                .expect("every family has a name of its own");
        let (stop, stopped) = oneshot::channel();
        let stopped = async move {
            let _ = stopped.await;
        };
        let router = router(service.clone());
        let limits = ConnectionLimits { patience, ..ConnectionLimits::default() };
        tokio::spawn(poll_streams(governance.clone()));
        let server = tokio::spawn(listen::serve_within(limits, listener, router, stopped));
        let public = Client::new(address);
        TestService {
            clock,
            governance,
            tenant: made.tenant_id,
            key: with_key(&public, made.tenant_id, &made.api_key.plaintext_key),
            public,
            address,
            service,
            database,
            admin_email: made.email,
            people: AtomicU32::new(0),
            author: OnceCell::new(),
            reviewer: OnceCell::new(),
            ratifier: OnceCell::new(),
            stop: Some(stop),
            server: Some(server),
        }
    }
}

impl TestService {
    /// One more process on the same database, with nothing else in common; by its public caller.
    pub(crate) async fn another_process(&self) -> Client {
        self.process_behind(self.service.edge.clone()).await
    }

    /// The same with an edge of its own.
    pub(crate) async fn process_behind(&self, edge: Edge) -> Client {
        self.process_of(use_cases(&self.database, self.clock.clone(), 2).await, edge).await
    }

    /// The same of these use cases.
    pub(crate) async fn process_of(&self, governance: Governance, edge: Edge) -> Client {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let options = console::options(address).expect("the built-in settings can be read");
        tokio::spawn(poll_streams(governance.clone()));
        let router = router(
            Service::new(governance, options, false, edge)
                .expect("every family has a name of its own"),
        );
        tokio::spawn(listen::serve(listener, router, std::future::pending()));
        Client::new(address)
    }
}

/// Wakes the streams of a process, as its worker does.
async fn poll_streams(governance: Governance) {
    match background::poll_streams(&governance).await {}
}

/// The use cases of one process on a database.
pub(crate) async fn use_cases(database: &TestDatabase, clock: Clock, seed: u64) -> Governance {
    use_cases_with(database, clock, seed, ProcessKeys::default()).await
}

/// What a process is given to keep to itself.
pub(crate) struct ProcessKeys {
    pub(crate) provider: Option<Arc<dyn KeyProvider>>,
    pub(crate) pepper: Pepper,
}

impl Default for ProcessKeys {
    fn default() -> Self {
        Self { provider: Some(Arc::new(world_keys())), pepper: Pepper::new([7; 32]) }
    }
}

/// The keys of the processes of a world, which are the same in each.
pub(crate) fn world_keys() -> InMemory {
    InMemory::new(Entropy::seeded(9)).with(Purpose::Receipt, SigningKey::from_seed([9; 32]))
}

/// The same with other keys.
pub(crate) async fn use_cases_with(
    database: &TestDatabase,
    clock: Clock,
    seed: u64,
    keys: ProcessKeys,
) -> Governance {
    let ProcessKeys { provider, pepper } = keys;
    let keys = match provider {
        Some(provider) => KeySet::load(provider).await.expect("a key for each purpose"),
        None => None,
    };
    Governance::new(GovernanceConfig {
        database: governance::base::database::connect(&database.app_url)
            .await
            .expect("it is there"),
        clock,
        chance: Entropy::seeded(seed),
        pepper,
        keys,
    })
}

/// A tenant with its admin and a key.
pub(super) async fn bootstrap(governance: &Governance, tenant: &str, email: &str) -> Bootstrapped {
    let start = Bootstrap {
        tenant: tenant.to_owned(),
        email: email.to_owned(),
        password: PASSWORD.to_owned(),
    };
    let plan = operator::plan(governance, start).await.expect("a good start");
    operator::bootstrap(governance, plan).await.expect("a tenant can be made")
}
