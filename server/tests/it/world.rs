//! A running service of one test's own, and those who call it.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU32, Ordering},
};

use contract::{
    id::TenantId,
    scope::{Role, Scope},
    time::Timestamp,
};
use governance::{
    Governance, Pepper, Setup,
    clock::{Chance, Clock},
    operator::{self, Bootstrap, Bootstrapped},
};
use receipt::key::SigningKey;
use serde_json::{Value, json};
use server::{
    config::{
        Environment,
        edge::{EdgeConfig, Rates},
    },
    console,
    edge::{Edge, listen, phase::Patience},
    router::router,
    state::Service,
};
use testkit::database::{self, Fresh};
use tokio::{
    net::TcpListener,
    sync::{OnceCell, oneshot},
    task::JoinHandle,
};

use crate::client::{Client, text};

/// When the clock of a world stands still: 2026-09-01T10:00:00Z.
pub(crate) const NOW: &str = "2026-09-01T10:00:00.000Z";

/// A minute of a frozen clock.
pub(crate) const MINUTE_MS: i64 = 60_000;

/// Everybody's password here.
pub(crate) const PASSWORD: &str = "four words of my own";

/// A running service with one tenant.
pub(crate) struct World {
    pub(crate) clock: Clock,
    pub(crate) governance: Governance,
    /// The tenant.
    pub(crate) tenant: TenantId,
    /// A key with every scope that can be granted; it acts for the admin.
    pub(crate) key: Client,
    /// Nobody.
    pub(crate) public: Client,
    pub(crate) address: SocketAddr,
    pub(crate) service: Service,
    pub(crate) database: Fresh,
    pub(crate) admin_email: String,
    people: AtomicU32,
    author: OnceCell<Client>,
    reviewer: OnceCell<Client>,
    ratifier: OnceCell<Client>,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<()>>,
}

/// A service on a database of its own, with a clock that stands still.
pub(crate) async fn world() -> World {
    Making::default().world().await
}

/// What a world is made of.
pub(crate) struct Making {
    pub(crate) clock: Clock,
    pub(crate) is_https: bool,
    /// Whether there is a signing key.
    pub(crate) is_signed: bool,
    pub(crate) patience: Patience,
    pub(crate) edge: EdgeConfig,
    pub(crate) environment: Environment,
}

impl Default for Making {
    fn default() -> Self {
        let now = NOW.parse::<Timestamp>().expect("an instant");
        // Time stands still here, so that nobody's minute ever ends.
        let edge = EdgeConfig { rates: Rates::UNLIMITED, ..EdgeConfig::default() };
        let clock = Clock::frozen(now);
        Self {
            clock,
            is_https: false,
            is_signed: true,
            patience: Patience::default(),
            edge,
            environment: Environment::default(),
        }
    }
}

/// Another tenant of the same service.
pub(crate) struct Neighbour {
    pub(crate) tenant: TenantId,
    /// A key with every scope that can be granted.
    pub(crate) key: Client,
    /// The admin, signed in.
    pub(crate) admin: Client,
}

/// One version of a policy, by where it is.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    pub(crate) policy: String,
    pub(crate) number: u32,
}

impl Version {
    /// The path of the policy.
    pub(crate) fn of(&self) -> String {
        format!("/v1/policies/{}", self.policy)
    }

    pub(crate) fn path(&self) -> String {
        format!("{}/versions/{}", self.of(), self.number)
    }

    /// The path of a move.
    pub(crate) fn act(&self, word: &str) -> String {
        format!("{}/{word}", self.path())
    }
}

impl Making {
    /// The world, on a database of its own.
    pub(crate) async fn world(self) -> World {
        let Self { clock, is_https, is_signed, patience, edge, environment } = self;
        // Shown only for a test that fails.
        let log = tracing_subscriber::fmt().with_max_level(tracing::Level::WARN).with_test_writer();
        let _ = log.try_init();
        let database = database::fresh().await;
        let signer = is_signed.then(|| SigningKey::from_seed([9; 32]));
        let governance = use_cases_with(&database, clock.clone(), 1, signer).await;
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
        let server = tokio::spawn(listen::serve_within(patience, listener, router, stopped));
        let public = Client::new(address);
        World {
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

impl World {
    /// Tells the process to stop, as a signal does, and gives the task that ends when it has.
    pub(crate) fn stop(&mut self) -> JoinHandle<()> {
        self.service.stop();
        self.stop.take().expect("a service stops once").send(()).expect("it still serves");
        self.server.take().expect("a service stops once")
    }

    /// A new member of the tenant, who has signed in.
    pub(crate) async fn person(&self, role: Role) -> Client {
        let email = self.member(role).await;
        self.sign_in(&email).await
    }

    /// A new member of the tenant, by e-mail address.
    pub(crate) async fn member(&self, role: Role) -> String {
        let number = self.people.fetch_add(1, Ordering::Relaxed);
        let email = format!("{role}{number}@acme.example");
        let password = PASSWORD.to_owned();
        operator::create_user(&self.governance, self.tenant, &email, password, role)
            .await
            .expect("a person can be made");
        email
    }

    /// Signs a person in, who then works in this tenant.
    pub(crate) async fn sign_in(&self, email: &str) -> Client {
        sign_in(&self.public.with("x-service-tenant-id", self.tenant), email).await
    }

    /// The admin, behind whom the world's key stands.
    pub(crate) async fn admin(&self) -> Client {
        self.sign_in(&self.admin_email).await
    }

    /// An author, signed in.
    pub(crate) async fn author(&self) -> &Client {
        self.author.get_or_init(|| self.person(Role::Author)).await
    }

    /// A reviewer, signed in.
    pub(crate) async fn reviewer(&self) -> &Client {
        self.reviewer.get_or_init(|| self.person(Role::Reviewer)).await
    }

    /// A ratifier who made nothing, signed in.
    pub(crate) async fn ratifier(&self) -> &Client {
        self.ratifier.get_or_init(|| self.person(Role::Ratifier)).await
    }

    /// A key of the tenant with these scopes, behind which no person stands.
    pub(crate) async fn key_with(&self, scopes: &[Scope]) -> Client {
        let made =
            operator::create_key(&self.governance, self.tenant, "a program", scopes.to_vec());
        let made = made.await.expect("a key can be made");
        with_key(&self.public, self.tenant, &made.plaintext_key)
    }

    /// Whoever operates the service, by a key that belongs to no tenant.
    pub(crate) async fn operator(&self) -> Client {
        let made = operator::key::create_for_operator(&self.governance, "operations").await;
        let secret = made.expect("a key can be made").plaintext_key;
        self.public.with("authorization", format!("Bearer {secret}"))
    }

    /// One more process on the same database, with nothing else in common; by its public caller.
    pub(crate) async fn another_process(&self) -> Client {
        let governance = use_cases(&self.database, self.clock.clone(), 2).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let options = console::options(address).expect("the built-in settings can be read");
        let router = router(
            Service::new(governance, options, false, self.service.edge.clone())
                .expect("every family has a name of its own"),
        );
        let patience = Patience::default();
        tokio::spawn(listen::serve_within(patience, listener, router, std::future::pending()));
        Client::new(address)
    }

    /// Another tenant.
    pub(crate) async fn neighbour(&self) -> Neighbour {
        let made = bootstrap(&self.governance, "Neighbour", "admin@neighbour.example").await;
        let tenant = made.tenant_id;
        Neighbour {
            tenant,
            key: with_key(&self.public, tenant, &made.api_key.plaintext_key),
            admin: sign_in(&self.public.with("x-service-tenant-id", tenant), &made.email).await,
        }
    }

    /// A draft that the author has just written.
    pub(crate) async fn draft(&self, code: &str) -> Version {
        drafted(self.author().await, code).await
    }

    /// A version that waits for ratification.
    pub(crate) async fn submitted(&self, code: &str) -> Version {
        let version = self.draft(code).await;
        self.author().await.post(version.act("submit"), &json!({})).await.expect(200);
        version
    }

    /// The author seals a version for review; tells the submission.
    pub(crate) async fn seal(&self, version: &Version) -> String {
        let sealed = self.author().await.post(version.act("seal"), &json!({})).await.expect(201);
        text(&sealed["id"]).to_owned()
    }

    /// The reviewer records what was found in a submission; tells the record.
    pub(crate) async fn review(
        &self,
        version: &Version,
        submission: &str,
        verdict: &str,
    ) -> String {
        let path = version.act(&format!("submissions/{submission}/records"));
        let found = json!({"verdict": verdict, "comments": []});
        let record = self.reviewer().await.post(path, &found).await.expect(201);
        text(&record["id"]).to_owned()
    }

    /// A version that is approved and does not decide yet.
    pub(crate) async fn ratified(&self, code: &str) -> Version {
        let version = self.submitted(code).await;
        self.ratify(&version).await;
        version
    }

    /// A version that decides on payments.
    pub(crate) async fn active(&self, code: &str) -> Version {
        let version = self.ratified(code).await;
        self.activate(&version).await;
        version
    }

    /// The ratifier approves a submitted first revision.
    pub(crate) async fn ratify(&self, version: &Version) {
        let ratification = json!({"expected_revision": 1});
        self.ratifier().await.post(version.act("ratify"), &ratification).await.expect(200);
    }

    /// The ratifier makes a version decide.
    pub(crate) async fn activate(&self, version: &Version) {
        self.ratifier().await.post(version.act("activate"), &json!({})).await.expect(200);
    }

    /// The author writes and submits the next version with these rules; the ratifier approves it.
    pub(crate) async fn successor(&self, of: &Version, rules: &Value) -> Version {
        let path = format!("{}/versions", of.of());
        let made = self.author().await.post(path, &json!({"rules": rules})).await.expect(201);
        let number = made["version"].as_u64().and_then(|number| number.try_into().ok());
        let version = Version { policy: of.policy.clone(), number: number.expect("a number") };
        self.author().await.post(version.act("submit"), &json!({})).await.expect(200);
        self.ratify(&version).await;
        version
    }

    /// Runs a statement past every wall, and gives the first column of its rows.
    pub(crate) async fn sql(&self, statement: &str) -> Vec<String> {
        let superuser = database::connect(&self.database.superuser_url).await;
        let rows = database::texts(&superuser, statement).await;
        superuser.close().await.expect("the connection can be closed");
        rows
    }
}

/// The use cases of one process on a database.
pub(crate) async fn use_cases(database: &Fresh, clock: Clock, seed: u64) -> Governance {
    use_cases_with(database, clock, seed, Some(SigningKey::from_seed([9; 32]))).await
}

async fn use_cases_with(
    database: &Fresh,
    clock: Clock,
    seed: u64,
    signer: Option<SigningKey>,
) -> Governance {
    Governance::new(Setup {
        database: governance::database::connect(&database.app_url).await.expect("it is there"),
        clock,
        chance: Chance::seeded(seed),
        pepper: Pepper::new([7; 32]),
        signer,
    })
}

async fn bootstrap(governance: &Governance, tenant: &str, email: &str) -> Bootstrapped {
    let start = Bootstrap {
        tenant: tenant.to_owned(),
        email: email.to_owned(),
        password: PASSWORD.to_owned(),
    };
    let plan = operator::plan(governance, start).await.expect("a good start");
    operator::bootstrap(governance, plan).await.expect("a tenant can be made")
}

/// A caller with a key.
pub(crate) fn with_key(public: &Client, tenant: TenantId, secret: &str) -> Client {
    let authorization = format!("Bearer {secret}");
    public.with("x-service-tenant-id", tenant).with("authorization", authorization)
}

/// A caller with a session.
async fn sign_in(client: &Client, email: &str) -> Client {
    let person = client.apart();
    let credentials = json!({"email": email, "password": PASSWORD});
    person.post("/v1/session", &credentials).await.expect(200);
    assert!(person.cookie().is_some(), "a signed-in person has a cookie");
    person
}

/// A draft on payments that `author` writes.
pub(crate) async fn drafted(author: &Client, code: &str) -> Version {
    let made = author.post("/v1/policies", &policy(code)).await.expect(201);
    Version { policy: text(&made["policy"]["id"]).to_owned(), number: 1 }
}

/// A policy on payments with its first rules.
pub(crate) fn policy(code: &str) -> Value {
    json!({
        "code": code,
        "name": "Payments",
        "decision_types": ["payment"],
        "rules": rules(10_000),
    })
}

/// Rules on payments: amounts up to `max`, a purpose, and a tax number within the union.
pub(crate) fn rules(max: u32) -> Value {
    json!([
        {
            "code": "AMOUNT", "name": "Amounts have a limit", "severity": "high",
            "rule_type": "threshold", "condition": {"field": "amount", "max": max},
        },
        {
            "code": "PURPOSE", "severity": "medium",
            "rule_type": "presence", "condition": {"required_fields": ["purpose"]},
        },
        {
            "code": "TAX", "severity": "low", "when": {"field": "region", "equals": "EU"},
            "rule_type": "presence", "condition": {"required_fields": ["tax_number"]},
        },
    ])
}

/// A payment without a purpose.
pub(crate) fn payment(amount: u32) -> Value {
    json!({"decision_type": "payment", "fields": {"amount": amount, "region": "US"}})
}

/// A chain that a caller makes.
pub(crate) const CHAIN: &str = "c0000000-0000-4000-8000-000000000001";

/// The body of a record call that continues the chain; `place` has members beside its id.
pub(crate) fn chained(key: &str, mut place: Value) -> Value {
    if place.get("chain_id").is_none() {
        place["chain_id"] = CHAIN.into();
    }
    let mut body = request(key, 1);
    body["chain"] = place;
    body
}

/// The body of a record call.
pub(crate) fn request(key: &str, amount: u32) -> Value {
    json!({"idempotency_key": key, "context": payment(amount)})
}
