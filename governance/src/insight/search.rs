//! Search: finds policies, rules, decisions, members and forms of a tenant by a part of their names or by
//! their IDs.

use contract::{
    evaluation::Verdict,
    fold::fold_text,
    id::{
        AlertId, ApiKeyId, CapabilityId, ChainId, DecisionId, DeliveryId, FormId, PolicyId, UserId,
    },
    scope::Right,
    time::Timestamp,
};
use entity::column::unsigned;
use sea_orm::QueryResult;
use uuid::Uuid;

use super::rollup::json;
use crate::{
    access::permission,
    base::{
        cx::Cx,
        error::{Error, Result},
    },
};

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

// SQL: one statement queries eight tables by their keys. `$2` is the ID; `$3`, `$4` and `$5` are whether the caller
// may read API keys, capabilities and deliveries. Only a version has a policy and a number.
const FIND_OBJECT: &str = "\
     SELECT 'policy', NULL::uuid, NULL::integer FROM policies WHERE tenant_id = $1 AND id = $2 \
     UNION ALL SELECT 'version', policy_id, version FROM policy_versions \
       WHERE tenant_id = $1 AND id = $2 \
     UNION ALL SELECT 'form', NULL, NULL FROM forms WHERE tenant_id = $1 AND id = $2 \
     UNION ALL SELECT 'chain', NULL, NULL FROM chains WHERE tenant_id = $1 AND id = $2 \
     UNION ALL SELECT 'alert', NULL, NULL FROM alerts WHERE tenant_id = $1 AND id = $2 \
     UNION ALL SELECT 'api_key', NULL, NULL FROM api_keys WHERE $3 AND tenant_id = $1 AND id = $2 \
     UNION ALL SELECT 'capability', NULL, NULL FROM capability_grants \
       WHERE $4 AND tenant_id = $1 AND id = $2 \
     UNION ALL SELECT 'delivery', NULL, NULL FROM webhook_deliveries \
       WHERE $5 AND tenant_id = $1 AND id = $2";

// SQL: all results in one round trip, each kind as JSON in its order. `$2` is the text, `$3` the folded text, `$4` the ID
// that the text is or null, `$5` whether members are included, and `$6` the maximum number of results of a kind. The
// function `search_first` returns the IDs of the first objects by name whose texts contain a part. Between these characters,
// the text is a whole name or code. The rows are read under row-level security, and the JSON of rules only for the results.
const FIND: &str = "WITH found_decisions AS ( \
       SELECT id, decision_type, decision, recorded_at, sequence FROM ( \
         (SELECT id, decision_type, decision, recorded_at, sequence FROM decisions \
           WHERE tenant_id = $1 AND id = $4) \
         UNION \
         (SELECT id, decision_type, decision, recorded_at, sequence FROM decisions \
           WHERE tenant_id = $1 AND correlation_id = $2 ORDER BY sequence DESC LIMIT $6) \
       ) AS found ORDER BY sequence DESC LIMIT $6), \
     found_policies AS ( \
       SELECT id, name, name_folded, code, code_key FROM policies WHERE tenant_id = $1 AND id IN ( \
         SELECT $4::uuid \
         UNION SELECT search_first('policy', chr(1) || $3 || chr(10), $6) \
         UNION SELECT search_first('policy', $3, $6)) \
       AND (id = $4 OR strpos(name_folded, $3) > 0 OR strpos(code_key, $3) > 0) \
       ORDER BY $3 NOT IN (code_key, name_folded), name_folded, id LIMIT $6), \
     found_rules AS ( \
       SELECT p.id, p.name, p.name_folded, v.version, v.rules, r.position, \
         split_part(r.text, chr(10), 1) <> $3 AS is_part FROM policy_versions v \
       JOIN policies p ON p.tenant_id = v.tenant_id AND p.id = v.policy_id \
       CROSS JOIN LATERAL unnest(v.rule_texts_folded) WITH ORDINALITY AS r(text, position) \
       WHERE v.tenant_id = $1 AND v.is_active AND v.policy_id IN ( \
         SELECT search_first('rule', chr(1) || $3 || chr(10), $6) \
         UNION SELECT search_first('rule', $3, $6)) \
       AND strpos(r.text, $3) > 0 \
       ORDER BY is_part, p.name_folded, p.id, r.position LIMIT $6), \
     found_members AS ( \
       SELECT u.user_id, u.display_name, u.display_name_folded, u.email \
       FROM members m JOIN users u ON u.user_id = m.user_id \
       WHERE $5 AND m.tenant_id = $1 \
         AND (strpos(u.display_name_folded, $3) > 0 OR strpos(fold_text(u.email), $3) > 0) \
       ORDER BY u.display_name_folded, u.user_id LIMIT $6), \
     found_forms AS ( \
       SELECT id, title, title_folded FROM forms WHERE tenant_id = $1 AND id IN ( \
         SELECT $4::uuid UNION SELECT search_first('form', $3, $6)) \
       ORDER BY title_folded, id LIMIT $6) \
     SELECT (SELECT coalesce(json_agg(json_build_array(id, decision_type, decision, \
         (extract(epoch FROM recorded_at) * 1000)::bigint) ORDER BY sequence DESC), '[]')::text \
       FROM found_decisions), \
     (SELECT coalesce(json_agg(json_build_array(id, name, code) \
         ORDER BY $3 NOT IN (code_key, name_folded), name_folded, id), '[]')::text \
       FROM found_policies), \
     (SELECT coalesce(json_agg(json_build_array(id, name, version, rule ->> 'code', rule ->> 'name') \
         ORDER BY is_part, name_folded, id, position), '[]')::text \
       FROM found_rules CROSS JOIN LATERAL (SELECT rules::json -> (position - 1)::integer) AS r(rule)), \
     (SELECT coalesce(json_agg(json_build_array(user_id, display_name, email) \
         ORDER BY display_name_folded, user_id), '[]')::text FROM found_members), \
     (SELECT coalesce(json_agg(json_build_array(id, title) ORDER BY title_folded, id), '[]')::text \
       FROM found_forms)";

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
            found_object(id, tx.one(FIND_OBJECT, values).await?)?
        }
        None => None,
    };
    let folded = fold_text(&exact);
    let values = [exact.into(), folded.into(), id.into(), lists_members.into(), RESULTS_MAX.into()];
    let row = tx.one(FIND, values).await?.ok_or_else(|| Error::bug("a query without a row"))?;
    tx.finish_read().await?;
    let decision = |(id, decision_type, verdict, at)| -> Result<FoundDecision> {
        let recorded_at =
            Timestamp::from_millis(at).ok_or_else(|| Error::bug("a time without a date"))?;
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
        decisions: json::<Vec<_>>(&row, 0)?.into_iter().map(decision).collect::<Result<_>>()?,
        policies: json::<Vec<_>>(&row, 1)?.into_iter().map(policy).collect(),
        rules: json::<Vec<_>>(&row, 2)?.into_iter().map(rule).collect(),
        members: json::<Vec<_>>(&row, 3)?.into_iter().map(member).collect(),
        forms: json::<Vec<_>>(&row, 4)?.into_iter().map(form).collect(),
    })
}

fn found_object(id: Uuid, row: Option<QueryResult>) -> Result<Option<FoundObject>> {
    let Some(row) = row else { return Ok(None) };
    Ok(match row.try_get_by_index::<String>(0)?.as_str() {
        "policy" => Some(FoundObject::Policy(id.into())),
        "version" => {
            let policy: Uuid = row.try_get_by_index(1)?;
            Some(FoundObject::Version(policy.into(), unsigned(row.try_get_by_index(2)?)))
        }
        "form" => Some(FoundObject::Form(id.into())),
        "chain" => Some(FoundObject::Chain(id.into())),
        "alert" => Some(FoundObject::Alert(id.into())),
        "api_key" => Some(FoundObject::ApiKey(id.into())),
        "capability" => Some(FoundObject::Capability(id.into())),
        "delivery" => Some(FoundObject::Delivery(id.into())),
        _ => None,
    })
}
