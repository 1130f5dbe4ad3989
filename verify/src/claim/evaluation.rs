//! Claim 10: the context is the signed one, and the same rules give the same result.

mod program;

use std::{collections::BTreeMap, sync::Arc};

use contract::{
    json::{Limits, Object, Value},
    time::Timestamp,
    verification::Claim,
};
use engine::{Evidence, Input};
use receipt::{
    Digest,
    bundle::{EVALUATOR, path},
    statement::{Integrity, evaluated_rules, integrity, read_narrowing},
};

use self::program::{CompiledPolicies, PATTERN_BYTES_MAX, compile};
use crate::{
    bundle::receipt::{BoundStatement, BundledReceipt},
    claim_check::ClaimCheck,
    code::Code,
    context::VerificationContext,
};

/// The maximum number of rules evaluated for one bundle. It bounds the work for hostile bundles.
const RULES_MAX: usize = 50_000_000;

/// The maximum number of steps in the rules of one bundle, which depends on the states of patterns and on the texts
/// that they read.
const STEPS_MAX: u64 = 20_000_000_000;

/// The steps to compile a byte of a pattern's automaton.
const STEPS_PER_BYTE: u64 = 16;

/// Compiled policies, shared by the receipts of a bundle.
#[derive(Default)]
struct Programs {
    by_snapshot: BTreeMap<String, Result<Arc<CompiledPolicies>, Code>>,
    /// The memory of the patterns in `by_snapshot`.
    pattern_bytes: usize,
    rules: usize,
    steps: u64,
}

impl Programs {
    /// Compiles the snapshot `name`, unless it is still compiled. The patterns of all snapshots stay within the limit:
    /// earlier ones are dropped for it.
    fn compiled(
        &mut self,
        cx: &VerificationContext<'_>,
        name: String,
    ) -> Result<Arc<CompiledPolicies>, Code> {
        if let Some(compiled) = self.by_snapshot.get(&name) {
            return compiled.clone();
        }
        if self.steps > STEPS_MAX {
            return Err(Code::NotEvaluated);
        }
        let compiled = compile(cx, &name, PATTERN_BYTES_MAX).map(Arc::new);
        let bytes = compiled.as_ref().map(|compiled| compiled.program.pattern_bytes());
        // A compilation that fails may have compiled patterns up to the limit.
        let steps = u64::try_from(bytes.unwrap_or(PATTERN_BYTES_MAX)).unwrap_or(u64::MAX);
        self.steps = self.steps.saturating_add(steps.saturating_mul(STEPS_PER_BYTE));
        self.pattern_bytes = self.pattern_bytes.saturating_add(bytes.unwrap_or(0));
        if self.pattern_bytes > PATTERN_BYTES_MAX {
            self.by_snapshot.clear();
            self.pattern_bytes = bytes.unwrap_or(0);
        }
        self.by_snapshot.insert(name, compiled.clone());
        compiled
    }
}

pub(crate) fn check(cx: &VerificationContext<'_>) -> ClaimCheck {
    let mut check = ClaimCheck::new(Claim::Evaluation);
    let mut programs = Programs::default();
    for receipt in &cx.bundle.receipts {
        let bound = check.ok_or_failure(receipt.bound(), "the context is not bound to a statement");
        let Some(bound) = bound else { continue };
        check_receipt(&mut check, cx, &mut programs, receipt, &bound);
    }
    check
}

fn check_receipt(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    programs: &mut Programs,
    receipt: &BundledReceipt,
    bound: &BoundStatement<'_>,
) {
    let name = receipt.scope.context();
    let Some(bytes) = cx.bundle.files.get(&name) else {
        check.add_not_checked("re_evaluation");
        return check.add_failure(Code::ContextWithheld, "the context is withheld");
    };
    check.add_checked("context_digest");
    if receipt.integrity_digest(bound, "context_digest") != Some(Digest::compute(bytes)) {
        return check.add_failure(
            Code::ContextDigestMismatch,
            "the context differs from the signed context",
        );
    }
    check.mark_present();
    let Ok(preimage) = Value::parse(bytes, &Limits::BUNDLE_FILE) else {
        return check.add_failure(Code::FileUnreadable, format!("{name} cannot be read"));
    };
    if preimage.get("schema").and_then(Value::as_str) != Some("service-decision-context/v1") {
        return check.add_failure(Code::SchemaMismatch, "the context has another schema");
    }
    let evaluator = cx.bundle.json(path::PROFILE).ok();
    let evaluator = evaluator.as_ref().and_then(|profile| profile.get("evaluator"));
    if evaluator.is_some_and(|evaluator| evaluator.as_str() != Some(EVALUATOR)) {
        return check
            .add_failure(Code::EvaluatorVersionUnsupported, "the evaluator is not supported");
    }
    let snapshot = receipt.scope.snapshot(bound.statement.policy_snapshot_digest);
    match programs.compiled(cx, snapshot) {
        Ok(compiled) => {
            programs.rules = programs.rules.saturating_add(compiled.program.rule_count());
            let fields = preimage.get("context").and_then(|context| context.get("fields"));
            let steps =
                fields.and_then(Value::as_object).map(|fields| compiled.program.steps(fields));
            programs.steps = programs.steps.saturating_add(steps.unwrap_or(0));
            if programs.rules > RULES_MAX || programs.steps > STEPS_MAX {
                return check.add_failure(
                    Code::NotEvaluated,
                    "the evaluation exceeds the limits of the verifier",
                );
            }
            reevaluate(check, receipt, bound, &preimage, &compiled);
        }
        Err(code) => check.add_failure(code, "the policies cannot be evaluated"),
    }
}

/// Evaluates the context again and compares the result with the integrity hash.
fn reevaluate(
    check: &mut ClaimCheck,
    receipt: &BundledReceipt,
    bound: &BoundStatement<'_>,
    preimage: &Value,
    compiled: &CompiledPolicies,
) {
    check.add_checked("re_evaluation");
    let context = preimage.get("context");
    let member = |name: &str| context.and_then(|context| context.get(name));
    let metadata = |name: &str| member("metadata")?.get(name)?.as_str();
    let rules_hash = evaluated_rules(&compiled.policies).digest;
    let hash_matches = receipt.integrity_digest(bound, "evaluated_rules_hash") == Some(rules_hash);
    check.require(hash_matches, Code::RulesHashMismatch, "the evaluated rules differ");

    let bound_integrity = receipt.bound_integrity(bound);
    let actor_id = match bound_integrity {
        Some(integrity) => integrity.get("actor_id").and_then(Value::as_str),
        None => metadata("actor_id"),
    };
    let narrowing = bound_integrity.and_then(read_narrowing);
    let timestamp = metadata("timestamp").and_then(|text| text.parse().ok());
    let as_of: Timestamp = timestamp.unwrap_or(bound.statement.timestamp);
    let empty = Object::new();
    let fields = member("fields").and_then(Value::as_object).unwrap_or(&empty);
    let evidence: Vec<_> = member("evidence")
        .and_then(Value::as_array)
        .unwrap_or_default()
        .iter()
        .map(to_evidence)
        .collect();
    let input = Input { fields, evidence: &evidence, actor_id, as_of };
    let evaluated = engine::evaluate(&compiled.program, &input)
        .and_then(|evaluation| Ok((evaluation.na_rules(&input)?, evaluation)));
    let (na_rules, evaluation) = match evaluated {
        Ok(evaluated) => evaluated,
        // The service records no such result, so this is a hostile bundle or one of an earlier version.
        Err(error) => return check.add_failure(Code::NotEvaluated, error.to_string()),
    };
    let recomputed = integrity(&Integrity {
        decision_type: bound.statement.decision_type,
        decision: evaluation.decision,
        context_digest: receipt::CanonicalJson::from_value(preimage).digest,
        policy_snapshot_digest: bound.statement.policy_snapshot_digest,
        evaluated_rules_hash: rules_hash,
        evidence_manifest_digest: bound.statement.evidence_manifest_digest,
        violations: &evaluation.violations,
        na_rules: &na_rules,
        is_shadow: evaluation.is_shadow,
        shadow_converted: evaluation.shadow_converted,
        original_decision: evaluation.original_decision,
        actor_id,
        as_of: evaluation.as_of_consulted.then_some(as_of),
        narrowing: narrowing.as_ref(),
    });
    let verdict_matches = evaluation.decision == bound.statement.decision;
    check.require(verdict_matches, Code::VerdictMismatch, "the same rules give another verdict");
    let result_matches = recomputed.digest == bound.statement.integrity_hash;
    check.require(result_matches, Code::VerdictMismatch, "the same rules give another result");
}

fn to_evidence(item: &Value) -> Evidence<'_> {
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    Evidence { kind: text("kind"), hash: text("hash"), data_digest: text("data_digest") }
}
