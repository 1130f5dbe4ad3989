//! The test service: a running service with its own database, and clients that call it.

mod builder;
mod people;
mod requests;
mod versions;

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU32, Ordering},
};

use contract::id::TenantId;
use governance::{
    Governance,
    access::operator::{self, key::KeyRequest},
    base::clock::Clock,
};
use receipt::key::PublicKey;
use server::state::Service;
use testkit::database::{self, TestDatabase};
use tokio::{
    sync::{OnceCell, oneshot},
    task::JoinHandle,
};

use self::builder::bootstrap;
pub(crate) use self::{
    builder::{
        LOG_ORIGIN, TestServiceBuilder, store_config, test_service, test_service_with, use_cases,
    },
    people::{read_status, user_id},
    requests::{CHAIN, chain_request, payment, record, record_text, request},
    versions::{Version, create_draft, create_policy, policy, rules},
};
use crate::prelude::*;

/// The time of the frozen clock of a test service.
pub(crate) const NOW: &str = "2026-09-01T10:00:00.000Z";

pub(crate) const MINUTE_MS: i64 = 60_000;

/// The password of every test user.
pub(crate) const PASSWORD: &str = "four words of my own";

/// A running service with one tenant.
pub(crate) struct TestService {
    pub(crate) clock: Clock,
    pub(crate) governance: Governance,
    pub(crate) tenant: TenantId,
    /// An API key of the admin with every scope that can be granted.
    pub(crate) key: Client,
    /// A client without credentials.
    pub(crate) public: Client,
    pub(crate) address: SocketAddr,
    pub(crate) service: Service,
    pub(crate) database: TestDatabase,
    pub(crate) admin_email: String,
    user_count: AtomicU32,
    author: OnceCell<Client>,
    reviewer: OnceCell<Client>,
    ratifier: OnceCell<Client>,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<()>>,
}

/// Another tenant of the same service.
pub(crate) struct OtherTenant {
    pub(crate) tenant: TenantId,
    /// An API key with every scope that can be granted.
    pub(crate) key: Client,
    /// A client signed in as the admin.
    pub(crate) admin: Client,
}

impl OtherTenant {
    /// Creates a payment policy as the admin and activates its first version, without maker-checker.
    pub(crate) async fn activate_policy(&self, code: &str) {
        let (admin, setting) = (&self.admin, json!({"maker_checker_enabled": false}));
        admin.patch("/v1/settings", &setting).await.expect(200);
        let version = create_draft(admin, code).await;
        admin.post(version.action_path("submit"), &json!({})).await.expect(200);
        let ratification = json!({"expected_revision": 1});
        admin.post(version.action_path("ratify"), &ratification).await.expect(200);
        admin.post(version.action_path("activate"), &json!({})).await.expect(200);
    }
}

impl TestService {
    /// Stops the service, as a signal does, and returns the task that ends when it has stopped.
    pub(crate) fn stop(&mut self) -> JoinHandle<()> {
        self.service.stop();
        self.stop.take().expect("the service is running").send(()).expect("the server is running");
        self.server.take().expect("the service is running")
    }

    /// Creates a member of the tenant and signs in.
    pub(crate) async fn signed_in_member(&self, role: Role) -> Client {
        let email = self.member(role).await;
        self.sign_in(&email).await
    }

    /// Creates a member of the tenant and returns the email address.
    pub(crate) async fn member(&self, role: Role) -> String {
        let number = self.user_count.fetch_add(1, Ordering::Relaxed);
        let email = format!("{role}{number}@acme.example");
        let password = PASSWORD.to_owned();
        operator::create_user(&self.governance, self.tenant, &email, password, role)
            .await
            .expect("the user can be created");
        email
    }

    /// Signs a user in to this tenant.
    pub(crate) async fn sign_in(&self, email: &str) -> Client {
        sign_in(&self.public.with("x-service-tenant-id", self.tenant), email).await
    }

    /// Signs in as the admin, the owner of `key`.
    pub(crate) async fn admin(&self) -> Client {
        self.sign_in(&self.admin_email).await
    }

    /// Returns a client signed in as an author.
    pub(crate) async fn author(&self) -> &Client {
        self.author.get_or_init(|| self.signed_in_member(Role::Author)).await
    }

    /// Returns a client signed in as a reviewer.
    pub(crate) async fn reviewer(&self) -> &Client {
        self.reviewer.get_or_init(|| self.signed_in_member(Role::Reviewer)).await
    }

    /// Returns a client signed in as a ratifier who is not the author of any version.
    pub(crate) async fn ratifier(&self) -> &Client {
        self.ratifier.get_or_init(|| self.signed_in_member(Role::Ratifier)).await
    }

    pub(crate) fn with_key(&self, secret: &str) -> Client {
        with_key(&self.public, self.tenant, secret)
    }

    /// Creates an API key of the admin with these scopes.
    pub(crate) async fn create_key(&self, scopes: &[Scope]) -> Client {
        self.create_key_of(&self.admin_email, scopes).await
    }

    /// Creates an API key of a member with these scopes, as the command line does.
    pub(crate) async fn create_key_of(&self, owner: &str, scopes: &[Scope]) -> Client {
        let request = KeyRequest { name: "a program", owner, scopes, expires_at: None };
        let created = operator::create_key(&self.governance, self.tenant, request);
        let created = created.await.expect("the key can be created");
        self.with_key(&created.plaintext_key)
    }

    /// Creates an operator key, which belongs to no tenant.
    pub(crate) async fn operator(&self) -> Client {
        let created = operator::key::create_for_operator(&self.governance, "operations").await;
        let secret = created.expect("the key can be created").plaintext_key;
        self.public.with("authorization", format!("Bearer {secret}"))
    }

    pub(crate) async fn other_tenant(&self) -> OtherTenant {
        self.other_tenant_named("Neighbour").await
    }

    pub(crate) async fn other_tenant_named(&self, name: &str) -> OtherTenant {
        let email = format!("admin@{}.example", name.to_lowercase());
        let created = bootstrap(&self.governance, name, &email).await;
        let tenant = created.tenant_id;
        OtherTenant {
            tenant,
            key: with_key(&self.public, tenant, &created.api_key.plaintext_key),
            admin: sign_in(&self.public.with("x-service-tenant-id", tenant), &created.email).await,
        }
    }

    /// Returns the published keys. The first one signs receipts.
    pub(crate) async fn published_keys(&self) -> Vec<PublicKey> {
        let set = self.public.get("/v1/.well-known/signing-keys").await.expect(200);
        let keys = set["keys"].as_array().expect("a list").iter();
        keys.map(|jwk| PublicKey::from_jwk(&tree(jwk)).expect("a public key")).collect()
    }

    /// Checks that each audit event contains the hash of its predecessor.
    pub(crate) async fn assert_audit_events_are_linked(&self) {
        let unlinked = "select seq::text from audit_events e where seq > 1 and prev is distinct from \
                        (select hash from audit_events p \
                        where p.tenant_id = e.tenant_id and p.seq = e.seq - 1)";
        assert_eq!(self.sql(unlinked).await, [""; 0]);
    }

    /// Runs a statement as the superuser and returns the first column of its rows.
    pub(crate) async fn sql(&self, statement: &str) -> Vec<String> {
        let superuser = database::connect(&self.database.superuser_url).await;
        let rows = database::texts(&superuser, statement).await;
        superuser.close().await.expect("the connection can be closed");
        rows
    }

    /// Stores the texts of all decisions so that SQL can read and change them.
    pub(crate) async fn decompress_decisions(&self) {
        let superuser = database::connect(&self.database.superuser_url).await;
        database::decompress_decisions(&superuser).await;
        superuser.close().await.expect("the connection can be closed");
    }

    /// Changes rows of an append-only table, with the trigger that prevents changes disabled.
    pub(crate) async fn change_rows(&self, table: &str, statement: &str) {
        let change = format!(
            "do $$ begin alter table {table} disable trigger prevent_row_changes; {statement}; \
             alter table {table} enable always trigger prevent_row_changes; end $$"
        );
        self.sql(&change).await;
    }
}

pub(crate) fn with_key(public: &Client, tenant: TenantId, secret: &str) -> Client {
    let authorization = format!("Bearer {secret}");
    public.with("x-service-tenant-id", tenant).with("authorization", authorization)
}

/// Signs in and returns a client with the session cookie.
async fn sign_in(public: &Client, email: &str) -> Client {
    let client = public.without_session();
    client.sign_in(email, PASSWORD).await.expect(200);
    assert!(client.cookie().is_some(), "a signed-in client has a cookie");
    client
}
