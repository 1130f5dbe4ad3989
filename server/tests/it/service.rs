//! A running service of one test's own, and those who call it.

mod builder;
mod requests;
mod versions;

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU32, Ordering},
};

use contract::{
    id::TenantId,
    scope::{Role, Scope},
};
use governance::{
    Governance,
    access::operator::{self, key::KeyRequest},
    base::clock::Clock,
};
use serde_json::json;
use server::state::Service;
use testkit::database::{self, TestDatabase};
use tokio::{
    sync::{OnceCell, oneshot},
    task::JoinHandle,
};

use self::builder::bootstrap;
pub(crate) use self::{
    builder::{ProcessKeys, TestServiceBuilder, use_cases, use_cases_with, world, world_keys},
    requests::{CHAIN, chained, payment, request},
    versions::{Version, drafted, policy, rules},
};
use crate::client::Client;

/// When the clock of a world stands still: 2026-09-01T10:00:00Z.
pub(crate) const NOW: &str = "2026-09-01T10:00:00.000Z";

/// A minute of a frozen clock.
pub(crate) const MINUTE_MS: i64 = 60_000;

/// Everybody's password here.
pub(crate) const PASSWORD: &str = "four words of my own";

/// A running service with one tenant.
pub(crate) struct TestService {
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
    pub(crate) database: TestDatabase,
    pub(crate) admin_email: String,
    people: AtomicU32,
    author: OnceCell<Client>,
    reviewer: OnceCell<Client>,
    ratifier: OnceCell<Client>,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<()>>,
}

/// Another tenant of the same service.
pub(crate) struct OtherTenant {
    pub(crate) tenant: TenantId,
    /// A key with every scope that can be granted.
    pub(crate) key: Client,
    /// The admin, signed in.
    pub(crate) admin: Client,
}

impl TestService {
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

    /// A key of the tenant with these scopes, which acts for the admin.
    pub(crate) async fn key_with(&self, scopes: &[Scope]) -> Client {
        self.key_of(&self.admin_email, scopes).await
    }

    /// A key of the command line that acts for the member with this address.
    pub(crate) async fn key_of(&self, owner: &str, scopes: &[Scope]) -> Client {
        let request = KeyRequest { name: "a program", owner, scopes, expires_at: None };
        let made = operator::create_key(&self.governance, self.tenant, request);
        let made = made.await.expect("a key can be made");
        with_key(&self.public, self.tenant, &made.plaintext_key)
    }

    /// Whoever operates the service, by a key that belongs to no tenant.
    pub(crate) async fn operator(&self) -> Client {
        let made = operator::key::create_for_operator(&self.governance, "operations").await;
        let secret = made.expect("a key can be made").plaintext_key;
        self.public.with("authorization", format!("Bearer {secret}"))
    }

    /// Another tenant.
    pub(crate) async fn neighbour(&self) -> OtherTenant {
        let made = bootstrap(&self.governance, "Neighbour", "admin@neighbour.example").await;
        let tenant = made.tenant_id;
        OtherTenant {
            tenant,
            key: with_key(&self.public, tenant, &made.api_key.plaintext_key),
            admin: sign_in(&self.public.with("x-service-tenant-id", tenant), &made.email).await,
        }
    }

    /// Runs a statement past every wall, and gives the first column of its rows.
    pub(crate) async fn sql(&self, statement: &str) -> Vec<String> {
        let superuser = database::connect(&self.database.superuser_url).await;
        let rows = database::texts(&superuser, statement).await;
        superuser.close().await.expect("the connection can be closed");
        rows
    }
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
