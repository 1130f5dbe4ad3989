//! The tools that find policies and read receipts.

use contract::{pagination::Page, policy::Policy, receipt::Receipt, rule::Rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::answer::Answer;
use crate::client::{Client, Error};

/// The maximum number of policies in an answer.
const POLICIES_MAX: u32 = 20;

/// The arguments of `find_policy`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FindArgs {
    /// A part of the code or the name of the policy.
    text: Option<String>,
    /// Only policies for this decision type, such as `payment`.
    decision_type: Option<String>,
}

/// The policies that were found.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FindAnswer {
    /// At most 20 policies, newest first. If there is only one, it has its rules.
    policies: Vec<PolicyAnswer>,
    /// Whether there are more.
    has_more: bool,
}

/// A policy with an active version.
#[derive(Debug, Serialize, JsonSchema)]
struct PolicyAnswer {
    /// The ID of the policy.
    id: String,
    /// The code of the policy.
    code: String,
    /// The name of the policy.
    name: String,
    /// The description of the policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// The decision types that it governs; empty means all.
    decision_types: Vec<String>,
    /// Whether the policy is in shadow mode: it reports violations and permits every action.
    shadow_mode: bool,
    /// The rules of the active version.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Vec<RuleAnswer>>,
}

/// A rule.
#[derive(Debug, Serialize, JsonSchema)]
struct RuleAnswer {
    /// The code of the rule.
    code: String,
    /// The name of the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The type of the rule, such as threshold.
    rule_type: &'static str,
    /// critical, high, medium or low.
    severity: &'static str,
    /// What the rule requires of the fields.
    condition: Value,
    /// The rule applies only if this matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<Value>,
}

/// The arguments of `read_receipt`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReceiptArgs {
    /// The ID of a recorded decision.
    decision_id: String,
}

/// The receipt of a decision. It may have further members.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub(super) struct ReceiptAnswer {
    /// The ID of the decision.
    decision_id: String,
    /// The ID of the tenant.
    tenant_id: String,
    /// The version of the form of receipts.
    receipt_schema_version: u32,
    /// The result of the evaluation: the verdict in `decision`, and the violations.
    result: Map<String, Value>,
    /// The policy that determined the verdict, with its version.
    policy: Map<String, Value>,
    /// The digest of the context, in hexadecimal.
    context_digest: String,
    /// The signed statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    statement: Option<Value>,
    /// The signature in base64url. A receipt without it is not signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    /// The thumbprint of the signing key.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature_kid: Option<String>,
    /// The place in the transparency log, or null while it is pending.
    transparency_anchor: Option<Value>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

/// Finds active policies by text and decision type.
pub(super) async fn find_policy(
    client: &Client,
    args: FindArgs,
) -> Result<Answer<FindAnswer>, Error> {
    let request = client
        .get(["policies"])
        .query("is_active", true)
        .query("limit", POLICIES_MAX)
        .query_if("q", args.text)
        .query_if("decision_type", args.decision_type);
    let page: Page<Policy> = request.send().await?.read()?;
    let policies = match &*page.items {
        [policy] => {
            let id = policy.id.to_string();
            let request = client.get(["policies", &id]).query("version", "active");
            vec![request.send().await?.read::<Policy>()?]
        }
        _ => page.items,
    };
    let content = FindAnswer {
        policies: policies.into_iter().map(policy).collect(),
        has_more: page.next_cursor.is_some(),
    };
    Ok(Answer { text: policies_text(&content), content })
}

fn policy(policy: Policy) -> PolicyAnswer {
    let rules = policy.version.and_then(|version| version.rules);
    PolicyAnswer {
        id: policy.id.to_string(),
        code: policy.code,
        name: policy.name,
        description: policy.description,
        decision_types: policy.decision_types,
        shadow_mode: policy.shadow_mode,
        rules: rules.map(|rules| rules.into_iter().filter(Rule::is_active).map(rule).collect()),
    }
}

fn rule(rule: Rule) -> RuleAnswer {
    let json = |value: &contract::json::Value| serde_json::to_value(value).unwrap_or_default();
    RuleAnswer {
        condition: json(&rule.condition),
        when: rule.when.as_ref().map(json),
        code: rule.code,
        name: rule.name,
        rule_type: rule.rule_type.as_str(),
        severity: rule.severity.as_str(),
    }
}

fn policies_text(found: &FindAnswer) -> String {
    if found.policies.is_empty() {
        return "No active policy matches.".to_owned();
    }
    let mut lines = Vec::new();
    for policy in &found.policies {
        let types = match &*policy.decision_types {
            [] => "all decision types".to_owned(),
            types => types.join(", "),
        };
        let mode = if policy.shadow_mode { ", in shadow mode" } else { "" };
        lines.push(format!("{} ({}): {types}{mode}", policy.code, policy.name));
        for rule in policy.rules.iter().flatten() {
            let RuleAnswer { code, rule_type, severity, condition, when, .. } = rule;
            let when = when.as_ref().map(|when| format!(" when {when}")).unwrap_or_default();
            lines.push(format!("- {code} ({severity}): {rule_type} {condition}{when}"));
        }
    }
    if found.has_more {
        lines.push("There are more policies; search for a text.".to_owned());
    }
    lines.join("\n")
}

/// Reads the signed receipt of a decision.
pub(super) async fn read_receipt(
    client: &Client,
    args: ReceiptArgs,
) -> Result<Answer<ReceiptAnswer>, Error> {
    let reply = client.get(["receipts", &args.decision_id]).send().await?;
    let receipt: Receipt = reply.read()?;
    let signature = match &receipt.signature_kid {
        Some(kid) => format!("signed with key {kid}"),
        None => "not signed".to_owned(),
    };
    let anchor = match &receipt.transparency_anchor {
        Some(_) => "in the transparency log",
        None => "not yet in the transparency log",
    };
    let text = format!(
        "Decision {}: {} by policy {} version {}, {signature}, {anchor}.\n{}",
        receipt.decision_id,
        receipt.result.decision,
        receipt.policy.code,
        receipt.policy.version,
        reply.text(),
    );
    Ok(Answer { text, content: reply.read()? })
}
