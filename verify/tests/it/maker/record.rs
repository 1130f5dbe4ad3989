//! One decision, evaluated and stated.

use contract::{
    id::{ChainId, DecisionId, TenantId},
    json::{Object, Value},
    rule::Rule,
};
use engine::{Evidence, Input, PolicyRules, Program};
use receipt::{
    Canonical,
    statement::{self, ChainPosition, Integrity, ReceiptStatement, SnapshotPolicy},
};
use uuid::Uuid;

use super::{CHAIN, Plan, TENANT, decision_id, id, instant, key, value};

/// A decision as it is recorded.
pub(super) struct Recorded {
    pub(super) statement: Canonical,
    pub(super) integrity: Canonical,
    pub(super) context: Canonical,
    pub(super) manifest: Option<Canonical>,
    pub(super) result: Object,
    pub(super) decision_id: DecisionId,
    pub(super) chain: Option<ChainPosition>,
}

impl Plan {
    fn context(&self, number: u32) -> Value {
        let evidence = if self.has_evidence {
            r#","evidence":[{"kind":"invoice","data":{"total":900}}]"#
        } else {
            ""
        };
        let amount = self.amount + number;
        value(&format!(
            r#"{{"decision_type":"payment","fields":{{"amount":{amount},"currency":"EUR"}},"metadata":{{"actor_id":"agent"}}{evidence}}}"#
        ))
    }

    pub(super) fn record(
        &self,
        policies: &[SnapshotPolicy],
        number: u32,
        step: Option<u32>,
    ) -> Recorded {
        let received = self.context(number);
        let context = statement::context(&received);
        let manifest = statement::evidence_manifest(&received);
        let recorded_at = instant(self.recorded_at);
        let rules: Vec<Vec<Rule>> = policies
            .iter()
            .map(|policy| {
                let rules = Value::from(policy.rules.clone()).to_canonical();
                // Rules that a test spoils decide nothing.
                serde_json::from_str(&rules).unwrap_or_default()
            })
            .collect();
        let compiled: Vec<_> = policies
            .iter()
            .zip(&rules)
            .map(|(policy, rules)| PolicyRules {
                policy_id: policy.policy_id,
                shadow_mode: policy.shadow_mode,
                rules,
            })
            .collect();
        let program = Program::compile(&compiled).unwrap();
        let digest = statement::data_digest(&value(r#"{"total":900}"#)).to_string();
        let evidence = [Evidence { kind: Some("invoice"), hash: None, data_digest: Some(&digest) }];
        let input = Input {
            fields: received.get("fields").unwrap().as_object().unwrap(),
            evidence: if self.has_evidence { &evidence } else { &[] },
            actor_id: Some("agent"),
            as_of: recorded_at,
        };
        let evaluation = engine::evaluate(&program, &input);
        let na_rules = evaluation.na_rules(&input);
        let decision = self.verdict.unwrap_or(evaluation.decision);
        let snapshot = statement::snapshot(policies).digest;
        let rules_hash = statement::evaluated_rules(policies).digest;
        let integrity = statement::integrity(&Integrity {
            decision_type: "payment",
            decision,
            context_digest: context.digest,
            policy_snapshot_digest: snapshot,
            evaluated_rules_hash: rules_hash,
            evidence_manifest_digest: manifest.as_ref().map(|manifest| manifest.digest),
            violations: &evaluation.violations,
            na_rules: &na_rules,
            is_shadow: evaluation.is_shadow,
            shadow_converted: evaluation.shadow_converted,
            original_decision: evaluation.original_decision,
            actor_id: Some("agent"),
            as_of: None,
            narrowing: None,
        });
        let tenant_id: TenantId = id(TENANT);
        let decision_id = decision_id(number);
        let chain = step.map(|step| ChainPosition {
            chain_id: id::<ChainId>(CHAIN),
            step,
            parent_decision_id: (self.parent)(number),
        });
        let action = value(r#"{"type":"pay"}"#);
        let kid = self.signer.map(|name| key(name).kid().to_owned());
        let statement = statement::receipt(&ReceiptStatement {
            tenant_id,
            decision_id,
            decision_type: "payment",
            decision,
            timestamp: recorded_at,
            recorded_at,
            integrity_hash: integrity.digest,
            policy_snapshot_id: id(0x50),
            policy_snapshot_digest: snapshot,
            evidence_manifest_digest: manifest.as_ref().map(|manifest| manifest.digest),
            idempotency_key_digest: statement::idempotency_key(tenant_id, &format!("k{number}")),
            action_digest: Some(statement::action(&action)),
            chain,
            kid: kid.as_deref(),
        });
        let list = |json: String| value(&json);
        let mut result = Object::from([
            ("decision", decision.as_str().into()),
            ("violations", list(serde_json::to_string_pretty(&evaluation.violations).unwrap())),
            ("na_rules", list(serde_json::to_string_pretty(&na_rules).unwrap())),
            ("rules_evaluated", evaluation.rules_evaluated.into()),
            ("rules_na", evaluation.rules_na.into()),
            ("evaluation_time_ms", 1.into()),
            ("timestamp", recorded_at.to_string().into()),
            ("policy_snapshot_id", Uuid::from_u128(0x50).to_string().into()),
            ("policy_snapshot_digest", snapshot.into()),
            ("evaluated_rules_hash", rules_hash.into()),
            ("integrity_hash", integrity.digest.into()),
            ("receipt_schema_version", 2.into()),
            ("action", action),
        ]);
        if let Some(manifest) = &manifest {
            result.insert("evidence_manifest_digest", manifest.digest);
        }
        Recorded { statement, integrity, context, manifest, result, decision_id, chain }
    }
}
