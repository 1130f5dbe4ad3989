//! Search: finds policies, rules, decisions, members and forms of a tenant by a part of their names or by
//! their IDs.

use contract::{
    evaluation::Verdict,
    id::{AlertId, ChainId, DecisionId, FormId, PolicyId, UserId},
    time::Timestamp,
};
use entity::column::{TextEnum, from_column, unsigned};
use sea_orm::{QueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use crate::{
    access::permission,
    base::{cx::Cx, error::Result},
};

/// The maximum length of a search text in characters. A longer text is cut.
pub const TEXT_MAX: usize = 200;

/// The maximum number of results per kind.
const RESULTS_MAX: i64 = 8;

/// The results of a search. Each list contains at most eight items: those whose code is the search text, then the
/// others in the order of their names. Decisions are sorted by time, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchResults {
    /// The object whose ID is the search text, unless it is a decision.
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
    Form(FormId),
    Chain(ChainId),
    Alert(AlertId),
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

// SQL: one statement queries four tables.
const FIND_OBJECT: &str = "SELECT 'policy' FROM policies WHERE tenant_id = $1 AND id = $2 \
     UNION ALL SELECT 'form' FROM forms WHERE tenant_id = $1 AND id = $2 \
     UNION ALL SELECT 'chain' FROM chains WHERE tenant_id = $1 AND id = $2 \
     UNION ALL SELECT 'alert' FROM alerts WHERE tenant_id = $1 AND id = $2";

// SQL: functions on columns, which no entity expresses. `$2` is the text in lower case, `$3` the maximum number.
const FIND_POLICIES: &str = "SELECT id, name, code FROM policies WHERE tenant_id = $1 \
     AND (strpos(lower(name), $2) > 0 OR strpos(lower(code), $2) > 0 OR id::text = $2) \
     ORDER BY $2 NOT IN (lower(code), lower(name)), lower(name), id LIMIT $3";

// The test of the whole text skips versions without the text, so that their JSON is not parsed.
const FIND_RULES: &str = "SELECT p.id, p.name, v.version, r.rule ->> 'code', r.rule ->> 'name' \
     FROM policy_versions v \
     JOIN policies p ON p.tenant_id = v.tenant_id AND p.id = v.policy_id \
     CROSS JOIN LATERAL json_array_elements(v.rules::json) WITH ORDINALITY AS r(rule, position) \
     WHERE v.tenant_id = $1 AND v.is_active AND strpos(lower(v.rules), $2) > 0 \
       AND (strpos(lower(r.rule ->> 'code'), $2) > 0 OR strpos(lower(r.rule ->> 'name'), $2) > 0) \
     ORDER BY lower(r.rule ->> 'code') <> $2, lower(p.name), p.id, r.position LIMIT $3";

const FIND_DECISIONS: &str = "SELECT id, decision_type, decision, recorded_at FROM ( \
       (SELECT id, decision_type, decision, recorded_at, sequence FROM decisions \
         WHERE tenant_id = $1 AND id = $4) \
       UNION \
       (SELECT id, decision_type, decision, recorded_at, sequence FROM decisions \
         WHERE tenant_id = $1 AND correlation_id = $2 ORDER BY sequence DESC LIMIT $3) \
     ) AS found ORDER BY sequence DESC LIMIT $3";

const FIND_MEMBERS: &str = "SELECT u.user_id, u.display_name, u.email FROM members m \
     JOIN users u ON u.user_id = m.user_id WHERE m.tenant_id = $1 \
     AND (strpos(lower(u.display_name), $2) > 0 OR strpos(u.email, $2) > 0) \
     ORDER BY lower(u.display_name), u.user_id LIMIT $3";

const FIND_FORMS: &str = "SELECT id, title FROM forms WHERE tenant_id = $1 \
     AND (strpos(lower(title), $2) > 0 OR id::text = $2) ORDER BY lower(title), id LIMIT $3";

/// Searches for `text`. White space around it is ignored; an empty text finds nothing.
///
/// # Errors
/// `HUMAN_REQUIRED` for an API key; `FORBIDDEN` for callers outside the tenant.
pub async fn search(cx: &Cx, text: &str) -> Result<SearchResults> {
    cx.human()?;
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    let lists_members = cx.tenant(permission::LIST_MEMBERS).is_ok();
    // A column never contains U+0000, and PostgreSQL rejects it as a value.
    let exact: String = text.trim().chars().filter(|c| *c != '\0').take(TEXT_MAX).collect();
    if exact.is_empty() {
        return Ok(SearchResults::default());
    }
    let decision_id = exact.parse::<DecisionId>().ok().map(|id| id.0);
    let lower = || exact.to_lowercase().into();
    let tx = tenant.begin().await?;
    let decisions = [exact.clone().into(), RESULTS_MAX.into(), decision_id.into()];
    let object = match decision_id {
        Some(id) => found_object(id, tx.one(FIND_OBJECT, [id.into()]).await?.as_ref())?,
        None => None,
    };
    let results = SearchResults {
        object,
        decisions: read(&tx.all(FIND_DECISIONS, decisions).await?, found_decision)?,
        policies: read(&tx.all(FIND_POLICIES, [lower(), RESULTS_MAX.into()]).await?, found_policy)?,
        rules: read(&tx.all(FIND_RULES, [lower(), RESULTS_MAX.into()]).await?, found_rule)?,
        members: if lists_members {
            read(&tx.all(FIND_MEMBERS, [lower(), RESULTS_MAX.into()]).await?, found_member)?
        } else {
            Vec::new()
        },
        forms: read(&tx.all(FIND_FORMS, [lower(), RESULTS_MAX.into()]).await?, found_form)?,
    };
    tx.finish_read().await?;
    Ok(results)
}

fn read<T>(rows: &[QueryResult], row: fn(&QueryResult) -> Result<T>) -> Result<Vec<T>> {
    rows.iter().map(row).collect()
}

fn found_object(id: Uuid, row: Option<&QueryResult>) -> Result<Option<FoundObject>> {
    let kind = row.map(|row| row.try_get_by_index::<String>(0)).transpose()?;
    Ok(kind.as_deref().and_then(|kind| match kind {
        "policy" => Some(FoundObject::Policy(id.into())),
        "form" => Some(FoundObject::Form(id.into())),
        "chain" => Some(FoundObject::Chain(id.into())),
        "alert" => Some(FoundObject::Alert(id.into())),
        _ => None,
    }))
}

fn found_decision(row: &QueryResult) -> Result<FoundDecision> {
    let TextEnum(verdict) = row.try_get_by_index(2)?;
    Ok(FoundDecision {
        id: DecisionId(row.try_get_by_index(0)?),
        decision_type: row.try_get_by_index(1)?,
        verdict,
        recorded_at: from_column(row.try_get_by_index::<DateTimeUtc>(3)?),
    })
}

fn found_policy(row: &QueryResult) -> Result<FoundPolicy> {
    Ok(FoundPolicy {
        id: PolicyId(row.try_get_by_index(0)?),
        name: row.try_get_by_index(1)?,
        code: row.try_get_by_index(2)?,
    })
}

fn found_rule(row: &QueryResult) -> Result<FoundRule> {
    Ok(FoundRule {
        policy_id: PolicyId(row.try_get_by_index(0)?),
        policy_name: row.try_get_by_index(1)?,
        version: unsigned(row.try_get_by_index(2)?),
        code: row.try_get_by_index(3)?,
        name: row.try_get_by_index(4)?,
    })
}

fn found_member(row: &QueryResult) -> Result<FoundMember> {
    Ok(FoundMember {
        user_id: UserId(row.try_get_by_index(0)?),
        name: row.try_get_by_index(1)?,
        email: row.try_get_by_index(2)?,
    })
}

fn found_form(row: &QueryResult) -> Result<FoundForm> {
    Ok(FoundForm { id: FormId(row.try_get_by_index(0)?), title: row.try_get_by_index(1)? })
}
