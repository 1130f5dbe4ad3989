//! Test environment: a service with its own database, and tenants with an admin, author and key.

use std::{collections::BTreeMap, sync::Arc};

use contract::{
    decision::{DecisionRecord, EvaluateRequest, EvaluateResponse, RecordRequest},
    id::{ApiKeyId, TenantId, UserId},
    json::{Limits, Object},
    policy::{PolicyVersion, Ratification, ReasonBody, ReviewDraft, ReviewVerdict},
    read::{self, FromJson},
};
use governance::{
    Governance, GovernanceConfig, Pepper, Result, ServiceOptions, SignedIn,
    access::operator::{self, Bootstrap, key::KeyRequest},
    authoring::policy::{
        self,
        rule_input::{NewPolicy, NewVersion, SupersedeInput, VersionEdit},
        version,
    },
    base::{
        clock::{Clock, Entropy},
        database::{CONNECTIONS_DEFAULT, connect},
        observe::Observer,
    },
    deciding::decision::{self, RecordResult},
    proof::signing::{InMemory, KeySet, Purpose},
};
use receipt::key::{PublicKey, SigningKey};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement, TransactionTrait};
use testkit::database::{self, TestDatabase};
use tokio::task::JoinSet;

use crate::prelude::*;

/// The initial time of every clock.
pub(crate) const NOW: &str = "2026-11-02T09:30:00.000Z";

/// The seed of the key that signs receipts.
const KEY_SEED: [u8; 32] = [7; 32];

/// The seed of the key that signs approvals.
const APPROVAL_SEED: [u8; 32] = [17; 32];

/// A database, a service that uses it, and a connection of a superuser.
pub(crate) struct TestEnv {
    pub(crate) governance: Governance,
    pub(crate) superuser: DatabaseConnection,
    /// The signing keys of the processes.
    pub(crate) keys: InMemory,
    // Dropped last: the database can be dropped only after all connections are closed.
    db: TestDatabase,
}

pub(crate) async fn test_env() -> TestEnv {
    TestEnv::start().await
}

/// Creates a test environment with one tenant.
pub(crate) async fn test_tenant() -> (TestEnv, TestTenant) {
    let env = test_env().await;
    let tenant = env.tenant("acme").await;
    (env, tenant)
}

/// Creates a test environment with one tenant that has an active policy for payments up to 100.
pub(crate) async fn test_tenant_with_policy() -> (TestEnv, TestTenant) {
    let (env, tenant) = test_tenant().await;
    tenant.active_policy(&spending("PAY", 100)).await;
    (env, tenant)
}

pub(crate) const LOG_ORIGIN: &str = "govern.example/log/1";

async fn service(db: &TestDatabase, seed: u64, keys: Option<InMemory>) -> Governance {
    observed_service(db, seed, keys, Observer::default()).await
}

async fn observed_service(
    db: &TestDatabase,
    seed: u64,
    keys: Option<InMemory>,
    observer: Observer,
) -> Governance {
    let keys = match keys {
        Some(keys) => KeySet::load(Arc::new(keys)).await.unwrap(),
        None => None,
    };
    Governance::new(GovernanceConfig {
        database: connect(&db.app_url, CONNECTIONS_DEFAULT).await.unwrap(),
        clock: Clock::frozen(NOW.parse().unwrap()),
        entropy: Entropy::seeded(seed),
        pepper: Pepper::new([3; 32]),
        keys,
        options: ServiceOptions {
            log_origin: Some(LOG_ORIGIN.to_owned()),
            observer,
            ..ServiceOptions::default()
        },
    })
}

pub(crate) fn approval_key() -> SigningKey {
    SigningKey::from_seed(APPROVAL_SEED)
}

/// Returns the public key of the key that signs receipts.
pub(crate) fn public_key() -> PublicKey {
    SigningKey::from_seed(KEY_SEED).public().clone()
}

impl TestEnv {
    /// Creates a database and a service that uses it.
    pub(crate) async fn start() -> Self {
        let db = database::test_database().await;
        let superuser = database::connect(&db.superuser_url).await;
        let keys = InMemory::new(Entropy::seeded(0))
            .with(Purpose::Receipt, SigningKey::from_seed(KEY_SEED))
            .with(Purpose::PolicyApproval, approval_key());
        let governance = service(&db, 1, Some(keys.clone())).await;
        Self { governance, superuser, keys, db }
    }

    /// Starts another process on the same database.
    pub(crate) async fn another_process(&self, seed: u64) -> Governance {
        self.process_of(seed, self.keys.clone()).await
    }

    /// Starts a process that signs receipts with another key.
    pub(crate) async fn process_with_key(&self, seed: u64, key: [u8; 32]) -> Governance {
        self.process_with(seed, Purpose::Receipt, SigningKey::from_seed(key)).await
    }

    /// Starts a process with another key for one purpose.
    pub(crate) async fn process_with(
        &self,
        seed: u64,
        purpose: Purpose,
        key: SigningKey,
    ) -> Governance {
        self.process_of(seed, self.keys.with(purpose, key)).await
    }

    /// Starts a process with these keys.
    pub(crate) async fn process_of(&self, seed: u64, keys: InMemory) -> Governance {
        service(&self.db, seed, Some(keys)).await
    }

    /// Starts another process whose events `observer` receives.
    pub(crate) async fn observed_process(&self, seed: u64, observer: Observer) -> Governance {
        observed_service(&self.db, seed, Some(self.keys.clone()), observer).await
    }

    /// Starts a process without a signing key on the same database.
    pub(crate) async fn unsigned_process(&self, seed: u64) -> Governance {
        service(&self.db, seed, None).await
    }

    /// Creates a tenant with an admin, an author, and a key whose owner is the admin.
    pub(crate) async fn tenant(&self, name: &str) -> TestTenant {
        let governance = self.governance.clone();
        let request = Bootstrap {
            tenant: name.to_owned(),
            email: format!("admin@{name}.example"),
            password: "a long pass phrase".to_owned(),
        };
        let plan = operator::plan(&governance, request).await.unwrap();
        let created = operator::bootstrap(&governance, plan).await.unwrap();
        let mut tenant = TestTenant {
            governance,
            tenant: created.tenant_id,
            admin: created.user_id,
            admin_email: created.email,
            author: created.user_id,
            key_id: created.api_key.id,
            key: created.api_key.plaintext_key,
        };
        tenant.author = tenant.create_member(&format!("author@{name}.example"), Role::Author).await;
        tenant
    }

    /// Stores the texts of all decisions so that SQL can read and change them.
    pub(crate) async fn decompress_decisions(&self) {
        testkit::database::decompress_decisions(&self.superuser).await;
    }

    /// Runs statements that bypass row-level security.
    pub(crate) async fn execute_as_superuser(&self, sql: &str) {
        self.superuser.execute_unprepared(sql).await.unwrap();
    }

    /// Returns the plan of a query on the rows of a tenant, under the role of the service.
    #[expect(clippy::disallowed_methods, reason = "explains a query as the role of the service")]
    pub(crate) async fn plan(&self, tenant: TenantId, query: &str) -> String {
        let tx = self.superuser.begin().await.unwrap();
        let settings = format!("set local role govern_app; set local app.tenant = '{tenant}'");
        tx.execute_unprepared(&settings).await.unwrap();
        let explain = Statement::from_string(DbBackend::Postgres, format!("explain {query}"));
        let rows = tx.query_all_raw(explain).await.unwrap();
        rows.iter().map(|row| row.try_get_by_index::<String>(0).unwrap() + "\n").collect()
    }

    /// Returns the first column of each row as text.
    pub(crate) async fn texts(&self, sql: &str) -> Vec<String> {
        database::texts(&self.superuser, sql).await
    }

    /// Returns the rows of a query, deserialized by column name.
    pub(crate) async fn rows<T: serde::de::DeserializeOwned>(&self, sql: &str) -> Vec<T> {
        let rows = format!("select row_to_json(t)::text from ({sql}) t");
        let texts = self.texts(&rows).await;
        texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
    }

    /// Returns the only value of a query as a number.
    pub(crate) async fn count(&self, sql: &str) -> usize {
        self.texts(&format!("select ({sql})::text")).await.concat().parse().unwrap()
    }

    /// Returns the number of statements that wait for a lock.
    pub(crate) async fn count_waiting(&self) -> usize {
        let waiting = "select count(*) from pg_stat_activity \
             where datname = current_database() and wait_event_type = 'Lock'";
        self.count(waiting).await
    }

    /// Runs operations concurrently. Locks the tenant heads until all operations wait for a lock.
    #[expect(clippy::disallowed_methods, reason = "locks a row from outside the service")]
    pub(crate) async fn with_head_locked<T: Send + 'static>(
        &self,
        operations: impl IntoIterator<Item = impl Future<Output = T> + Send + 'static>,
    ) -> Vec<T> {
        let tx = self.superuser.begin().await.unwrap();
        tx.execute_unprepared("select from tenant_heads for update").await.unwrap();
        let operations: JoinSet<T> = operations.into_iter().collect();
        while self.count_waiting().await < operations.len() {}
        tx.commit().await.unwrap();
        operations.join_all().await
    }

    /// Returns the number of rows and a digest of the rows, by table.
    pub(crate) async fn table_digests(&self) -> BTreeMap<String, String> {
        let tables = "select tablename::text from pg_tables where schemaname = 'public'";
        let mut digests = BTreeMap::new();
        for table in self.texts(tables).await {
            let rows = format!(
                "select count(*) || ' rows ' \
                 || coalesce(md5(string_agg(t::text, chr(10) order by t::text)), '-') from {table} t"
            );
            digests.insert(table, self.texts(&rows).await.concat());
        }
        assert!(digests.len() > 10, "the schema contains the tables");
        digests
    }
}

/// A tenant with an admin, an author and a key.
#[derive(Clone)]
pub(crate) struct TestTenant {
    pub(crate) governance: Governance,
    pub(crate) tenant: TenantId,
    pub(crate) admin: UserId,
    pub(crate) admin_email: String,
    pub(crate) author: UserId,
    pub(crate) key_id: ApiKeyId,
    /// The plaintext of the key.
    pub(crate) key: String,
}

impl TestTenant {
    /// Returns the same tenant in another process.
    pub(crate) fn in_process(&self, governance: &Governance) -> Self {
        Self { governance: governance.clone(), ..self.clone() }
    }

    /// Creates a member and returns the user's ID.
    pub(crate) async fn create_member(&self, email: &str, role: Role) -> UserId {
        let password = "another long pass phrase".to_owned();
        let created = operator::create_user(&self.governance, self.tenant, email, password, role);
        created.await.unwrap().user_id
    }

    /// Creates a key with the command line, owned by the admin, and returns its plaintext.
    pub(crate) async fn create_key(&self, scopes: &[Scope]) -> String {
        let request =
            KeyRequest { name: "program", owner: &self.admin_email, scopes, expires_at: None };
        let created = operator::create_key(&self.governance, self.tenant, request);
        created.await.unwrap().plaintext_key
    }

    /// Returns a context of the tenant's key.
    pub(crate) async fn key_cx(&self) -> Cx {
        self.cx_with_key(&self.key).await
    }

    pub(crate) async fn cx_with_key(&self, key: &str) -> Cx {
        let correlation_id = self.governance.correlation_id();
        self.governance.key(key, self.tenant, correlation_id).await.unwrap()
    }

    /// Returns a context of a user who has just signed in.
    pub(crate) async fn user_cx(&self, user_id: UserId) -> Cx {
        let now = self.governance.clock().now();
        let signed_in = SignedIn::new(user_id, now);
        self.session_cx(&signed_in).await
    }

    /// Returns a context of a user with an earlier sign-in.
    pub(crate) async fn session_cx(&self, signed_in: &SignedIn) -> Cx {
        let correlation_id = self.governance.correlation_id();
        self.governance.human(signed_in, self.tenant, correlation_id).await.unwrap()
    }

    pub(crate) async fn admin_cx(&self) -> Cx {
        self.user_cx(self.admin).await
    }

    pub(crate) async fn author_cx(&self) -> Cx {
        self.user_cx(self.author).await
    }

    /// Creates a policy as the author, with a draft if `policy` has rules.
    pub(crate) async fn create_policy(&self, policy: &Value) -> PolicyId {
        let new = body::<NewPolicy>(policy);
        policy::create(&self.author_cx().await, new).await.unwrap().policy.id
    }

    /// Creates the next draft as the author and returns its version number.
    pub(crate) async fn next_draft(&self, id: PolicyId, rules: &Value) -> u32 {
        let new = body::<NewVersion>(&object([("rules", rules.clone())]));
        version::create(&self.author_cx().await, id, new).await.unwrap().version
    }

    /// Submits a draft as the author and ratifies it as the admin.
    pub(crate) async fn ratify(&self, id: PolicyId, number: u32) {
        let submitted = version::submit(&self.author_cx().await, id, number).await.unwrap();
        let ratification = ratification(submitted.draft_revision);
        version::ratify(&self.admin_cx().await, id, number, ratification).await.unwrap();
    }

    /// Activates a version as the admin.
    pub(crate) async fn activate(&self, id: PolicyId, number: u32) -> Result<PolicyVersion> {
        version::activate(&self.admin_cx().await, id, number).await
    }

    /// Creates a policy as the author and activates its first version.
    pub(crate) async fn active_policy(&self, policy: &Value) -> PolicyId {
        let id = Box::pin(self.create_policy(policy)).await;
        Box::pin(self.ratify(id, 1)).await;
        self.activate(id, 1).await.unwrap();
        id
    }

    /// Evaluates a request with the key, without a record.
    pub(crate) async fn evaluate(&self, request: &Value) -> Result<EvaluateResponse> {
        decision::evaluate(&self.key_cx().await, body::<EvaluateRequest>(request)).await
    }

    /// Evaluates a request with the key and returns the response text.
    pub(crate) async fn evaluate_text(&self, request: &Value) -> Result<String> {
        decision::evaluate_text(&self.key_cx().await, body::<EvaluateRequest>(request)).await
    }

    /// Records a decision with the key.
    pub(crate) async fn record(&self, request: &Value) -> Result<RecordResult> {
        record(&self.key_cx().await, request).await
    }
}

pub(crate) async fn record(cx: &Cx, request: &Value) -> Result<RecordResult> {
    Box::pin(decision::record(cx, request, body::<RecordRequest>(request))).await
}

pub(crate) fn ratification(expected_revision: u32) -> Ratification {
    Ratification { expected_revision, note: None }
}

pub(crate) fn reason() -> ReasonBody {
    body(&object([("reason", "outdated rules".into())]))
}

pub(crate) fn review(verdict: ReviewVerdict) -> ReviewDraft {
    ReviewDraft { verdict, comments: Vec::new(), note: None }
}

/// Returns a version with the rule that the amount is at most 2.
pub(crate) fn new_version() -> NewVersion {
    body(&object([("rules", limit("LIMIT", 2))]))
}

/// Returns a correction with the rule that the amount is at most 2.
pub(crate) fn correction(expected_revision: u32) -> SupersedeInput {
    body(&object([
        ("expected_revision", expected_revision.into()),
        ("rules", limit("LIMIT", 2)),
        ("change_reason", "per day".into()),
    ]))
}

/// Returns an edit that changes only the reason.
pub(crate) fn edit(expected_revision: u32, reason: &str) -> VersionEdit {
    body(&object([
        ("expected_revision", expected_revision.into()),
        ("change_reason", reason.into()),
    ]))
}

/// Returns a policy for payments up to `max`, with one critical rule `LIMIT`.
pub(crate) fn spending(code: &str, max: u32) -> Value {
    object([
        ("code", code.into()),
        ("name", "Spending limits of the house".into()),
        ("decision_types", value(r#"["payment"]"#)),
        ("rules", limit("LIMIT", max)),
    ])
}

/// Returns one rule: the amount is at most `max`.
pub(crate) fn limit(code: &str, max: u32) -> Value {
    value(&format!(
        r#"[{{"code":"{code}","rule_type":"threshold","severity":"critical",
              "condition":{{"field":"amount","max":{max}}}}}]"#
    ))
}

/// Returns the decision context of a payment.
pub(crate) fn payment(amount: u32) -> Value {
    value(&format!(r#"{{"decision_type":"payment","fields":{{"amount":{amount}}}}}"#))
}

/// Returns the request body that records `context` under `key`.
pub(crate) fn request(key: &str, context: Value) -> Value {
    object([("idempotency_key", key.into()), ("context", context)])
}

/// Returns the request body that evaluates `context`.
pub(crate) fn evaluate_request(context: Value) -> Value {
    object([("context", context)])
}

pub(crate) fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Object::from(members).into()
}

/// Returns a copy of an object with one member added or replaced.
pub(crate) fn with(value: &Value, name: &str, member: impl Into<Value>) -> Value {
    let mut members = value.as_object().unwrap().clone();
    members.insert(name, member);
    members.into()
}

pub(crate) fn value(text: &str) -> Value {
    Value::parse(text.as_bytes(), &Limits::BUNDLE_FILE).unwrap()
}

/// Returns a text member of an object.
pub(crate) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_else(|| panic!("{name} of {value}"))
}

/// Returns the elements of a list member of an object.
pub(crate) fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value.get(name).and_then(Value::as_array).unwrap_or_else(|| panic!("{name} of {value}"))
}

pub(crate) fn body<T: FromJson>(value: &Value) -> T {
    read::body(value).unwrap_or_else(|errors| panic!("{value}: {errors:?}"))
}

pub(crate) fn decision_record(text: &str) -> DecisionRecord {
    serde_json::from_str(text).unwrap()
}

/// Formats a result as `done`, or as the status, code and reason of its error.
pub(crate) fn result_summary<T>(result: &Result<T>) -> String {
    let Err(error) = result else { return "done".to_owned() };
    let problem = error.problem();
    let reason = problem.details.as_ref().and_then(|details| details.get("reason"));
    let reason = reason.and_then(Value::as_str).map(|reason| format!(" ({reason})"));
    format!("{} {}{}", error.status(), problem.code, reason.unwrap_or_default())
}
