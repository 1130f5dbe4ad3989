//! Claim 10: the context is the one that was signed, and the same rules give the same verdict again.

mod program;

use std::collections::BTreeMap;

use contract::{
    json::{Limits, Object, Value},
    time::Timestamp,
};
use engine::{Evidence, Input};
use receipt::{
    Digest,
    bundle::{EVALUATOR, path},
    statement::{Integrity, evaluated_rules, integrity, read_narrowing},
};

use self::program::{Compiled, compile};
use super::Claim;
use crate::{
    case::{Bound, Case},
    check::Check,
    code::Code,
    judge::World,
};

/// How many rules are evaluated for one bundle: no honest one comes near, and a hostile one ends.
const RULES_MAX: usize = 50_000_000;

/// What the receipts of a bundle share.
#[derive(Default)]
struct Programs {
    by_snapshot: BTreeMap<String, Result<Compiled, Code>>,
    rules: usize,
}

pub(crate) fn check(world: &World<'_>) -> Check {
    let mut check = Check::new(Claim::Evaluation);
    let mut programs = Programs::default();
    for case in &world.bundle.cases {
        match case.bound() {
            Ok(bound) => receipt(&mut check, world, &mut programs, case, &bound),
            Err(code) => check.found(code, "the context is bound by no statement"),
        }
    }
    check
}

fn receipt(
    check: &mut Check,
    world: &World<'_>,
    programs: &mut Programs,
    case: &Case,
    bound: &Bound<'_>,
) {
    let name = case.place.context();
    let Some(bytes) = world.bundle.files.get(&name) else {
        check.not_checked("re_evaluation");
        return check.found(Code::ContextWithheld, "the context is not shown");
    };
    check.checked("context_digest");
    if case.integrity_digest(bound, "context_digest") != Some(Digest::of(bytes)) {
        return check
            .found(Code::ContextDigestMismatch, "the context is not the one that was signed");
    }
    check.holds();
    let Ok(preimage) = Value::parse(bytes, &Limits::BUNDLE_MEMBER) else {
        return check.found(Code::FileUnreadable, format!("{name} cannot be read"));
    };
    if preimage.get("schema").and_then(Value::as_str) != Some("service-decision-context/v1") {
        return check.found(Code::SchemaMismatch, "the context has another schema");
    }
    let evaluator = world.bundle.json(path::PROFILE).ok();
    let evaluator = evaluator.as_ref().and_then(|profile| profile.get("evaluator"));
    if evaluator.is_some_and(|evaluator| evaluator.as_str() != Some(EVALUATOR)) {
        return check.found(Code::EvaluatorVersionUnsupported, "another evaluator decided");
    }
    let snapshot = case.place.snapshot(bound.statement.policy_snapshot_digest);
    let by_snapshot = &mut programs.by_snapshot;
    match by_snapshot.entry(snapshot).or_insert_with_key(|name| compile(world, name)) {
        Ok(compiled) => {
            programs.rules = programs.rules.saturating_add(compiled.program.rule_count());
            if programs.rules > RULES_MAX {
                return check.found(Code::NotEvaluated, "the bundle asks for too much work");
            }
            again(check, case, bound, &preimage, compiled);
        }
        Err(code) => check.found(*code, "the policies cannot be evaluated here"),
    }
}

/// Decides again, and compares everything that was hashed.
fn again(check: &mut Check, case: &Case, bound: &Bound<'_>, preimage: &Value, compiled: &Compiled) {
    check.checked("re_evaluation");
    let context = preimage.get("context");
    let member = |name: &str| context.and_then(|context| context.get(name));
    let metadata = |name: &str| member("metadata")?.get(name)?.as_str();
    let rules_hash = evaluated_rules(&compiled.policies).digest;
    let same = case.integrity_digest(bound, "evaluated_rules_hash") == Some(rules_hash);
    check.require(same, Code::RulesHashMismatch, "other rules were evaluated");

    let shown = case.bound_integrity(bound);
    let actor_id = match shown {
        Some(integrity) => integrity.get("actor_id").and_then(Value::as_str),
        None => metadata("actor_id"),
    };
    let narrowing = shown.and_then(read_narrowing);
    let timestamp = metadata("timestamp").and_then(|text| text.parse().ok());
    let as_of: Timestamp = timestamp.unwrap_or(bound.statement.timestamp);
    let none = Object::new();
    let fields = member("fields").and_then(Value::as_object).unwrap_or(&none);
    let evidence: Vec<_> =
        member("evidence").and_then(Value::as_array).unwrap_or_default().iter().map(item).collect();
    let input = Input { fields, evidence: &evidence, actor_id, as_of };
    let evaluation = engine::evaluate(&compiled.program, &input);
    let na_rules = evaluation.na_rules(&input);
    let again = integrity(&Integrity {
        decision_type: bound.statement.decision_type,
        decision: evaluation.decision,
        context_digest: receipt::Canonical::of(preimage).digest,
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
    let verdict = evaluation.decision == bound.statement.decision;
    check.require(verdict, Code::VerdictMismatch, "the same rules give another verdict");
    let same = again.digest == bound.statement.integrity_hash;
    check.require(same, Code::VerdictMismatch, "the same rules give another result");
}

fn item(item: &Value) -> Evidence<'_> {
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    Evidence { kind: text("kind"), hash: text("hash"), data_digest: text("data_digest") }
}
