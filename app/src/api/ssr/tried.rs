//! How a context is tried.

mod place;

use contract::{
    decision::{DecisionContext, EvaluateRequest},
    id::{DecisionId, TenantId},
    json::{self, Limits, Value},
    page::LIMIT_DEFAULT,
    policy::PolicyFilter,
    read,
};
use governance::{Cx, PageRequest, decision, permission, policy};

use super::{answer, decision::rules, refuse, session, store_fault};
use crate::{
    problem::Problem,
    text::json::indented,
    view::tried::{Fault, Found, Tried, TryPage},
};

/// What the page starts with.
pub(in crate::api) async fn page(
    cx: &Cx,
    tenant: TenantId,
    from: &str,
) -> Result<TryPage, Problem> {
    may_try(cx)?;
    let decision = from.parse::<DecisionId>().ok();
    let given = match decision {
        Some(id) => Some(indented(&answer(decision::read(cx, id).await)?.context)),
        None => kept(tenant).await,
    };
    let Some(text) = given else {
        let text = blank(cx).await?;
        return Ok(TryPage { tenant, from: None, text, found: None });
    };
    let found = Some(evaluate(cx, &text).await?);
    Ok(TryPage { tenant, from: decision, text, found })
}

fn may_try(cx: &Cx) -> Result<(), Problem> {
    answer(cx.tenant(permission::EVALUATE).map(drop))
}

/// A context without fields, of a decision type that some active policy governs.
async fn blank(cx: &Cx) -> Result<String, Problem> {
    let filter = PolicyFilter { is_active: Some(true), ..PolicyFilter::default() };
    let page = PageRequest { limit: LIMIT_DEFAULT, cursor: None };
    let active = answer(policy::list(cx, filter, &page).await)?.items;
    let decision_type = active.iter().find_map(|policy| policy.decision_types.first());
    let decision_type = Value::from(decision_type.map_or("", String::as_str)).to_canonical();
    Ok(format!("{{\n  \"decision_type\": {decision_type},\n  \"fields\": {{\n  }}\n}}"))
}

/// What would be decided on a text that a person writes.
pub(in crate::api) async fn evaluate(cx: &Cx, text: &str) -> Result<Found, Problem> {
    let context = match context(text) {
        Ok(context) => context,
        Err(faults) => return Ok(Found::Faults(faults)),
    };
    let request = EvaluateRequest {
        context,
        actor: None,
        policy_group_code: None,
        policy_ids: None,
        explain: Some(true),
    };
    match decision::evaluate(cx, request).await {
        Ok(evaluated) => {
            let book = rules(cx, &evaluated.evaluated_policies).await;
            Ok(Found::Verdict(Box::new(Tried::new(&evaluated, &book))))
        }
        Err(error) if error.problem().code == "NO_ACTIVE_POLICIES" => {
            Ok(Found::NoPolicy(error.problem().message))
        }
        Err(error) => Err(refuse(&error)),
    }
}

/// The context that a text holds, or everything that is wrong with it.
pub(super) fn context(text: &str) -> Result<DecisionContext, Vec<Fault>> {
    let value = Value::parse(text.as_bytes(), &Limits::REQUEST)
        .map_err(|fault| vec![unreadable(text, fault)])?;
    read::body::<DecisionContext>(&value).map_err(|errors| {
        errors.into_iter().map(|error| fault(text, &error.path, error.message)).collect()
    })
}

/// What makes a text no JSON.
pub(super) fn unreadable(text: &str, fault: json::Fault) -> Fault {
    let (line, column) = place::position(text, fault.offset);
    Fault {
        line: Some(line),
        column: Some(column),
        pointer: None,
        message: fault.code.reason().to_owned(),
    }
}

/// What is wrong with a value of a JSON text.
pub(super) fn fault(text: &str, pointer: &str, message: String) -> Fault {
    Fault {
        line: Some(place::line(text, pointer)),
        column: None,
        pointer: Some(pointer.to_owned()),
        message,
    }
}

/// Keeps a text for the page of the same person, until it is replaced or they sign out.
pub(in crate::api) async fn keep(cx: &Cx, tenant: TenantId, text: String) -> Result<(), Problem> {
    may_try(cx)?;
    match session() {
        Some(session) => session.insert(&key(tenant), text).await.map_err(|_| store_fault()),
        None => Ok(()),
    }
}

async fn kept(tenant: TenantId) -> Option<String> {
    session()?.get(&key(tenant)).await.ok()?
}

fn key(tenant: TenantId) -> String {
    format!("try {tenant}")
}
