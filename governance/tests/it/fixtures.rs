//! A service on a database of its own, and the tenants in it: each with an admin, an author and a key.

use std::{collections::BTreeMap, sync::Arc};

use contract::{
    decision::{DecisionRecord, EvaluateRequest, EvaluateResponse, RecordRequest},
    id::{ApiKeyId, PolicyId, TenantId, UserId},
    json::{Limits, Object, Value},
    policy::{PolicyVersion, Ratification},
    read::{self, FromJson},
    scope::{Role, Scope},
};
use governance::{
    Cx, Governance, GovernanceConfig, Pepper, Result, SignedIn,
    access::operator::{self, Bootstrap, key::KeyRequest},
    authoring::policy::{
        self,
        rule_input::{NewPolicy, NewVersion, VersionEdit},
        version,
    },
    base::clock::{Clock, Entropy},
    deciding::decision::{self, RecordResult},
    proof::signing::{InMemory, KeySet, Purpose},
};
use receipt::key::{PublicKey, SigningKey};
use sea_orm::{ConnectionTrait, DatabaseConnection, TransactionTrait};
use testkit::database::{self, TestDatabase};
use tokio::task::JoinSet;

/// Where every clock stands at first.
pub(crate) const NOW: &str = "2026-11-02T09:30:00.000Z";

/// The seed of the receipt key of a world.
const KEY_SEED: [u8; 32] = [7; 32];

/// The seed of the key of approvals of a world.
const APPROVAL_SEED: [u8; 32] = [17; 32];

/// A database, a service on it, and somebody whom no wall holds.
pub(crate) struct TestEnv {
    pub(crate) governance: Governance,
    pub(crate) superuser: DatabaseConnection,
    /// The keys of its processes.
    pub(crate) keys: InMemory,
    // Last: the database can go only when nobody is connected.
    db: TestDatabase,
}

pub(crate) async fn world() -> TestEnv {
    let db = database::test_database().await;
    let superuser = database::connect(&db.superuser_url).await;
    let keys = InMemory::new(Entropy::seeded(0))
        .with(Purpose::Receipt, SigningKey::from_seed(KEY_SEED))
        .with(Purpose::PolicyApproval, approval_key());
    let governance = service(&db, 1, Some(keys.clone())).await;
    TestEnv { governance, superuser, keys, db }
}

async fn service(db: &TestDatabase, seed: u64, keys: Option<InMemory>) -> Governance {
    let keys = match keys {
        Some(keys) => KeySet::load(Arc::new(keys)).await.unwrap(),
        None => None,
    };
    Governance::new(GovernanceConfig {
        database: governance::base::database::connect(&db.app_url).await.unwrap(),
        clock: Clock::frozen(NOW.parse().unwrap()),
        chance: Entropy::seeded(seed),
        pepper: Pepper::new([3; 32]),
        keys,
    })
}

/// The key of approvals of a world.
pub(crate) fn approval_key() -> SigningKey {
    SigningKey::from_seed(APPROVAL_SEED)
}

/// The public half of the receipt key of a world.
pub(crate) fn public_key() -> PublicKey {
    SigningKey::from_seed(KEY_SEED).public().clone()
}

impl TestEnv {
    /// One more process on the same database.
    pub(crate) async fn another_process(&self, seed: u64) -> Governance {
        self.process_of(seed, self.keys.clone()).await
    }

    /// A process that signs receipts with another key.
    pub(crate) async fn process_with_key(&self, seed: u64, key: [u8; 32]) -> Governance {
        self.process_with(seed, Purpose::Receipt, SigningKey::from_seed(key)).await
    }

    /// A process with another key of one purpose.
    pub(crate) async fn process_with(
        &self,
        seed: u64,
        purpose: Purpose,
        key: SigningKey,
    ) -> Governance {
        self.process_of(seed, self.keys.with(purpose, key)).await
    }

    /// A process with these keys.
    pub(crate) async fn process_of(&self, seed: u64, keys: InMemory) -> Governance {
        service(&self.db, seed, Some(keys)).await
    }

    /// A process without a signing key on the same database.
    pub(crate) async fn unsigned_process(&self, seed: u64) -> Governance {
        service(&self.db, seed, None).await
    }

    /// A tenant with an admin, an author, and a key whose owner is the admin.
    pub(crate) async fn tenant(&self, name: &str) -> TestTenant {
        let governance = self.governance.clone();
        let start = Bootstrap {
            tenant: name.to_owned(),
            email: format!("admin@{name}.example"),
            password: "a long pass phrase".to_owned(),
        };
        let plan = operator::plan(&governance, start).await.unwrap();
        let made = operator::bootstrap(&governance, plan).await.unwrap();
        let mut house = TestTenant {
            governance,
            tenant: made.tenant_id,
            admin: made.user_id,
            admin_email: made.email,
            author: made.user_id,
            key_id: made.api_key.id,
            key: made.api_key.plaintext_key,
        };
        house.author = house.person(&format!("author@{name}.example"), Role::Author).await;
        house
    }

    /// Runs a statement that no wall holds up.
    pub(crate) async fn execute_as_superuser(&self, sql: &str) {
        self.superuser.execute_unprepared(sql).await.unwrap();
    }

    /// The first column of each row, as text.
    pub(crate) async fn texts(&self, sql: &str) -> Vec<String> {
        database::texts(&self.superuser, sql).await
    }

    /// The rows of a query, read by the names of their columns.
    pub(crate) async fn rows<T: serde::de::DeserializeOwned>(&self, sql: &str) -> Vec<T> {
        let rows = format!("select row_to_json(t)::text from ({sql}) t");
        let texts = self.texts(&rows).await;
        texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
    }

    /// The only value of a query.
    pub(crate) async fn count(&self, sql: &str) -> usize {
        self.texts(&format!("select ({sql})::text")).await.concat().parse().unwrap()
    }

    /// Runs acts of several processes at once, none of which can pass a tenant's head row before all
    /// of them have come to a lock.
    #[expect(clippy::disallowed_methods, reason = "holds a row from outside")]
    pub(crate) async fn with_head_locked<T: Send + 'static>(
        &self,
        acts: impl IntoIterator<Item = impl Future<Output = T> + Send + 'static>,
    ) -> Vec<T> {
        const WAITING: &str = "select count(*) from pg_stat_activity \
             where datname = current_database() and wait_event_type = 'Lock'";
        let hold = self.superuser.begin().await.unwrap();
        hold.execute_unprepared("select from tenant_heads for update").await.unwrap();
        let acts: JoinSet<T> = acts.into_iter().collect();
        while self.count(WAITING).await < acts.len() {}
        hold.commit().await.unwrap();
        acts.join_all().await
    }

    /// Every row of every table, in short: number and digest.
    pub(crate) async fn table_digests(&self) -> BTreeMap<String, String> {
        let tables = "select tablename::text from pg_tables where schemaname = 'public'";
        let mut all = BTreeMap::new();
        for table in self.texts(tables).await {
            let rows = format!(
                "select count(*) || ' rows ' \
                 || coalesce(md5(string_agg(t::text, chr(10) order by t::text)), '-') from {table} t"
            );
            all.insert(table, self.texts(&rows).await.concat());
        }
        assert!(all.len() > 10, "the tables are looked for where they are");
        all
    }
}

/// A tenant with its people.
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
    /// The same tenant, seen by another process.
    pub(crate) fn in_process(&self, governance: &Governance) -> Self {
        Self { governance: governance.clone(), ..self.clone() }
    }

    /// One more member.
    pub(crate) async fn person(&self, email: &str, role: Role) -> UserId {
        let password = "another long pass phrase".to_owned();
        let made = operator::create_user(&self.governance, self.tenant, email, password, role);
        made.await.unwrap().user_id
    }

    /// One more key of the command line, which acts for the admin.
    pub(crate) async fn key_with(&self, scopes: &[Scope]) -> String {
        let request =
            KeyRequest { name: "program", owner: &self.admin_email, scopes, expires_at: None };
        let made = operator::create_key(&self.governance, self.tenant, request);
        made.await.unwrap().plaintext_key
    }

    /// An operation of the tenant's key.
    pub(crate) async fn by_key(&self) -> Cx {
        self.with_key(&self.key).await
    }

    /// An operation of a key.
    pub(crate) async fn with_key(&self, key: &str) -> Cx {
        let correlation_id = self.governance.correlation_id();
        self.governance.key(key, self.tenant, correlation_id).await.unwrap()
    }

    /// An operation of a person who has just signed in.
    pub(crate) async fn by(&self, user_id: UserId) -> Cx {
        let now = self.governance.clock().now();
        let signed_in = SignedIn::of(user_id, now);
        self.signed_in(&signed_in).await
    }

    /// An operation of a person who has signed in before.
    pub(crate) async fn signed_in(&self, signed_in: &SignedIn) -> Cx {
        let correlation_id = self.governance.correlation_id();
        self.governance.human(signed_in, self.tenant, correlation_id).await.unwrap()
    }

    pub(crate) async fn by_admin(&self) -> Cx {
        self.by(self.admin).await
    }

    pub(crate) async fn by_author(&self) -> Cx {
        self.by(self.author).await
    }

    /// The author's new policy, with a draft when `policy` has rules.
    pub(crate) async fn drafted(&self, policy: &Value) -> PolicyId {
        let new = body::<NewPolicy>(policy);
        policy::create(&self.by_author().await, new).await.unwrap().policy.id
    }

    /// The author's next draft.
    pub(crate) async fn next_draft(&self, id: PolicyId, rules: &Value) -> u32 {
        let new = body::<NewVersion>(&object([("rules", rules.clone())]));
        version::create(&self.by_author().await, id, new).await.unwrap().version
    }

    /// A draft, submitted by the author and ratified by the admin.
    pub(crate) async fn ratified(&self, id: PolicyId, number: u32) {
        let submitted = version::submit(&self.by_author().await, id, number).await.unwrap();
        let read = ratification(submitted.draft_revision);
        version::ratify(&self.by_admin().await, id, number, read).await.unwrap();
    }

    pub(crate) async fn activated(&self, id: PolicyId, number: u32) -> Result<PolicyVersion> {
        version::activate(&self.by_admin().await, id, number).await
    }

    /// The author's new policy, whose first version decides.
    pub(crate) async fn active_policy(&self, policy: &Value) -> PolicyId {
        let id = self.drafted(policy).await;
        self.ratified(id, 1).await;
        self.activated(id, 1).await.unwrap();
        id
    }

    /// A dry run by the key.
    pub(crate) async fn evaluate(&self, request: &Value) -> Result<EvaluateResponse> {
        decision::evaluate(&self.by_key().await, body::<EvaluateRequest>(request)).await
    }

    /// The text of the same answer.
    pub(crate) async fn evaluate_text(&self, request: &Value) -> Result<String> {
        decision::evaluate_text(&self.by_key().await, body::<EvaluateRequest>(request)).await
    }

    /// A record call by the key.
    pub(crate) async fn record(&self, request: &Value) -> Result<RecordResult> {
        record(&self.by_key().await, request).await
    }
}

/// A record call.
pub(crate) async fn record(cx: &Cx, request: &Value) -> Result<RecordResult> {
    Box::pin(decision::record(cx, request, body::<RecordRequest>(request))).await
}

pub(crate) fn ratification(expected_revision: u32) -> Ratification {
    Ratification { expected_revision, note: None }
}

/// The body of an edit.
pub(crate) fn edit(expected_revision: u32, reason: &str) -> VersionEdit {
    body(&object([
        ("expected_revision", expected_revision.into()),
        ("change_reason", reason.into()),
    ]))
}

/// A policy for payments up to `max`, with one critical rule called `LIMIT`.
pub(crate) fn spending(code: &str, max: u32) -> Value {
    object([
        ("code", code.into()),
        ("name", "Spending limits of the house".into()),
        ("decision_types", value(r#"["payment"]"#)),
        ("rules", limit("LIMIT", max)),
    ])
}

/// Rules with the one rule that the amount is at most `max`.
pub(crate) fn limit(code: &str, max: u32) -> Value {
    value(&format!(
        r#"[{{"code":"{code}","rule_type":"threshold","severity":"critical",
              "condition":{{"field":"amount","max":{max}}}}}]"#
    ))
}

/// A context of a payment.
pub(crate) fn payment(amount: u32) -> Value {
    value(&format!(r#"{{"decision_type":"payment","fields":{{"amount":{amount}}}}}"#))
}

/// The body that records `context` under `key`.
pub(crate) fn request(key: &str, context: Value) -> Value {
    object([("idempotency_key", key.into()), ("context", context)])
}

/// The body that evaluates `context`.
pub(crate) fn question(context: Value) -> Value {
    object([("context", context)])
}

pub(crate) fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Object::from(members).into()
}

/// The same object with one more member.
pub(crate) fn with(value: &Value, name: &str, member: impl Into<Value>) -> Value {
    let mut members = value.as_object().unwrap().clone();
    members.insert(name, member);
    members.into()
}

pub(crate) fn value(text: &str) -> Value {
    Value::parse(text.as_bytes(), &Limits::BUNDLE_MEMBER).unwrap()
}

/// A text member.
pub(crate) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_else(|| panic!("{name} of {value}"))
}

/// The elements of a list member.
pub(crate) fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value.get(name).and_then(Value::as_array).unwrap_or_else(|| panic!("{name} of {value}"))
}

pub(crate) fn body<T: FromJson>(value: &Value) -> T {
    read::body(value).unwrap_or_else(|errors| panic!("{value}: {errors:?}"))
}

pub(crate) fn decision_record(text: &str) -> DecisionRecord {
    serde_json::from_str(text).unwrap()
}

/// How a use case ended, in a line: status, code, and the reason if there is one.
pub(crate) fn said<T>(result: &Result<T>) -> String {
    let Err(error) = result else { return "done".to_owned() };
    let problem = error.problem();
    let reason = problem.details.as_ref().and_then(|details| details.get("reason"));
    let reason = reason.and_then(Value::as_str).map(|reason| format!(" ({reason})"));
    format!("{} {}{}", error.status(), problem.code, reason.unwrap_or_default())
}
