//! The rules that an explanation shows.

use contract::decision::EvaluatedPolicy;
use governance::{Cx, authoring::policy};

use super::RuleBook;

/// Returns the rules of the evaluated policies. Rules of another tenant cannot be read: the page shows their
/// status without their sentence.
pub async fn rules(cx: &Cx, evaluated: &[EvaluatedPolicy]) -> RuleBook {
    let versions = evaluated.iter().map(|evaluated| (evaluated.policy_id, evaluated.version));
    let rules = policy::version::rules_of(cx, versions).await.unwrap_or_default();
    rules.into_iter().map(|(id, rule)| ((id, rule.code.clone()), rule)).collect()
}
