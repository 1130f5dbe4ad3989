//! Benchmark fixture: tenants with ratified policies, and the requests that clients send.

use std::{path::Path, sync::Arc};

use anyhow::Result;
use harness::{Connection, NUMBER, Ratifier, Request, Service, Tenant};
use serde_json::{Map, Value, json};

use crate::{
    database::Database,
    sample::Sample,
    service::{self, resident_mib},
};

/// The number of rules that apply to a record.
pub(crate) const RULES: usize = 10;

/// The number of rules of the policy in shadow mode.
const SHADOW_RULES: usize = 1;

/// The number of tenants in runs with many tenants.
pub(crate) const TENANTS: usize = 64;

#[derive(Debug)]
pub(crate) struct BenchFixture {
    pub(crate) service: Arc<Service>,
    /// The memory of the service in MiB when it was ready, before the first request.
    pub(crate) idle_mib: f64,
    pub(crate) database: Database,
    pub(crate) tenant: Tenant,
    /// The tenants beyond the first.
    other_tenants: Vec<Tenant>,
    pub(crate) ratifier: Ratifier,
    /// The newest policy of the first tenant.
    pub(crate) policy: String,
}

/// The requests that clients send with the API key of a tenant.
pub(crate) trait Requests {
    /// Returns a request that evaluates these fields against this many rules.
    fn evaluate(&self, rules: usize, fields: &Map<String, Value>) -> Request;

    /// Returns a request that records a decision of `actor`, with a new idempotency key each time. An amount above
    /// 500,000 violates the first rule.
    fn record_of(&self, actor: &str, amount: u32) -> Request;

    /// Returns a request that records a decision with a new idempotency key each time. It violates no rule.
    fn record(&self) -> Request {
        self.record_of("agent-7", 0)
    }

    /// Returns a request that records a decision that violates the rule of the shadow policy.
    fn record_in_shadow_mode(&self) -> Request;

    /// Returns a request that records a decision in a chain.
    fn record_in_chain(&self, chain: &str) -> Request;
}

impl Requests for Tenant {
    fn evaluate(&self, rules: usize, fields: &Map<String, Value>) -> Request {
        self.post("/v1/decisions/evaluate", &json!({"context": context(rules, "agent-7", fields)}))
    }

    fn record_of(&self, actor: &str, amount: u32) -> Request {
        let mut fields = Sample::NARROW.fields();
        fields["amount_0"] = amount.into();
        record(self, json!({"context": context(RULES, actor, &fields)}))
    }

    fn record_in_shadow_mode(&self) -> Request {
        let mut fields = Sample::NARROW.fields();
        fields["amount_0"] = 600_000.into();
        record(self, json!({"context": context(SHADOW_RULES, "agent-7", &fields)}))
    }

    fn record_in_chain(&self, chain: &str) -> Request {
        let context = context(RULES, "agent-7", &Sample::NARROW.fields());
        record(self, json!({"context": context, "chain": {"chain_id": chain}}))
    }
}

/// Returns a request that records this body with a new idempotency key each time.
fn record(tenant: &Tenant, mut body: Value) -> Request {
    body["idempotency_key"] = format!("bench-{NUMBER}").into();
    tenant.post("/v1/decisions/record", &body)
}

/// Returns the decision type that this many rules govern.
fn decision_type(rules: usize) -> String {
    format!("bench_{rules}")
}

fn context(rules: usize, actor: &str, fields: &Map<String, Value>) -> Value {
    json!({
        "decision_type": decision_type(rules), "fields": fields, "metadata": {"actor_id": actor},
    })
}

impl BenchFixture {
    /// Starts the service on an empty database and activates policies of 10 and of 100 rules.
    pub(crate) fn set_up(program: &Path) -> Result<Self> {
        let service = service::start(program)?;
        let idle_mib = resident_mib(&service)?;
        let tenant = Tenant::first(&service)?;
        let database = Database::at(service.run(&["db", "url"])?);
        let ratifier = Ratifier::create(&service, &tenant)?;
        let (other_tenants, policy) = (Vec::new(), String::new());
        let mut fixture =
            Self { service, idle_mib, database, tenant, other_tenants, ratifier, policy };
        for rules in [RULES, 100] {
            fixture.policy = fixture.activate(&fixture.tenant, rules, false)?;
        }
        Ok(fixture)
    }

    /// Returns `count` tenants, each with an active policy of 10 rules. Creates those that are
    /// missing.
    pub(crate) fn tenants(&mut self, count: usize) -> Result<Vec<Tenant>> {
        while self.other_tenants.len() + 1 < count {
            let tenant = self.create_tenant(self.other_tenants.len())?;
            self.other_tenants.push(tenant);
        }
        Ok(std::iter::once(&self.tenant).chain(&self.other_tenants).take(count).cloned().collect())
    }

    fn create_tenant(&self, n: usize) -> Result<Tenant> {
        let email = format!("admin.{n}@bench.example");
        let name = format!("Tenant {n}");
        let tenant = Tenant::create(&self.service, &name, &email)?;
        // One ratifier for all tenants saves an account and a sign-in for each.
        self.database.sql(&format!(
            "INSERT INTO members SELECT (jsonb_populate_record(m, '{{\"tenant_id\": \"{}\"}}')).* \
             FROM members m JOIN users USING (user_id) WHERE email = '{}' LIMIT 1",
            tenant.id,
            Ratifier::EMAIL,
        ))?;
        self.activate(&tenant, RULES, false)?;
        Ok(tenant)
    }

    /// Creates and activates a policy in shadow mode.
    pub(crate) fn activate_shadow_policy(&self, tenant: &Tenant) -> Result<()> {
        self.activate(tenant, SHADOW_RULES, true).map(drop)
    }

    /// Creates a policy of this many rules with the API key; the ratifier ratifies and activates it.
    /// Returns its ID.
    fn activate(&self, tenant: &Tenant, rules: usize, is_shadow: bool) -> Result<String> {
        let rule_values: Vec<Value> = (0..rules).map(|n| Sample::NARROW.rule(n)).collect();
        let policy = json!({
            "code": format!("BENCH-{rules}"), "name": format!("{rules} rules"),
            "decision_types": [decision_type(rules)], "rules": rule_values,
            "shadow_mode": is_shadow,
        });
        self.ratifier.activate(tenant, &policy)
    }

    /// Sends a request and returns the JSON body of its response.
    pub(crate) fn send(&self, request: &mut Request, status: u16) -> Result<Value> {
        // A connection for each request: the service closes one that is idle for a minute, and
        // benchmarks take longer.
        let mut connection = Connection::open(self.service.address)?;
        connection.send(request)?.json(status)
    }

    /// Returns a request for a console page of a tenant, as the ratifier's browser sends it. The path
    /// starts with a slash, or is empty for the overview.
    pub(crate) fn page(&self, tenant: &Tenant, path: &str) -> Request {
        let headers = format!("accept: text/html\r\n{}", self.ratifier.cookie);
        Request::new("GET", &format!("/t/{}{path}", tenant.id), &headers, None)
    }
}
