//! Search: finds policies, rules, decisions, members and forms of a tenant by a part of their names or by
//! their IDs.

use contract::fold::fold_text;

use crate::{access::permission, base::prelude::*};

/// The maximum length of a search text in characters. A longer text is cut.
pub const TEXT_MAX: usize = 200;

/// The maximum number of results per kind.
const RESULTS_MAX: i64 = 8;

/// The results of a search. Each list contains at most eight items: those whose code is the search text, then the
/// others in the order of their names. Decisions are sorted by time, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchResults {
    /// The object whose ID is the search text, unless it is a decision or the caller may not read it.
    pub object: Option<FoundObject>,
    pub decisions: Vec<FoundDecision>,
    pub policies: Vec<FoundPolicy>,
    pub rules: Vec<FoundRule>,
    /// Empty if the caller may not list members.
    pub members: Vec<FoundMember>,
    pub forms: Vec<FoundForm>,
}

/// An object that was found by its ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundObject {
    Policy(PolicyId),
    Version(PolicyId, u32),
    Form(FormId),
    Chain(ChainId),
    Alert(AlertId),
    ApiKey(ApiKeyId),
    Capability(CapabilityId),
    Delivery(DeliveryId),
}

/// A decision whose ID or correlation ID is the search text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundDecision {
    pub id: DecisionId,
    pub decision_type: String,
    pub verdict: Verdict,
    pub recorded_at: Timestamp,
}

/// A policy whose name or code contains the search text, or whose ID it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundPolicy {
    pub id: PolicyId,
    pub name: String,
    pub code: String,
}

/// A rule of an active version whose name or code contains the search text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundRule {
    pub policy_id: PolicyId,
    pub policy_name: String,
    pub version: u32,
    pub code: String,
    pub name: Option<String>,
}

/// A member whose name or email address contains the search text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundMember {
    pub user_id: UserId,
    pub name: String,
    pub email: String,
}

/// A form whose title contains the search text, or whose ID it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundForm {
    pub id: FormId,
    pub title: String,
}

const FIND_OBJECT: &str = include_str!("search/find_object.sql");

const FIND: &str = include_str!("search/find.sql");

/// Searches for `text`. White space around it is ignored; an empty text finds nothing.
///
/// # Errors
/// `HUMAN_REQUIRED` for an API key; `FORBIDDEN` for callers outside the tenant.
pub async fn search(cx: &Cx, text: &str) -> Result<SearchResults> {
    cx.human()?;
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    let lists_members = cx.tenant(permission::LIST_MEMBERS).is_ok();
    let reads_keys = cx.tenant(permission::ADMINISTER_KEYS).is_ok();
    let reads_deliveries = cx.tenant(permission::READ_DELIVERIES).is_ok();
    // The console shows capabilities to authors and auditors only.
    let reads_capabilities =
        cx.role().is_some_and(|role| role.has(Right::Author) || role.has(Right::Audit));
    // A column never contains U+0000, and PostgreSQL rejects it as a value.
    let exact: String = text.trim().chars().filter(|c| *c != '\0').take(TEXT_MAX).collect();
    if exact.is_empty() {
        return Ok(SearchResults::default());
    }
    let id = exact.parse::<DecisionId>().ok().map(|id| id.0);
    let tx = tenant.begin().await?;
    let object = match id {
        Some(id) => {
            let values =
                [id.into(), reads_keys.into(), reads_capabilities.into(), reads_deliveries.into()];
            found_object(id, tx.optional(FIND_OBJECT, values).await?)
        }
        None => None,
    };
    let folded = fold_text(&exact);
    let values = [exact.into(), folded.into(), id.into(), lists_members.into(), RESULTS_MAX.into()];
    let (decisions, policies, rules, members, forms): (String, String, String, String, String) =
        tx.only(FIND, values).await?;
    tx.finish_read().await?;
    let decision = |(id, decision_type, verdict, at)| -> Result<FoundDecision> {
        let recorded_at = Timestamp::from_millis(at).or_bug("a time without a date")?;
        Ok(FoundDecision { id, decision_type, verdict, recorded_at })
    };
    let policy = |(id, name, code)| FoundPolicy { id, name, code };
    let rule = |(policy_id, policy_name, version, code, name)| FoundRule {
        policy_id,
        policy_name,
        version,
        code,
        name,
    };
    let member = |(user_id, name, email)| FoundMember { user_id, name, email };
    let form = |(id, title)| FoundForm { id, title };
    Ok(SearchResults {
        object,
        decisions: serde_json::from_str::<Vec<_>>(&decisions)?
            .into_iter()
            .map(decision)
            .collect::<Result<_>>()?,
        policies: serde_json::from_str::<Vec<_>>(&policies)?.into_iter().map(policy).collect(),
        rules: serde_json::from_str::<Vec<_>>(&rules)?.into_iter().map(rule).collect(),
        members: serde_json::from_str::<Vec<_>>(&members)?.into_iter().map(member).collect(),
        forms: serde_json::from_str::<Vec<_>>(&forms)?.into_iter().map(form).collect(),
    })
}

/// Returns the object of a row: its kind, and the policy and the number of a version.
fn found_object(id: Uuid, row: Option<(String, Option<Uuid>, Option<i32>)>) -> Option<FoundObject> {
    let (kind, policy, version) = row?;
    match kind.as_str() {
        "policy" => Some(FoundObject::Policy(id.into())),
        "version" => Some(FoundObject::Version(policy?.into(), unsigned(version?))),
        "form" => Some(FoundObject::Form(id.into())),
        "chain" => Some(FoundObject::Chain(id.into())),
        "alert" => Some(FoundObject::Alert(id.into())),
        "api_key" => Some(FoundObject::ApiKey(id.into())),
        "capability" => Some(FoundObject::Capability(id.into())),
        "delivery" => Some(FoundObject::Delivery(id.into())),
        _ => None,
    }
}
