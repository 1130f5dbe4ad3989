//! The tools that evaluate, record and explain decisions.

use std::collections::HashSet;

use contract::{
    decision::{DecisionRecord, EvaluateResponse, EvaluatedPolicy, RecordResponse},
    evaluation::{EvaluationResult, Verdict},
    id::{DecisionId, PolicyId},
};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::Answer;
use crate::client::{Client, Error};

/// The arguments of `evaluate`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EvaluateArgs {
    /// The kind of decision, such as `payment`. The tool `find_policy` returns the decision types of policies.
    decision_type: String,
    /// The facts that the rules check, by field name, such as {"amount": 4200, "currency": "EUR"}. Use the field names
    /// of the rules that `find_policy` returns.
    fields: JsonObject,
    /// The ID of the person or program that acts.
    actor_id: Option<String>,
}

/// The arguments of `record`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordArgs {
    /// The kind of decision, such as `payment`.
    decision_type: String,
    /// The facts that the rules check, by field name.
    fields: JsonObject,
    /// The ID of the person or program that acts.
    actor_id: Option<String>,
    /// A unique name of this action, such as `invoice-2026-0417`. Repeating a call with the same key and facts returns
    /// the decision that was recorded first.
    idempotency_key: String,
}

/// The arguments of `explain`: a recorded decision, or the facts of a decision that is not recorded.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExplainArgs {
    /// The ID of a recorded decision. Without it, `decision_type` and `fields` are evaluated.
    decision_id: Option<String>,
    /// The kind of decision, such as `payment`.
    decision_type: Option<String>,
    /// The facts that the rules check, by field name.
    fields: Option<JsonObject>,
    /// The ID of the person or program that acts.
    actor_id: Option<String>,
}

/// A verdict with the failed checks.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct DecisionAnswer {
    /// Whether the action may go forward: true for ALLOW and ALERT.
    may_proceed: bool,
    /// ALLOW, ALERT, REVIEW or DENY.
    verdict: &'static str,
    /// The failed checks.
    violations: Vec<ViolationAnswer>,
    /// The codes of the policies that were evaluated.
    policies: Vec<String>,
    /// The ID of the recorded decision and of its receipt.
    #[serde(skip_serializing_if = "Option::is_none")]
    decision_id: Option<String>,
    /// Whether this call recorded the decision. False if an earlier call with the same key did.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_new: Option<bool>,
}

/// A failed check.
#[derive(Debug, Serialize, JsonSchema)]
struct ViolationAnswer {
    /// The code of the policy.
    policy_code: String,
    /// The code of the rule.
    rule_code: String,
    /// critical, high, medium or low.
    severity: &'static str,
    /// What is wrong.
    reason: String,
    /// The field that failed the check.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// Whether the policy is in shadow mode and so does not deny.
    is_shadow: bool,
}

/// The result of every rule.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ExplainAnswer {
    /// Whether the action may go forward: true for ALLOW and ALERT.
    may_proceed: bool,
    /// ALLOW, ALERT, REVIEW or DENY.
    verdict: &'static str,
    /// Every rule of the evaluated policies.
    rules: Vec<RuleAnswer>,
}

/// The result of one rule.
#[derive(Debug, Serialize, JsonSchema)]
struct RuleAnswer {
    /// The code of the policy.
    policy_code: String,
    /// The code of the rule.
    rule_code: String,
    /// `pass`, `violation` or `not_applicable`.
    outcome: &'static str,
    /// Why the rule is violated or not applicable.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Evaluates a situation. Nothing is recorded.
pub(super) async fn evaluate(
    client: &Client,
    args: EvaluateArgs,
) -> Result<Answer<DecisionAnswer>, Error> {
    let EvaluateArgs { decision_type, fields, actor_id } = args;
    let response = dry_run(client, &decision_type, &fields, actor_id).await?;
    let EvaluateResponse { result, evaluated_policies } = response;
    let content = decision(result, &evaluated_policies, None);
    Ok(Answer { text: decision_text(&content), content })
}

/// Records the decision about a situation, exactly once per idempotency key.
pub(super) async fn record(
    client: &Client,
    args: RecordArgs,
) -> Result<Answer<DecisionAnswer>, Error> {
    let RecordArgs { decision_type, fields, actor_id, idempotency_key } = args;
    let mut body = request(&decision_type, &fields, actor_id);
    body["idempotency_key"] = idempotency_key.into();
    // The key makes the call safe to repeat.
    let reply = client.post(["decisions", "record"]).json(&body).idempotent().send().await?;
    let RecordResponse { decision: record, is_new } = reply.read()?;
    let recorded = (record.id, is_new);
    let content = decision(record.result, &record.evaluated_policies, Some(recorded));
    Ok(Answer { text: decision_text(&content), content })
}

/// Explains a recorded decision, or the decision about a situation, rule by rule.
pub(super) async fn explain(
    client: &Client,
    args: ExplainArgs,
) -> Result<Answer<ExplainAnswer>, Error> {
    // What the arguments name: a decision, or all facts of one. A part of them would not be used.
    let (result, policies) = match args {
        ExplainArgs {
            decision_id: Some(id),
            decision_type: None,
            fields: None,
            actor_id: None,
        } => {
            let reply = client.get(["decisions", &id]).send().await?;
            let DecisionRecord { result, evaluated_policies, .. } = reply.read()?;
            (result, evaluated_policies)
        }
        ExplainArgs {
            decision_id: None,
            decision_type: Some(decision_type),
            fields: Some(fields),
            actor_id,
        } => {
            let response = dry_run(client, &decision_type, &fields, actor_id).await?;
            (response.result, response.evaluated_policies)
        }
        _ => {
            let message = "invalid arguments: give `decision_id`, or `decision_type` and `fields`";
            return Err(Error::Setup(message.to_owned()));
        }
    };
    let content = explanation(&result, &policies);
    Ok(Answer { text: explanation_text(&content), content })
}

async fn dry_run(
    client: &Client,
    decision_type: &str,
    fields: &JsonObject,
    actor_id: Option<String>,
) -> Result<EvaluateResponse, Error> {
    let body = request(decision_type, fields, actor_id);
    client.post(["decisions", "evaluate"]).json(&body).idempotent().send().await?.read()
}

fn request(decision_type: &str, fields: &JsonObject, actor_id: Option<String>) -> Value {
    let mut body = json!({"context": {"decision_type": decision_type, "fields": fields}});
    if let Some(id) = actor_id {
        body["actor"] = json!({"id": id});
    }
    body
}

fn decision(
    result: EvaluationResult,
    policies: &[EvaluatedPolicy],
    recorded: Option<(DecisionId, bool)>,
) -> DecisionAnswer {
    let violations = result.violations.into_iter().map(|violation| ViolationAnswer {
        policy_code: code(policies, violation.policy_id),
        rule_code: violation.rule_code,
        severity: violation.severity.as_str(),
        reason: violation.reason,
        field: violation.field,
        is_shadow: violation.is_shadow,
    });
    DecisionAnswer {
        may_proceed: may_proceed(result.decision),
        verdict: result.decision.as_str(),
        violations: violations.collect(),
        policies: policies.iter().map(|policy| policy.policy_code.clone()).collect(),
        decision_id: recorded.map(|(id, _)| id.to_string()),
        is_new: recorded.map(|(_, is_new)| is_new),
    }
}

fn explanation(result: &EvaluationResult, policies: &[EvaluatedPolicy]) -> ExplainAnswer {
    let rule = |policy: PolicyId, code: &str, outcome, reason: Option<&str>| RuleAnswer {
        policy_code: self::code(policies, policy),
        rule_code: code.to_owned(),
        outcome,
        reason: reason.map(str::to_owned),
    };
    let violations = result.violations.iter().map(|violation| {
        rule(violation.policy_id, &violation.rule_code, "violation", Some(&violation.reason))
    });
    let not_applicable = result
        .na_rules
        .iter()
        .map(|na| rule(na.policy_id, &na.rule_code, "not_applicable", Some(&na.reason)));
    let listed: HashSet<(PolicyId, &str)> = result
        .violations
        .iter()
        .map(|violation| (violation.policy_id, &*violation.rule_code))
        .chain(result.na_rules.iter().map(|na| (na.policy_id, &*na.rule_code)))
        .collect();
    let mut rules: Vec<RuleAnswer> = violations.chain(not_applicable).collect();
    for policy in policies {
        for other in &policy.rules {
            if !listed.contains(&(policy.policy_id, other.code.as_str())) {
                rules.push(rule(policy.policy_id, &other.code, "pass", None));
            }
        }
    }
    let verdict = result.decision;
    ExplainAnswer { may_proceed: may_proceed(verdict), verdict: verdict.as_str(), rules }
}

fn code(policies: &[EvaluatedPolicy], id: PolicyId) -> String {
    let policy = policies.iter().find(|policy| policy.policy_id == id);
    policy.map_or_else(|| id.to_string(), |policy| policy.policy_code.clone())
}

fn may_proceed(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Allow | Verdict::Alert)
}

fn meaning(verdict: &str) -> &'static str {
    match verdict {
        "ALLOW" => "ALLOW: the action may go forward",
        "ALERT" => "ALERT: the action may go forward; a policy in shadow mode found violations",
        "REVIEW" => "REVIEW: do not act; a person must review the decision first",
        _ => "DENY: do not act",
    }
}

fn decision_text(decision: &DecisionAnswer) -> String {
    let mut lines = vec![format!("{}.", meaning(decision.verdict))];
    for violation in &decision.violations {
        let ViolationAnswer { policy_code, rule_code, severity, reason, .. } = violation;
        lines.push(format!("- {reason} (rule {rule_code} of {policy_code}, {severity})"));
    }
    if let Some(id) = &decision.decision_id {
        let verb = if decision.is_new == Some(true) { "Recorded" } else { "Already recorded" };
        lines.push(format!("{verb} as decision {id}."));
    }
    lines.join("\n")
}

fn explanation_text(explanation: &ExplainAnswer) -> String {
    let mut lines = vec![format!("{}.", meaning(explanation.verdict))];
    for RuleAnswer { policy_code, rule_code, outcome, reason } in &explanation.rules {
        let reason = reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        lines.push(format!("- {outcome} {rule_code} of {policy_code}{reason}"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_state_the_verdict_the_reasons_and_the_record() {
        let violation = ViolationAnswer {
            policy_code: "PAY".into(),
            rule_code: "AMOUNT".into(),
            severity: "high",
            reason: "amount is 7, above the maximum of 5".into(),
            field: Some("amount".into()),
            is_shadow: false,
        };
        let decision = DecisionAnswer {
            may_proceed: false,
            verdict: "DENY",
            violations: vec![violation],
            policies: vec!["PAY".into()],
            decision_id: Some("1".into()),
            is_new: Some(false),
        };
        let expected = "DENY: do not act.\n\
            - amount is 7, above the maximum of 5 (rule AMOUNT of PAY, high)\n\
            Already recorded as decision 1.";
        assert_eq!(decision_text(&decision), expected);
    }
}
