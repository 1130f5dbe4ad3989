//! The counts that a batch of decisions and outcomes adds to the rollups.

use sea_orm::Value;

use super::latency;
use crate::base::prelude::*;

pub(super) const HOUR_MS: i64 = 3_600_000;

/// Returns the start of the hour that contains `time`.
pub(super) fn hour(time: Timestamp) -> Timestamp {
    time.plus_millis(-time.millis().rem_euclid(HOUR_MS))
}

/// The part of a decision record that is counted.
#[derive(Deserialize)]
pub(super) struct CountedDecision {
    decision: Verdict,
    result: CountedResult,
    evaluated_policies: Vec<EvaluatedPolicy>,
}

#[derive(Deserialize)]
struct CountedResult {
    violations: Vec<RuleKey>,
    na_rules: Vec<RuleKey>,
    evaluation_time_ms: f64,
    #[serde(default)]
    is_shadow: bool,
}

#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct RuleKey {
    policy_id: PolicyId,
    rule_code: String,
}

#[derive(Deserialize)]
struct EvaluatedPolicy {
    policy_id: PolicyId,
    version: u32,
    shadow_mode: bool,
    rules: Vec<Rule>,
}

#[derive(Deserialize)]
struct Rule {
    code: String,
}

fn set(rules: &[RuleKey]) -> BTreeSet<(PolicyId, &str)> {
    rules.iter().map(|rule| (rule.policy_id, rule.rule_code.as_str())).collect()
}

type DecisionKey = (Timestamp, Verdict, bool);
type PolicyKey = (PolicyId, Timestamp, u32, Verdict, bool);
type RuleVersionKey = (Timestamp, PolicyId, u32, String, bool);

#[derive(Default)]
struct RuleTally {
    evaluated: i64,
    violated: i64,
    na: i64,
    outcomes: i64,
    overridden: i64,
}

/// Counts that are not written yet. They are written in key order, which is the same in all processes.
#[derive(Default)]
pub(super) struct Tally {
    decisions: BTreeMap<DecisionKey, i64>,
    policies: BTreeMap<PolicyKey, i64>,
    rules: BTreeMap<RuleVersionKey, RuleTally>,
    latency: BTreeMap<(Timestamp, i16), i64>,
}

impl Tally {
    pub(super) fn decision(&mut self, recorded_at: Timestamp, record: &CountedDecision) {
        let (hour, verdict, result) = (hour(recorded_at), record.decision, &record.result);
        *self.decisions.entry((hour, verdict, result.is_shadow)).or_default() += 1;
        let step = latency::step(result.evaluation_time_ms);
        *self.latency.entry((hour, step)).or_default() += 1;
        for policy in &record.evaluated_policies {
            let key = (policy.policy_id, hour, policy.version, verdict, policy.shadow_mode);
            *self.policies.entry(key).or_default() += 1;
        }
        let (violated, na) = (set(&result.violations), set(&result.na_rules));
        self.rules(hour, record, |rule, tally| {
            let applied = !na.contains(&rule);
            tally.evaluated += i64::from(applied);
            tally.na += i64::from(!applied);
            tally.violated += i64::from(violated.contains(&rule));
        });
    }

    /// Counts the outcome of a decision that was recorded at `recorded_at`.
    pub(super) fn outcome(
        &mut self,
        recorded_at: Timestamp,
        record: &CountedDecision,
        is_overridden: bool,
    ) {
        let violated = set(&record.result.violations);
        self.rules(hour(recorded_at), record, |rule, tally| {
            let is_violated = violated.contains(&rule);
            tally.outcomes += i64::from(is_violated);
            tally.overridden += i64::from(is_violated && is_overridden);
        });
    }

    /// Calls `count` for every rule of every policy that the decision evaluated.
    fn rules(
        &mut self,
        hour: Timestamp,
        record: &CountedDecision,
        count: impl Fn((PolicyId, &str), &mut RuleTally),
    ) {
        for policy in &record.evaluated_policies {
            let (id, version, is_shadow) = (policy.policy_id, policy.version, policy.shadow_mode);
            for rule in &policy.rules {
                let key = (hour, id, version, rule.code.clone(), is_shadow);
                count((id, &rule.code), self.rules.entry(key).or_default());
            }
        }
    }

    /// Adds the counts to the tenant's rollups.
    pub(super) async fn add(self, tx: &TenantTx) -> Result<()> {
        self.add_decisions(tx).await?;
        self.add_policies(tx).await?;
        self.add_latency(tx).await?;
        self.add_rules(tx).await
    }

    async fn add_decisions(&self, tx: &TenantTx) -> Result<()> {
        let keys = || self.decisions.keys();
        let columns = [
            hours(keys().map(|key| key.0)),
            keys().map(|key| key.1.as_str().to_owned()).collect::<Vec<_>>().into(),
            keys().map(|key| key.2).collect::<Vec<_>>().into(),
            self.decisions.values().copied().collect::<Vec<_>>().into(),
        ];
        tx.execute(ADD_DECISIONS, columns).await?;
        Ok(())
    }

    async fn add_policies(&self, tx: &TenantTx) -> Result<()> {
        let keys = || self.policies.keys();
        let columns = [
            uuids(keys().map(|key| key.0)),
            hours(keys().map(|key| key.1)),
            keys().map(|key| i64::from(key.2)).collect::<Vec<_>>().into(),
            keys().map(|key| key.3.as_str().to_owned()).collect::<Vec<_>>().into(),
            keys().map(|key| key.4).collect::<Vec<_>>().into(),
            self.policies.values().copied().collect::<Vec<_>>().into(),
        ];
        tx.execute(ADD_POLICIES, columns).await?;
        Ok(())
    }

    async fn add_latency(&self, tx: &TenantTx) -> Result<()> {
        let columns = [
            hours(self.latency.keys().map(|key| key.0)),
            self.latency.keys().map(|key| key.1).collect::<Vec<_>>().into(),
            self.latency.values().copied().collect::<Vec<_>>().into(),
        ];
        tx.execute(ADD_LATENCY, columns).await?;
        Ok(())
    }

    async fn add_rules(self, tx: &TenantTx) -> Result<()> {
        let keys = || self.rules.keys();
        let counts = |count: fn(&RuleTally) -> i64| -> Value {
            self.rules.values().map(count).collect::<Vec<_>>().into()
        };
        let columns = [
            hours(keys().map(|key| key.0)),
            uuids(keys().map(|key| key.1)),
            keys().map(|key| i64::from(key.2)).collect::<Vec<_>>().into(),
            keys().map(|key| key.3.clone()).collect::<Vec<_>>().into(),
            keys().map(|key| key.4).collect::<Vec<_>>().into(),
            counts(|tally| tally.evaluated),
            counts(|tally| tally.violated),
            counts(|tally| tally.na),
            counts(|tally| tally.outcomes),
            counts(|tally| tally.overridden),
        ];
        tx.execute(ADD_RULES, columns).await?;
        Ok(())
    }
}

fn hours(hours: impl Iterator<Item = Timestamp>) -> Value {
    hours.map(to_column).collect::<Vec<_>>().into()
}

fn uuids(ids: impl Iterator<Item = PolicyId>) -> Value {
    ids.map(|id| id.0).collect::<Vec<Uuid>>().into()
}

// SQL: each statement writes all counts of a table with one array per column.

const ADD_DECISIONS: &str = "INSERT INTO decision_hours AS old \
     (tenant_id, hour, decision, is_shadow, decisions) \
     SELECT $1, * FROM unnest($2::timestamptz[], $3::text[], $4::boolean[], $5::bigint[]) \
     ON CONFLICT (tenant_id, hour, decision, is_shadow) \
     DO UPDATE SET decisions = old.decisions + excluded.decisions";

const ADD_POLICIES: &str = "INSERT INTO policy_hours AS old \
     (tenant_id, policy_id, hour, version, decision, is_shadow, decisions) \
     SELECT $1, * FROM unnest($2::uuid[], $3::timestamptz[], $4::bigint[], $5::text[], \
     $6::boolean[], $7::bigint[]) \
     ON CONFLICT (tenant_id, policy_id, hour, version, decision, is_shadow) \
     DO UPDATE SET decisions = old.decisions + excluded.decisions";

const ADD_LATENCY: &str = "INSERT INTO latency_hours AS old (tenant_id, hour, step, decisions) \
     SELECT $1, * FROM unnest($2::timestamptz[], $3::smallint[], $4::bigint[]) \
     ON CONFLICT (tenant_id, hour, step) \
     DO UPDATE SET decisions = old.decisions + excluded.decisions";

const ADD_RULES: &str = "INSERT INTO rule_hours AS old (tenant_id, hour, policy_id, version, \
     rule_code, is_shadow, evaluated, violated, na, outcomes, overridden) \
     SELECT $1, * FROM unnest($2::timestamptz[], $3::uuid[], $4::bigint[], $5::text[], \
     $6::boolean[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[]) \
     ON CONFLICT (tenant_id, hour, policy_id, version, rule_code, is_shadow) DO UPDATE SET \
     evaluated = old.evaluated + excluded.evaluated, violated = old.violated + excluded.violated, \
     na = old.na + excluded.na, outcomes = old.outcomes + excluded.outcomes, \
     overridden = old.overridden + excluded.overridden";
