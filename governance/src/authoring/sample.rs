//! Sample policies to start from.

use contract::{policy::PolicyCreated, read};

use crate::{
    authoring::policy::{self, rule_input::NewPolicy},
    base::prelude::*,
};

/// The files of the samples, each with a policy and contexts of decisions.
pub const FILES: [&str; 3] = [
    include_str!("../../samples/procurement.json"),
    include_str!("../../samples/consumer-credit.json"),
    include_str!("../../samples/ai-tool-calls.json"),
];

/// A policy to start from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    pub code: String,
    pub name: String,
    pub description: String,
}

/// Returns all samples.
///
/// # Errors
/// An internal error for a sample that is not JSON.
pub fn list() -> Result<Vec<Sample>> {
    FILES.iter().map(|text| Ok(of(&parse(text)?))).collect()
}

/// Creates the policy of the sample with this code, with its rules as a draft.
///
/// # Errors
/// `NOT_FOUND` for an unknown sample; `DUPLICATE_CODE` if the tenant has a policy with the code.
pub async fn create(cx: &Cx, code: &str) -> Result<PolicyCreated> {
    for text in FILES {
        let sample = parse(text)?;
        if of(&sample).code == code {
            return policy::create(cx, new_policy(&sample)?).await;
        }
    }
    Err(not_found(ResourceKind::Policy).into())
}

/// Returns the policy of a sample, which [`policy::create`] accepts.
///
/// # Errors
/// An internal error for a sample without a valid policy.
pub fn new_policy(sample: &Value) -> Result<NewPolicy> {
    let policy = sample.get("policy").or_bug("a sample without a policy")?;
    let to_bug = |errors: Vec<FieldError>| Error::bug(format!("sample policy: {errors:?}"));
    read::body(policy).map_err(to_bug)
}

/// Parses the file of a sample.
///
/// # Errors
/// An internal error for text that is not JSON.
pub fn parse(text: &str) -> Result<Value> {
    parse_stored("sample policy", text)
}

fn of(sample: &Value) -> Sample {
    let text = |name| {
        let policy = sample.get("policy").and_then(|policy| policy.get(name));
        policy.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    Sample { code: text("code"), name: text("name"), description: text("description") }
}
